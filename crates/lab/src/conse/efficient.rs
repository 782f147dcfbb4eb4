//! What section 5 of the paper names for whoever needs no privacy and says no more of: adaptive Neyman allocation
//! (Zhao, 2023), and a doubly robust estimator that knows a covariate (after Kim et al., 2021). Neither is private.

use reticent_privacy::SimRng;

/// A world with one covariate x, standard normal: an outcome is mean + slope x + bend (x^2 - 1), and normal noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covariates {
    /// Means of the two arms.
    pub means: [f64; 2],
    /// Deviations of the arms' noise.
    pub noise: [f64; 2],
    /// How much the covariate says.
    pub slope: f64,
    /// How much it says that no line does.
    pub bend: f64,
}

/// How people are assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// Coins.
    Coins,
    /// A first part by coins, then by the arms' deviations in it.
    Neyman,
}

/// One person of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enrolled {
    /// Their covariate.
    pub covariate: f64,
    /// Their arm, 0 or 1.
    pub arm: u32,
    /// The chance that they had of arm 1.
    pub chance: f64,
    /// Their outcome.
    pub outcome: f64,
}

/// Chances stay so far from 0 and 1.
const LEAST_CHANCE: f64 = 0.1;
/// The first part has this times the root of all people: any power below 1 will do in the limit.
const FIRST_PART: f64 = 3.0;

impl Covariates {
    /// A trial of so many people.
    pub fn enrol(&self, people: u64, allocation: Allocation, rng: &mut SimRng) -> Vec<Enrolled> {
        let first = match allocation {
            Allocation::Coins => people,
            Allocation::Neyman => (FIRST_PART * (people as f64).sqrt()) as u64,
        };
        let mut all: Vec<Enrolled> = Vec::new();
        let mut chance = 0.5;
        for person in 0..people {
            if person == first {
                chance = neyman(&all);
            }
            all.push(self.one(chance, rng));
        }
        all
    }

    fn one(&self, chance: f64, rng: &mut SimRng) -> Enrolled {
        let covariate = rng.normal();
        let arm = u32::from(rng.uniform() < chance);
        let said = self.slope * covariate + self.bend * (covariate * covariate - 1.0);
        let outcome = self.means[arm as usize] + said + self.noise[arm as usize] * rng.normal();
        Enrolled { covariate, arm, chance, outcome }
    }

    /// The true effect.
    pub fn effect(&self) -> f64 {
        self.means[1] - self.means[0]
    }

    /// The least variance of an estimator that knows what the covariate says, times people: with coins, and with
    /// the best chances.
    pub fn floors(&self) -> [f64; 2] {
        let [control, treatment] = self.noise;
        [2.0 * (control * control + treatment * treatment), (control + treatment) * (control + treatment)]
    }

    /// The same for the difference of means, which does not know the covariate.
    pub fn plain(&self) -> [f64; 2] {
        let said = self.slope * self.slope + 2.0 * self.bend * self.bend;
        let [control, treatment] = self.noise.map(|sd| (sd * sd + said).sqrt());
        [2.0 * (control * control + treatment * treatment), (control + treatment) * (control + treatment)]
    }
}

/// The chance of arm 1 that makes the difference of means vary least: by the arms' deviations.
fn neyman(people: &[Enrolled]) -> f64 {
    let deviation = |arm: u32| {
        let outcomes = || people.iter().filter(|one| one.arm == arm).map(|one| one.outcome);
        let count = outcomes().count() as f64;
        let mean = outcomes().sum::<f64>() / count;
        let squares: f64 = outcomes().map(|outcome| (outcome - mean) * (outcome - mean)).sum();
        if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 1.0 }
    };
    let [control, treatment] = [0, 1].map(deviation);
    let share = treatment / (control + treatment);
    if share.is_finite() { share.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE) } else { 0.5 }
}

/// A line through one arm's people.
fn line(people: &[Enrolled], arm: u32) -> (f64, f64) {
    let of = || people.iter().filter(|one| one.arm == arm);
    let count = of().count() as f64;
    if count == 0.0 {
        return (0.0, 0.0);
    }
    let mean = |value: fn(&Enrolled) -> f64| of().map(value).sum::<f64>() / count;
    let (x, y) = (mean(|one| one.covariate), mean(|one| one.outcome));
    let product: f64 = of().map(|one| (one.covariate - x) * (one.outcome - y)).sum();
    let square: f64 = of().map(|one| (one.covariate - x) * (one.covariate - x)).sum();
    let slope = if square > 0.0 { product / square } else { 0.0 };
    (y - slope * x, slope)
}

/// The doubly robust estimate of the effect: each half of the people is predicted by lines through the other half,
/// and what the prediction misses is weighed by the person's own chance. Chances are known, so that a line that is
/// wrong costs width and no bias.
pub fn doubly_robust(people: &[Enrolled]) -> f64 {
    let halves: [Vec<Enrolled>; 2] =
        [0, 1].map(|half| people.iter().skip(half).step_by(2).copied().collect());
    let mut sum = 0.0;
    for (half, other) in [(0, 1), (1, 0)] {
        let lines = [0, 1].map(|arm| line(&halves[other], arm));
        for one in &halves[half] {
            let said = lines.map(|(level, slope)| level + slope * one.covariate);
            let missed = one.outcome - said[one.arm as usize];
            let weighed = if one.arm == 1 { missed / one.chance } else { -missed / (1.0 - one.chance) };
            sum += said[1] - said[0] + weighed;
        }
    }
    sum / people.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    const TRIALS: u64 = 800;

    /// Mean and variance of the doubly robust estimate's error, times people.
    fn measured(world: Covariates, allocation: Allocation, people: u64) -> (f64, f64) {
        let errors = (0..TRIALS).map(|trial| {
            let mut rng = SimSeed(11).stream(trial, Stream::Environment);
            doubly_robust(&world.enrol(people, allocation, &mut rng)) - world.effect()
        });
        let (sum, squares) = errors.fold((0.0, 0.0), |(s, q), error| (s + error, q + error * error));
        (sum / TRIALS as f64, squares / TRIALS as f64 * people as f64)
    }

    /// 800 squares have a relative error of 5 %: five of these are 25 %.
    #[test]
    fn a_right_line_reaches_the_floor() {
        let world = Covariates { means: [0.0, 0.4], noise: [0.5, 1.5], slope: 1.0, bend: 0.0 };
        let [coins, best] = world.floors();
        let (_, by_coins) = measured(world, Allocation::Coins, 400);
        assert!((by_coins / coins - 1.0).abs() < 0.25, "{by_coins} {coins}");
        let (_, by_neyman) = measured(world, Allocation::Neyman, 400);
        // It goes by the deviations of outcomes, which the covariate makes more alike than those of the noise.
        assert!(by_neyman < by_coins && by_neyman > 0.8 * best, "{by_neyman} {best}");
        assert!(by_coins < 0.85 * world.plain()[0], "a covariate that says much is worth it");
    }

    #[test]
    fn a_wrong_line_is_not_biased() {
        let world = Covariates { means: [0.0, 0.4], noise: [0.5, 1.5], slope: 1.0, bend: 1.0 };
        for allocation in [Allocation::Coins, Allocation::Neyman] {
            let (bias, variance) = measured(world, allocation, 400);
            let error = (variance / 400.0 / TRIALS as f64).sqrt();
            assert!(bias.abs() < 4.0 * error, "{bias} {error}");
        }
    }

    #[test]
    fn people_go_where_outcomes_vary() {
        let world = Covariates { means: [0.0, 0.0], noise: [0.5, 1.5], slope: 0.0, bend: 0.0 };
        let mut rng = SimSeed(3).stream(0, Stream::Environment);
        let all = world.enrol(4000, Allocation::Neyman, &mut rng);
        let treated = all.iter().filter(|one| one.arm == 1).count() as f64 / 4000.0;
        assert!((0.68..0.8).contains(&treated), "{treated}: 0.75 is best");
    }
}
