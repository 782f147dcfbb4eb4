//! Approximate loss: the mass of one law above e^epsilon times its neighbour's, compared with delta.

use num_bigint::BigUint;

use super::log::{lower, upper};
use super::{ExactLoss, FiniteMechanism, Standing, Weight};
use crate::Claim;
use reticent_privacy::exact::exp::{exp_lower, exp_upper, one};
use reticent_privacy::{Delta, Epsilon};

/// Takes time proportional to the square of the number of inputs: meant for a handful of neighbours.
pub(super) fn loss(mechanism: &FiniteMechanism, claim: Claim) -> ExactLoss {
    let question = Question { mechanism, delta: claim.delta };
    let nano = claim.epsilon.nano();
    let standing = if question.exceeds(nano) {
        Standing::Exceeds
    } else if question.certified(nano) {
        Standing::Certified
    } else {
        Standing::Undecided
    };
    let (pair, output) = question.worst(nano);
    let last = Epsilon::MAX.nano();
    // The least loss at which nothing is seen to exceed: one step below it, something was.
    let low = least(|nano| !question.exceeds(nano)).unwrap_or(last + 1).saturating_sub(1);
    let high = least(|nano| question.certified(nano));
    ExactLoss {
        low: lower(low as f64 / 1e9),
        high: high.map_or(f64::INFINITY, |nano| upper(nano as f64 / 1e9)),
        pair,
        output,
        standing,
    }
}

struct Question<'a> {
    mechanism: &'a FiniteMechanism,
    delta: Delta,
}

impl Question<'_> {
    /// Ordered pairs of neighbours.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let inputs = self.mechanism.laws.len();
        match &self.mechanism.pairs {
            Some(pairs) => pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect(),
            None => {
                (0..inputs).flat_map(|a| (0..inputs).filter(move |&b| b != a).map(move |b| (a, b))).collect()
            }
        }
    }

    /// Whether some pair certainly has more than delta above e^(nano / 10^9) times its neighbour.
    fn exceeds(&self, nano: u64) -> bool {
        let (factor, allowed) = (exp_upper(nano), one() * self.delta.atto() * &self.mechanism.total.high);
        self.pairs()
            .into_iter()
            .any(|(a, b)| self.mass(a, b, |p, q| above(&p.low, &q.high, &factor)) * Delta::UNITS > allowed)
    }

    /// Whether each pair certainly has at most delta above it.
    fn certified(&self, nano: u64) -> bool {
        let (factor, allowed) = (exp_lower(nano), one() * self.delta.atto() * &self.mechanism.total.low);
        self.pairs()
            .into_iter()
            .all(|(a, b)| self.mass(a, b, |p, q| above(&p.high, &q.low, &factor)) * Delta::UNITS <= allowed)
    }

    fn mass(&self, a: usize, b: usize, excess: impl Fn(&Weight, &Weight) -> BigUint) -> BigUint {
        self.mechanism.laws[a].iter().zip(&self.mechanism.laws[b]).map(|(p, q)| excess(p, q)).sum()
    }

    /// The pair with the most mass in excess, and the output with most of it.
    fn worst(&self, nano: u64) -> ((usize, usize), usize) {
        let factor = exp_upper(nano);
        let excess = |p: &Weight, q: &Weight| above(&p.low, &q.high, &factor);
        let pair = self.pairs().into_iter().max_by_key(|&(a, b)| self.mass(a, b, excess)).unwrap_or((0, 1));
        let laws = &self.mechanism.laws;
        let most = (0..laws[pair.0].len()).max_by_key(|&o| excess(&laws[pair.0][o], &laws[pair.1][o]));
        (pair, most.unwrap_or(0))
    }
}

/// max(0, p - factor q), in units of 2^-160 of the weights' own.
fn above(p: &BigUint, q: &BigUint, factor: &BigUint) -> BigUint {
    let (p, q) = (p * one(), q * factor);
    if p > q { p - q } else { BigUint::default() }
}

/// The least loss in billionths for which `holds`, which is true from some point on.
fn least(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, Epsilon::MAX.nano());
    if !holds(high) {
        return None;
    }
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}
