//! The people's side: a reward through its channel.

use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism};
use reticent_privacy::{Generator, NotFinite, Provenance, UnitGrid};

use super::{Answer, Channel, Squash};

/// Makes people's answers, one person after another. A baseline has no ledger: in a simulation each person
/// answers once.
#[derive(Debug)]
pub struct Randomiser<G> {
    squash: Squash,
    mechanism: Law,
    noise: G,
}

#[derive(Debug)]
enum Law {
    Bernoulli(BernoulliResponse),
    Laplace(LaplaceResponse),
    Open,
}

/// Why there is no answer. No message contains the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The reward is no number that could be privatised.
    #[error("the reward: {0}")]
    Reward(#[from] NotFinite),
    /// Real noise on a channel that has none.
    #[error("the channel is open: it would send raw rewards; only simulations may")]
    NotPrivate,
}

impl<G: Generator> Randomiser<G> {
    /// For people whose rewards go through this channel.
    pub fn new(channel: Channel, squash: Squash, noise: G) -> Randomiser<G> {
        let mechanism = match channel {
            Channel::Bernoulli { epsilon } => Law::Bernoulli(BernoulliResponse::new(epsilon)),
            Channel::Laplace { epsilon } => Law::Laplace(LaplaceResponse::new(epsilon)),
            Channel::Open => Law::Open,
        };
        Randomiser { squash, mechanism, noise }
    }

    /// One person's answer.
    #[inline]
    pub fn answer(&mut self, reward: f64) -> Result<Answer, Refusal> {
        let reward = UnitGrid::clip(self.squash.apply(reward))?;
        match &self.mechanism {
            Law::Bernoulli(mechanism) => Ok(Answer::Bit(mechanism.release_with(reward, &mut self.noise))),
            Law::Laplace(mechanism) => Ok(Answer::Steps(mechanism.release_with(reward, &mut self.noise))),
            Law::Open if G::PROVENANCE == Provenance::SystemEntropy => Err(Refusal::NotPrivate),
            Law::Open => Ok(Answer::Steps(i64::from(reward.steps()))),
        }
    }

    /// The generator, for the stored form of an interrupted simulation.
    pub fn noise(&self) -> &G {
        &self.noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{Epsilon, NoiseRng, SimSeed, Stream};

    fn noise() -> reticent_privacy::SimRng {
        SimSeed(1).stream(0, Stream::Noise)
    }

    #[test]
    fn the_open_channel_repeats_the_reward_and_real_noise_refuses_it() {
        let mut open = Randomiser::new(Channel::Open, Squash::Clip, noise());
        assert_eq!(open.answer(0.25), Ok(Answer::Steps(1 << 28)));
        assert_eq!(open.answer(7.0), Ok(Answer::Steps(1 << 30)));
        let mut real = Randomiser::new(Channel::Open, Squash::Clip, NoiseRng::from_os().unwrap());
        assert_eq!(real.answer(0.5), Err(Refusal::NotPrivate));
    }

    #[test]
    fn bad_rewards_are_refused_and_the_sigmoid_is_the_papers() {
        assert_eq!(Squash::Sigmoid.apply(0.0), 0.5);
        for channel in
            [Channel::Bernoulli { epsilon: Epsilon::MAX }, Channel::Laplace { epsilon: Epsilon::MAX }]
        {
            for squash in [Squash::Clip, Squash::Sigmoid] {
                for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let answer = Randomiser::new(channel, squash, noise()).answer(bad);
                    assert_eq!(answer, Err(Refusal::Reward(NotFinite)));
                }
            }
        }
    }
}
