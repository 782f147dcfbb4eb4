//! What the release says about effects, and how surely. Everything here reads a [`Release`]: it is
//! post-processing, and costs no privacy.
//!
//! Why the intervals hold under adaptive allocation, and what they assume, is in `validity.md` beside this file.

mod effect;
mod group;
mod history;
mod invert;
mod pooled;
mod repeated;
mod sequence;
mod stage;
mod verdict;
mod view;
mod welfare;
mod whole;
mod within;

use effect::Question;
use history::History;
use invert::Accepted;
use repeated::Look;
use reticent_privacy::Guarantee;
use serde::{Deserialize, Serialize};

use super::Release;
use super::normal::two_sided;
pub use verdict::Verdict;
pub use welfare::{ArmReport, StratumReport, Welfare};
pub use within::uneven;

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

/// The planned interval by each estimator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// The default.
    pub augmented: Interval,
    /// By chances alone.
    pub inverse_propensity: Interval,
    /// None where chances followed the tables: means that drift would be taken for an effect.
    pub difference_in_means: Option<Interval>,
}

impl Intervals {
    /// An estimator's.
    pub fn of(&self, estimator: Estimator) -> Option<Interval> {
        match estimator {
            Estimator::Augmented => Some(self.augmented),
            Estimator::InversePropensity => Some(self.inverse_propensity),
            Estimator::DifferenceInMeans => self.difference_in_means,
        }
    }
}

/// The effect of one arm against the control, for one stratum or for everyone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The arm.
    pub arm: usize,
    /// The stratum; none for the average over everyone.
    pub stratum: Option<usize>,
    /// By each estimator, at the planned end of the trial only.
    pub planned: Option<Intervals>,
    /// Holds together with those of all other strata and arms, or of all other arms if it is everyone's: what
    /// a headline may rest on. Of the planned interval at the planned end, and before it of the sequence.
    pub simultaneous: Interval,
    /// The interval of the last planned look, if the plan spends its chance to be wrong over looks. It holds
    /// together with those of all looks, and of what [`simultaneous`](Effect::simultaneous) does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Interval>,
    /// Holds whenever one looks: the confidence sequence (augmented estimator). A trial with one table has one
    /// look.
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
    let spec = release.spec();
    let reader = release.whole().map(|whole| whole::Reader::new(spec, whole));
    let history = History::new(release);
    let source = match &reader {
        Some(reader) => Source::Whole(reader),
        None => Source::Tables(&history),
    };
    let mut effects = Vec::new();
    for arm in 1..spec.arms() {
        for stratum in std::iter::once(None).chain((0..spec.strata()).map(Some)) {
            effects.push(Asked { release, source, arm, stratum }.effect());
        }
    }
    let strata = match &reader {
        Some(reader) => welfare::strata_of_whole(release, reader),
        None => welfare::strata(release, &history),
    };
    let welfare = welfare::welfare(&strata, spec.better());
    Analysis { guarantee: release.guarantee(), effects, strata, welfare }
}

/// Where effects are read from.
#[derive(Clone, Copy)]
enum Source<'a> {
    Whole(&'a whole::Reader<'a>),
    Tables(&'a History),
}

/// One effect.
#[derive(Clone, Copy)]
struct Asked<'a> {
    release: &'a Release,
    source: Source<'a>,
    arm: usize,
    stratum: Option<usize>,
}

impl Asked<'_> {
    fn effect(&self) -> Effect {
        let spec = self.release.spec();
        let confidence = spec.draft().confidence;
        // Bonferroni's: simple, and an interval each.
        let many = (spec.arms() - 1) * if self.stratum.is_some() { spec.strata() } else { 1 };
        let together = 1.0 - (1.0 - confidence) / many as f64;
        let complete = self.release.is_complete();
        let simultaneous =
            if complete { self.planned(Estimator::Augmented, together) } else { self.anytime(together) };
        Effect {
            arm: self.arm,
            stratum: self.stratum,
            planned: complete.then(|| self.intervals(confidence)),
            simultaneous: self.scaled(simultaneous),
            repeated: self.repeated(together).map(|one| self.scaled(one)),
            anytime: self.scaled(self.anytime(confidence)),
        }
    }

    fn repeated(&self, confidence: f64) -> Option<Accepted> {
        let Source::Tables(history) = self.source else { return None };
        let look = Look::new(self.release, 1.0 - confidence)?;
        let of = |stratum: usize| self.question(history, stratum, confidence).repeated(&look);
        Some(match self.stratum {
            Some(stratum) => of(stratum),
            None => pooled::pool(self.release, history, look.bound, &of),
        })
    }

    fn intervals(&self, confidence: f64) -> Intervals {
        let of = |estimator| self.scaled(self.planned(estimator, confidence));
        Intervals {
            augmented: of(Estimator::Augmented),
            inverse_propensity: of(Estimator::InversePropensity),
            difference_in_means: self.has_constant_chances().then(|| of(Estimator::DifferenceInMeans)),
        }
    }

    fn scaled(&self, one: Accepted) -> Interval {
        let width = self.release.spec().draft().outcome.width();
        Interval { estimate: one.estimate * width, low: one.low * width, high: one.high * width }
    }

    fn has_constant_chances(&self) -> bool {
        self.release.propensities().windows(2).all(|pair| pair[0] == pair[1])
    }

    fn question<'b>(&'b self, history: &'b History, stratum: usize, confidence: f64) -> Question<'b> {
        Question { release: self.release, history, stratum, arm: self.arm, confidence }
    }

    fn planned(&self, estimator: Estimator, confidence: f64) -> Accepted {
        match (self.source, self.stratum) {
            (Source::Whole(reader), stratum) => {
                reader.effect(stratum, self.arm, estimator, two_sided(confidence))
            }
            (Source::Tables(history), Some(stratum)) => {
                self.question(history, stratum, confidence).answer(estimator)
            }
            (Source::Tables(history), None) => {
                pooled::pool(self.release, history, two_sided(confidence), &|stratum| {
                    self.question(history, stratum, confidence).answer(estimator)
                })
            }
        }
    }

    fn anytime(&self, confidence: f64) -> Accepted {
        match (self.source, self.stratum) {
            // Nothing was published before, so that nothing published can have told when to stop.
            (Source::Whole(reader), stratum) => {
                reader.effect(stratum, self.arm, Estimator::Augmented, two_sided(confidence))
            }
            (Source::Tables(history), Some(stratum)) => {
                self.question(history, stratum, confidence).sequence()
            }
            (Source::Tables(history), None) => self.anytime_for_everyone(history, confidence),
        }
    }

    fn anytime_for_everyone(&self, history: &History, confidence: f64) -> Accepted {
        let of = |stratum| self.question(history, stratum, confidence);
        match pooled::shares(self.release, history).as_slice() {
            [only] => of(only.stratum).sequence(),
            shares => {
                let evidence: Vec<_> =
                    shares.iter().map(|&share| (share, of(share.stratum).evidence())).collect();
                sequence::pooled(&evidence, 1.0 - confidence)
            }
        }
    }
}
