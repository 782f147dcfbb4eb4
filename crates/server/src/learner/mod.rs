//! What learns from the reports of one experiment: an agent of a local kind, or a tally.
//!
//! Its state follows from the reports in their order, and from nothing else: what time it is comes with them. Saved,
//! loaded and continued it is the same as never stopped, bit for bit.

mod bandit;
mod contextual;
mod gate;
mod insight;
mod save;
#[cfg(test)]
mod tests;

use reticent_learn::pricing::{Tally, signs};
use reticent_privacy::{EntropyError, Guarantee, Provenance, SimSeed, Stream};
use reticent_protocol::pricing::log::{Header, LogError, LogWriter};
use reticent_protocol::{Reason, Report, mab, pricing};
use reticent_schema::Experiment;
use reticent_schema::experiment::Problem;
use reticent_store::Moment;

pub(crate) use gate::Gate;
pub use insight::{Insight, Known, Refusals};

use crate::store::Settings;
use bandit::BanditLearner;
use contextual::ContextualLearner;

/// Learns from reports.
pub struct Learner {
    engine: Engine,
    /// Reports that count.
    people: u64,
    refused: Refusals,
    /// The last policy is the winner's.
    frozen: bool,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner").field("people", &self.people).finish_non_exhaustive()
    }
}

enum Engine {
    Bandit(Box<BanditLearner>),
    Contextual(Box<ContextualLearner>),
    Pricing(Box<Tally>),
}

/// Why there is no learner.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnerError {
    /// A kind whose records a curator sees: it has steps, not reports.
    #[error("experiments of kind {0:?} take no reports from devices")]
    Central(&'static str),
    /// The document does not fit its kind.
    #[error("{0}")]
    Document(String),
    /// A saved learner that cannot be read.
    #[error("the saved state cannot be read: {0}")]
    Saved(String),
    /// No entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// A policy as devices get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Its version.
    pub version: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Learner {
    /// A learner that knows nothing yet. The seed feeds its own choices, not noise.
    pub fn begin(
        experiment: &Experiment,
        settings: Settings,
        seed: SimSeed,
    ) -> Result<Learner, LearnerError> {
        let document = |error: &dyn std::fmt::Display| LearnerError::Document(error.to_string());
        let rng = seed.stream(0, Stream::Agent);
        let engine = match experiment.problem() {
            Problem::Bandit(problem) => {
                let spec = mab::Spec::of(experiment.clone()).map_err(|e| document(&e))?;
                let learner = BanditLearner::begin(problem.agent.name.as_deref(), spec, settings.batch, rng);
                Engine::Bandit(Box::new(learner.map_err(|e| document(&e))?))
            }
            Problem::Contextual(problem) => {
                let learner = ContextualLearner::begin(experiment, problem.agent.half_life, rng);
                Engine::Contextual(Box::new(learner.map_err(|e| document(&e))?))
            }
            Problem::Pricing(_) => {
                let spec = pricing::Spec::of(experiment.draft()).map_err(|e| document(&e))?;
                Engine::Pricing(Box::new(Tally::new(&spec)))
            }
            other => return Err(LearnerError::Central(other.kind())),
        };
        Ok(Learner { engine, people: 0, refused: Refusals::default(), frozen: false })
    }

    /// Takes in one report that came at this moment. One that does not count is counted as refused.
    pub fn absorb(&mut self, bytes: &[u8], at: Moment) {
        let taken = match Report::decode(bytes) {
            Err(_) => Err(Reason::NotAnAnswer),
            Ok(report) => match &mut self.engine {
                Engine::Bandit(learner) => learner.absorb(&report),
                Engine::Contextual(learner) => learner.absorb(&report, at),
                Engine::Pricing(tally) => tally.absorb(&report).map_err(|_| Reason::NotAnAnswer),
            },
        };
        match taken {
            Ok(()) => self.people += 1,
            Err(refusal) => self.refused.add(refusal),
        }
    }

    /// Gives everybody what is best by all that is known, from now on.
    pub fn freeze(&mut self) {
        if !std::mem::replace(&mut self.frozen, true) {
            match &mut self.engine {
                Engine::Bandit(learner) => learner.freeze(),
                Engine::Contextual(learner) => learner.freeze(),
                Engine::Pricing(_) => {}
            }
        }
    }

    /// Whether it learns for this experiment.
    pub fn is_of(&self, experiment: &Experiment) -> bool {
        let digest = match &self.engine {
            Engine::Bandit(learner) => learner.digest(),
            Engine::Contextual(learner) => learner.digest(),
            Engine::Pricing(tally) => tally.spec().digest(),
        };
        digest == experiment.digest()
    }

    /// Whether the last policy is the winner's.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// The policy for the next people; none where devices need none (pricing collections).
    pub fn policy(&self) -> Option<Policy> {
        match &self.engine {
            Engine::Bandit(learner) => Some(learner.policy()),
            Engine::Contextual(learner) => Some(learner.policy()),
            Engine::Pricing(_) => None,
        }
    }

    /// Reports that count.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// What a report promises who sends it.
    pub fn guarantee(&self) -> Guarantee {
        match &self.engine {
            Engine::Bandit(learner) => learner.guarantee(),
            Engine::Contextual(learner) => learner.guarantee(),
            Engine::Pricing(tally) => tally.spec().guarantee(),
        }
    }

    /// What a collection of sales has, as a privatised log; none for other kinds. Reports have no order there. Their
    /// noise is their devices': nobody here could draw it, or check it.
    pub fn log(&self) -> Result<Option<Vec<u8>>, LearnerError> {
        let Engine::Pricing(tally) = &self.engine else { return Ok(None) };
        let fault = |error: LogError| LearnerError::Saved(error.to_string());
        let header = Header::new(tally.spec(), Provenance::SystemEntropy);
        let header = header.of_experiment(&tally.spec().digest().to_string()).map_err(fault)?;
        let mut bytes = Vec::new();
        let mut log = LogWriter::with_header(&mut bytes, &header).map_err(fault)?;
        for (code, &count) in tally.counts().iter().enumerate() {
            for _ in 0..count {
                log.push_code(code as u32).map_err(fault)?;
            }
        }
        log.finish().map_err(fault)?;
        Ok(Some(bytes))
    }

    /// What is known, for people and programs.
    pub fn insight(&self) -> Insight {
        let (known, warnings) = match &self.engine {
            Engine::Bandit(learner) => learner.known(),
            Engine::Contextual(learner) => learner.known(),
            Engine::Pricing(tally) => {
                let of = |question| tally.counts()[tally.spec().codes_of(question)].iter().sum();
                let reports_by_question = (0..tally.spec().questions().len()).map(of).collect();
                let signs = signs(std::slice::from_ref(&**tally));
                (Known::Collected { reports_by_question }, signs.iter().map(ToString::to_string).collect())
            }
        };
        Insight { people: self.people, refused: self.refused.clone(), known, warnings }
    }
}
