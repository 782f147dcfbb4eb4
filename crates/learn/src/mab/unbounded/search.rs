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
    /// The stages before, for answers that come late.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    closed: Vec<Closed>,
}

/// A stage that is over: what was believed when it began, and its answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    low: Bracket,
    high: Bracket,
    asked: u64,
    yes: u64,
    /// The number of answers at which it is looked at again, if later stages build on it.
    again_at: Option<u64>,
}

impl Search {
    pub(super) fn new(epsilon: Epsilon) -> Search {
        let all = Bracket { below: -LARGEST, above: LARGEST };
        let (block, closed) = (block(epsilon), Vec::new());
        Search { epsilon, block, stage: 0, in_stage: 0, yes: 0, low: all, high: all, closed }
    }

    pub(super) fn stage(&self) -> u32 {
        self.stage
    }

    /// Is your reward above the threshold?
    pub(super) fn question(&self) -> Squash {
        let threshold = self.threshold();
        Squash::line(threshold, threshold).unwrap_or(Squash::CLIP)
    }

    /// Counts one answer to this stage; at the end of the last stage, the line.
    pub(super) fn absorb(&mut self, stage: u32, bit: bool) -> Option<Squash> {
        if stage < self.stage {
            self.absorb_late(stage, bit);
            return None;
        }
        self.in_stage += 1;
        self.yes += u64::from(bit);
        if !self.stage_is_over() {
            return None;
        }
        let closed = self.closed_with(Some(2 * self.in_stage));
        (self.low, self.high) = self.narrowed(self.share());
        self.closed.push(closed);
        self.stage += 1;
        (self.in_stage, self.yes) = (0, 0);
        let found = self.low.is_narrow(self.range()) && self.high.is_narrow(self.range());
        if found { Squash::line(self.low.below, self.high.above).ok() } else { None }
    }

    /// Counts a late answer to a stage that is over. If the stage now says something else, the search goes on
    /// from there, under a new number: nobody's answer is taken for one to another question.
    fn absorb_late(&mut self, stage: u32, bit: bool) {
        // Searches that version 1 saved do not know their stages before.
        let first = self.stage as usize - self.closed.len();
        let Some(at) = (stage as usize).checked_sub(first) else { return };
        let epsilon = self.epsilon;
        let closed = &mut self.closed[at];
        closed.asked += 1;
        closed.yes += u64::from(bit);
        // Only when its answers have doubled: a share at a limit would send the search back and forth.
        if closed.again_at != Some(closed.asked) {
            return;
        }
        closed.again_at = closed.asked.checked_mul(2);
        let (low, high) = (closed.low, closed.high);
        let share = corrected(closed.yes, closed.asked, epsilon);
        let decided = Search { low, high, closed: Vec::new(), ..*self };
        let follows = self.closed.get(at + 1).map_or((self.low, self.high), |next| (next.low, next.high));
        let anew = decided.narrowed(share);
        if anew != follows {
            self.closed.push(self.closed_with(None));
            self.closed.iter_mut().skip(at + 1).for_each(|later| later.again_at = None);
            (self.low, self.high) = anew;
            self.stage += 1;
            (self.in_stage, self.yes) = (0, 0);
        }
    }

    /// The current stage as one that is over.
    fn closed_with(&self, again_at: Option<u64>) -> Closed {
        Closed { low: self.low, high: self.high, asked: self.in_stage, yes: self.yes, again_at }
    }

    /// Whether a saved search can be one.
    pub(in super::super) fn is_possible(&self) -> bool {
        let ok = |b: &Bracket| b.below.is_finite() && b.above.is_finite() && b.below <= b.above;
        let block_fits = self.block == block(self.epsilon) && self.stage < u32::MAX;
        let known = self.closed.len() <= self.stage as usize
            && self
                .closed
                .iter()
                .all(|c| ok(&c.low) && ok(&c.high) && c.yes <= c.asked && c.asked < u64::MAX);
        block_fits
            && known
            && ok(&self.low)
            && ok(&self.high)
            && self.yes <= self.in_stage
            && !self.stage_is_over()
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
        corrected(self.yes, self.in_stage, self.epsilon)
    }

    /// The brackets, given the share above the threshold.
    fn narrowed(&self, share: f64) -> (Bracket, Bracket) {
        let (threshold, mut low, mut high) = (self.threshold(), self.low, self.high);
        low.cut(threshold, share >= MANY);
        high.cut(threshold, share > FEW);
        (low, high)
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

/// The share of yes, corrected for the flips.
fn corrected(yes: u64, asked: u64, epsilon: Epsilon) -> f64 {
    0.5 + (yes as f64 / asked as f64 - 0.5) / contrast(epsilon)
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
