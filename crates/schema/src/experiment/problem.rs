//! What is to be learned, for each of the five problems.

use serde::{Deserialize, Serialize};

use super::{Column, Context, Ends};
use crate::Decimal;

/// One of the five problems. New kinds may come: whoever reads a document refuses those that they do not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Problem {
    /// Which of a few arms is best; the reward is private.
    Bandit(Bandit),
    /// Which arm is best for whom; context, arm and reward are private.
    Contextual(Contextual),
    /// What each arm is worth, for whom, with intervals; a curator sees the records.
    Trial(Trial),
    /// The best continuous action for a context; a curator sees the records.
    Tuning(Tuning),
    /// A price for each context; context, price and outcome are private.
    Pricing(Pricing),
}

/// A multi-armed bandit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bandit {
    /// The arms' names, at least one.
    pub arms: Vec<String>,
    /// Where rewards lie. An agent that learns it takes it as what to fall back to.
    #[serde(default = "Ends::unit")]
    pub reward: Ends,
    /// Who learns.
    #[serde(default)]
    pub agent: AgentOptions,
}

/// A contextual bandit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Contextual {
    /// The arms' names, at least two.
    pub arms: Vec<String>,
    /// What is known about a person before they get an arm.
    pub context: Context,
    /// Where rewards lie.
    #[serde(default = "Ends::unit")]
    pub reward: Ends,
    /// Into how many cells each axis is cut; chosen if it is left out, and then part of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<u32>>,
    /// The loss of the arm that a person is seen to get, if it is to be hidden as well: without it, whoever
    /// sees the arm learns which cells the person may be in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm_epsilon: Option<Decimal>,
    /// Other people's data that may help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// Who learns.
    #[serde(default)]
    pub agent: AgentOptions,
}

/// People of another market or an earlier time, who have their arm and reward already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// The loss of each of its people's reports.
    pub epsilon: Decimal,
    /// How many people it has, about.
    pub people: u64,
    /// The probability with which each arm was given there.
    pub behaviour: Vec<Decimal>,
}

/// Who learns, with what it was told beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentOptions {
    /// Its name; the problem's default if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// After so many people an old report counts half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_life: Option<u64>,
}

/// A trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The arms' names; the first is the control.
    pub arms: Vec<String>,
    /// How many people will be enrolled.
    pub people: u64,
    /// Which outcomes are good ones. Documents from before this was asked do not say; a trial that starts must.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<Direction>,
    /// What is measured.
    pub outcome: Outcome,
    /// For whom effects are wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Column>,
    /// How people are assigned.
    #[serde(default)]
    pub design: Design,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Its column.
    pub column: String,
    /// What it is.
    pub kind: OutcomeKind,
    /// The low end of its range.
    pub low: Decimal,
    /// The high end.
    pub high: Decimal,
}

/// What an outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// One of the two ends: yes or no, bought or not.
    Binary,
    /// A number between them.
    Number,
}

/// Which way an outcome should go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// How a trial's people are assigned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// From 0, pure estimation, to 1, pure welfare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Decimal>,
    /// How often intervals must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Decimal>,
    /// Further enrolments after which an epoch's table is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<u64>,
    /// The share of people whose outcome is expected to come later than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_share: Option<Decimal>,
    /// People of the first epoch, who are assigned evenly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_epoch: Option<u64>,
    /// How much longer each epoch is than the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Decimal>,
}

/// A continuous action to be tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// What can be set.
    pub actions: Vec<Action>,
    /// What is known about a person before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Action>,
    /// What comes of it, larger being better.
    pub outcome: Outcome,
    /// How smooth rewards are.
    #[serde(default)]
    pub kernel: Kernel,
}

/// A number that rewards depend on smoothly: a range (`low`, `high`). Or, of a context, a category: `levels`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Its column.
    pub name: String,
    /// The low end of its range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Decimal>,
    /// The high end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
    /// All that a category can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
    /// How far one must go, as a share of the range, until rewards differ much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Decimal>,
}

/// How smooth rewards are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// The family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// How inputs enter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The most numbers that are released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// A reward's standard deviation around its mean, as a share of half the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Decimal>,
}

/// A price for each context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pricing {
    /// What is known about a customer before the price is set.
    pub context: Context,
    /// The price that was asked.
    pub price: Price,
    /// What came of it: a sale, or the revenue itself.
    pub outcome: Outcome,
    /// About how many records there are, if the questions are to be chosen: as fine as so many can answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Of which each record answers one; chosen if they are left out, and then part of the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

/// Which cell of a coarse grid a record lies in, and whether its outcome was good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Into how many equal parts each axis is cut: those of the context, then the price.
    pub parts: Vec<u32>,
    /// The oracle's name.
    pub oracle: String,
    /// What its reports mean.
    pub design: [u32; 2],
}

/// The price that was asked: a range, or the list of all prices that occurred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Its column.
    pub column: String,
    /// The low end of the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Decimal>,
    /// The high end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
    /// All prices, in increasing order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Decimal>>,
}

impl Problem {
    /// The kind's name.
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Bandit(_) => "bandit",
            Problem::Contextual(_) => "contextual",
            Problem::Trial(_) => "trial",
            Problem::Tuning(_) => "tuning",
            Problem::Pricing(_) => "pricing",
        }
    }

    /// The arms' names; none where there are no arms.
    pub fn arms(&self) -> &[String] {
        match self {
            Problem::Bandit(Bandit { arms, .. })
            | Problem::Contextual(Contextual { arms, .. })
            | Problem::Trial(Trial { arms, .. }) => arms,
            Problem::Tuning(_) | Problem::Pricing(_) => &[],
        }
    }

    /// What one person contributes.
    pub fn unit(&self) -> &'static str {
        match self {
            Problem::Bandit(_) => {
                "one report: the reward of one person at one visit (the arm is chosen by the server and public)"
            }
            Problem::Contextual(_) => "one report: context, arm and reward of one person at one visit",
            Problem::Trial(_) => "one person: features, arm and outcome",
            Problem::Tuning(_) => "one person: context, action and reward",
            Problem::Pricing(_) => "one record: the context, price and outcome of one sale",
        }
    }
}
