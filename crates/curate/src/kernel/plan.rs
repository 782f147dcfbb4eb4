//! What is tuned, to what, and how smooth rewards are taken to be: public, and fixed before anybody's record is seen.

use reticent_schema::{Digest, Range};
use serde::{Deserialize, Serialize};

use super::{Factor, Family, Kernel, KernelError, Points};

/// An input with its declared range, to which values are clipped; or with its levels, each the middle of a
/// cell of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawInput", into = "RawInput")]
pub struct Input {
    /// Its column in a log.
    pub column: String,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// How far one must go, as a share of the range, until rewards differ much.
    pub length: f64,
    /// All that a category can be; the range is then from 0 to their number. Of contexts alone.
    pub levels: Option<Vec<String>>,
}

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInput {
    column: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<String>>,
}

impl TryFrom<RawInput> for Input {
    type Error = DraftError;

    fn try_from(raw: RawInput) -> Result<Input, DraftError> {
        let RawInput { column, low, high, length, levels } = raw;
        match (low, high, levels) {
            (Some(low), Some(high), None) => Ok(Input::number(&column, low, high, length)),
            (None, None, Some(levels)) => Input::category(&column, levels, length),
            _ => Err(DraftError::Form { column }),
        }
    }
}

impl From<Input> for RawInput {
    fn from(Input { column, low, high, length, levels }: Input) -> RawInput {
        let ends = levels.is_none();
        RawInput {
            column,
            low: ends.then_some(low),
            high: ends.then_some(high),
            length: Some(length),
            levels,
        }
    }
}

impl Input {
    /// A number with its range.
    pub fn number(column: &str, low: f64, high: f64, length: Option<f64>) -> Input {
        Input { column: column.into(), low, high, length: length.unwrap_or_else(usual_length), levels: None }
    }

    /// A category. Unless a length is given, each level is learned almost on its own.
    pub fn category(column: &str, levels: Vec<String>, length: Option<f64>) -> Result<Input, DraftError> {
        let count = levels.len() as f64;
        let mut sorted: Vec<&String> = levels.iter().collect();
        sorted.sort();
        sorted.dedup();
        if levels.len() < 2 || sorted.len() < levels.len() {
            return Err(DraftError::Form { column: column.into() });
        }
        let length = length.unwrap_or_else(|| usual_length() / count);
        Ok(Input { column: column.into(), low: 0.0, high: count, length, levels: Some(levels) })
    }

    /// The level that a value stands for; none for a number.
    pub fn level(&self, value: f64) -> Option<&str> {
        let levels = self.levels.as_ref()?;
        levels.get((value as usize).min(levels.len() - 1)).map(String::as_str)
    }

    /// The value in the middle of the range: for a category, that of a level near it.
    pub fn middle(&self) -> f64 {
        let middle = f64::midpoint(self.low, self.high);
        if self.levels.is_some() { libm::floor(middle) + 0.5 } else { middle }
    }
}

/// The reward with its declared range, to which rewards are clipped. The noise grows with the range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reward {
    /// Its column in a log.
    pub column: String,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The standard deviation of a reward around its mean, about, as a share of half the range.
    #[serde(default = "usual_noise")]
    pub noise: f64,
}

/// How inputs enter the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// One kernel of the distance in all inputs.
    #[default]
    Joint,
    /// One kernel of the actions times one of the contexts.
    Sides,
    /// One kernel for each input, multiplied.
    Product,
}

/// The kernel's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The family.
    pub family: Family,
    /// How inputs enter.
    #[serde(default)]
    pub form: Form,
    /// The most features.
    #[serde(default = "usual_rank")]
    pub rank: usize,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank: usual_rank() }
    }
}

fn usual_length() -> f64 {
    0.3
}

fn usual_noise() -> f64 {
    0.25
}

fn usual_rank() -> usize {
    256
}

/// A plan as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The digest of the public document that the plan is of, if it is of one: never written by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Digest>,
    /// What can be set.
    #[serde(rename = "action")]
    pub actions: Vec<Input>,
    /// What is known about a person before.
    #[serde(rename = "context", default)]
    pub contexts: Vec<Input>,
    /// What comes of it.
    pub reward: Reward,
    /// How smooth rewards are.
    #[serde(default)]
    pub kernel: Shape,
}

/// Why a plan cannot be followed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DraftError {
    /// Nothing to set.
    #[error("the plan has no [[action]]: there is nothing to tune")]
    NoAction,
    /// Too many inputs.
    #[error("the plan has {got} inputs; at most {MOST_INPUTS} can be learned")]
    TooMany {
        /// How many.
        got: usize,
    },
    /// An invalid range.
    #[error("invalid range of {column}: low must be below high")]
    Range {
        /// Which column.
        column: String,
    },
    /// Neither a range nor levels.
    #[error("{column}: give either low and high, or levels: two or more, all different")]
    Form {
        /// Which column.
        column: String,
    },
    /// An action that is a word.
    #[error("the action {column} has levels; what is tuned is a number, and levels are for [[context]]")]
    Levels {
        /// Which column.
        column: String,
    },
    /// One column for two things.
    #[error("the column {column} is named twice")]
    Twice {
        /// Which column.
        column: String,
    },
    /// An invalid share.
    #[error("reward noise is {got}; it must be a share of half the range between 0 and 1")]
    Noise {
        /// What it was.
        got: f64,
    },
    /// Too few or too many features.
    #[error("the kernel's rank is {got}; it must be between 1 and {MOST_FEATURES}")]
    Rank {
        /// What it was.
        got: usize,
    },
    /// The kernel itself.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"tuning\"")]
    Kind(&'static str),
    /// A name that no family or form of kernels has.
    #[error("no kernel family or form is called {0:?}")]
    Name(String),
}

/// More inputs than this cannot be covered by any number of people.
pub const MOST_INPUTS: usize = 24;
/// The largest feature map: its square is what memory holds.
pub const MOST_FEATURES: usize = 4096;

/// A checked plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Draft", into = "Draft")]
pub struct KernelSpec {
    plan: Draft,
    kernel: Kernel,
}

impl From<KernelSpec> for Draft {
    fn from(setting: KernelSpec) -> Draft {
        setting.plan
    }
}

impl TryFrom<Draft> for KernelSpec {
    type Error = DraftError;

    fn try_from(plan: Draft) -> Result<KernelSpec, DraftError> {
        let inputs = plan.actions.len() + plan.contexts.len();
        if plan.actions.is_empty() {
            return Err(DraftError::NoAction);
        }
        if inputs > MOST_INPUTS {
            return Err(DraftError::TooMany { got: inputs });
        }
        if let Some(action) = plan.actions.iter().find(|action| action.levels.is_some()) {
            return Err(DraftError::Levels { column: action.column.clone() });
        }
        check_columns(&plan)?;
        if !(0.0..=1.0).contains(&plan.reward.noise) {
            return Err(DraftError::Noise { got: plan.reward.noise });
        }
        if !(1..=MOST_FEATURES).contains(&plan.kernel.rank) {
            return Err(DraftError::Rank { got: plan.kernel.rank });
        }
        let kernel = kernel(&plan)?;
        Ok(KernelSpec { plan, kernel })
    }
}

fn check_columns(plan: &Draft) -> Result<(), DraftError> {
    let inputs = plan.actions.iter().chain(&plan.contexts).map(|one| (&one.column, one.low, one.high));
    let all: Vec<_> = inputs.chain([(&plan.reward.column, plan.reward.low, plan.reward.high)]).collect();
    for (number, (column, low, high)) in all.iter().enumerate() {
        if Range::new(*low, *high).is_err() {
            return Err(DraftError::Range { column: (*column).clone() });
        }
        if all[..number].iter().any(|(other, ..)| other == column) {
            return Err(DraftError::Twice { column: (*column).clone() });
        }
    }
    Ok(())
}

fn kernel(plan: &Draft) -> Result<Kernel, KernelError> {
    let lengths = |inputs: &[Input]| inputs.iter().map(|input| input.length).collect::<Vec<_>>();
    let (actions, contexts) = (lengths(&plan.actions), lengths(&plan.contexts));
    let all = [actions.as_slice(), contexts.as_slice()].concat();
    let family = plan.kernel.family;
    match plan.kernel.form {
        Form::Joint => Kernel::joint(family, &all),
        Form::Product => Kernel::product(family, &all),
        Form::Sides => {
            let sides = [actions, contexts].into_iter().filter(|lengths| !lengths.is_empty());
            Kernel::new(sides.map(|lengths| Factor { family, lengths }).collect())
        }
    }
}

impl KernelSpec {
    /// The plan.
    pub fn draft(&self) -> &Draft {
        &self.plan
    }

    /// The kernel over actions and contexts.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// How many actions there are to set.
    pub fn actions(&self) -> usize {
        self.plan.actions.len()
    }

    /// How many numbers a context has.
    pub fn contexts(&self) -> usize {
        self.plan.contexts.len()
    }

    /// Actions and contexts together.
    pub fn inputs(&self) -> usize {
        self.actions() + self.contexts()
    }

    /// The same with other length scales, for actions and then contexts.
    pub fn with_lengths(&self, lengths: &[f64]) -> Result<KernelSpec, DraftError> {
        let mut plan = self.plan.clone();
        for (input, &length) in plan.actions.iter_mut().chain(&mut plan.contexts).zip(lengths) {
            input.length = length;
        }
        plan.try_into()
    }

    /// An action or context in the unit interval, clipped to its range.
    pub fn scaled(&self, input: usize, value: f64) -> f64 {
        let Input { low, high, .. } = self.input(input);
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// The value that stands at a place of the unit interval.
    pub fn unscaled(&self, input: usize, place: f64) -> f64 {
        let Input { low, high, .. } = self.input(input);
        low + place * (high - low)
    }

    /// An input by its number, actions first.
    pub fn input(&self, input: usize) -> &Input {
        self.plan.actions.iter().chain(&self.plan.contexts).nth(input).unwrap_or(&self.plan.actions[0])
    }

    /// The same points, with those of a category in the middle of their level's cell.
    pub(crate) fn at_levels(&self, mut points: Points) -> Points {
        for (number, input) in self.plan.actions.iter().chain(&self.plan.contexts).enumerate() {
            if input.levels.is_some() {
                let count = input.high;
                points.map(number, |x| (libm::floor(x * count).min(count - 1.0) + 0.5) / count);
            }
        }
        points
    }

    /// A reward in units in which its range is [-1, 1]. [`Records`](super::Records) clip what lies beyond, and count
    /// it.
    pub fn scaled_reward(&self, reward: f64) -> f64 {
        (reward - self.middle()) / self.half_range()
    }

    /// The middle of the rewards' range.
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.plan.reward.low, self.plan.reward.high)
    }

    /// Half the rewards' range: the bound B.
    pub fn half_range(&self) -> f64 {
        (self.plan.reward.high - self.plan.reward.low) / 2.0
    }
}

/// Where contexts come from, as far as is public. What is learned is scaled by it: if people's contexts are
/// spread otherwise, say so here.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Population {
    /// Evenly over the declared ranges.
    #[default]
    Uniform,
    /// Like a public sample (not of the people in the log), scaled to the unit cube.
    Sample(Points),
}

impl Population {
    /// Public points that stand for uniform actions and this population: those with the given places in a fixed list.
    pub fn points(&self, setting: &KernelSpec, places: std::ops::Range<usize>) -> Points {
        setting.at_levels(match self {
            Population::Uniform => Points::halton(places, setting.inputs()),
            Population::Sample(sample) if sample.is_empty() => Points::halton(places, setting.inputs()),
            Population::Sample(sample) => {
                // The sample's rows are drawn along an input of their own: taken in turn they would go in
                // step with the actions' digits.
                let drawn = Points::halton(places, setting.actions() + 1);
                let row = |x: &f64| ((x * sample.len() as f64) as usize).min(sample.len() - 1);
                let rows: Vec<usize> = drawn.input(setting.actions()).iter().map(row).collect();
                drawn.first(setting.actions()).beside(&sample.select(&rows))
            }
        })
    }
}

#[cfg(test)]
mod tests;
