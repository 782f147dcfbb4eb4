//! One chosen action as a document: what is published, and what the account keeps.

use std::collections::BTreeMap;

use reticent_curate::kernel::{Input, KernelSpec, one_choice};
use reticent_privacy::{Epsilon, Guarantee, Noise};
use serde::{Deserialize, Serialize};

/// One action for one context, with what it promises.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Body", into = "Body")]
pub struct ChosenAction {
    body: Body,
}

/// The document. Whoever shows it may add fields of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Body {
    format: String,
    version: u32,
    guarantee: Guarantee,
    epsilon: Epsilon,
    plan: KernelSpec,
    people: u64,
    candidates: usize,
    context: BTreeMap<String, f64>,
    action: BTreeMap<String, f64>,
}

/// A choice before it is a document.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    /// The plan.
    pub(crate) setting: &'a KernelSpec,
    /// The choice's loss.
    pub(crate) epsilon: Epsilon,
    /// How many people it was chosen from.
    pub(crate) people: u64,
    /// How many actions there were to choose from.
    pub(crate) candidates: usize,
    /// The context, in its own units.
    pub(crate) context: &'a [f64],
}

/// Why a stored choice cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// Something else.
    #[error("this is no chosen action: its format is not \"{}\"", ChosenAction::FORMAT)]
    Format,
    /// Made by a later version.
    #[error(
        "the chosen action has version {0}, and this program knows up to {known}; use a later one",
        known = ChosenAction::VERSION
    )]
    Version(u32),
    /// Parts that do not fit together.
    #[error("the chosen action is damaged: its {0} does not fit the rest")]
    Damaged(&'static str),
}

impl Choice<'_> {
    /// The document of a place in the unit cube that was chosen with this noise.
    pub(crate) fn made(&self, place: &[f64], noise: Noise) -> ChosenAction {
        let plan = self.setting.draft();
        let own = place.iter().enumerate().map(|(input, &x)| self.setting.unscaled(input, x));
        let body = Body {
            format: ChosenAction::FORMAT.into(),
            version: ChosenAction::VERSION,
            guarantee: one_choice(self.epsilon, 1).made_with(noise),
            epsilon: self.epsilon,
            plan: self.setting.clone(),
            people: self.people,
            candidates: self.candidates,
            context: named(&plan.contexts, self.context.iter().copied()),
            action: named(&plan.actions, own),
        };
        ChosenAction { body }
    }
}

fn named(inputs: &[Input], values: impl Iterator<Item = f64>) -> BTreeMap<String, f64> {
    inputs.iter().map(|input| input.column.clone()).zip(values).collect()
}

/// Whether there is a value within its range for each input, and no other.
fn fits(inputs: &[Input], values: &BTreeMap<String, f64>) -> bool {
    let within = |input: &Input| {
        values.get(&input.column).is_some_and(|value| (input.low..=input.high).contains(value))
    };
    values.len() == inputs.len() && inputs.iter().all(within)
}

impl TryFrom<Body> for ChosenAction {
    type Error = ActionError;

    fn try_from(body: Body) -> Result<ChosenAction, ActionError> {
        if body.format != ChosenAction::FORMAT {
            return Err(ActionError::Format);
        }
        if body.version > ChosenAction::VERSION {
            return Err(ActionError::Version(body.version));
        }
        let (plan, noise) = (body.plan.draft(), body.guarantee.noise);
        let made = one_choice(body.epsilon, 1).made_with(noise);
        let parts = [
            ("version", body.version > 0),
            ("guarantee", noise != Noise::NotDrawn && body.guarantee.agrees_with(&made)),
            ("number of people", body.people > 0),
            ("number of candidates", body.candidates > 0),
            ("context", fits(&plan.contexts, &body.context)),
            ("action", fits(&plan.actions, &body.action)),
        ];
        match parts.iter().find(|(_, fits)| !fits) {
            Some((part, _)) => Err(ActionError::Damaged(part)),
            None => Ok(ChosenAction { body }),
        }
    }
}

impl From<ChosenAction> for Body {
    fn from(chosen: ChosenAction) -> Body {
        chosen.body
    }
}

impl ChosenAction {
    /// What the document says that it is.
    pub const FORMAT: &str = "reticent-chosen-action";
    /// Its version.
    pub const VERSION: u32 = 1;

    /// What it promises: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> &Guarantee {
        &self.body.guarantee
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        &self.body.plan
    }

    /// How many people it was chosen from.
    pub fn people(&self) -> u64 {
        self.body.people
    }

    /// How many actions there were to choose from.
    pub fn candidates(&self) -> usize {
        self.body.candidates
    }

    /// The action, in its own units and the plan's order.
    pub fn action(&self) -> Vec<f64> {
        let actions = &self.body.plan.draft().actions;
        actions.iter().filter_map(|input| self.body.action.get(&input.column).copied()).collect()
    }
}
