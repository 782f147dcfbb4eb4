//! The trial's plan, fixed and public before the first person: what statisticians call pre-registration.

mod adjust;
mod direction;
mod document;
mod error;
mod outcome;
mod spending;

use reticent_privacy::{Epsilon, Rho};
use reticent_schema::{Digest, Feature};

use serde::{Deserialize, Serialize};

use super::Schedule;
use super::table::noise_of;
use super::whole::Form;
pub use adjust::{Adjust, Covariate};
pub use direction::Better;
pub use error::{PersonError, SpecError};
pub use outcome::{Outcome, STEPS, Steps};
pub use spending::Spending;

/// A checked plan. Reading one from a file runs the same checks as making one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Draft", into = "Draft")]
pub struct TrialSpec {
    plan: Draft,
    epsilon: Option<Epsilon>,
    /// The concentrated loss of an adjusted release: it takes a search, and every release asks for it.
    rho: Option<Rho>,
}

/// A plan as it is written in a file.
///
/// ```
/// use reticent_curate::trial::{Draft, TrialSpec};
/// let spec = TrialSpec::new(Draft::simple("pilot", 2000, 1.0))?;
/// assert_eq!((spec.arms(), spec.strata()), (2, 1));
/// # Ok::<(), reticent_curate::trial::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a line of a plan that is there or not")]
pub struct Draft {
    /// What the trial is called.
    pub name: String,
    /// The digest of the public document that the plan is of, if it is of one: never written by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Digest>,
    /// The arms' names; the first is the control.
    pub arms: Vec<String>,
    /// How many people will be enrolled.
    pub people: u64,
    /// Which outcomes are good ones. Every plan says it; only stored ones from before do not, and are read
    /// as higher ([`TrialSpec::better`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<Better>,
    /// The whole trial's privacy loss for each person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// False for a trial that protects nobody: a baseline.
    #[serde(default = "yes")]
    pub private: bool,
    /// From 0, even randomisation with one table at the end, to 1, pure welfare: a feature with N people
    /// sends about N^(1-alpha) / arms to each arm, whatever the arm is worth.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
    /// How often intervals must hold.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
    /// After so many further enrolments an epoch's table is closed; outcomes that come later go into the last table.
    #[serde(default)]
    pub follow_up: u64,
    /// Whether an outcome that comes after its epoch's table counts as missing, instead of in a table of late ones:
    /// half the noise, and right only where `follow_up` is long enough for all outcomes, or lateness has nothing
    /// to do with them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late_is_missing: bool,
    /// Of plans from before `better`: how much their one table of late outcomes counts. Now late outcomes
    /// are counted by epoch, and this is zero.
    #[serde(default)]
    pub late_share: f64,
    /// For a replay of a randomised table: the share of each arm in the table, which is the chance that it
    /// can show the outcome of that arm. Known by design, as chances of assignment are. One share for each
    /// arm; or, where they differ, for each arm of the first stratum, then of the second, and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Vec<f64>>,
    /// Whether features are no secret, as a trial's sites are not: only outcomes are hidden then. People of each
    /// stratum and arm are counted exactly, and a stratum's effect has no more noise than everyone's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public_strata: bool,
    /// Whether the trial is over and was run elsewhere: never written by hand. Then no coin of ours says how
    /// arms are spread over strata, and they are counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub finished: bool,
    /// How the chance to be wrong is spent over the looks that `first_epoch` and `growth` plan. With it every look
    /// has a repeated interval, and all of them hold together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spending: Option<Spending>,
    /// An arm that is worse by less than this, in units of the outcome, is not inferior.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The least effect worth having: an arm that surely does less good than this is futile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worthwhile: Option<f64>,
    /// How many people get each arm for one that gets the first, while chances do not follow the tables.
    /// The same for all arms if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Vec<f64>>,
    /// People of the first epoch, who are assigned evenly. Chosen from the numbers of arms and features and
    /// epsilon if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_epoch: Option<u64>,
    /// How much longer each epoch is than the one before.
    #[serde(default = "default_growth")]
    pub growth: f64,
    /// What is measured.
    pub outcome: Outcome,
    /// By what a finished trial's effect is adjusted: never written by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjust: Option<Adjust>,
    /// For whom effects are wanted; a person's stratum is the combination of their levels.
    #[serde(default, rename = "feature", skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
}

fn yes() -> bool {
    true
}

fn default_alpha() -> f64 {
    0.0
}

fn default_confidence() -> f64 {
    0.95
}

fn default_growth() -> f64 {
    2.0
}

impl Draft {
    /// Two arms, no features, outcomes 0 or 1, and every choice left at its default.
    pub fn simple(name: &str, people: u64, epsilon: f64) -> Draft {
        Draft {
            name: name.into(),
            experiment: None,
            arms: vec!["control".into(), "treatment".into()],
            people,
            better: Some(Better::Higher),
            epsilon: Some(epsilon),
            private: true,
            alpha: default_alpha(),
            confidence: default_confidence(),
            follow_up: 0,
            late_is_missing: false,
            late_share: 0.0,
            observed: None,
            public_strata: false,
            finished: false,
            spending: None,
            margin: None,
            worthwhile: None,
            ratio: None,
            first_epoch: None,
            growth: default_growth(),
            outcome: Outcome::yes_or_no("outcome"),
            adjust: None,
            features: Vec::new(),
        }
    }

    /// The same plan with one feature of so many levels, named from 0.
    #[must_use]
    pub fn with_levels(mut self, column: &str, levels: usize) -> Draft {
        let names = (0..levels).map(|level| level.to_string()).collect();
        self.features.push(Feature { column: column.into(), levels: Some(names), bins: None });
        self
    }
}

/// Enough for any real trial, and no table that fills the memory.
const MAX_CELLS: usize = 1 << 20;
/// More tables than this would be noise alone.
const MAX_EPOCHS: u64 = 200;
/// More on one arm than this for one on another is a slip.
const MAX_RATIO: f64 = 20.0;
const MAX_PEOPLE: u64 = 1 << 31;

impl TrialSpec {
    /// Checks a new plan.
    pub fn new(plan: Draft) -> Result<TrialSpec, SpecError> {
        if plan.better.is_none() {
            return Err(SpecError::NoDirection);
        }
        if plan.late_share > 0.0 {
            return Err(SpecError::LateShare);
        }
        TrialSpec::stored(plan)
    }

    /// Checks a plan, of this version or an earlier one.
    fn stored(plan: Draft) -> Result<TrialSpec, SpecError> {
        let epsilon = match (plan.private, plan.epsilon) {
            (true, None) => return Err(SpecError::NoEpsilon),
            (true, Some(value)) => Some(Epsilon::new(value)?),
            (false, _) => None,
        };
        check_arms(&plan.arms)?;
        plan.outcome.check()?;
        plan.features.iter().try_for_each(Feature::check)?;
        for (place, feature) in plan.features.iter().enumerate() {
            if plan.features[..place].iter().any(|before| before.column == feature.column) {
                return Err(SpecError::SameColumn(feature.column.clone()));
            }
        }
        let number = |name, value: f64, low: f64, high: f64| {
            if value >= low && value <= high { Ok(()) } else { Err(SpecError::Number { name, low, high }) }
        };
        for &share in plan.observed.iter().flatten() {
            number("observed", share, 1e-3, 1.0)?;
        }
        for &share in plan.ratio.iter().flatten() {
            // A finished table has the arms that it has.
            let most = if plan.finished { MAX_PEOPLE as f64 } else { MAX_RATIO };
            number("ratio", share, 1.0 / most, most)?;
        }
        if plan.ratio.as_ref().is_some_and(|ratio| ratio.len() != plan.arms.len()) {
            return Err(SpecError::Ratio);
        }
        let width = plan.outcome.width();
        for (name, size) in [("margin", plan.margin), ("worthwhile", plan.worthwhile)] {
            size.map_or(Ok(()), |size| number(name, size, 0.0, width))?;
        }
        number("alpha", plan.alpha, 0.0, 1.0)?;
        number("confidence", plan.confidence, 0.5, 0.999)?;
        number("growth", plan.growth, 1.0, 16.0)?;
        number("late_share", plan.late_share, 0.0, 0.9)?;
        number("people", plan.people as f64, 2.0, MAX_PEOPLE as f64)?;
        number("first_epoch", plan.first_epoch.unwrap_or(1) as f64, 1.0, plan.people as f64)?;
        if Schedule::count(&plan) > MAX_EPOCHS {
            return Err(SpecError::TooManyEpochs(MAX_EPOCHS));
        }
        let cells = plan.features.iter().try_fold(plan.arms.len(), |all, one| all.checked_mul(one.count()));
        let cells = cells.filter(|&cells| cells <= MAX_CELLS).ok_or(SpecError::TooManyCells(MAX_CELLS))?;
        match plan.observed.as_ref().map(Vec::len) {
            Some(shares) if shares != plan.arms.len() && shares != cells => Err(SpecError::Observed),
            _ => {
                let spec = TrialSpec { plan, epsilon, rho: None };
                let one = !(spec.plan.public_strata || spec.plan.finished) || spec.has_one_table();
                match (one, spec.plan.spending, spec.has_one_table(), &spec.plan.adjust) {
                    (false, ..) => Err(SpecError::PublicStrata),
                    (_, Some(_), true, _) => Err(SpecError::Looks),
                    (.., Some(adjust)) => Ok(TrialSpec { rho: Some(adjust.check(&spec)?), ..spec.clone() }),
                    _ => Ok(spec),
                }
            }
        }
    }

    /// The plan as written.
    pub fn draft(&self) -> &Draft {
        &self.plan
    }

    /// Whether somebody who holds this plan may go on with it under the other. Files from before plans named
    /// their document do not name it.
    pub(super) fn is_plan_of(&self, other: &TrialSpec) -> bool {
        let named = self.plan.experiment.is_some();
        let experiment = if named { other.plan.experiment } else { None };
        let plan = Draft { experiment, ..other.plan.clone() };
        *self == TrialSpec { plan, epsilon: other.epsilon, rho: other.rho }
    }

    /// The whole trial's loss for each person; none for a baseline that protects nobody.
    pub fn epsilon(&self) -> Option<Epsilon> {
        self.epsilon
    }

    /// Which outcomes are good ones; higher ones, in a plan from before plans said so.
    pub fn better(&self) -> Better {
        self.plan.better.unwrap_or(Better::Higher)
    }

    /// Whether the plan is from before plans said which outcomes are good ones.
    pub fn is_old(&self) -> bool {
        self.plan.better.is_none()
    }

    /// Whether one table at the end tells all. Then everyone's coin is the same, whoever they are, and which
    /// arm a person got tells nothing about them.
    pub fn has_one_table(&self) -> bool {
        !self.is_old() && Schedule::new(self).epochs() == 1
    }

    /// Whether people of each stratum and arm are counted exactly.
    pub(crate) fn counts_exactly(&self) -> bool {
        self.plan.public_strata || self.strata() == 1
    }

    /// The share of an arm in a stratum by design: of our own coin, or as declared for a finished trial; none
    /// where nobody knows it.
    pub(crate) fn designed(&self, stratum: usize, arm: usize) -> Option<f64> {
        if !self.plan.finished {
            return Some(self.even()[arm]);
        }
        let all: f64 = (0..self.arms()).map(|arm| self.observed(stratum, arm)).sum();
        self.plan.observed.as_ref().map(|_| self.observed(stratum, arm) / all)
    }

    /// One standard deviation of the noise in each published number, in people.
    pub fn noise_in_a_count(&self) -> f64 {
        let variance = if self.has_one_table() {
            Form::new(self).noise_variance(self)
        } else {
            noise_of(2.0, self.epsilon)
        };
        variance.sqrt()
    }

    /// The chances of arms while they do not follow the tables.
    pub fn even(&self) -> Vec<f64> {
        let ratio = self.plan.ratio.clone().unwrap_or_else(|| vec![1.0; self.arms()]);
        let all: f64 = ratio.iter().sum();
        ratio.into_iter().map(|part| part / all).collect()
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.plan.arms.len()
    }

    /// How many strata there are: the product of the features' levels.
    pub fn strata(&self) -> usize {
        self.plan.features.iter().map(Feature::count).product()
    }

    /// The chance that an outcome of this arm can be seen in this stratum.
    pub(crate) fn observed(&self, stratum: usize, arm: usize) -> f64 {
        let one_for_all = |shares: &[f64]| shares.len() == self.arms();
        self.plan
            .observed
            .as_ref()
            .map_or(1.0, |shares| shares[if one_for_all(shares) { arm } else { stratum * self.arms() + arm }])
    }

    /// A stratum's name in reports.
    pub fn stratum_name(&self, stratum: usize) -> String {
        let mut left = stratum;
        let mut names = Vec::new();
        for feature in self.plan.features.iter().rev() {
            names.push(feature.level_name(left % feature.count()));
            left /= feature.count();
        }
        names.reverse();
        if names.is_empty() { "everyone".into() } else { names.join(", ") }
    }

    /// The stratum of a person, from a table's cells in the order of the declared features.
    pub fn stratum(&self, cells: &[&str]) -> Result<Stratum, PersonError> {
        let mut stratum = 0;
        for (place, feature) in self.plan.features.iter().enumerate() {
            let cell = cells.get(place).ok_or_else(|| PersonError::NoValue(feature.column.clone()))?;
            let level = feature.level(cell).ok_or_else(|| PersonError::Level(feature.column.clone()))?;
            stratum = stratum * feature.count() + level;
        }
        Ok(Stratum(stratum as u32))
    }
}

/// A person's stratum, one of the declared ones. Its `Debug` tells nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stratum(pub(crate) u32);

impl Stratum {
    /// The stratum with this number, if there is one.
    pub fn new(spec: &TrialSpec, number: usize) -> Option<Stratum> {
        (number < spec.strata()).then_some(Stratum(number as u32))
    }
}

impl std::fmt::Debug for Stratum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stratum(..)")
    }
}

fn check_arms(arms: &[String]) -> Result<(), SpecError> {
    let mut sorted = arms.to_vec();
    sorted.sort();
    sorted.dedup();
    let fine = (2..=64).contains(&arms.len()) && sorted.len() == arms.len() && !sorted[0].is_empty();
    if fine { Ok(()) } else { Err(SpecError::Arms) }
}

impl TryFrom<Draft> for TrialSpec {
    type Error = SpecError;
    fn try_from(plan: Draft) -> Result<TrialSpec, SpecError> {
        TrialSpec::stored(plan)
    }
}

impl From<TrialSpec> for Draft {
    fn from(spec: TrialSpec) -> Draft {
        spec.plan
    }
}
