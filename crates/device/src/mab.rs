//! A device that takes part in a multi-armed bandit experiment.

use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism};
use reticent_privacy::{
    Charge, EntropyError, Epsilon, Exhausted, Generator, Guarantee, Ledger, NoiseRng, NotFinite, Provenance,
    SimRng, UnitGrid,
};
use reticent_protocol::mab::{Channel, Policy, Report, Response, Spec};

/// One person's device: it sees the raw reward, pays for a report from the person's lifetime budget, and sends the
/// report alone.
///
/// ```
/// use reticent_device::mab::Device;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::{Channel, Policy, Spec, Squash};
///
/// let epsilon = Epsilon::new(1.0)?;
/// let spec = Spec::new(3, Channel::Bernoulli { epsilon })?;
/// let mut device = Device::new(&spec, epsilon)?;
/// let policy = Policy { arm: 2, stage: 0, squash: Squash::CLIP };
/// let report = device.answer(&policy, 0.7)?;
/// assert_eq!(report.arm, 2);
/// assert!(device.answer(&policy, 0.7).is_err(), "the lifetime budget is spent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Device<G: Generator = NoiseRng> {
    curator: Curator,
    arms: u32,
    ledger: Ledger,
    noise: G,
}

/// The mechanism behind a channel, with its constants computed once.
#[derive(Debug)]
enum Curator {
    Bernoulli(BernoulliResponse),
    Laplace(LaplaceResponse),
    Open,
}

/// Why nothing was sent. No message contains the reward.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The policy names an arm that the experiment does not have.
    #[error("the policy names arm {arm}, but the experiment has arms 0 to {last}; nothing was sent", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(#[from] NotFinite),
    /// The experiment would have the device send the raw reward.
    #[error("the experiment's channel is open: it would send raw rewards; a person's device refuses it")]
    NotPrivate,
    /// The person's budget does not cover another report.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// No entropy, no noise.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Device<NoiseRng> {
    /// A device whose noise comes from the operating system's entropy, with a fresh lifetime budget. An experiment with the open
    /// channel is refused: it would send raw rewards, and only simulations may.
    pub fn new(spec: &Spec, lifetime: Epsilon) -> Result<Self, DeviceError> {
        Self::with_ledger(spec, Ledger::new(lifetime))
    }

    /// A device whose person has a budget already, possibly partly spent.
    pub fn with_ledger(spec: &Spec, ledger: Ledger) -> Result<Self, DeviceError> {
        if spec.channel() == Channel::Open {
            return Err(DeviceError::NotPrivate);
        }
        Ok(Self::build(spec, ledger, NoiseRng::from_os()?))
    }
}

impl Device<SimRng> {
    /// A device for simulation: seeded noise, hence not private.
    pub fn simulated(spec: &Spec, lifetime: Epsilon, noise: SimRng) -> Self {
        Self::build(spec, Ledger::new(lifetime), noise)
    }

    /// The simulation's next person, with a lifetime budget of their own; the noise goes on.
    #[inline]
    pub fn next_person(&mut self, lifetime: Epsilon) {
        self.ledger = Ledger::new(lifetime);
    }

    /// The noise generator, for the stored form of an interrupted simulation.
    pub fn noise(&self) -> &SimRng {
        &self.noise
    }
}

impl<G: Generator> Device<G> {
    fn build(spec: &Spec, ledger: Ledger, noise: G) -> Self {
        Device { curator: Curator::new(spec.channel()), arms: spec.arms(), ledger, noise }
    }

    /// Pays for one report, then privatises the reward. If anything is wrong, nothing is sent; if the reward or the policy
    /// is wrong, nothing is paid either.
    #[inline]
    pub fn answer(&mut self, policy: &Policy, reward: f64) -> Result<Report, DeviceError> {
        if policy.arm >= self.arms {
            return Err(DeviceError::UnknownArm { arm: policy.arm, arms: self.arms });
        }
        let clipped = UnitGrid::clip(policy.squash.apply(reward))?;
        let response = self.curator.respond(clipped, &mut self.ledger, &mut self.noise)?;
        Ok(Report { arm: policy.arm, stage: policy.stage, response })
    }

    /// The person's budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.curator.channel().guarantee()
    }

    /// Where this device's noise comes from.
    pub fn provenance(&self) -> Provenance {
        G::PROVENANCE
    }
}

impl Curator {
    fn new(channel: Channel) -> Curator {
        match channel {
            Channel::Bernoulli { epsilon } => Curator::Bernoulli(BernoulliResponse::new(epsilon)),
            Channel::Laplace { epsilon } => Curator::Laplace(LaplaceResponse::new(epsilon)),
            Channel::Open => Curator::Open,
        }
    }

    fn channel(&self) -> Channel {
        match self {
            Curator::Bernoulli(mechanism) => Channel::Bernoulli { epsilon: mechanism.epsilon() },
            Curator::Laplace(mechanism) => Channel::Laplace { epsilon: mechanism.epsilon() },
            Curator::Open => Channel::Open,
        }
    }

    /// Spend before you answer.
    #[inline]
    fn respond<G: Generator>(
        &self,
        reward: UnitGrid,
        ledger: &mut Ledger,
        noise: &mut G,
    ) -> Result<Response, Exhausted> {
        Ok(match self {
            Curator::Bernoulli(mechanism) => {
                Response::Bit(draw(mechanism, reward, ledger.charge(mechanism.epsilon())?, noise))
            }
            Curator::Laplace(mechanism) => {
                Response::Steps(draw(mechanism, reward, ledger.charge(mechanism.epsilon())?, noise))
            }
            Curator::Open => Response::Steps(i64::from(reward.steps())),
        })
    }
}

/// One draw for one receipt, which it uses up: the only way from a reward to noise in this crate.
#[inline]
fn draw<M, G>(mechanism: &M, reward: UnitGrid, _receipt: Charge, noise: &mut G) -> M::Output
where
    M: Mechanism<Input = UnitGrid>,
    G: Generator,
{
    mechanism.release_with(reward, noise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};
    use reticent_protocol::mab::Squash;

    fn epsilon(value: f64) -> Epsilon {
        Epsilon::new(value).unwrap()
    }

    fn device(channel: Channel) -> Device<SimRng> {
        let spec = Spec::new(2, channel).unwrap();
        Device::simulated(&spec, epsilon(1.0), SimSeed(1).stream(0, Stream::Noise))
    }

    const POLICY: Policy = Policy { arm: 1, stage: 4, squash: Squash::CLIP };

    #[test]
    fn bad_rewards_cost_nothing_and_say_nothing() {
        for squash in [Squash::CLIP, Squash::SIGMOID, Squash::line(0.0, 2.0).unwrap()] {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut device = device(Channel::Bernoulli { epsilon: epsilon(0.5) });
                let error = device.answer(&Policy { squash, ..POLICY }, bad).unwrap_err();
                assert!(matches!(error, DeviceError::Reward(NotFinite)));
                assert_eq!(device.ledger().spent_micro(), 0);
            }
        }
    }

    #[test]
    fn an_unknown_arm_costs_nothing() {
        let mut device = device(Channel::Bernoulli { epsilon: epsilon(0.5) });
        let error = device.answer(&Policy { arm: 2, ..POLICY }, 0.5).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the policy names arm 2, but the experiment has arms 0 to 1; nothing was sent"
        );
        assert_eq!(device.ledger().spent_micro(), 0);
    }

    #[test]
    fn a_lifetime_is_two_halves() {
        for channel in
            [Channel::Bernoulli { epsilon: epsilon(0.5) }, Channel::Laplace { epsilon: epsilon(0.5) }]
        {
            let mut device = device(channel);
            assert!(device.answer(&POLICY, 0.5).is_ok());
            assert!(device.answer(&POLICY, 0.5).is_ok());
            let error = device.answer(&POLICY, 0.5).unwrap_err();
            assert!(matches!(error, DeviceError::Budget(_)));
            device.next_person(epsilon(0.5));
            assert!(device.answer(&POLICY, 0.5).is_ok());
        }
    }

    #[test]
    fn the_report_repeats_the_policy_and_the_open_channel_the_reward() {
        let mut device = device(Channel::Open);
        let report = device.answer(&POLICY, 0.25).unwrap();
        assert_eq!((report.arm, report.stage), (1, 4));
        assert_eq!(report.response, Response::Steps(1 << 28));
        assert_eq!(device.answer(&POLICY, 7.0).unwrap().response, Response::Steps(1 << 30));
    }

    #[test]
    fn a_real_device_never_sends_a_raw_reward() {
        let spec = Spec::new(2, Channel::Open).unwrap();
        assert!(matches!(Device::new(&spec, epsilon(1.0)), Err(DeviceError::NotPrivate)));
    }

    #[test]
    fn provenance_tells_simulation_from_noise() {
        let spec = Spec::new(2, Channel::Bernoulli { epsilon: epsilon(1.0) }).unwrap();
        assert_eq!(Device::new(&spec, epsilon(1.0)).unwrap().provenance(), Provenance::SystemEntropy);
        assert_eq!(device(Channel::Open).provenance().label(), "simulation, not private");
    }
}
