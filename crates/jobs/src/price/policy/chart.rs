//! A policy as charts.

use reticent_learn::pricing::{Policy, Quote};
use reticent_privacy::Guarantee;
use reticent_schema::{AxisKind, AxisView};

use super::earned;
use reticent_chart::numbers::number;
use reticent_chart::numbers::tidy;
use reticent_chart::plot::stack;
use reticent_chart::plot::{Axis, Chart, Series};

/// Points along a numeric axis: so many that a jump looks like one.
const STEPS: usize = 241;
/// Where along the axis curves over prices are drawn: low, middle, high.
const PLACES: [f64; 3] = [0.1, 0.5, 0.9];

/// The price and what it earns along the first context axis, then what every price earns at three contexts.
/// The other axes are in the middle of their ranges. The guarantee is the policy's. One SVG document.
pub fn charts(policy: &Policy, guarantee: &Guarantee) -> String {
    if policy.terms().context().dimension() == 0 {
        return chart_of_everybody(policy, guarantee).svg();
    }
    stack(&charts_along(policy, guarantee, 0).map(|chart| chart.svg()))
}

/// What every price earns where there are no contexts.
pub(super) fn chart_of_everybody(policy: &Policy, guarantee: &Guarantee) -> Chart {
    Drawing::new(policy, guarantee, 0).curves()
}

/// The same along another axis, as charts of their own.
pub(super) fn charts_along(policy: &Policy, guarantee: &Guarantee, place: usize) -> [Chart; 3] {
    let drawing = Drawing::new(policy, guarantee, place);
    let along: Vec<(f64, Quote)> = drawing.along().collect();
    [drawing.prices(&along), drawing.earnings(&along), drawing.curves()]
}

/// The axis along which a policy is drawn.
struct Drawing<'a> {
    policy: &'a Policy,
    guarantee: &'a Guarantee,
    axis: AxisView<'a>,
    place: usize,
    what: &'static str,
}

impl<'a> Drawing<'a> {
    fn new(policy: &'a Policy, guarantee: &'a Guarantee, place: usize) -> Drawing<'a> {
        let none = AxisView { name: "context", kind: AxisKind::Numeric, low: 0.0, high: 1.0 };
        let axis = policy.terms().context().axes().nth(place).unwrap_or(none);
        Drawing { policy, guarantee, axis, place, what: earned(policy.objective()) }
    }

    /// A context at a place of the axis, in the middle of all others.
    fn point(&self, place: f64) -> Vec<f64> {
        let mut point = vec![0.5; self.policy.terms().context().dimension()];
        if let Some(coordinate) = point.get_mut(self.place) {
            *coordinate = place;
        }
        point
    }

    /// A place in the axis's own unit; levels count from 1.
    fn own(&self, place: f64) -> f64 {
        match self.axis.kind {
            AxisKind::Numeric => self.axis.low + (self.axis.high - self.axis.low) * place,
            AxisKind::Category(levels) => (place * levels as f64).floor() + 1.0,
        }
    }

    fn places(&self) -> Vec<f64> {
        match self.axis.kind {
            AxisKind::Numeric => (0..STEPS).map(|i| i as f64 / (STEPS - 1) as f64).collect(),
            AxisKind::Category(levels) => (0..levels).map(|i| (i as f64 + 0.5) / levels as f64).collect(),
        }
    }

    fn along(&self) -> impl Iterator<Item = (f64, Quote)> {
        let places = self.places().into_iter();
        places.map(|place| (self.own(place), self.policy.quote_point(&self.point(place))))
    }

    fn prices(&self, along: &[(f64, Quote)]) -> Chart {
        let objective = self.policy.objective();
        let ends = [along[0].0, along[along.len() - 1].0];
        let edge = |name: String, at: f64| Series::bound(name, ends.map(|x| (x, at)).to_vec());
        let mut chart = self.price_chart(along.iter().map(|(x, quote)| (*x, quote.price)).collect());
        if let [low, .., high] = objective.prices[..] {
            chart.series.push(edge(format!("lowest, {}", tidy(low)), low));
            chart.series.push(edge(format!("highest, {}", tidy(high)), high));
        }
        if let Some(fallback) = objective.fallback {
            chart.series.push(edge(format!("fallback, {}", tidy(fallback)), fallback));
        }
        chart
    }

    fn price_chart(&self, points: Vec<(f64, f64)>) -> Chart {
        Chart {
            title: format!("The price by {}", self.axis.name),
            subtitle: self.held(),
            x: self.x(),
            y: Axis::linear("price"),
            series: vec![Series::measured("quoted", points)],
            note: None,
        }
    }

    fn earnings(&self, along: &[(f64, Quote)]) -> Chart {
        let mean = along.iter().map(|(x, quote)| (*x, quote.mean)).collect();
        let lower: Vec<(f64, f64)> = along.iter().map(|(x, quote)| (*x, quote.lower)).collect();
        let band = along.iter().map(|(_, quote)| (quote.lower, quote.mean)).collect();
        Chart {
            title: format!("The {} of the quoted price, by {}", self.what, self.axis.name),
            subtitle: Some(self.confident("shaded")),
            x: self.x(),
            y: Axis::linear(format!("{} from one person", self.what)),
            series: vec![
                Series::measured("expected", mean).with_band(band),
                Series::bound("at least", lower),
            ],
            note: None,
        }
    }

    fn curves(&self) -> Chart {
        let contexts = self.policy.terms().context().dimension();
        let places: Vec<f64> = match self.axis.kind {
            _ if contexts == 0 => vec![0.5],
            AxisKind::Numeric => PLACES.to_vec(),
            AxisKind::Category(_) => self.places().into_iter().take(PLACES.len()).collect(),
        };
        Chart {
            title: match contexts {
                0 => "What each price would earn".into(),
                _ => format!("What each price would earn, for {} contexts", count(places.len())),
            },
            subtitle: Some(format!("rings: the quoted prices; {}", self.confident("shaded"))),
            x: Axis::linear("price"),
            y: Axis::linear(format!("{} from one person", self.what)),
            series: places.into_iter().map(|place| self.curve(place)).collect(),
            note: Some(self.note()),
        }
    }

    fn curve(&self, place: f64) -> Series {
        let point = self.point(place);
        let curve = self.policy.curve(&point);
        let quote = self.policy.quote_point(&point);
        let name = if point.is_empty() {
            "everybody".into()
        } else {
            format!("{} = {}", self.axis.name, tidy(self.own(place)))
        };
        Series::measured(name, curve.iter().map(|&(price, mean, _)| (price, mean)).collect())
            .with_band(curve.iter().map(|&(_, mean, lower)| (lower, mean)).collect())
            .with_lower_edge()
            .with_marks(vec![(quote.price, quote.mean)])
    }

    fn x(&self) -> Axis {
        match self.axis.kind {
            AxisKind::Numeric => Axis::linear(self.axis.name),
            AxisKind::Category(_) => Axis::linear(format!("{} (number of the level)", self.axis.name)),
        }
    }

    /// Where the other axes are held.
    fn held(&self) -> Option<String> {
        let axes = self.policy.terms().context().axes().enumerate().filter(|(place, _)| *place != self.place);
        let others = axes.map(|(_, axis)| match axis.kind {
            AxisKind::Numeric => format!("{} = {}", axis.name, tidy(f64::midpoint(axis.low, axis.high))),
            AxisKind::Category(_) => format!("{} = its middle level", axis.name),
        });
        let others: Vec<String> = others.collect();
        if others.is_empty() {
            None
        } else {
            Some(format!("at {}, the middle of the declared range", others.join(", ")))
        }
    }

    fn confident(&self, how: &str) -> String {
        format!(
            "{how}: down to the pessimistic {}, which holds for all contexts and prices at once with {} % confidence if the market is as smooth as it seems",
            self.what,
            tidy(100.0 * self.policy.objective().confidence)
        )
    }

    fn note(&self) -> String {
        let learned = self.policy.learned();
        let epsilons: Vec<String> = learned.epsilons.iter().map(|epsilon| tidy(*epsilon)).collect();
        let doubt = match self.guarantee.protects() {
            Some(true) => String::new(),
            _ => format!(" Each record: {}.", self.guarantee),
        };
        format!(
            "Learned from {} privatised reports, each with epsilon {}. Charts and quotes cost no more.{doubt}",
            number(learned.reports as f64),
            epsilons.join(" or ")
        )
    }
}

fn count(contexts: usize) -> &'static str {
    match contexts {
        1 => "one",
        2 => "two",
        _ => "three",
    }
}
