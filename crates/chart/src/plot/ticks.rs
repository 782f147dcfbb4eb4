//! Where an axis has ticks, and the round numbers its ends are moved to.

use super::number::{Label, Style, exponent_of, power_of_ten};
use super::scale::{Domain, Scale};

/// Decades up to here read better as `100M` than as a power of ten.
const LARGEST_SHORT: i32 = 8;
const SMALLEST_SHORT: i32 = -3;
/// Fewer labels than this leave a reader guessing the scale.
const FEWEST: usize = 3;
/// Decades from one label to the next. Each stride leaves at least two of any
/// four labels of the stride before it, so that thinning never leaves just one.
const STRIDES: [i32; 9] = [1, 2, 3, 5, 10, 20, 40, 80, 160];

/// A labelled position on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: Label,
}

/// Ticks of one axis, in rising order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    pub(super) major: Vec<Tick>,
    /// Unlabelled positions between the labels of a log axis.
    pub(super) minor: Vec<f64>,
}

impl Ticks {
    /// About `target` labelled ticks, all inside the domain.
    pub(super) fn within(domain: &Domain, target: usize) -> Self {
        match domain.scale {
            Scale::Linear => Self { major: linear(domain, target), minor: Vec::new() },
            Scale::Log => log(domain, target),
        }
    }

    /// Labels at 1, 2 and 5 in every decade of a log axis, if it has enough.
    pub(super) fn in_every_decade(domain: &Domain) -> Option<Self> {
        let steps = match domain.scale {
            Scale::Linear => Vec::new(),
            Scale::Log => rounds(domain, &[1, 2, 5]),
        };
        let ticks = || Self { major: labelled(steps.iter()), minor: digits(domain) };
        (steps.len() >= FEWEST).then(ticks)
    }
}

/// Moves each end of the domain out to a round number, unless that would add
/// more than `slack` of its length as empty space.
pub(super) fn round_out(domain: Domain, target: usize, slack: f64) -> Domain {
    let wide = match domain.scale {
        Scale::Log if domain.hi / domain.lo > 2.0 => {
            Domain { lo: Round::below(domain.lo).value(), hi: Round::above(domain.hi).value(), ..domain }
        }
        _ => {
            let step = Round::above((domain.hi - domain.lo) / target as f64);
            let lo = step.times((domain.lo / step.value() + 1e-9).floor());
            let hi = step.times((domain.hi / step.value() - 1e-9).ceil());
            Domain { lo, hi, ..domain }
        }
    };
    let keep = |end: f64, near: bool| near && domain.scale.shows(end);
    let lo = if keep(wide.lo, -domain.fraction(wide.lo) <= slack) { wide.lo } else { domain.lo };
    let hi = if keep(wide.hi, domain.fraction(wide.hi) - 1.0 <= slack) { wide.hi } else { domain.hi };
    Domain { lo, hi, ..domain }
}

/// `digit × 10^exponent`, exact where a float would have to be rounded.
#[derive(Clone, Copy, Debug)]
struct Round {
    digit: u8,
    exponent: i32,
}

impl Round {
    /// The next such number with a digit of 1, 2 or 5, downwards.
    fn below(value: f64) -> Self {
        let exponent = exponent_of(value);
        let lead = value / power_of_ten(exponent) * (1.0 + 1e-9);
        let digit = [5, 2].into_iter().find(|d| f64::from(*d) <= lead).unwrap_or(1);
        Self { digit, exponent }
    }

    /// The next such number with a digit of 1, 2 or 5, upwards.
    fn above(value: f64) -> Self {
        let exponent = exponent_of(value);
        let lead = value / power_of_ten(exponent) * (1.0 - 1e-9);
        match [1, 2, 5].into_iter().find(|d| f64::from(*d) >= lead) {
            Some(digit) => Self { digit, exponent },
            None => Self { digit: 1, exponent: exponent + 1 },
        }
    }

    fn value(self) -> f64 {
        self.times(1.0)
    }

    /// Dividing by a whole power of ten keeps decimals such as 0.3 exact.
    fn times(self, count: f64) -> f64 {
        let digits = count * f64::from(self.digit);
        match self.exponent {
            -300..0 => digits / power_of_ten(-self.exponent),
            _ => digits * power_of_ten(self.exponent),
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear(domain: &Domain, target: usize) -> Vec<Tick> {
    let enough = |values: &(Round, Vec<f64>)| values.1.len() >= FEWEST.min(target);
    let mut finer = (target..4 * target).map(|t| multiples(domain, t));
    let (step, values) = finer.find(enough).unwrap_or_else(|| multiples(domain, 4 * target));
    let largest = values.iter().fold(step.value(), |max, v| max.max(v.abs()));
    let style = Style::pick(largest, step.exponent);
    values.into_iter().map(|value| Tick { value, label: style.label(value) }).collect()
}

/// At most `most + 1` even steps inside the domain.
fn multiples(domain: &Domain, most: usize) -> (Round, Vec<f64>) {
    let step = Round::above((domain.hi - domain.lo) / most as f64);
    let first = (domain.lo / step.value() - 1e-9).ceil();
    let inside = |v: &f64| domain.scale.shows(*v) && *v <= domain.hi + 1e-9 * step.value();
    // Adding zero turns a negative zero into a plain one.
    let values = (0..=most + 1).map(|i| step.times(first + i as f64) + 0.0);
    (step, values.take_while(inside).collect())
}

/// Whole decades where there are enough of them, 1-2-5 steps where not, and
/// even steps where the domain is too narrow for either.
fn log(domain: &Domain, target: usize) -> Ticks {
    let decades = rounds(domain, &[1]);
    if decades.len() >= FEWEST {
        let every = |stride: i32| decades.iter().filter(move |r| r.exponent.rem_euclid(stride) == 0);
        let few = |stride: &i32| every(*stride).count() <= target.max(FEWEST);
        let stride = STRIDES.into_iter().find(few).unwrap_or(1);
        // Marks for every digit turn into a solid bar once decades are skipped.
        let minor = if stride == 1 { digits(domain) } else { decades.iter().map(|r| r.value()).collect() };
        return Ticks { major: labelled(every(stride)), minor };
    }
    let even = || Ticks { major: linear(domain, target), minor: Vec::new() };
    Ticks::in_every_decade(domain).unwrap_or_else(even)
}

/// All numbers with one digit other than zero inside the domain.
fn digits(domain: &Domain) -> Vec<f64> {
    rounds(domain, &[1, 2, 3, 4, 5, 6, 7, 8, 9]).iter().map(|r| r.value()).collect()
}

/// All round numbers with these digits inside the domain.
fn rounds(domain: &Domain, digits: &[u8]) -> Vec<Round> {
    let decades = exponent_of(domain.lo) - 1..=exponent_of(domain.hi) + 1;
    let inside = |r: &Round| {
        let at = domain.fraction(r.value());
        domain.scale.shows(r.value()) && (-1e-9..=1.0 + 1e-9).contains(&at)
    };
    let decade = |exponent| digits.iter().map(move |&digit| Round { digit, exponent });
    decades.flat_map(decade).filter(inside).collect()
}

fn labelled<'a>(rounds: impl Iterator<Item = &'a Round> + Clone) -> Vec<Tick> {
    let short = rounds.clone().all(|r| (SMALLEST_SHORT..=LARGEST_SHORT).contains(&r.exponent));
    let write = if short { Label::short } else { Label::power };
    let tick = |r: &Round| Tick { value: r.value(), label: write(r.digit, r.exponent) };
    rounds.map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(scale: Scale, lo: f64, hi: f64) -> Domain {
        Domain { scale, lo, hi }
    }

    fn texts(ticks: &Ticks) -> Vec<String> {
        let text = |t: &Tick| format!("{}^{}", t.label.base, t.label.exponent);
        ticks.major.iter().map(|t| text(t).trim_end_matches('^').to_owned()).collect()
    }

    /// Domains of every size and position, each at least a little wide.
    fn domains(scale: Scale) -> impl Iterator<Item = Domain> {
        let starts = [1e-290, 3e-9, 0.07, 1.0, 9.99, 123.0, 4e5, 8.1e12, 1e200];
        let factors = [1.0 + 1e-6, 1.01, 1.3, 2.0, 7.7, 10.0, 99.0, 1e3, 4e6, 1e12, 1e90];
        let pair = move |lo: f64| factors.into_iter().map(move |f| domain(scale, lo, lo * f));
        starts.into_iter().flat_map(pair)
    }

    #[test]
    fn ticks_rise_stay_inside_and_differ() {
        let mirrored = domains(Scale::Linear).map(|d| Domain { lo: -d.hi, hi: d.hi / 3.0, ..d });
        let all = domains(Scale::Linear).chain(domains(Scale::Log)).chain(mirrored);
        for d in all {
            for target in [2, 5, 8] {
                let ticks = Ticks::within(&d, target);
                let values: Vec<f64> = ticks.major.iter().map(|t| t.value).collect();
                assert!(values.len() >= 2, "{d:?} {target}: {values:?}");
                assert!(values.len() <= 3 * target + 3, "{d:?} {target}: {values:?}");
                assert!(values.is_sorted_by(|a, b| a < b), "{d:?}: {values:?}");
                let inside = |v: &f64| (-1e-6..=1.0 + 1e-6).contains(&d.fraction(*v));
                assert!(values.iter().chain(&ticks.minor).all(inside), "{d:?}: {values:?}");
                let mut texts = texts(&ticks);
                texts.dedup();
                assert_eq!(texts.len(), values.len(), "{d:?}: {texts:?}");
            }
        }
    }

    #[test]
    fn linear_steps_are_one_two_five() {
        for d in domains(Scale::Linear) {
            let ticks = Ticks::within(&d, 6).major;
            let step = ticks[1].value - ticks[0].value;
            let digit = step / power_of_ten(exponent_of(step * 1.001));
            assert!([1.0, 2.0, 5.0].iter().any(|d| (digit - d).abs() < 0.01), "{d:?}: {digit}");
        }
    }

    #[test]
    fn rounding_out_only_widens() {
        for d in domains(Scale::Linear).chain(domains(Scale::Log)) {
            let wide = round_out(d, 6, 1.0);
            assert!(wide.lo <= d.lo * (1.0 + 1e-6) && wide.hi >= d.hi * (1.0 - 1e-6), "{d:?} {wide:?}");
            assert_eq!(round_out(d, 6, -1.0), d);
        }
    }

    #[test]
    fn familiar_axes() {
        let decades = Ticks::within(&domain(Scale::Log, 1.0, 1e6), 8);
        assert_eq!(texts(&decades), ["1", "10", "100", "1k", "10k", "100k", "1M"]);
        let powers = Ticks::within(&domain(Scale::Log, 1e-6, 1.0), 4);
        assert_eq!(texts(&powers), ["10^−6", "10^−4", "10^−2", "10^0"]);
        let narrow = Ticks::within(&domain(Scale::Log, 1.0, 10.0), 6);
        assert_eq!(texts(&narrow), ["1", "2", "5", "10"]);
        let fine = Ticks::in_every_decade(&domain(Scale::Log, 0.05, 3.0)).unwrap();
        assert_eq!(texts(&fine), ["0.05", "0.1", "0.2", "0.5", "1", "2"]);
        let even = Ticks::within(&domain(Scale::Linear, 0.0, 1e6), 6);
        assert_eq!(texts(&even), ["0", "200k", "400k", "600k", "800k", "1M"]);
        let tenths = Ticks::within(&domain(Scale::Linear, -0.2, 0.4), 3);
        assert_eq!(texts(&tenths), ["−0.2", "0.0", "0.2", "0.4"].map(|t| if t == "0.0" { "0" } else { t }));
    }
}
