//! The generator of real noise.

use std::fmt;

use chacha20::ChaCha20Rng;
use rand_core::SeedableRng;

use super::Provenance;

/// Noise for people's data: `ChaCha20` keyed by the operating system's entropy.
///
/// It has no seed, no clone and no stored form, and its key is wiped when it is dropped. A process that forks
/// would have it twice: make generators after the fork.
pub struct NoiseRng(ChaCha20Rng);

/// The operating system gave no entropy; without it there is no noise and nothing may be released.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no entropy: {0}; nothing was released")]
pub struct EntropyError(getrandom::Error);

impl NoiseRng {
    /// A new generator with a fresh 256-bit key from the operating system.
    pub fn from_os() -> Result<NoiseRng, EntropyError> {
        let mut key = [0; 32];
        #[expect(clippy::disallowed_methods, reason = "this is the one door to the system's entropy")]
        getrandom::fill(&mut key).map_err(EntropyError)?;
        Ok(NoiseRng(ChaCha20Rng::from_seed(key)))
    }
}

generator!(NoiseRng, Provenance::SystemEntropy);

impl fmt::Debug for NoiseRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoiseRng { .. }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng;

    #[test]
    fn two_generators_differ_and_tell_nothing() {
        let (mut a, mut b) = (NoiseRng::from_os().unwrap(), NoiseRng::from_os().unwrap());
        // Equal with probability 2^-128.
        assert_ne!((a.next_u64(), a.next_u64()), (b.next_u64(), b.next_u64()));
        assert_eq!(format!("{a:?}"), "NoiseRng { .. }");
    }
}
