//! What a user asks of a simulated bandit: how soon do people get the best arm?

use reticent_chart::numbers::count;
use reticent_chart::plot::{Axis, Chart, Series};
use serde::Serialize;

use crate::reproduce::mark;
use crate::stats::Summary;

/// Something measured after some of the people.
#[derive(Debug, Clone, Serialize)]
pub struct CurvePoint {
    /// How many.
    pub users: u64,
    /// Mean and spread over trials.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Most people: when so large a share of those who come get the best arm, it counts as found.
pub const GOAL: f64 = 0.8;

/// How soon people get the best arm, or one that is as good.
#[derive(Debug, Clone, Serialize)]
pub struct BestArm {
    /// Of the people after the point before and up to this one, the share who got it: mean and spread over trials.
    pub share: Vec<CurvePoint>,
    /// The share that counts as found.
    pub goal: f64,
    /// After so many people at least that share gets it, on average over trials and from then on; none if that is not
    /// reached. Known to the next point of the curve.
    pub people_until_goal: Option<u64>,
}

impl BestArm {
    /// From how many people of each trial had got it by each of these points; none if a trial did not count it.
    pub(crate) fn of<'a>(points: &[u64], trials: impl Iterator<Item = &'a [u64]>) -> Option<BestArm> {
        let trials: Vec<&[u64]> = trials.collect();
        let whole = trials.iter().all(|on_best| on_best.len() == points.len());
        let starts: Vec<u64> = std::iter::once(0).chain(points.iter().copied()).collect();
        let share_at = |place: usize| -> Vec<f64> {
            let people = (points[place] - starts[place]).max(1) as f64;
            let before = |on_best: &[u64]| place.checked_sub(1).map_or(0, |before| on_best[before]);
            trials.iter().map(|on_best| (on_best[place] - before(on_best)) as f64 / people).collect()
        };
        let share =
            |place: usize| Some(CurvePoint { users: points[place], summary: Summary::of(&share_at(place))? });
        let places = whole.then_some(0..points.len())?;
        let share: Vec<CurvePoint> = places.map(share).collect::<Option<_>>()?;
        let from = share.iter().rposition(|point| point.summary.mean < GOAL).map_or(0, |last| last + 1);
        let people_until_goal = share.get(from).map(|_| starts[from]);
        Some(BestArm { share, goal: GOAL, people_until_goal })
    }

    /// In words: how soon, and what comes after.
    pub fn words(&self) -> String {
        let last = self.share.last().map_or(0.0, |point| point.summary.mean);
        let goal = 100.0 * self.goal;
        match self.people_until_goal {
            Some(0) => format!("{goal:.0} % of people get it from the start"),
            Some(people) => format!(
                "after about {} people {goal:.0} % of those who come get it; at the end {:.1} %",
                count(two_digits(people)),
                100.0 * last
            ),
            None => {
                format!("not yet given to {goal:.0} % of those who come; at the end to {:.1} %", 100.0 * last)
            }
        }
    }
}

/// As many digits as the points of a curve are apart.
fn two_digits(people: u64) -> u64 {
    let unit = 10_u64.pow(people.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (people + unit / 2) / unit * unit
}

/// Shares of fewer people than this jump about; all are shown if there are few people.
const FIRST_SHOWN: u64 = 100;

/// The share of people who get the best arm, against how many came before.
pub fn best_arm_chart(title: &str, subtitle: &str, best: &BestArm, seed: u64) -> Chart {
    let users = best.share.last().map_or(0, |point| point.users);
    let first = if users > 10 * FIRST_SHOWN { FIRST_SHOWN } else { 1 };
    let shown: Vec<_> = best.share.iter().filter(|point| point.users >= first).collect();
    let percent = |share: f64| 100.0 * share;
    let points = shown.iter().map(|point| (point.users as f64, percent(point.summary.mean))).collect();
    let band = shown.iter().map(|point| {
        let [low, high] = point.summary.ci95.unwrap_or([point.summary.mean; 2]);
        (percent(low).clamp(0.0, 100.0), percent(high).clamp(0.0, 100.0))
    });
    let mut series = vec![Series::measured("on the best arm", points).with_band(band.collect())];
    if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
        let goal = percent(best.goal);
        let ends = [first, last].map(|point| (point.users as f64, goal)).to_vec();
        series.push(Series::bound(format!("{goal:.0} %"), ends));
    }
    Chart {
        title: title.to_string(),
        subtitle: Some(format!("{subtitle}. {}", capital(&best.words()))),
        x: Axis::log("people served"),
        y: Axis::linear("of the people then, on the best arm (%)"),
        series,
        note: Some(mark(seed)),
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
