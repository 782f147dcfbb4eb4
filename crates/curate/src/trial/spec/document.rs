//! A trial's plan from the public document that all experiments have.

use reticent_schema::experiment::{Column, Direction, OutcomeKind, Problem};
use reticent_schema::{Decimal, Experiment, Feature};

use super::{Better, Draft, Outcome, SpecError, TrialSpec};

impl TrialSpec {
    /// The trial that this document declares.
    pub fn of(experiment: &Experiment) -> Result<TrialSpec, SpecError> {
        let Problem::Trial(trial) = experiment.problem() else {
            return Err(SpecError::Kind(experiment.problem().kind()));
        };
        let feature = |column: &Column| -> Result<Feature, SpecError> {
            column.feature().ok_or_else(|| SpecError::Column(column.name.clone()))
        };
        let (design, outcome) = (&trial.design, &trial.outcome);
        let usual = Draft::simple(experiment.name(), trial.people, experiment.epsilon().value());
        let or = |given: &Option<Decimal>, usual: f64| given.as_ref().map_or(usual, Decimal::value);
        TrialSpec::new(Draft {
            experiment: Some(experiment.digest()),
            arms: trial.arms.clone(),
            alpha: or(&design.alpha, usual.alpha),
            confidence: or(&design.confidence, usual.confidence),
            follow_up: design.follow_up.unwrap_or(usual.follow_up),
            late_share: or(&design.late_share, usual.late_share),
            first_epoch: design.first_epoch,
            growth: or(&design.growth, usual.growth),
            better: trial.better.map(|better| match better {
                Direction::Higher => Better::Higher,
                Direction::Lower => Better::Lower,
            }),
            outcome: Outcome {
                binary: outcome.kind == OutcomeKind::Binary,
                ..Outcome::number(&outcome.column, outcome.low.value(), outcome.high.value())
            },
            features: trial.features.iter().map(feature).collect::<Result<_, _>>()?,
            ..usual
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_a_plan() {
        let text = r#"{ "name": "pilot", "epsilon": "0.5", "problem": { "kind": "trial", "arms": ["a", "b"],
            "people": 2000, "better": "lower", "outcome": { "column": "well", "kind": "binary", "low": "0", "high": "1" },
            "features": [{ "name": "age", "bins": ["40", "65"] }], "design": { "alpha": "0.2" } } }"#;
        let spec = TrialSpec::of(&Experiment::from_json(text).unwrap()).unwrap();
        let plan = spec.draft();
        assert_eq!(plan.experiment, Some(Experiment::from_json(text).unwrap().digest()));
        assert_eq!(spec.better(), Better::Lower);
        let silent = text.replace(r#""better": "lower", "#, "");
        let refused = TrialSpec::of(&Experiment::from_json(&silent).unwrap());
        assert_eq!(refused, Err(SpecError::NoDirection), "an old document stays one, and is no new plan");
        assert_eq!((plan.epsilon, plan.alpha, plan.people, spec.strata()), (Some(0.5), 0.2, 2000, 3));
        let range = text.replace(r#""bins": ["40", "65"]"#, r#""low": "1", "high": "2""#);
        assert!(TrialSpec::of(&Experiment::from_json(&range).unwrap()).is_err());
        let bandit = r#"{ "name": "x", "epsilon": 1, "problem": { "kind": "bandit", "arms": ["a"] } }"#;
        let other = TrialSpec::of(&Experiment::from_json(bandit).unwrap());
        assert!(matches!(other, Err(SpecError::Kind("bandit"))));
    }
}
