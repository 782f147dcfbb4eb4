//! One method learns from one log and is examined in the target market.

mod faithful;
mod forging;
mod ours;
mod raw;
#[cfg(test)]
mod tests;

use reticent_baselines::nw_lcb as faithful_protocol;
use reticent_baselines::nw_lcb::agent as faithful_learn;
use reticent_baselines::nw_lcb::raw::PricingError;
use reticent_device::DeviceError;
use reticent_learn::pricing::{FitError, PolicyError, TallyError};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::{PricesError, SpecError, TermsError};
use reticent_schema::EncodingError;
use serde::{Deserialize, Serialize};

use super::MethodName;
use super::market::{Exam, Logged, Market, MarketError, MarketSpec};
use super::worlds::WorldError;
use crate::forged::Forgers;
pub(super) use faithful::shortcut;

/// A market, a log, and how the method is set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The market.
    pub market: MarketSpec,
    /// How many records the log has.
    pub records: u64,
    /// The loss of a report.
    pub epsilon: Option<Epsilon>,
    /// Cells a side of the paper's methods; by Theorem 2's bandwidth if none is given.
    pub side: Option<u32>,
    /// People who forge their reports to our method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgers: Option<Forgers>,
}

/// How a method did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// What is lost on average against the best price, in the target market.
    pub suboptimality: f64,
    /// How the pessimistic values stand to the true ones, if the method has a band.
    pub standing: Option<Standing>,
    /// Whether signs of forged reports were found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warned: bool,
}

/// Pessimistic values of the chosen prices beside what these really earn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Whether they are not above it in any context of the exam.
    pub holds: bool,
    /// How far they are below it on average.
    pub gap: f64,
}

/// Why a method could not be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each is the error of the part that its name says")]
#[non_exhaustive]
pub enum LessonError {
    /// An invalid range.
    #[error(transparent)]
    Range(#[from] reticent_schema::RangeError),
    #[error(transparent)]
    Market(#[from] MarketError),
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    #[error(transparent)]
    Prices(#[from] PricesError),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Tally(#[from] TallyError),
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error(transparent)]
    FaithfulSpec(#[from] faithful_protocol::SpecError),
    #[error(transparent)]
    FaithfulPolicy(#[from] faithful_learn::PolicyError),
    #[error(transparent)]
    FaithfulSums(#[from] faithful_learn::SumsError),
    #[error(transparent)]
    Raw(#[from] PricingError),
    #[error("private methods need a loss; give epsilon")]
    NoEpsilon,
    #[error("Theorem 2 has no bandwidth for so few records")]
    NoBandwidth,
    #[error("{name} keeps all records in memory: at most {most} of them, not {got}")]
    TooMany { name: &'static str, most: u64, got: u64 },
}

/// A trial as a method sees it.
pub(super) struct Lesson<'a> {
    pub(super) setting: &'a Setting,
    pub(super) market: Market,
    pub(super) exam: Exam,
    seed: SimSeed,
    trial: u64,
    /// Called with the number of records since the last call; no means stop.
    go_on: &'a dyn Fn(u64) -> bool,
}

/// The smoothness that the paper's methods are told: prices and contexts in [0, 1], values in [0, 1].
pub(super) const HOLDER: f64 = 1.0;
pub(super) const BETA: f64 = 1.0;
/// Records between two looks at whether to stop.
const CHUNK: u64 = 100_000;

impl Lesson<'_> {
    /// Gives each record of the log to `each`; false if somebody asked to stop. All methods of a trial see
    /// the same log.
    fn log<E>(&self, mut each: impl FnMut(&[f64], Logged) -> Result<(), E>) -> Result<bool, E> {
        let mut rng = self.stream(Stream::Environment);
        let mut context = vec![0.0; self.market.dims()];
        let mut left = self.setting.records;
        while left > 0 {
            let now = left.min(CHUNK);
            for _ in 0..now {
                let logged = self.market.draw(&mut rng, &mut context);
                each(&context, logged)?;
            }
            left -= now;
            if !(self.go_on)(now) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stream(&self, purpose: Stream) -> SimRng {
        self.seed.stream(self.trial, purpose)
    }

    /// For forgers, whose coins change nothing of the honest log.
    fn forgers_stream(&self) -> SimRng {
        self.seed.stream(self.trial | 1 << 40, Stream::Source)
    }

    fn epsilon(&self) -> Result<Epsilon, LessonError> {
        self.setting.epsilon.ok_or(LessonError::NoEpsilon)
    }
}

/// One trial; none if somebody asked to stop.
pub(super) fn run(
    kind: MethodName,
    setting: &Setting,
    seed: SimSeed,
    trial: u64,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<Option<Outcome>, LessonError> {
    let market = Market::new(setting.market)?;
    let exam = Exam::draw(&market, Exam::CONTEXTS, &mut seed.stream(trial, Stream::Source));
    let lesson = Lesson { setting, market, exam, seed, trial, go_on };
    match kind {
        MethodName::PrivatePricing => ours::run(&lesson),
        MethodName::LdpNwLcb => faithful::run(&lesson),
        MethodName::NwLcb => raw::run(&lesson),
    }
}
