//! Where the rewards lie: two quantiles by noisy bisection, one private bit a person.
//!
//! Each stage asks people whether their reward exceeds a threshold. The share of yes, corrected for the flips, tells on
//! which side of the threshold the two quantiles are. A stage ends when the share is clear of both limits, or when so
//! many were asked that a mistake hardly matters: hundreds or thousands of people, by epsilon.

use reticent_privacy::Epsilon;
use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::mab::Squash;
use serde::{Deserialize, Serialize};

/// The line runs from the point that this share of rewards exceeds ...
const MANY: f64 = 0.8;
/// ... to the point that this share exceeds.
const FEW: f64 = 0.2;
/// Rewards are looked for between these magnitudes, 2^-40 and 2^40.
const SMALLEST: f64 = 1.0 / (1_u64 << 40) as f64;
const LARGEST: f64 = (1_u64 << 40) as f64;
/// The share is looked at each time its standard deviation, after one block of answers, would be this.
const BLOCK_DEVIATION: f64 = 0.12;
/// After so many blocks the deviation is 0.054, and the nearer side is good enough: none or all is 3.7
/// deviations from a limit, so that a search ends magnitudes away about once in a thousand times.
const MOST_BLOCKS: u64 = 5;
/// A share is clear of a limit at so many deviations.
const CLEAR: f64 = 3.0;
/// A bracket is narrow enough when it is this share of the whole range.
const NARROW: f64 = 0.2;
/// Constant rewards never get a range: stop where floats of this relative width cannot matter.
const RELATIVE_FLOOR: f64 = 1e-6;

/// An interval that holds a quantile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bracket {
    below: f64,
    above: f64,
}

/// The search's whole state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Search {
    epsilon: Epsilon,
    /// Answers between two looks at the share; follows from epsilon.
    block: u64,
    stage: u32,
    in_stage: u64,
    yes: u64,
    /// Holds the point that many rewards exceed.
    low: Bracket,
    /// Holds the point that few rewards exceed.
    high: Bracket,
}

impl Search {
    pub(super) fn new(epsilon: Epsilon) -> Search {
        let all = Bracket { below: -LARGEST, above: LARGEST };
        Search { epsilon, block: block(epsilon), stage: 0, in_stage: 0, yes: 0, low: all, high: all }
    }

    pub(super) fn stage(&self) -> u32 {
        self.stage
    }

    /// Is your reward above the threshold?
    pub(super) fn question(&self) -> Squash {
        let threshold = self.threshold();
        Squash::line(threshold, threshold).unwrap_or(Squash::CLIP)
    }

    /// Counts one answer; at the end of the last stage, the line.
    pub(super) fn absorb(&mut self, bit: bool) -> Option<Squash> {
        self.in_stage += 1;
        self.yes += u64::from(bit);
        if !self.stage_is_over() {
            return None;
        }
        self.narrow(self.share());
        self.stage += 1;
        (self.in_stage, self.yes) = (0, 0);
        let found = self.low.is_narrow(self.range()) && self.high.is_narrow(self.range());
        if found { Squash::line(self.low.below, self.high.above).ok() } else { None }
    }

    /// Whether a saved search can be one.
    pub(in super::super) fn is_possible(&self) -> bool {
        let ok = |b: &Bracket| b.below.is_finite() && b.above.is_finite() && b.below <= b.above;
        let block_fits = self.block == block(self.epsilon) && self.stage < u32::MAX;
        block_fits && ok(&self.low) && ok(&self.high) && self.yes <= self.in_stage && !self.stage_is_over()
    }

    pub(in super::super) fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    fn stage_is_over(&self) -> bool {
        if self.in_stage == 0 || !self.in_stage.is_multiple_of(self.block) {
            return false;
        }
        let blocks = self.in_stage / self.block;
        let clear = CLEAR * BLOCK_DEVIATION / (blocks as f64).sqrt();
        let share = self.share();
        blocks >= MOST_BLOCKS || ((share - MANY).abs() > clear && (share - FEW).abs() > clear)
    }

    /// The share of rewards above the threshold, corrected for the flips.
    fn share(&self) -> f64 {
        let observed = self.yes as f64 / self.in_stage as f64;
        0.5 + (observed - 0.5) / contrast(self.epsilon)
    }

    fn narrow(&mut self, share: f64) {
        let threshold = self.threshold();
        self.low.cut(threshold, share >= MANY);
        self.high.cut(threshold, share > FEW);
    }

    /// The middle of the wider bracket.
    fn threshold(&self) -> f64 {
        let widest = if self.low.width() >= self.high.width() { self.low } else { self.high };
        widest.middle()
    }

    fn range(&self) -> f64 {
        self.high.above - self.low.below
    }
}

/// 2p - 1: what is left of a difference in shares behind the flips.
fn contrast(epsilon: Epsilon) -> f64 {
    2.0 * RandomisedResponse::new(epsilon).keep_probability() - 1.0
}

/// So many answers that the share's deviation, at most 1/2 / (contrast sqrt(n)), is `BLOCK_DEVIATION`.
fn block(epsilon: Epsilon) -> u64 {
    let root = 0.5 / (BLOCK_DEVIATION * contrast(epsilon));
    libm::ceil(root * root) as u64
}

impl Bracket {
    fn width(self) -> f64 {
        self.above - self.below
    }

    fn is_narrow(self, range: f64) -> bool {
        let size = self.below.abs().max(self.above.abs());
        self.width() <= (NARROW * range).max(RELATIVE_FLOOR * size).max(SMALLEST)
    }

    /// The quantile is above the threshold or not; a threshold outside tells nothing new.
    fn cut(&mut self, threshold: f64, is_above: bool) {
        if threshold <= self.below || threshold >= self.above {
            return;
        }
        if is_above {
            self.below = threshold;
        } else {
            self.above = threshold;
        }
    }

    /// Zero between the signs; the geometric middle across magnitudes; the arithmetic one within a factor of four.
    fn middle(self) -> f64 {
        let Bracket { below, above } = self;
        if below < 0.0 && above > 0.0 {
            return 0.0;
        }
        let sign = if above > 0.0 { 1.0 } else { -1.0 };
        let (near, far) = (below.abs().min(above.abs()), below.abs().max(above.abs()));
        if far > 4.0 * near.max(SMALLEST) {
            sign * (near.max(SMALLEST) * far).sqrt()
        } else {
            0.5 * (below + above)
        }
    }
}
