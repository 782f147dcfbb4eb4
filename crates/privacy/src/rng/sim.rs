//! The generator of reproducible experiments.

use chacha20::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::{EntropyError, NoiseRng, Provenance};

/// The seed of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimSeed(pub u64);

/// What a stream of random numbers is for. Each use has its own stream in each trial, so that, say, two agents with
/// the same seed meet the same rewards, and results do not depend on the number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Rewards and contexts.
    Environment = 0,
    /// The devices' noise.
    Noise = 1,
    /// The agent's own choices.
    Agent = 2,
    /// People of auxiliary sources.
    Source = 3,
}

/// Portable, seeded `ChaCha12`: the same numbers on each machine, and never private.
///
/// Its stored form is a seed, a stream and a position, so that an interrupted experiment goes on bit for bit.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Position")]
pub struct SimRng(ChaCha12Rng);

const DOMAIN: &[u8; 24] = b"reticent simulation v1\0\0";
const STREAMS_PER_TRIAL: u64 = 16;

impl SimSeed {
    /// A seed that nobody chose, for the own choices of an agent in production: they are no noise, but should not be
    /// predictable either.
    pub fn random() -> Result<SimSeed, EntropyError> {
        Ok(SimSeed(NoiseRng::from_os()?.next_u64()))
    }

    /// The stream for `purpose` in trial number `trial`: a ChaCha nonce of its own under the seed's key.
    ///
    /// # Panics
    /// For trials from 2^60 on, which would repeat the streams of others.
    pub fn stream(self, trial: u64, purpose: Stream) -> SimRng {
        assert!(trial < 1 << 60, "there are streams for 2^60 trials");
        SimRng::at(self.0, trial * STREAMS_PER_TRIAL + purpose as u64, 0)
    }
}

impl SimRng {
    fn at(seed: u64, stream: u64, word: u64) -> SimRng {
        let mut key = [0; 32];
        key[..24].copy_from_slice(DOMAIN);
        key[24..].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha12Rng::from_seed(key);
        rng.set_stream(stream);
        rng.set_word_pos(u128::from(word));
        SimRng(rng)
    }
}

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    seed: u64,
    stream: u64,
    word: u64,
}

impl Serialize for SimRng {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seed = [0; 8];
        seed.copy_from_slice(&self.0.get_seed()[24..]);
        // 2^64 words are 64 exbibytes: no experiment gets there.
        let word = self.0.get_word_pos() as u64;
        Position { seed: u64::from_le_bytes(seed), stream: self.0.get_stream(), word }.serialize(serializer)
    }
}

impl From<Position> for SimRng {
    fn from(position: Position) -> SimRng {
        SimRng::at(position.seed, position.stream, position.word)
    }
}

generator!(SimRng, Provenance::Simulation);

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden numbers: a change here changes the results of every published seed.
    #[test]
    fn the_stream_is_the_same_on_each_machine() {
        let mut rng = SimSeed(1).stream(0, Stream::Environment);
        assert_eq!([rng.next_u64(), rng.next_u64()], GOLDEN);
    }
    const GOLDEN: [u64; 2] = [6_695_549_934_049_704_224, 2_024_165_137_905_701_241];

    #[test]
    fn trials_purposes_and_seeds_have_streams_of_their_own() {
        let mut first = Vec::new();
        for seed in 0..3 {
            for trial in 0..3 {
                for purpose in [Stream::Environment, Stream::Noise, Stream::Agent] {
                    first.push(SimSeed(seed).stream(trial, purpose).next_u64());
                }
            }
        }
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 27);
    }

    #[test]
    fn saved_and_loaded_goes_on() {
        let mut rng = SimSeed(7).stream(3, Stream::Noise);
        for drawn in 0..200 {
            let json = serde_json::to_string(&rng).unwrap();
            let mut loaded: SimRng = serde_json::from_str(&json).unwrap();
            assert_eq!(loaded, rng, "after {drawn} draws");
            assert_eq!(loaded.next_u64(), rng.next_u64());
            // Odd and even word positions both occur.
            assert_eq!(loaded.next_u32(), rng.next_u32());
        }
    }
}
