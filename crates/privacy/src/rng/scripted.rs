//! A generator that says what it is told: for vectors that other languages are held to.

use super::Provenance;

/// Gives these 32-bit words in order, and after them multiples of an odd constant. Protects nobody.
///
/// A number of 64 bits takes two words, the lower first. Whoever writes a device in another language feeds its
/// samplers the same words and must get the same reports: `vectors/` has them.
#[derive(Debug)]
pub struct ScriptedRng(Script);

#[derive(Debug)]
struct Script {
    words: Vec<u32>,
    next: usize,
}

/// 2^32 over the golden ratio.
const STEP: u32 = 0x9e37_79b9;

impl ScriptedRng {
    /// With these words.
    pub fn new(words: Vec<u32>) -> ScriptedRng {
        ScriptedRng(Script { words, next: 0 })
    }

    /// How many words were taken.
    pub fn taken(&self) -> usize {
        self.0.next
    }
}

impl Script {
    fn word(&mut self) -> u32 {
        let at = self.next;
        self.next += 1;
        self.words.get(at).copied().unwrap_or_else(|| STEP.wrapping_mul(at as u32 + 1))
    }
}

impl rand_core::TryRng for Script {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let low = u64::from(self.word());
        Ok(u64::from(self.word()) << 32 | low)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in bytes.chunks_mut(4) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

generator!(ScriptedRng, Provenance::Simulation);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SimSeed, Stream};
    use rand_core::Rng;

    /// The order of words is that of the generators that draw real noise.
    #[test]
    fn words_are_taken_as_the_real_generators_take_them() {
        let stream = || SimSeed(1).stream(0, Stream::Noise);
        let mut words = stream();
        let mut scripted = ScriptedRng::new((0..16).map(|_| words.next_u32()).collect());
        let mut real = stream();
        for _ in 0..4 {
            assert_eq!(scripted.next_u64(), real.next_u64());
            assert_eq!(scripted.next_u32(), real.next_u32());
        }
        assert_eq!(scripted.taken(), 12);
    }
}
