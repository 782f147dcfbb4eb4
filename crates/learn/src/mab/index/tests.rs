//! The lazy leader must choose exactly what the naive argmax chooses.

use proptest::prelude::*;
use reticent_privacy::{SimSeed, Stream};

use super::{LazyArgmax, Rule};

/// Hoeffding's index with a factor, and with forced pulls: simple, and with every feature that a rule can have.
struct Hoeffding {
    factor: f64,
    forced: f64,
}

impl Rule for Hoeffding {
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64 {
        mean + self.factor * (2.0 * log_t / pulls).sqrt()
    }
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64 {
        let gap = (level - mean).max(0.0) / self.factor;
        0.5 * pulls * gap * gap
    }
    fn forced(&self) -> f64 {
        self.forced
    }
}

/// The printed algorithm, line by line, with no cache.
fn naive<R: Rule>(argmax: &LazyArgmax<R>) -> usize {
    let total = argmax.total as f64;
    let bound = argmax.rule.forced() * libm::log(total + 1.0);
    if let Some(arm) = argmax.views.iter().position(|view| view.pulls <= bound) {
        return arm;
    }
    let mut best = (0, f64::NEG_INFINITY);
    for (arm, view) in argmax.views.iter().enumerate() {
        let index = argmax.rule.index(view.pulls, view.mean, libm::log(total));
        if index > best.1 {
            best = (arm, index);
        }
    }
    best.0
}

fn compare<R: Rule>(
    mut argmax: LazyArgmax<R>,
    answer: impl Fn(f64, f64) -> f64,
    means: &[f64],
    rounds: usize,
    late: bool,
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let mut sums = vec![(0, 0.0); means.len()];
    for round in 0..rounds {
        let chosen = argmax.choose();
        prop_assert_eq!(chosen, naive(&argmax), "round {}", round);
        prop_assert_eq!(argmax.choose(), chosen, "asking twice changes nothing");
        // Late reports for other arms arrive now and then.
        let arm = if late && round % 7 == 3 { round / 7 % means.len() } else { chosen };
        sums[arm].0 += 1;
        sums[arm].1 += answer(means[arm], rng.uniform());
        argmax.update(arm, sums[arm].0, sums[arm].1 / sums[arm].0 as f64);
    }
    Ok(())
}

fn fresh<R: Rule>(rule: R, arms: usize) -> LazyArgmax<R> {
    LazyArgmax::new(rule, vec![(0, f64::NAN); arms])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lazy_is_naive(
        means in prop::collection::vec(0.0_f64..=1.0, 1..12),
        kind in 0..3_usize,
        epsilon in 0.1_f64..4.0,
        late in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let bit = |mean: f64, u: f64| f64::from(u8::from(u < mean));
        let number = |mean: f64, u: f64| mean + 3.0 * (u - 0.5);
        let arms = means.len();
        match kind {
            0 => compare(fresh(Hoeffding { factor: 1.0, forced: 0.0 }, arms), bit, &means, 6_000, late, seed)?,
            1 => {
                let rule = Hoeffding { factor: 1.0 + 4.0 / epsilon, forced: 4.0 };
                compare(fresh(rule, arms), number, &means, 6_000, late, seed)?;
            }
            _ => {
                let rule = super::super::kl_ucb::KullbackLeibler::new(arms, 0.5 + epsilon / 10.0);
                compare(fresh(rule, arms), bit, &means, 3_000, late, seed)?;
            }
        }
    }
}

#[test]
fn the_first_pulls_go_round() {
    let mut argmax = fresh(Hoeffding { factor: 1.0, forced: 0.0 }, 4);
    for expected in 0..4 {
        assert_eq!(argmax.choose(), expected);
        argmax.update(expected, 1, 0.0);
    }
}
