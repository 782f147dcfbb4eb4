//! How far forged reports could have moved what is known: no test can exclude those who obey the policy and lie.

use reticent_privacy::forged::Influence;
use reticent_protocol::mab::Spec;
use serde::Serialize;

use super::ArmEstimate;

/// Shares of forgers that are told.
const SHARES: [f64; 3] = [0.01, 0.05, 0.1];

/// What forgers could have done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Robustness {
    /// The arm with the highest mean; none before the first reports.
    pub winner: Option<String>,
    /// The winner is really better than the arm after it as long as fewer than this share of people forge.
    pub stays_up_to: Option<f64>,
    /// How far some shares of forgers can have moved the difference of two arms, in the rewards' units.
    pub moved: Vec<Moved>,
}

/// What one share of forgers could have done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moved {
    /// The share.
    pub share: f64,
    /// By how much.
    pub by: f64,
}

impl Robustness {
    /// Of these estimates.
    pub(super) fn of(spec: &Spec, estimates: &[ArmEstimate]) -> Robustness {
        let influence = Influence::of_bit(spec.epsilon());
        let width = |arm: &ArmEstimate| arm.clipped_to[1] - arm.clipped_to[0];
        let range = estimates.first().map_or(1.0, width);
        let mut known: Vec<(f64, &ArmEstimate)> =
            estimates.iter().filter_map(|arm| Some((arm.mean?, arm))).collect();
        known.sort_by(|a, b| b.0.total_cmp(&a.0));
        let lead = if let [first, second, ..] = &known[..] { Some(first.0 - second.0) } else { None };
        Robustness {
            winner: known.first().map(|(_, arm)| arm.name.clone()),
            stays_up_to: lead.map(|lead| influence.overturned_by(lead / range)),
            moved: SHARES.map(|share| Moved { share, by: share * influence.width() * range }).to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::Epsilon;

    #[test]
    fn a_lead_is_worth_so_many_forgers() {
        let spec = Spec::new(2, Epsilon::new(1.0).unwrap()).unwrap();
        let arm = |name: &str, mean: Option<f64>| ArmEstimate {
            name: name.into(),
            reports: Some(1),
            mean,
            interval: [0.0, 10.0],
            probability_of_best: 0.5,
            clipped_to: [0.0, 10.0],
        };
        let known = Robustness::of(&spec, &[arm("a", Some(4.0)), arm("b", Some(4.74))]);
        // 0.074 of the range over (e + 1) / (e - 1).
        assert_eq!(known.winner.as_deref(), Some("b"));
        assert!((known.stays_up_to.unwrap() - 0.0342).abs() < 1e-4, "{known:?}");
        assert!((known.moved[1].by - 1.082).abs() < 1e-3);
        let unknown = Robustness::of(&spec, &[arm("a", None), arm("b", Some(1.0))]);
        assert!(unknown.winner.is_some() && unknown.stays_up_to.is_none());
    }
}
