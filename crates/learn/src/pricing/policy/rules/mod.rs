//! Prices that keep to rules: for the people at hand together, along a context, and without looking at one.
//!
//! What decides is still a score for each node of the contexts and each price, so a policy with rules is a policy
//! like any other. Each rule changes the scores:
//!
//! - *Blind to a context*: scores, values and density are averaged over it, as the people are spread along it, so
//!   nothing of the policy changes along it.
//! - *Rising along a context*: of each price and the next, how much better the dearer one is must never fall along
//!   it. Between nodes that stays so (a step along an axis is an edge of Kuhn's simplex), and then the best price
//!   never falls (Topkis 1978). The nearest such scores are found by pooling neighbours.
//! - *Volume at least, mean price at most*: each unit sold is worth a little more, each unit of price a little less,
//!   until the people at hand keep the limit (Lagrange).
//!
//! One price for everybody keeps to all rules but the last two, and for these the best that does is taken. Other
//! prices are quoted only if they surely gain over that one, as without rules.

mod choose;
mod surface;

use reticent_schema::{Axis, Field};
use serde::{Deserialize, Serialize};

use super::Policy;
use crate::pricing::fit::Fitted;
use crate::pricing::objective::Earns;
use choose::Ruled;

/// What prices must keep to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The mean outcome of a person that must be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_volume: Option<f64>,
    /// The mean price that must not be exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_mean_price: Option<f64>,
    /// Contexts along which prices never fall.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rises_with: Vec<String>,
    /// Contexts along which prices never rise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub falls_with: Vec<String>,
    /// Contexts that prices do not look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blind_to: Vec<String>,
    /// Whether everybody gets one price.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub single: bool,
}

/// Why no prices keep to the rules.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A rule about a context that the log does not have.
    #[error("{rule} {name:?}: the log's contexts are {known}")]
    Unknown {
        /// The rule's name.
        rule: &'static str,
        /// The context.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A context that is part of a combination.
    #[error(
        "{rule} {name:?}: this context is part of a combination of several, so prices cannot be told by it"
    )]
    Combined {
        /// The rule's name.
        rule: &'static str,
        /// The context.
        name: String,
    },
    /// Two rules that say opposite things.
    #[error("prices cannot both {one} and {other} {name:?}; a price that does neither is blind to it")]
    Opposed {
        /// What one rule says.
        one: &'static str,
        /// What the other says.
        other: &'static str,
        /// The context.
        name: String,
    },
    /// Outcomes that are no demand.
    #[error(
        "a least volume is for outcomes that are demand: with the objective \"outcome\" they are the reward itself"
    )]
    NoVolume,
    /// A limit that is no number.
    #[error("a limit must be a finite number")]
    NotFinite,
    /// A fallback depends on what is known of a context.
    #[error(
        "a fallback price is quoted where little is known, which depends on the context: it cannot be combined with prices that rise, fall or are blind"
    )]
    Fallback,
    /// No price has the volume.
    #[error(
        "the volume cannot be {asked}: by the log {price} for everybody has the most, {most:.4} expected from a person; ask for less, or log lower prices"
    )]
    Volume {
        /// What was asked for.
        asked: f64,
        /// The most that can be had.
        most: f64,
        /// At this price for everybody.
        price: f64,
    },
    /// All prices are above the mean that was asked for.
    #[error("the mean price cannot be {asked}: the lowest price to choose from is {lowest}")]
    MeanPrice {
        /// What was asked for.
        asked: f64,
        /// The lowest price that may be quoted.
        lowest: f64,
    },
    /// Each limit can be kept, but not both.
    #[error(
        "no price to choose from has both the volume and the mean price that were asked for; give up one of them"
    )]
    Both,
}

/// A policy that keeps to rules, and how surely.
#[derive(Debug, Clone)]
pub struct RuledPolicy {
    /// The policy.
    pub policy: Policy,
    /// The mean outcome of a person and its deviation; none if outcomes are rewards.
    pub volume: Option<(f64, f64)>,
    /// The mean price.
    pub mean_price: f64,
    /// Whether the volume that was asked for is reached so many deviations below its estimate too.
    pub sure: bool,
}

impl Rules {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Rules::default()
    }

    /// Whether a rule is about single contexts, not about all people together.
    fn about_contexts(&self) -> bool {
        !(self.rises_with.is_empty() && self.falls_with.is_empty() && self.blind_to.is_empty())
    }
}

/// The axes that rules are about.
pub(super) struct RuleAxes {
    blind: Vec<usize>,
    /// Along which prices never fall (true), or never rise.
    ordered: Vec<(usize, bool)>,
}

impl RuleAxes {
    fn of(policy: &Policy, rules: &Rules) -> Result<RuleAxes, RulesError> {
        let find = |rule: &'static str, names: &[String]| -> Result<Vec<usize>, RulesError> {
            names.iter().map(|name| axis_of(policy, rule, name)).collect()
        };
        let blind = find("blind to", &rules.blind_to)?;
        let rising = find("rises with", &rules.rises_with)?;
        let falling = find("falls with", &rules.falls_with)?;
        let named = |names: &[String], axis: usize, axes: &[usize]| {
            axes.iter().position(|other| *other == axis).map_or_else(String::new, |at| names[at].clone())
        };
        let opposed = |one, other, name| Err(RulesError::Opposed { one, other, name });
        for &axis in &rising {
            if falling.contains(&axis) {
                return opposed("rise with", "fall with", named(&rules.rises_with, axis, &rising));
            }
            if blind.contains(&axis) {
                return opposed("rise with", "be blind to", named(&rules.rises_with, axis, &rising));
            }
        }
        if let Some(&axis) = falling.iter().find(|axis| blind.contains(axis)) {
            return opposed("fall with", "be blind to", named(&rules.falls_with, axis, &falling));
        }
        let ordered = rising.into_iter().map(|axis| (axis, true));
        let ordered = ordered.chain(falling.into_iter().map(|axis| (axis, false))).collect();
        Ok(RuleAxes { blind, ordered })
    }
}

fn axis_of(policy: &Policy, rule: &'static str, name: &str) -> Result<usize, RulesError> {
    let context = policy.terms().context();
    let known = || context.fields().iter().map(Field::name).collect::<Vec<_>>().join(", ");
    if !context.fields().iter().any(|field| field.name() == name) {
        return Err(RulesError::Unknown { rule, name: name.into(), known: known() });
    }
    let alone = |axis: &Axis| matches!(axis, Axis::Field { field } if field == name);
    let axes = context.declared_axes();
    let combined = axes.iter().any(|axis| !matches!(axis, Axis::Field { .. }));
    match axes.iter().position(alone) {
        // What goes into a combination is seen through it.
        Some(place) if !combined => Ok(place),
        _ => Err(RulesError::Combined { rule, name: name.into() }),
    }
}

impl Fitted {
    /// The policy that keeps to these rules, for these people or the log's own; `policy` is what was chosen for them
    /// without. The volume is reached so many deviations below its estimate, or by the estimate alone if no price
    /// can do that.
    pub fn ruled(
        &self,
        policy: &Policy,
        rules: &Rules,
        target: Option<&[Vec<f64>]>,
        deviations: f64,
    ) -> Result<RuledPolicy, RulesError> {
        let axes = RuleAxes::of(policy, rules)?;
        let limits = [rules.least_volume, rules.most_mean_price];
        if limits.into_iter().flatten().any(|limit| !limit.is_finite()) {
            return Err(RulesError::NotFinite);
        }
        if rules.least_volume.is_some() && policy.objective().earns == Earns::Outcome {
            return Err(RulesError::NoVolume);
        }
        if rules.about_contexts() && policy.objective().fallback.is_some() {
            return Err(RulesError::Fallback);
        }
        Ruled { fitted: self, policy, rules, axes: &axes, target }.decide(deviations)
    }
}
