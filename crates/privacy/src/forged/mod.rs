//! What forged reports can do. In the local model a device may send any report, whatever its person did: nobody can
//! check. How far that moves an estimate follows from the channel alone; `docs/forged.md` has the proofs.

#[cfg(test)]
mod tests;

use crate::mechanism::RandomisedResponse;
use crate::oracle::{Aggregate, Oracle, SignedHadamard};
use crate::{Epsilon, SimSeed, Stream};

/// The values that one report of a channel can stand for, in units of what is estimated: a mean reward or a share of
/// people, between 0 and 1. An honest report has the truth as its mean, and a forged one has what its author likes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// The lowest.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
}

/// Reports that are drawn to see both values that one can stand for: each is seen with probability 1/2 or, for k-ary
/// response, at least (e^epsilon - 1) / k.
const DRAWS: u32 = 1 << 16;

impl Influence {
    /// Of one randomised bit: p / (2p - 1) and -(1 - p) / (2p - 1), with p = e^epsilon / (1 + e^epsilon).
    pub fn of_bit(epsilon: Epsilon) -> Influence {
        let keep = RandomisedResponse::new(epsilon).keep_probability();
        Influence { lowest: -(1.0 - keep) / (2.0 * keep - 1.0), highest: keep / (2.0 * keep - 1.0) }
    }

    /// Of one report of a frequency oracle, on the share of one symbol: the report speaks for it or does not.
    pub fn of_symbol(oracle: &impl Oracle) -> Influence {
        let mut rng = SimSeed(0).stream(0, Stream::Noise);
        let mut found = Influence { lowest: f64::INFINITY, highest: f64::NEG_INFINITY };
        for draw in 0..DRAWS {
            // Reports of this symbol speak for it most often, those of another seldom.
            let symbol = oracle.domain().clip(draw % 2);
            let mut one = Aggregate::new(oracle);
            let counted = one.add(oracle, &oracle.randomise(symbol, &mut rng));
            let shares = counted.and_then(|()| oracle.estimate(&one));
            let share = shares.ok().and_then(|shares| shares.first().copied()).unwrap_or(0.0);
            found = Influence { lowest: found.lowest.min(share), highest: found.highest.max(share) };
            if found.highest > 1.0 && found.lowest < 0.0 {
                break;
            }
        }
        found
    }

    /// Of one report of a signed oracle, on the signed share of one symbol: a report speaks for or against each symbol.
    pub fn of_signed(oracle: &SignedHadamard) -> Influence {
        let keep = RandomisedResponse::new(oracle.epsilon()).keep_probability();
        Influence { lowest: -1.0 / (2.0 * keep - 1.0), highest: 1.0 / (2.0 * keep - 1.0) }
    }

    /// What a forged report can change of a difference: from the lowest to the highest.
    pub fn width(&self) -> f64 {
        self.highest - self.lowest
    }

    /// How far a share of forgers can move the estimate of `mean`, down and up: the expected estimate is
    /// (1 - share) mean + share v, with v between lowest and highest.
    pub fn shift(&self, share: f64, mean: f64) -> [f64; 2] {
        [share * (mean - self.lowest), share * (self.highest - mean)]
    }

    /// How far a share of forgers can move an estimate at most, whatever between 0 and 1 is estimated.
    pub fn most(&self, share: f64) -> f64 {
        let [down, up] = [self.shift(share, 1.0)[0], self.shift(share, 0.0)[1]];
        down.max(up)
    }

    /// The least share of forgers that can have made this difference of two estimates, of which every estimate has the
    /// same share of forgers: the better one is really better as long as there are fewer.
    pub fn overturned_by(&self, difference: f64) -> f64 {
        (difference.abs() / self.width()).min(1.0)
    }
}

/// Two true means between 0 and 1 that are no further apart than this cannot be told apart by any server from any
/// channel of this loss, however many people report, if a share of them forge. So every estimate is off by half of it
/// for one of the two.
pub fn undecidable(epsilon: Epsilon, share: f64) -> f64 {
    if share >= 1.0 {
        return 1.0;
    }
    (share / (1.0 - share) * Influence::of_bit(epsilon).width()).min(1.0)
}
