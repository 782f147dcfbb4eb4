//! What is tuned, from the public document that all experiments have.

use reticent_schema::experiment::{Action, Problem};
use reticent_schema::{Decimal, Experiment};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use super::plan::{Draft, DraftError, Input, KernelSpec, Reward, Shape};

impl KernelSpec {
    /// What this document declares.
    pub fn of(experiment: &Experiment) -> Result<KernelSpec, DraftError> {
        let Problem::Tuning(tuning) = experiment.problem() else {
            return Err(DraftError::Kind(experiment.problem().kind()));
        };
        let (usual, outcome, kernel) = (Shape::default(), &tuning.outcome, &tuning.kernel);
        let length = |action: &Action| action.length.as_ref().map(Decimal::value);
        let input = |action: &Action| match (&action.low, &action.high, &action.levels) {
            (Some(low), Some(high), None) => {
                Ok(Input::number(&action.name, low.value(), high.value(), length(action)))
            }
            (None, None, Some(levels)) => Input::category(&action.name, levels.clone(), length(action)),
            _ => Err(DraftError::Form { column: action.name.clone() }),
        };
        KernelSpec::try_from(Draft {
            experiment: Some(experiment.digest()),
            actions: tuning.actions.iter().map(input).collect::<Result<_, _>>()?,
            contexts: tuning.context.iter().map(input).collect::<Result<_, _>>()?,
            reward: Reward {
                column: outcome.column.clone(),
                low: outcome.low.value(),
                high: outcome.high.value(),
                noise: kernel.noise.as_ref().map_or(0.25, Decimal::value),
            },
            kernel: Shape {
                family: named(kernel.family.as_deref())?.unwrap_or(usual.family),
                form: named(kernel.form.as_deref())?.unwrap_or(usual.form),
                rank: kernel.rank.map_or(usual.rank, |rank| usize::try_from(rank).unwrap_or(usize::MAX)),
            },
        })
    }
}

/// A choice by the name that files use.
fn named<'de, T: Deserialize<'de>>(name: Option<&'de str>) -> Result<Option<T>, DraftError> {
    let read = |name: &'de str| {
        let text: StrDeserializer<'de, Error> = name.into_deserializer();
        T::deserialize(text).map_err(|_| DraftError::Name(name.into()))
    };
    name.map(read).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Family;

    #[test]
    fn a_document_is_a_plan() {
        let text = r#"{ "name": "dose", "epsilon": 1, "problem": { "kind": "tuning",
            "actions": [{ "name": "dose", "low": "0", "high": "10" }],
            "outcome": { "column": "response", "kind": "number", "low": "0", "high": "1" },
            "kernel": { "family": "matern-3/2", "rank": 64 } } }"#;
        let of = |text: &str| KernelSpec::of(&Experiment::from_json(text).unwrap());
        let spec = of(text).unwrap();
        assert_eq!((spec.draft().kernel.family, spec.draft().kernel.rank), (Family::MaternThreeHalves, 64));
        assert_eq!(spec.draft().actions[0].length, 0.3);
        assert_eq!(spec.draft().experiment, Some(Experiment::from_json(text).unwrap().digest()));
        assert!(matches!(of(&text.replace("matern-3/2", "spline")), Err(DraftError::Name(_))));
        let region = r#""context": [{ "name": "region", "levels": ["a", "b", "c"] }], "outcome""#;
        let spec = of(&text.replace("\"outcome\"", region)).unwrap();
        assert_eq!(spec.draft().contexts[0].level(2.5), Some("c"));
        let both = region.replace("\"levels\"", "\"low\": \"0\", \"levels\"");
        assert!(matches!(of(&text.replace("\"outcome\"", &both)), Err(DraftError::Form { .. })));
    }
}
