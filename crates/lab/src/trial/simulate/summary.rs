//! What many trials say about a plan: coverage, width, error, power and price.

use reticent_curate::trial::{Effect, Estimator, Interval, TrialSpec};
use reticent_privacy::{Guarantee, Provenance};
use serde::Serialize;

use super::{Simulation, TrialOutcome};
use crate::runner::LabError;
use crate::stats::Summary;
use crate::trial::{Arrivals, Conditions, Noise};

/// Which interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// At the planned end, by an estimator.
    Planned(Estimator),
    /// The confidence sequence.
    Anytime,
}

/// A share of trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The share.
    pub share: f64,
    /// Its standard error; one hit and one miss are added for it, so that it is never zero.
    pub error: f64,
}

/// How one interval fared over all trials.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accuracy {
    /// The arm, by its number.
    pub arm: usize,
    /// The stratum; none for everyone.
    pub stratum: Option<usize>,
    /// How often it contained the truth; of the confidence sequence, at all looks together.
    pub coverage: Share,
    /// How often it did not contain zero: power if there is an effect, false alarms if there is none.
    pub excludes_zero: Share,
    /// Its length.
    pub width: Summary,
    /// The squared error of the estimate in it.
    pub squared_error: Summary,
}

/// One way to make intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodSummary {
    /// Which.
    pub method: Method,
    /// For everyone: one for each arm but the control.
    pub everyone: Vec<Accuracy>,
    /// For each stratum of each arm.
    pub strata: Vec<Accuracy>,
    /// The least, the mean and the largest coverage over strata and arms.
    pub coverage_of_strata: [f64; 3],
}

/// What `trial simulate --json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct Simulated {
    /// The plan.
    pub spec: TrialSpec,
    /// Who came when.
    pub arrivals: Arrivals,
    /// Mean outcomes of strata and arms, as asked for.
    pub means: Vec<Vec<f64>>,
    /// How outcomes varied.
    pub noise: Noise,
    /// What went wrong.
    pub conditions: Conditions,
    /// True effect of each arm but the control, in each stratum.
    pub true_effects: Vec<Vec<f64>>,
    /// Independent trials.
    pub trials: u32,
    /// The seed.
    pub seed: u64,
    /// What the trial promises each person: here nothing but what it would be, since a seed made the noise.
    pub guarantee: Guarantee,
    /// Where the noise came from: here always a seed.
    pub provenance: Provenance,
    /// The three planned intervals and the confidence sequence.
    pub methods: Vec<MethodSummary>,
    /// How often a headline named a stratum: its simultaneous interval excluded zero.
    pub strata_named: Share,
    /// Outcome lost against the best arm of each stratum.
    pub regret: Summary,
    /// People on an arm that is not the best for their stratum.
    pub on_worse_arms: Summary,
    /// The same, by stratum, mean over trials.
    pub on_worse_arm_of_strata: Vec<f64>,
}

impl Share {
    /// So many of so many; none of none.
    pub fn of(hits: usize, all: usize) -> Share {
        let share = if all == 0 { 0.0 } else { hits as f64 / all as f64 };
        let smooth = (hits as f64 + 1.0) / (all as f64 + 2.0);
        Share { share, error: (smooth * (1.0 - smooth) / all.max(1) as f64).sqrt() }
    }
}

impl Method {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Method> {
        Estimator::ALL.into_iter().map(Method::Planned).chain([Method::Anytime])
    }

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Method::Planned(estimator) => estimator.title(),
            Method::Anytime => "anytime (confidence sequence)",
        }
    }

    /// Its interval for an effect, if the trial got that far.
    pub fn of(self, effect: &Effect) -> Option<Interval> {
        match self {
            Method::Planned(estimator) => effect.planned.and_then(|all| all.of(estimator)),
            Method::Anytime => Some(effect.anytime),
        }
    }
}

impl MethodSummary {
    /// Of all trials that have this method's intervals; none if no trial has.
    pub fn new(method: Method, trials: &[TrialOutcome]) -> Option<MethodSummary> {
        let effects = trials.first()?.analysis.effects.len();
        let all: Vec<Accuracy> =
            (0..effects).map(|place| accuracy(method, trials, place)).collect::<Option<_>>()?;
        let (everyone, strata): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.stratum.is_none());
        let shares = || strata.iter().map(|one| one.coverage.share);
        let least = shares().fold(1.0, f64::min);
        let mean = shares().sum::<f64>() / strata.len() as f64;
        let largest = shares().fold(0.0, f64::max);
        Some(MethodSummary { method, everyone, strata, coverage_of_strata: [least, mean, largest] })
    }
}

fn accuracy(method: Method, trials: &[TrialOutcome], place: usize) -> Option<Accuracy> {
    let effect = trials.first()?.analysis.effects.get(place)?;
    let seen: Vec<(Interval, f64)> = trials
        .iter()
        .filter_map(|trial| {
            Some((method.of(trial.analysis.effects.get(place)?)?, *trial.effects.get(place)?))
        })
        .collect();
    let count = |hit: &dyn Fn(&(Interval, f64)) -> bool| {
        Share::of(seen.iter().filter(|one| hit(one)).count(), seen.len())
    };
    let each = |value: &dyn Fn(&(Interval, f64)) -> f64| seen.iter().map(value).collect::<Vec<f64>>();
    Some(Accuracy {
        arm: effect.arm,
        stratum: effect.stratum,
        coverage: match method {
            Method::Anytime => {
                Share::of(trials.iter().filter(|trial| trial.held[place]).count(), trials.len())
            }
            Method::Planned(_) => count(&|(interval, truth)| (interval.low..=interval.high).contains(truth)),
        },
        excludes_zero: count(&|(interval, _)| interval.low > 0.0 || interval.high < 0.0),
        width: Summary::of(&each(&|(interval, _)| interval.high - interval.low))?,
        squared_error: Summary::of(&each(&|(interval, truth)| {
            (interval.estimate - truth) * (interval.estimate - truth)
        }))?,
    })
}

fn names_a_stratum(trial: &TrialOutcome) -> bool {
    let strata = trial.analysis.effects.iter().filter(|effect| effect.stratum.is_some());
    strata.map(|effect| effect.simultaneous).any(|one| one.low > 0.0 || one.high < 0.0)
}

impl Simulated {
    /// From all trials of a simulation.
    pub fn new(simulation: &Simulation, trials: &[TrialOutcome]) -> Result<Simulated, LabError> {
        let world = &simulation.world;
        let none = || LabError::Interrupted { finished: 0, trials: simulation.trials };
        let over = |value: &dyn Fn(&TrialOutcome) -> f64| {
            Summary::of(&trials.iter().map(value).collect::<Vec<_>>()).ok_or_else(none)
        };
        let strata = 0..world.spec.strata();
        let worse = |stratum: usize| over(&|trial| trial.on_worse_arm[stratum] as f64).map(|one| one.mean);
        let effects =
            |arm: usize| strata.clone().map(|stratum| world.true_effect(stratum, arm)).collect::<Vec<_>>();
        Ok(Simulated {
            spec: world.spec.clone(),
            arrivals: world.arrivals.clone(),
            means: world.means.clone(),
            noise: world.noise,
            conditions: world.conditions.clone(),
            true_effects: (1..world.spec.arms()).map(effects).collect(),
            trials: simulation.trials,
            seed: simulation.seed,
            guarantee: world.spec.guarantee().made_with(Provenance::Simulation),
            provenance: Provenance::Simulation,
            methods: Method::all().filter_map(|method| MethodSummary::new(method, trials)).collect(),
            strata_named: Share::of(
                trials.iter().filter(|trial| names_a_stratum(trial)).count(),
                trials.len(),
            ),
            regret: over(&|trial| trial.regret)?,
            on_worse_arms: over(&|trial| trial.on_worse_arm.iter().sum::<u64>() as f64)?,
            on_worse_arm_of_strata: strata.clone().map(worse).collect::<Result<_, _>>()?,
        })
    }

    /// The default planned intervals: those of the augmented estimator.
    pub fn planned(&self) -> Option<&MethodSummary> {
        self.methods.iter().find(|one| one.method == Method::Planned(Estimator::Augmented))
    }
}
