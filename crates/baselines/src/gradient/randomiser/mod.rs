//! The people's side: a person's arm, and the privatised gradient of what came of it.

mod context;
mod model;
mod response;
#[cfg(test)]
mod tests;

use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Epsilon, Generator, NotFinite};

use crate::gradient::{Channel, Policy, PolicyError, Report, Spec};
pub use context::Choice;
use context::Features;
use response::Responder;

/// Makes people's reports, one person after another. A baseline has no ledger: in a simulation each person
/// reports once.
///
/// ```
/// use reticent_baselines::gradient::{Model, Policy, Spec, randomiser::Randomiser};
/// use reticent_privacy::{Epsilon, NoiseRng};
///
/// let spec = Spec::new(2, 3, Model::Logistic, Epsilon::new(1.0)?, vec![])?;
/// let mut people = Randomiser::new(&spec, NoiseRng::from_os()?);
/// let policy = Policy { version: 0, parameters: vec![vec![0.0; 3]; 3], exploration: 0.1 };
/// let choice = people.choose(&policy, &[0.2, 0.9])?;
/// let report = people.answer(&policy, choice, 1.0)?;
/// assert_eq!(report.version, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Randomiser<G> {
    spec: Spec,
    target: Responder,
    sources: Vec<Responder>,
    noise: G,
    /// A gradient's place, kept to spare allocations and cleared after each use.
    scratch: Scratch,
}

/// Why nothing was sent. No message contains a context, an arm that was chosen or a reward.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The policy does not fit the experiment.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The context has another number of coordinates.
    #[error("the context must have {dims} coordinates; nothing was sent")]
    Dims {
        /// How many the experiment has.
        dims: u32,
    },
    /// The context is no point that could be used.
    #[error("the context: {0}")]
    Context(NotFinite),
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(NotFinite),
    /// A record or a choice with an arm that the experiment does not have.
    #[error("the record's arm is not one of the experiment's {arms}; nothing was sent")]
    UnknownArm {
        /// How many arms there are.
        arms: u32,
    },
    /// An auxiliary source that the experiment does not have.
    #[error(
        "the experiment has {sources} auxiliary sources, numbered from 0, and no number {source_number}; nothing was sent"
    )]
    UnknownSource {
        /// The source named.
        source_number: u32,
        /// How many there are.
        sources: usize,
    },
}

#[derive(Default)]
struct Scratch(Vec<f64>);

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scratch { .. }")
    }
}

impl<G: Generator> Randomiser<G> {
    /// For the people of this experiment.
    pub fn new(spec: &Spec, noise: G) -> Randomiser<G> {
        let responder = |epsilon: Epsilon| {
            let parameters = spec.parameters();
            Responder::new(Channel::best(epsilon, parameters), spec.arms(), parameters)
        };
        let target = responder(spec.target_epsilon());
        let sources = spec.sources().iter().map(|&epsilon| responder(epsilon)).collect();
        Randomiser { spec: spec.clone(), target, sources, noise, scratch: Scratch::default() }
    }

    /// Chooses the person's arm: with the policy's probability by lot, otherwise the one with the best
    /// predicted reward (the first of equals).
    #[inline]
    pub fn choose(&mut self, policy: &Policy, context: &[f64]) -> Result<Choice, Refusal> {
        policy.check(&self.spec)?;
        let features = Features::clip(context, self.spec.dims())?;
        let arm = if self.explores(policy.exploration) {
            let arms = NonZeroU64::new(self.spec.arms().into()).unwrap_or(NonZeroU64::MIN);
            uniform_below(arms, &mut self.noise) as u32
        } else {
            self.best(policy, &features)
        };
        Ok(Choice { arm, features })
    }

    #[inline]
    fn explores(&mut self, probability: f64) -> bool {
        const DIGITS: u64 = 1 << 53;
        let digits = NonZeroU64::new(DIGITS).unwrap_or(NonZeroU64::MIN);
        (uniform_below(digits, &mut self.noise) as f64) < probability * DIGITS as f64
    }

    #[inline]
    fn best(&self, policy: &Policy, features: &Features) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (arm, parameters) in policy.parameters.iter().enumerate() {
            let score = model::score(self.spec.model(), parameters, features.as_slice());
            if score > best.1 {
                best = (arm as u32, score);
            }
        }
        best.0
    }

    /// Privatises the gradient of the arm that was played. If anything is wrong, nothing is sent.
    #[inline]
    pub fn answer(&mut self, policy: &Policy, choice: Choice, reward: f64) -> Result<Report, Refusal> {
        // Used up: one choice, one answer.
        let Choice { arm, features } = choice;
        self.report(policy, None, (arm, &features), reward)
    }

    /// The same for a person of an auxiliary source, whose arm was chosen long ago by somebody else, at the
    /// source's own loss.
    #[inline]
    pub fn answer_record(
        &mut self,
        policy: &Policy,
        source: u32,
        context: &[f64],
        arm: u32,
        reward: f64,
    ) -> Result<Report, Refusal> {
        let features = Features::clip(context, self.spec.dims())?;
        self.report(policy, Some(source), (arm, &features), reward)
    }

    fn report(
        &mut self,
        policy: &Policy,
        source: Option<u32>,
        (arm, features): (u32, &Features),
        reward: f64,
    ) -> Result<Report, Refusal> {
        self.check(policy, arm, features, reward)?;
        let sources = self.sources.len();
        let responder = match source {
            None => &mut self.target,
            Some(source_number) => self
                .sources
                .get_mut(source_number as usize)
                .ok_or(Refusal::UnknownSource { source_number, sources })?,
        };
        let parameters = &policy.parameters[arm as usize];
        let gradient = &mut self.scratch.0;
        let (features, reward) = (features.as_slice(), reward.clamp(0.0, 1.0));
        model::gradient(self.spec.model(), parameters, features, reward, gradient);
        let response = responder.respond(arm, gradient, &mut self.noise);
        gradient.fill(0.0);
        Ok(Report { version: policy.version, source, response })
    }

    #[inline]
    fn check(&self, policy: &Policy, arm: u32, features: &Features, reward: f64) -> Result<(), Refusal> {
        policy.check(&self.spec)?;
        let (arms, dims) = (self.spec.arms(), self.spec.dims());
        if arm >= arms {
            return Err(Refusal::UnknownArm { arms });
        }
        // A choice of another experiment.
        if features.as_slice().len() != dims as usize + 1 {
            return Err(Refusal::Dims { dims });
        }
        if reward.is_finite() { Ok(()) } else { Err(Refusal::Reward(NotFinite)) }
    }
}
