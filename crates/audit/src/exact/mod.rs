//! Finite mechanisms: the loss from the probabilities themselves, compared with the claim in integers.

mod log;
mod loss;
mod ratio;
mod slack;

use num_bigint::BigUint;

pub use loss::{ExactLoss, Standing};

use super::{AuditError, Claim, Finding, Method, Samples, Verdict};
use reticent_privacy::Delta;
use reticent_privacy::mechanism::Weight;

/// The laws of a mechanism's output, one for each of a list of inputs.
///
/// ```
/// use reticent_audit::{Claim, FiniteMechanism, Weight};
/// use reticent_privacy::Epsilon;
/// // Answers truly in 3 of 4 cases: the odds are 3, and ln 3 = 1.0986.
/// let (keep, flip) = (Weight::exact(3_u32), Weight::exact(1_u32));
/// let mechanism = FiniteMechanism::new(vec![vec![keep.clone(), flip.clone()], vec![flip, keep]])?;
/// assert!(mechanism.audit("coin", Claim::pure(Epsilon::new(1.099)?)).passes());
/// assert!(!mechanism.audit("coin", Claim::pure(Epsilon::new(1.098)?)).passes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FiniteMechanism {
    laws: Vec<Vec<Weight>>,
    /// Which inputs are neighbours; all of each other if not said.
    pairs: Option<Vec<(usize, usize)>>,
    labels: Vec<String>,
    /// The common total lies between these.
    total: Weight,
}

impl FiniteMechanism {
    /// The law of each input, over the same outputs in the same order; all inputs are neighbours of each other.
    pub fn new(laws: Vec<Vec<Weight>>) -> Result<FiniteMechanism, AuditError> {
        if laws.len() < 2 {
            return Err(AuditError::TooFewInputs { got: laws.len() });
        }
        let total = common_total(&laws)?;
        let labels = (0..laws.len()).map(|input| format!("input {input}")).collect();
        Ok(FiniteMechanism { laws, pairs: None, labels, total })
    }

    /// Only these inputs, by number, are neighbours (either way round).
    pub fn pairs(
        mut self,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<FiniteMechanism, AuditError> {
        self.pairs = Some(super::checked_pairs(pairs, self.laws.len())?);
        Ok(self)
    }

    /// Names for the inputs, in their order; those without one keep their number.
    #[must_use]
    pub fn labels<S: Into<String>>(mut self, labels: impl IntoIterator<Item = S>) -> FiniteMechanism {
        for (label, given) in self.labels.iter_mut().zip(labels) {
            *label = given.into();
        }
        self
    }

    /// The loss, between two numbers, and how it stands to the claim.
    pub fn loss(&self, claim: Claim) -> ExactLoss {
        if claim.delta == Delta::ZERO { ratio::loss(self, claim.epsilon) } else { slack::loss(self, claim) }
    }

    /// The loss as a finding: it leaks if and only if its certified lower bound exceeds the claim.
    pub fn audit(&self, name: &str, claim: Claim) -> Finding {
        let loss = self.loss(claim);
        let event = match (claim.delta == Delta::ZERO, loss.low.is_infinite()) {
            (true, true) => format!("output {}, which only the first can have", loss.output),
            (true, false) => format!("output {}", loss.output),
            (false, _) => "outputs whose odds exceed e^epsilon".to_owned(),
        };
        Finding {
            name: name.to_owned(),
            claimed: claim,
            measured: loss.low,
            // A loss that is certified in integers is at most the claim, whatever its logarithm rounds to.
            upper: Some(if loss.standing == Standing::Certified {
                loss.high.min(claim.epsilon.value())
            } else {
                loss.high
            }),
            confidence: 1.0,
            samples: Samples::default(),
            neighbours: format!("{} against {}", self.labels[loss.pair.0], self.labels[loss.pair.1]),
            event,
            smallest_leak: None,
            unseen: Vec::new(),
            method: Method::Exact,
            verdict: verdict(&loss, claim),
            tightness: loss.low / claim.epsilon.value(),
        }
    }
}

/// An upper bound so close to the claim differs from it by the rounding of its logarithm alone.
const ROUNDING: f64 = 1e-12;

fn verdict(loss: &ExactLoss, claim: Claim) -> Verdict {
    match loss.standing {
        Standing::Exceeds => Verdict::Leaks,
        Standing::Certified => Verdict::Passes,
        Standing::Undecided if loss.high <= claim.epsilon.value() * (1.0 + ROUNDING) => Verdict::Passes,
        Standing::Undecided => Verdict::Undecided,
    }
}

/// Checks the laws and encloses the total that they share.
fn common_total(laws: &[Vec<Weight>]) -> Result<Weight, AuditError> {
    let expected = laws[0].len();
    let mut total: Option<Weight> = None;
    for (input, law) in laws.iter().enumerate() {
        if law.len() != expected || law.is_empty() {
            return Err(AuditError::DifferentOutputs { input, got: law.len(), expected });
        }
        if let Some(output) = law.iter().position(|weight| weight.low > weight.high) {
            return Err(AuditError::BoundsCrossed { input, output });
        }
        let (low, high) = (law.iter().map(|w| &w.low).sum::<BigUint>(), law.iter().map(|w| &w.high).sum());
        total = Some(match total {
            None => Weight { low, high },
            Some(so_far) => Weight { low: so_far.low.max(low), high: so_far.high.min(high) },
        });
    }
    let possible = |total: &Weight| total.low <= total.high && total.high > BigUint::default();
    total.filter(possible).ok_or(AuditError::DifferentTotals)
}

#[cfg(test)]
mod tests;
