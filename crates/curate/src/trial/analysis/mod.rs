//! What the release says about effects, and how surely. Everything here reads a [`Release`]: it is
//! post-processing, and costs no privacy.
//!
//! Why the intervals hold under adaptive allocation, and what they assume, is in `validity.md` beside this file.

mod effect;
mod history;
mod invert;
mod pooled;
mod sequence;
mod stage;
mod welfare;

use effect::Question;
use history::History;
use invert::Accepted;
use reticent_privacy::Guarantee;
use serde::{Deserialize, Serialize};

use super::Release;
pub use welfare::{ArmReport, StratumReport, Welfare};

/// How an effect is computed from the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// The difference of two weighted means.
    DifferenceInMeans,
    /// Outcomes over the chance of their arm.
    InversePropensity,
    /// The same, with the means of earlier epochs taken off first: the default.
    Augmented,
}

impl Estimator {
    /// All of them.
    pub const ALL: [Estimator; 3] =
        [Estimator::DifferenceInMeans, Estimator::InversePropensity, Estimator::Augmented];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Estimator::DifferenceInMeans => "difference in means",
            Estimator::InversePropensity => "inverse propensity",
            Estimator::Augmented => "augmented inverse propensity",
        }
    }
}

/// An effect and an interval for it, in units of the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// The effect of one arm against the control, for one stratum or for everyone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The arm.
    pub arm: usize,
    /// The stratum; none for the average over everyone.
    pub stratum: Option<usize>,
    /// By each estimator, at the planned end of the trial only: [`Estimator::ALL`] in order.
    pub planned: Option<[Interval; 3]>,
    /// The confidence sequence, which holds whenever one looks (augmented estimator).
    pub anytime: Interval,
}

/// Everything a release says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// What the release promises: an analysis of it promises neither more nor less.
    pub guarantee: Guarantee,
    /// Effects: for each arm but the control, everyone first, then each stratum.
    pub effects: Vec<Effect>,
    /// People and means of each stratum and arm, with their noise.
    pub strata: Vec<StratumReport>,
    /// What the assignment cost, as far as the tables tell.
    pub welfare: Welfare,
}

/// Analyses a release: at the planned end with fixed-time intervals, before it with the confidence sequence alone.
pub fn analyse(release: &Release) -> Analysis {
    let history = History::new(release);
    let width = release.spec().draft().outcome.width();
    let scaled = |one: Accepted| Interval {
        estimate: one.estimate * width,
        low: one.low * width,
        high: one.high * width,
    };
    let mut effects = Vec::new();
    for arm in 1..release.spec().arms() {
        let everyone = Everyone { release, history: &history, arm };
        effects.push(Effect {
            arm,
            stratum: None,
            planned: everyone.planned().map(|all| all.map(scaled)),
            anytime: scaled(everyone.anytime()),
        });
        for stratum in 0..release.spec().strata() {
            let question = Question { release, history: &history, stratum, arm };
            let planned = release
                .is_complete()
                .then(|| Estimator::ALL.map(|estimator| scaled(question.answer(estimator))));
            effects.push(Effect {
                arm,
                stratum: Some(stratum),
                planned,
                anytime: scaled(question.sequence()),
            });
        }
    }
    let strata = welfare::strata(release, &history);
    let welfare = welfare::welfare(&strata);
    Analysis { guarantee: release.guarantee(), effects, strata, welfare }
}

/// An arm's average effect.
struct Everyone<'a> {
    release: &'a Release,
    history: &'a History,
    arm: usize,
}

impl Everyone<'_> {
    fn planned(&self) -> Option<[Accepted; 3]> {
        let pool = |estimator| pooled::pool(self.release, self.history, self.arm, estimator);
        self.release.is_complete().then(|| Estimator::ALL.map(pool))
    }

    fn anytime(&self) -> Accepted {
        let of = |stratum| Question { release: self.release, history: self.history, stratum, arm: self.arm };
        match pooled::shares(self.release, self.history).as_slice() {
            [only] => of(only.stratum).sequence(),
            shares => {
                let evidence: Vec<_> =
                    shares.iter().map(|&share| (share, of(share.stratum).evidence())).collect();
                sequence::pooled(&evidence, 1.0 - self.release.spec().draft().confidence)
            }
        }
    }
}
