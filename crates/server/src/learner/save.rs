//! A learner as a document.

use reticent_learn::pricing::Tally;
use reticent_protocol::pricing;
use reticent_schema::Experiment;
use reticent_store::Form;
use serde::{Deserialize, Serialize};

use super::bandit::{self, BanditLearner};
use super::contextual::{self, ContextualLearner};
use super::{Engine, Learner, LearnerError, Refusals};

const FORM: Form = Form { format: "reticent-served-learner", version: 1, called: "saved learner" };

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    people: u64,
    refused: Refusals,
    frozen: bool,
    engine: Saved,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Saved {
    Bandit(bandit::Saved),
    Contextual(contextual::Saved),
    Pricing(Box<Collected>),
}

/// A tally's own form knows terms and questions, and not the document whose digest reports name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Collected {
    experiment: Experiment,
    counts: Vec<u64>,
}

impl Collected {
    fn tally(self) -> Result<Tally, LearnerError> {
        let fault = |error: &dyn std::fmt::Display| LearnerError::Saved(error.to_string());
        let spec = pricing::Spec::of(self.experiment.draft()).map_err(|e| fault(&e))?;
        Tally::of_counts(&spec, self.counts).map_err(|e| fault(&e))
    }
}

impl Learner {
    /// The learner as JSON.
    pub fn save(&self) -> Result<Vec<u8>, LearnerError> {
        let fault = |error: &dyn std::fmt::Display| LearnerError::Saved(error.to_string());
        let engine = match &self.engine {
            Engine::Bandit(learner) => Saved::Bandit(learner.save().map_err(|e| fault(&e))?),
            Engine::Contextual(learner) => Saved::Contextual(learner.save().map_err(|e| fault(&e))?),
            Engine::Pricing(tally) => {
                let (experiment, counts) = (tally.spec().experiment().clone(), tally.counts().to_vec());
                Saved::Pricing(Box::new(Collected { experiment, counts }))
            }
        };
        let (people, refused, frozen) = (self.people, self.refused.clone(), self.frozen);
        let (format, version) = (FORM.format.into(), FORM.version);
        let document = Document { format, version, people, refused, frozen, engine };
        serde_json::to_vec(&document).map_err(|e| fault(&e))
    }

    /// The learner that [`save`](Learner::save) wrote.
    pub fn load(bytes: &[u8]) -> Result<Learner, LearnerError> {
        let fault = |error: &dyn std::fmt::Display| LearnerError::Saved(error.to_string());
        let text = std::str::from_utf8(bytes).map_err(|e| fault(&e))?;
        let Document { people, refused, frozen, engine, .. } = FORM.read(text).map_err(|e| fault(&e))?;
        let engine = match engine {
            Saved::Bandit(saved) => {
                Engine::Bandit(Box::new(BanditLearner::load(saved).map_err(LearnerError::Saved)?))
            }
            Saved::Contextual(saved) => {
                Engine::Contextual(Box::new(ContextualLearner::load(saved).map_err(LearnerError::Saved)?))
            }
            Saved::Pricing(collected) => Engine::Pricing(Box::new(collected.tally()?)),
        };
        Ok(Learner { engine, people, refused, frozen })
    }
}
