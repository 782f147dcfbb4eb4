//! A device that takes part in a contextual bandit experiment with gradients: it chooses its arm itself, and neither arm, nor context, nor reward
//! leaves it unprotected.

mod context;
mod curator;
mod model;
#[cfg(test)]
mod tests;

use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::{
    EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance, SimRng,
};
use reticent_protocol::gradient::{Channel, Policy, PolicyError, Report, Spec};

use crate::Shared;
pub use context::Choice;
use context::Features;
use curator::Curator;

/// One person's device: it sees context, arm and reward, pays for a report from the person's lifetime budget, and sends the report alone.
///
/// ```
/// use reticent_device::gradient::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::gradient::{Model, Policy, Spec};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(2, 3, Model::Logistic, epsilon, vec![])?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy { version: 0, parameters: vec![vec![0.0; 3]; 3], exploration: 0.1 };
/// let choice = device.choose(&policy, &[0.2, 0.9])?;
/// let report = device.answer(&policy, choice, 1.0)?;
/// assert_eq!(report.version, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    spec: Spec,
    target: Curator,
    sources: Vec<Curator>,
    ledger: Ledger,
    noise: G,
    /// A gradient's place, kept to spare allocations and cleared after each use.
    scratch: Scratch,
}

/// Why nothing was sent. No message contains a context, an arm that was chosen or a reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
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
    /// The person's budget does not cover another report.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

#[derive(Default)]
struct Scratch(Vec<f64>);

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scratch { .. }")
    }
}

impl Device<NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget.
    pub fn new(spec: &Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Ok(Self::with_noise(spec, Ledger::new(lifetime), NoiseRng::from_os()?))
    }
}

impl Device<SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        Self::with_noise(spec, Ledger::new(lifetime), noise)
    }

    /// The noise generator, for the stored form of an interrupted simulation.
    pub fn noise(&self) -> &SimRng {
        &self.noise
    }
}

impl<G: Shared> Device<G> {
    /// The next person, with a lifetime budget of their own; the noise goes on.
    #[inline]
    pub fn next_person(&mut self, lifetime: Epsilon) {
        self.ledger = Ledger::new(lifetime);
    }
}

impl<G: Generator> Device<G> {
    /// A device with a budget and a generator that exist already.
    pub fn with_noise(spec: &Spec, ledger: Ledger, noise: G) -> Self {
        let curator = |epsilon: Epsilon| {
            let parameters = spec.parameters();
            Curator::new(Channel::best(epsilon, parameters), epsilon, spec.arms(), parameters)
        };
        let target = curator(spec.target_epsilon());
        let sources = spec.sources().iter().map(|&epsilon| curator(epsilon)).collect();
        Device { spec: spec.clone(), target, sources, ledger, noise, scratch: Scratch::default() }
    }

    /// Chooses the person's arm: with the policy's probability by lot, otherwise the one with the best predicted reward (the first of
    /// equals). Sends nothing and costs nothing.
    #[inline]
    pub fn choose(&mut self, policy: &Policy, context: &[f64]) -> Result<Choice, DeviceError> {
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

    /// Pays for one report, then privatises the gradient of the arm that was played. If anything is wrong, nothing is sent, and nothing is
    /// paid either.
    #[inline]
    pub fn answer(&mut self, policy: &Policy, choice: Choice, reward: f64) -> Result<Report, DeviceError> {
        // Used up: one choice, one answer.
        let Choice { arm, features } = choice;
        self.report(policy, None, (arm, &features), reward)
    }

    /// The same for a person of an auxiliary source, whose arm was chosen long ago by somebody else; costs the source's own loss.
    #[inline]
    pub fn answer_record(
        &mut self,
        policy: &Policy,
        source: u32,
        context: &[f64],
        arm: u32,
        reward: f64,
    ) -> Result<Report, DeviceError> {
        let features = Features::clip(context, self.spec.dims())?;
        self.report(policy, Some(source), (arm, &features), reward)
    }

    fn report(
        &mut self,
        policy: &Policy,
        source: Option<u32>,
        (arm, features): (u32, &Features),
        reward: f64,
    ) -> Result<Report, DeviceError> {
        self.check(policy, arm, features, reward)?;
        let sources = self.sources.len();
        let curator = match source {
            None => &mut self.target,
            Some(source_number) => self
                .sources
                .get_mut(source_number as usize)
                .ok_or(DeviceError::UnknownSource { source_number, sources })?,
        };
        let receipt = self.ledger.charge(curator.epsilon())?;
        let parameters = &policy.parameters[arm as usize];
        let gradient = &mut self.scratch.0;
        let (features, reward) = (features.as_slice(), reward.clamp(0.0, 1.0));
        model::gradient(self.spec.model(), parameters, features, reward, gradient);
        let response = curator.respond(arm, gradient, receipt, &mut self.noise);
        gradient.fill(0.0);
        Ok(Report { version: policy.version, source, response })
    }

    #[inline]
    fn check(&self, policy: &Policy, arm: u32, features: &Features, reward: f64) -> Result<(), DeviceError> {
        policy.check(&self.spec)?;
        let (arms, dims) = (self.spec.arms(), self.spec.dims());
        if arm >= arms {
            return Err(DeviceError::UnknownArm { arms });
        }
        // A choice of another experiment's device.
        if features.as_slice().len() != dims as usize + 1 {
            return Err(DeviceError::Dims { dims });
        }
        if reward.is_finite() { Ok(()) } else { Err(DeviceError::Reward(NotFinite)) }
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What each report of the target promises.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}
