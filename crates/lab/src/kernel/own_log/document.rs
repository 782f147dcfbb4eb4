//! What is written: actions, and whether anybody is protected.

use std::path::Path;

use reticent_curate::kernel::{Input, KernelSpec};
use reticent_jobs::check::{CheckError, Checked, Kind};
use reticent_privacy::{Delta, Epsilon, Guarantee, Noise};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{OwnLog, OwnMethod};

/// Actions for contexts, of a method that only compares. A released function it is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnActions {
    format: String,
    version: u32,
    /// Which method.
    pub method: OwnMethod,
    /// What it promises: nothing for `gp`, and nothing if its noise came from a seed.
    pub guarantee: Guarantee,
    /// Of the private methods.
    epsilon: Option<Epsilon>,
    delta: Option<Delta>,
    plan: KernelSpec,
    /// How many people it was learned from.
    pub people: u64,
    /// A row for each context.
    pub answers: Vec<OwnAnswer>,
}

/// One of them: levels by their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnAnswer {
    /// The context.
    pub context: Map<String, Value>,
    /// The action.
    pub action: Map<String, Value>,
    /// What is expected of it, in rewards' units; `usca` does not tell.
    pub expected: Option<f64>,
}

impl OwnActions {
    /// What the document says that it is.
    pub const FORMAT: &'static str = "reticent-compared-actions";
    /// Its version.
    pub const VERSION: u32 = 1;

    pub(super) fn new(
        own: &OwnLog<'_>,
        people: u64,
        answers: Vec<(Vec<f64>, Option<f64>)>,
        noise: Noise,
    ) -> OwnActions {
        let (setting, (epsilon, delta)) = (own.setting, own.loss);
        let private = own.method != OwnMethod::Gp;
        let plan = setting.draft();
        let one = |(context, (place, expected)): (&Vec<f64>, (Vec<f64>, Option<f64>))| OwnAnswer {
            context: named(&plan.contexts, context),
            action: named(&plan.actions, &unscaled(setting, &place)),
            expected: expected.map(|value| setting.middle() + setting.half_range() * value),
        };
        OwnActions {
            format: OwnActions::FORMAT.into(),
            version: OwnActions::VERSION,
            method: own.method,
            guarantee: made(own.method, (epsilon, delta), noise),
            epsilon: private.then_some(epsilon),
            delta: (own.method == OwnMethod::Dubey).then_some(delta),
            plan: setting.clone(),
            people,
            answers: own.contexts.iter().zip(answers).map(one).collect(),
        }
    }

    /// What is wrong with it, in a word.
    fn fault(&self) -> Option<&'static str> {
        let stated = match (self.method, self.epsilon, self.delta) {
            (OwnMethod::Gp, None, None) => Some((Epsilon::MAX, Delta::ZERO)),
            (OwnMethod::Usca, Some(epsilon), None) => Some((epsilon, Delta::ZERO)),
            (OwnMethod::Dubey, Some(epsilon), Some(delta)) => Some((epsilon, delta)),
            _ => None,
        };
        let Some(loss) = stated else { return Some("loss") };
        let noise = self.guarantee.noise;
        let drawn = (self.method == OwnMethod::Gp) == (noise == Noise::NotDrawn);
        let plan = self.plan.draft();
        let fits = |one: &OwnAnswer| has(&plan.contexts, &one.context) && has(&plan.actions, &one.action);
        let parts = [
            ("version", self.version > 0),
            ("guarantee", drawn && self.guarantee.agrees_with(&made(self.method, loss, noise))),
            ("number of people", self.people > 0),
            ("list of actions", self.answers.iter().all(fits)),
        ];
        parts.into_iter().find(|(_, fits)| !fits).map(|(part, _)| part)
    }

    fn about(&self) -> String {
        let plan = self.plan.draft();
        let names = |inputs: &[Input]| {
            inputs.iter().map(|input| input.column.as_str()).collect::<Vec<_>>().join(", ")
        };
        let by =
            if plan.contexts.is_empty() { String::new() } else { format!(" by {}", names(&plan.contexts)) };
        format!(
            "{}{by}, for {}, by {}: to compare with",
            names(&plan.actions),
            plan.reward.column,
            self.method.name()
        )
    }
}

fn made(method: OwnMethod, (epsilon, delta): (Epsilon, Delta), noise: Noise) -> Guarantee {
    let promise = method.promise(epsilon, delta);
    if noise == Noise::NotDrawn { promise } else { promise.made_with(noise) }
}

fn unscaled(setting: &KernelSpec, place: &[f64]) -> Vec<f64> {
    place.iter().enumerate().map(|(input, &x)| setting.unscaled(input, x)).collect()
}

fn named(inputs: &[Input], values: &[f64]) -> Map<String, Value> {
    let one = |(input, &value): (&Input, &f64)| {
        (input.column.clone(), input.level(value).map_or_else(|| value.into(), Value::from))
    };
    inputs.iter().zip(values).map(one).collect()
}

/// Whether there is a level, or a number within its range, for each input, and nothing else.
fn has(inputs: &[Input], values: &Map<String, Value>) -> bool {
    let within = |input: &Input| match (values.get(&input.column), &input.levels) {
        (Some(Value::String(level)), Some(levels)) => levels.contains(level),
        (Some(value), None) => value.as_f64().is_some_and(|value| (input.low..=input.high).contains(&value)),
        _ => false,
    };
    values.len() == inputs.len() && inputs.iter().all(within)
}

/// The answer of `reticent check`, if the file is such a document.
pub fn checked(path: &Path) -> Option<Result<Checked, CheckError>> {
    let text = std::fs::read_to_string(path).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    if value.get("format")? != OwnActions::FORMAT {
        return None;
    }
    let unsound = |fault: String| CheckError::Unsound { file: path.display().to_string(), fault };
    let known = OwnActions::VERSION;
    let got = value["version"].as_u64().unwrap_or(0);
    if got > u64::from(known) {
        let later = format!("it has version {got}, and this program knows up to {known}; use a later one");
        return Some(Err(unsound(later)));
    }
    Some(serde_json::from_value(value).map_err(|fault| unsound(fault.to_string())).and_then(
        |actions: OwnActions| {
            if let Some(part) = actions.fault() {
                return Err(unsound(format!("its {part} does not fit the rest")));
            }
            let about = actions.about();
            let checked =
                Checked::new(Kind::ComparedActions, actions.version, about, actions.guarantee.clone());
            Ok(checked.with("people", actions.people).with("actions", actions.answers.len() as u64))
        },
    ))
}
