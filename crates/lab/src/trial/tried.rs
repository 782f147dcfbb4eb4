//! Worlds in which intervals are tried: what goes well, what goes wrong, and what no design can hold.

use reticent_curate::trial::{Draft, Outcome, TrialSpec};
use reticent_privacy::{SimSeed, Stream};

use super::{Arrivals, Conditions, Delay, Noise, World, WorldError};

/// A world with a name.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What it is.
    pub name: &'static str,
    /// The world.
    pub world: World,
    /// Whether a design can hold its coverage there. Where none can, the number is a warning.
    pub can_hold: bool,
}

/// What a world is made of.
struct Made {
    people: u64,
    alpha: f64,
    arms: usize,
    shares: Vec<f64>,
    means: (f64, f64),
    noise: Noise,
    expected: Option<f64>,
    conditions: Conditions,
}

fn made(people: u64, means: (f64, f64)) -> Made {
    Made {
        people,
        alpha: 0.0,
        arms: 2,
        shares: vec![1.0],
        means,
        noise: Noise::Coin,
        expected: None,
        conditions: Conditions::default(),
    }
}

impl Made {
    fn world(self) -> Result<World, WorldError> {
        let mut plan = Draft::simple("tried", self.people, 1.0);
        plan.alpha = self.alpha;
        plan.arms = (0..self.arms).map(|arm| format!("arm {arm}")).collect();
        plan.outcome = Outcome {
            binary: self.noise == Noise::Coin,
            expected: self.expected,
            ..Outcome::number("outcome", 0.0, 1.0)
        };
        let strata = self.shares.len();
        let plan = if strata > 1 { plan.with_levels("group", strata) } else { plan };
        let (base, other) = self.means;
        let mean = |arm: usize| base + (other - base) * arm as f64 / (self.arms - 1) as f64;
        Ok(World {
            spec: TrialSpec::new(plan)?,
            arrivals: Arrivals::Stationary { shares: self.shares },
            means: vec![(0..self.arms).map(mean).collect(); strata],
            noise: self.noise,
            conditions: self.conditions,
        })
    }
}

/// A standard deviation of 15 % of the range.
const NARROW: Noise = Noise::Normal { sd: 0.15 };
const LATE: Delay = Delay { enrolments: 400, high: 0.6, low: 0.1 };
const ADAPTIVE: f64 = 0.3;

/// All of them.
pub fn tried() -> Result<Vec<Tried>, WorldError> {
    let plain = (0.4, 0.55);
    let none = (0.5, 0.5);
    let effect = (0.4, 0.6);
    let delay = || Conditions { delay: Some(LATE), ..Conditions::default() };
    let lost = || Conditions { lost: vec![0.1, 0.4], ..Conditions::default() };
    let trend = || Conditions { trend: 0.3, ..Conditions::default() };
    let unequal = || vec![90.0, 9.0, 0.9, 0.1];
    let mut all = vec![
        ("baseline", made(200, plain)),
        ("baseline", made(1000, plain)),
        ("baseline", made(5000, plain)),
        ("baseline, adaptive", Made { alpha: ADAPTIVE, ..made(2000, plain) }),
        ("no effect, adaptive", Made { alpha: ADAPTIVE, ..made(2000, none) }),
        ("deviation 15 %", Made { noise: NARROW, ..made(200, (0.5, 0.55)) }),
        ("deviation 15 %", Made { noise: NARROW, ..made(1000, (0.5, 0.55)) }),
        ("deviation 15 %, off the middle", Made { noise: NARROW, ..made(200, (0.3, 0.35)) }),
        (
            "deviation 15 %, off the middle, as expected",
            Made { noise: NARROW, expected: Some(0.3), ..made(200, (0.3, 0.35)) },
        ),
        ("deviation 15 %, adaptive", Made { noise: NARROW, alpha: ADAPTIVE, ..made(2000, (0.5, 0.55)) }),
        (
            "long tail",
            Made { noise: Noise::Tailed { sd: 1.0 }, expected: Some(0.15), ..made(1000, (0.12, 0.18)) },
        ),
        ("prevalence 1 % and 3 %", Made { expected: Some(0.02), ..made(2000, (0.01, 0.03)) }),
        ("prevalence 1 %, no effect", Made { expected: Some(0.01), ..made(2000, (0.01, 0.01)) }),
        ("prevalence 1 % and 3 %, adaptive", Made { alpha: ADAPTIVE, ..made(4000, (0.01, 0.03)) }),
        ("four strata", Made { shares: vec![1.0; 4], ..made(200, plain) }),
        ("four strata", Made { shares: vec![1.0; 4], ..made(1000, plain) }),
        (
            "four strata, deviation 15 %",
            Made { shares: vec![1.0; 4], noise: NARROW, ..made(1000, (0.5, 0.55)) },
        ),
        ("six strata, no effect", Made { shares: vec![1.0; 6], ..made(1000, none) }),
        (
            "six strata, no effect, adaptive",
            Made { shares: vec![1.0; 6], alpha: ADAPTIVE, ..made(6000, none) },
        ),
        ("strata 90:9:0.9:0.1", Made { shares: unequal(), ..made(1000, plain) }),
        ("strata 90:9:0.9:0.1", Made { shares: unequal(), ..made(5000, plain) }),
        ("three arms", Made { arms: 3, ..made(1000, plain) }),
        ("five arms", Made { arms: 5, ..made(1000, plain) }),
        ("shared trend", Made { conditions: trend(), ..made(1000, plain) }),
        ("shared trend, adaptive", Made { conditions: trend(), alpha: ADAPTIVE, ..made(4000, plain) }),
        ("late by outcome, no effect", Made { conditions: delay(), ..made(1000, none) }),
        ("late by outcome, effect 0.2", Made { conditions: delay(), ..made(1000, effect) }),
        (
            "late by outcome, no effect, adaptive",
            Made { conditions: delay(), alpha: ADAPTIVE, ..made(4000, none) },
        ),
        (
            "late by outcome, effect 0.2, adaptive",
            Made { conditions: delay(), alpha: ADAPTIVE, ..made(4000, effect) },
        ),
        ("missing 10 and 40 %", Made { conditions: lost(), ..made(1000, effect) }),
        ("missing 10 and 40 %, adaptive", Made { conditions: lost(), alpha: ADAPTIVE, ..made(4000, effect) }),
    ]
    .into_iter()
    .map(|(name, made)| Ok(Tried { name, world: made.world()?, can_hold: true }))
    .collect::<Result<Vec<_>, WorldError>>()?;
    let hidden = Conditions { lost_if_low: 0.3, ..Conditions::default() };
    let drift = Conditions { drift: 0.3, ..Conditions::default() };
    for (name, made) in [
        ("missing if low, in one arm", Made { conditions: hidden, ..made(1000, effect) }),
        ("an effect that drifts, adaptive", Made { conditions: drift, alpha: ADAPTIVE, ..made(4000, none) }),
    ] {
        all.push(Tried { name, world: made.world()?, can_hold: false });
    }
    Ok(all)
}

/// Outcomes drawn to learn their variance.
const DRAWS: u32 = 20_000;

/// The width of the interval that a plain trial of as many people would have without privacy, and with one
/// signed sum whose noise hides a change of one: the least that epsilon asks for. For everyone, two arms even.
pub fn least_widths(world: &World) -> Option<(f64, f64)> {
    let spec = &world.spec;
    let epsilon = spec.epsilon()?.value();
    (spec.arms() == 2).then_some(())?;
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    let mut variance = |arm: usize| {
        let draws = (0..DRAWS).map(|_| world.outcome(0, arm, &mut rng));
        let (sum, squares) = draws.fold((0.0, 0.0), |(sum, squares), y| (sum + y, squares + y * y));
        let mean = sum / f64::from(DRAWS);
        squares / f64::from(DRAWS) - mean * mean
    };
    let people = spec.draft().people as f64;
    let sd = ((variance(0) + variance(1)) * 2.0 / people).sqrt();
    let scale = 2.0 * spec.draft().outcome.width() / (people * epsilon);
    let confidence = spec.draft().confidence;
    Some((2.0 * quantile(sd, 0.0, confidence), 2.0 * quantile(sd, scale, confidence)))
}

/// The q with P(|normal + Laplace| <= q) = confidence.
fn quantile(sd: f64, scale: f64, confidence: f64) -> f64 {
    let below = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    let within = |q: f64| {
        if scale == 0.0 {
            return 2.0 * below(q / sd) - 1.0;
        }
        // Over the Laplace variable, by its quantiles.
        let steps = 2000;
        let at = |step: i32| {
            let share = (f64::from(step) + 0.5) / f64::from(steps);
            let noise = -scale * libm::log(1.0 - share);
            below((q - noise) / sd) - below((-q - noise) / sd)
        };
        (0..steps).map(at).sum::<f64>() / f64::from(steps)
    };
    let (mut low, mut high) = (0.0, 10.0 * (sd + scale));
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if within(middle) < confidence { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_as_the_notes_have_it() {
        // Width over the plain one: binary 1.02 at 200 and 1.00 at 1,000 people; deviation 15 %: 1.21 and 1.05.
        for (noise, people, expected) in
            [(Noise::Coin, 200, 1.02), (Noise::Coin, 1000, 1.00), (NARROW, 200, 1.21), (NARROW, 1000, 1.05)]
        {
            let world = Made { noise, ..made(people, (0.5, 0.5)) }.world().unwrap();
            let (plain, floor) = least_widths(&world).unwrap();
            assert!((floor / plain - expected).abs() < 0.015, "{} {expected}", floor / plain);
        }
    }

    #[test]
    fn every_world_can_be_run() {
        for one in tried().unwrap() {
            one.world.check().unwrap();
        }
    }
}
