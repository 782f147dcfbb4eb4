//! A test turned into an interval: all effects that it does not reject.

/// A statistic's size at a supposed effect, and the bound up to which it is accepted.
pub(super) type Test<'a> = &'a dyn Fn(f64) -> (f64, f64);

/// The point where the statistic is smallest, and the least and the largest effect accepted, within [-1, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Accepted {
    pub(super) estimate: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The statistic's bound at the estimate: the normal one, or more for the noise's tails.
    pub(super) bound: f64,
}

impl Accepted {
    /// Nothing is known.
    pub(super) const ANYTHING: Accepted = Accepted { estimate: 0.0, low: -1.0, high: 1.0, bound: 2.0 };

    /// In units of which there are so many in one.
    pub(super) fn times(self, scale: f64) -> Accepted {
        let [estimate, low, high] =
            [self.estimate, self.low, self.high].map(|end| (scale * end).clamp(-1.0, 1.0));
        Accepted { estimate, low, high, bound: self.bound }
    }

    /// Distances from the estimate to both ends, in deviations of one. Where noise has eaten the people of a
    /// stratum, the interval ends with the possible effects, and so does the error of the estimate.
    pub(super) fn deviations(&self) -> [f64; 2] {
        [self.estimate - self.low, self.high - self.estimate].map(|distance| distance / self.bound)
    }
}

const GRID: i32 = 80;
const STEP: f64 = 2.0 / GRID as f64;
const HALVINGS: usize = 30;
const THIRDS: usize = 20;

pub(super) fn invert(test: Test<'_>) -> Accepted {
    let at = |place: i32| f64::from(place) * STEP - 1.0;
    let accepted = |effect: f64| {
        let (size, bound) = test(effect);
        size.abs() <= bound
    };
    let sizes: Vec<f64> = (0..=GRID).map(|place| test(at(place)).0.abs()).collect();
    let smallest = (0..=GRID)
        .fold(0, |best, place| if sizes[place as usize] < sizes[best as usize] { place } else { best });
    let estimate =
        least(&|effect| test(effect).0.abs(), at(smallest) - STEP, at(smallest) + STEP).clamp(-1.0, 1.0);
    let mut inside: Vec<f64> = (0..=GRID).map(at).filter(|&effect| accepted(effect)).collect();
    if accepted(estimate) {
        inside.push(estimate);
    }
    // Tables that contradict each other reject every effect. That is no knowledge of a single one.
    if inside.is_empty() {
        return Accepted { estimate, low: -1.0, high: 1.0, bound: test(estimate).1 };
    }
    let low = inside.iter().copied().fold(1.0, f64::min);
    let high = inside.iter().copied().fold(-1.0, f64::max);
    Accepted {
        estimate,
        low: edge(&accepted, low, (low - STEP).max(-1.0)),
        high: edge(&accepted, high, (high + STEP).min(1.0)),
        bound: test(estimate).1,
    }
}

/// The border between an accepted effect and one that may not be.
fn edge(accepted: &dyn Fn(f64) -> bool, mut inside: f64, mut outside: f64) -> f64 {
    if accepted(outside) {
        return outside;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if accepted(middle) { inside = middle } else { outside = middle }
    }
    inside
}

/// The place of the least value between two bounds, by thirds.
pub(super) fn least(value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..THIRDS {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if value(left) < value(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high)
}
