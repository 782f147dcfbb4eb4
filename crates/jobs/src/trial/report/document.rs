//! The report as data. A change of a key or of its meaning is a new version.

use reticent_curate::trial::{
    Analysis, ArmReport, Effect, Interval, Release, StratumReport, TrialSpec, Welfare,
};
use reticent_privacy::{Guarantee, Provenance};
use serde::{Deserialize, Serialize};

use super::checks::{self, Check};
use super::flow::Flow;

/// What the document is.
pub const FORMAT: &str = "reticent-trial-report";
/// The version that is written. In version 1 the guarantee did not say where the noise came from; in version 2
/// nothing said which outcomes are good ones, and no interval held for all strata together; version 3 had neither
/// the flow of people nor checks.
pub const VERSION: u32 = 4;

/// A trial's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Where the noise came from, in words: the operating system, or a seed.
    pub noise: String,
    /// The plan.
    pub spec: TrialSpec,
    /// What it promises each person: nothing, if the noise came from a seed.
    pub guarantee: Guarantee,
    /// One standard deviation of the noise in each published count, in people.
    pub noise_in_a_count: f64,
    /// People enrolled.
    pub enrolled: u64,
    /// Whether the trial was stopped.
    pub stopped: bool,
    /// Whether everyone planned was enrolled before.
    pub complete: bool,
    /// Each epoch that has begun.
    pub epochs: Vec<Epoch>,
    /// Effects: for each arm but the control, everyone and then each stratum.
    pub effects: Vec<EffectRow>,
    /// People and means of each stratum and arm.
    pub strata: Vec<StratumRow>,
    /// What the assignment cost, as estimated.
    pub welfare: Welfare,
    /// Where people went. Empty before version 4.
    #[serde(default)]
    pub flow: Flow,
    /// What looks odd. Empty before version 4.
    #[serde(default)]
    pub checks: Vec<Check>,
}

/// People assigned with the same chances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Enrolments before it.
    pub start: u64,
    /// Enrolments by its end, or so far.
    pub end: u64,
    /// Whether its table is published.
    pub closed: bool,
    /// Each arm of each stratum.
    pub cells: Vec<EpochCell>,
}

/// An arm of a stratum in an epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpochCell {
    /// The stratum.
    pub stratum: String,
    /// The arm.
    pub arm: String,
    /// The chance of the arm.
    pub chance: f64,
    /// People with an outcome, with noise: may be negative. None before the table is published.
    pub people: Option<f64>,
    /// People without an outcome, likewise.
    pub missing: Option<f64>,
}

/// An effect against the control.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EffectRow {
    /// The arm.
    pub arm: String,
    /// The control.
    pub against: String,
    /// The stratum; none for everyone.
    pub stratum: Option<String>,
    /// At the planned end only.
    pub planned: Option<Planned>,
    /// Holds together with those of all other strata and arms. None before version 3.
    #[serde(default)]
    pub simultaneous: Option<Interval>,
    /// The interval of the last planned look, which holds together with all looks', if the plan spends over looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Interval>,
    /// Holds whenever one looks.
    pub anytime: Interval,
}

/// The planned interval by each estimator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// The difference of two weighted means; none where chances followed the tables.
    pub difference_in_means: Option<Interval>,
    /// Outcomes over the chance of their arm.
    pub inverse_propensity: Interval,
    /// The same, with earlier means taken off first: the default.
    pub augmented: Interval,
}

/// A stratum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StratumRow {
    /// Its name.
    pub name: String,
    /// One standard deviation of the noise in each arm's count of people.
    pub noise: f64,
    /// Each arm.
    pub arms: Vec<ArmCount>,
}

/// An arm of a stratum in the whole trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmCount {
    /// The arm.
    pub arm: String,
    /// People with an outcome, with noise.
    pub people: f64,
    /// People without one, with noise.
    pub missing: f64,
    /// Their mean outcome.
    pub mean: f64,
    /// The variance of one outcome, as the tables tell it.
    pub variance: f64,
}

impl Document {
    pub(super) fn new(release: &Release, analysis: &Analysis, seed: Option<u64>) -> Document {
        let spec = release.spec();
        let flow = Flow::of(release);
        Document {
            format: FORMAT.into(),
            version: VERSION,
            noise: noise(release, seed),
            spec: spec.clone(),
            guarantee: release.guarantee(),
            noise_in_a_count: spec.noise_in_a_count(),
            enrolled: release.enrolled(),
            stopped: release.is_stopped(),
            complete: release.is_complete(),
            epochs: (0..release.propensities().len()).map(|at| one_epoch(release, analysis, at)).collect(),
            effects: analysis.effects.iter().map(|effect| one_effect(spec, effect)).collect(),
            strata: analysis.strata.iter().map(|one| stratum(spec, one)).collect(),
            welfare: analysis.welfare,
            checks: checks::all(release, analysis, &flow),
            flow,
        }
    }

    /// What it promises, as its version says it: version 1 told where the noise came from in words alone.
    pub fn promised(&self) -> Guarantee {
        if self.version >= 2 {
            return self.guarantee.clone();
        }
        let labels = [Provenance::SystemEntropy, Provenance::Simulation];
        let told = labels.into_iter().find(|provenance| self.noise.starts_with(provenance.label()));
        self.spec.guarantee().made_with(told)
    }

    /// The arms' names, the control first.
    pub(super) fn arms(&self) -> &[String] {
        &self.spec.draft().arms
    }
}

/// Where the noise came from, in words. A release knows; which seed it was is for who knows it to say.
pub fn noise(release: &Release, seed: Option<u64>) -> String {
    let label = release.noise().label();
    match (release.guarantee().is_simulated(), seed) {
        (true, Some(seed)) => format!("{label}; seed {seed}"),
        (false, _) if release.spec().epsilon().is_none() => "not private: nothing was hidden".into(),
        _ => label.into(),
    }
}

fn one_epoch(release: &Release, analysis: &Analysis, epoch: usize) -> Epoch {
    let (spec, schedule) = (release.spec(), release.schedule());
    let table = release.tables().get(epoch);
    let whole = release.whole().is_some();
    let cells = (0..spec.strata()).flat_map(|stratum| {
        (0..spec.arms()).map(move |arm| {
            let cell = table.map(|table| table.cell(stratum * spec.arms() + arm));
            let cell = cell.map(|cell| (cell.people(), cell.missing));
            let of_all = &analysis.strata[stratum].arms[arm];
            let cell = cell.or(whole.then_some((of_all.people, of_all.missing)));
            EpochCell {
                stratum: spec.stratum_name(stratum),
                arm: spec.draft().arms[arm].clone(),
                chance: release.propensities()[epoch].share(stratum, arm),
                people: cell.map(|cell| cell.0),
                missing: cell.map(|cell| cell.1),
            }
        })
    });
    Epoch {
        start: schedule.start(epoch),
        end: schedule.end(epoch).min(release.enrolled()),
        closed: table.is_some() || whole,
        cells: cells.collect(),
    }
}

fn one_effect(spec: &TrialSpec, effect: &Effect) -> EffectRow {
    EffectRow {
        arm: spec.draft().arms[effect.arm].clone(),
        against: spec.draft().arms[0].clone(),
        stratum: effect.stratum.map(|stratum| spec.stratum_name(stratum)),
        planned: effect.planned.map(|all| Planned {
            difference_in_means: all.difference_in_means,
            inverse_propensity: all.inverse_propensity,
            augmented: all.augmented,
        }),
        simultaneous: Some(effect.simultaneous),
        repeated: effect.repeated,
        anytime: effect.anytime,
    }
}

fn stratum(spec: &TrialSpec, report: &StratumReport) -> StratumRow {
    let count = |(arm, one): (usize, &ArmReport)| ArmCount {
        arm: spec.draft().arms[arm].clone(),
        people: one.people,
        missing: one.missing,
        mean: one.mean,
        variance: one.variance,
    };
    StratumRow {
        name: report.name.clone(),
        noise: report.noise,
        arms: report.arms.iter().enumerate().map(count).collect(),
    }
}
