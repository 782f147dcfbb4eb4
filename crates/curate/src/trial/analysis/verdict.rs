//! What an interval settles, against the plan's own questions.

use serde::{Deserialize, Serialize};

use super::super::TrialSpec;
use super::{Effect, Interval};

/// What is settled about an arm against the control. Each is wrong no more often than the interval that it
/// rests on; all are of one interval, so that together they are wrong no more often than one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Better.
    Better,
    /// Worse.
    Worse,
    /// Not worse by the plan's margin.
    NotInferior,
    /// Better by less than the plan calls worthwhile, if at all.
    Futile,
    /// None of these.
    Open,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::NotInferior => "not inferior",
            Verdict::Futile => "futile",
            Verdict::Open => "open",
        }
    }
}

impl Effect {
    /// The interval to decide by, held together with those of all other arms: before the planned end, and with
    /// looks, the one that looking does not harm.
    pub fn deciding(&self) -> Interval {
        self.repeated.unwrap_or(self.simultaneous)
    }

    /// What the deciding interval settles.
    pub fn verdict(&self, spec: &TrialSpec) -> Verdict {
        let one = self.deciding();
        let sign = spec.better().sign();
        // How much good it does at least, and at most.
        let (least, most) = if sign > 0.0 { (one.low, one.high) } else { (-one.high, -one.low) };
        let plan = spec.draft();
        if least > 0.0 {
            Verdict::Better
        } else if plan.margin.is_some_and(|margin| least > -margin) {
            Verdict::NotInferior
        } else if most < 0.0 {
            Verdict::Worse
        } else if plan.worthwhile.is_some_and(|worth| most < worth) {
            Verdict::Futile
        } else {
            Verdict::Open
        }
    }
}
