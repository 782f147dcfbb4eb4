//! The paper's algorithm, its competitor and a Gaussian process on raw data, on somebody's own log: to compare with.
//!
//! `usca` and `dubey` are private with noise of the operating system, and the people of the log are charged for it;
//! with a seed's noise, and for `gp` always, **nothing is private**. What is written says which.

mod document;
mod draw;
mod raw;
mod target;

use std::path::Path;

use reticent_baselines::kernel::dubey::{self, DubeyError};
use reticent_baselines::kernel::usca;
use reticent_curate::kernel::{KernelSpec, Singular};
use reticent_jobs::Progress;
use reticent_jobs::account::{Before, Paid, Purse, Question};
use reticent_jobs::columns::{ColumnsError, FormatError, RawTable};
use reticent_jobs::tune::{Counted, Log, TuneError};
use reticent_privacy::{
    Delta, EntropyError, Epsilon, Guarantee, Loss, Noise, NoiseRng, Provenance, SimSeed, Stream, VectorError,
};
use reticent_store::accounts::AccountsError;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use document::{OwnActions, OwnAnswer, checked};
pub use target::own_contexts;

use super::logs::Likely;

/// A method that only compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnMethod {
    /// The paper's Algorithm 1: one action for one context.
    Usca,
    /// Dubey 2021, with one release.
    Dubey,
    /// A Gaussian process on raw data, with lengths and noise by likelihood: protects nobody.
    Gp,
}

impl OwnMethod {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            OwnMethod::Usca => "usca",
            OwnMethod::Dubey => "dubey",
            OwnMethod::Gp => "gp",
        }
    }

    /// What it promises with noise of the operating system.
    pub fn promise(self, epsilon: Epsilon, delta: Delta) -> Guarantee {
        match self {
            OwnMethod::Usca => usca::promise(epsilon, 1),
            OwnMethod::Dubey => dubey::promise(Loss::Approximate { epsilon, delta }),
            OwnMethod::Gp => Guarantee::none("one person's context, action and reward"),
        }
    }
}

/// Where a private method's noise comes from.
#[derive(Debug, Clone, Copy)]
pub enum OwnNoise<'a> {
    /// The operating system; the people of the log are charged.
    Paid(Purse<'a>),
    /// A seed: nothing is private, and nobody is charged.
    Seed(u64),
}

/// What is asked of a log.
#[derive(Debug)]
pub struct OwnLog<'a> {
    /// The method.
    pub method: OwnMethod,
    /// The plan.
    pub setting: &'a KernelSpec,
    /// The log.
    pub log: &'a RawTable,
    /// Contexts to find an action for, in their own units: one for `usca`.
    pub contexts: &'a [Vec<f64>],
    /// The loss; `gp` has none, and `usca` no delta.
    pub loss: (Epsilon, Delta),
    /// The noise; `gp` has none.
    pub noise: OwnNoise<'a>,
    /// The account's file that the first versions kept beside the log, whose charges are taken over.
    pub old_account: Option<&'a Path>,
    /// Threads; the noise decides results, and they do not.
    pub threads: usize,
}

/// Why there are no actions. Contains nothing of a record.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each is the error of the part that its name says")]
#[non_exhaustive]
pub enum OwnLogError {
    #[error(transparent)]
    Tune(#[from] TuneError),
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Dubey(#[from] DubeyError),
    #[error(transparent)]
    Singular(#[from] Singular),
    #[error(transparent)]
    Sum(#[from] VectorError),
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The account's stored answer is none.
    #[error("the account's stored answer cannot be read: {0}")]
    Stored(String),
    /// More contexts than one.
    #[error("usca answers one context for each epsilon")]
    OneContext,
    /// More inputs than quadrature has room for.
    #[error(
        "dubey puts noise on the squares of nodes^inputs features, and with {inputs} inputs even two nodes make too many; use private-kernel"
    )]
    Inputs { inputs: usize },
}

impl From<AccountsError> for OwnLogError {
    fn from(error: AccountsError) -> OwnLogError {
        TuneError::from(error).into()
    }
}

/// What a private method drew, as the account keeps it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Drawn {
    /// The place of `usca`'s action in the unit cube.
    Action(Vec<f64>),
    /// What `dubey` released.
    Sums(dubey::Released),
}

impl OwnLog<'_> {
    /// Reads the log, pays if there is somebody to pay, and finds the actions.
    pub fn run(&self, progress: &dyn Progress) -> Result<(OwnActions, Option<Paid>), OwnLogError> {
        if self.method == OwnMethod::Usca && self.contexts.len() != 1 {
            return Err(OwnLogError::OneContext);
        }
        if self.method == OwnMethod::Gp {
            return Ok((self.raw(progress)?, None));
        }
        match self.noise {
            OwnNoise::Paid(purse) => self.paid(purse, progress).map(|(actions, paid)| (actions, Some(paid))),
            OwnNoise::Seed(seed) => Ok((self.simulated(seed, progress)?, None)),
        }
    }

    fn log(&self) -> Log<'_> {
        Log::new(self.log, self.setting)
    }

    /// A Gaussian process; nothing is hidden.
    fn raw(&self, progress: &dyn Progress) -> Result<OwnActions, OwnLogError> {
        let counted = self.log().count(progress)?;
        let records = raw::records(self.setting, &self.log(), counted, progress)?;
        progress.begin("learning");
        let process = Likely::fit(self.setting.kernel(), &records)?;
        let answers = self.answers(|points| process.values(points));
        Ok(OwnActions::new(self, counted.rows, answers, Noise::NotDrawn))
    }

    /// With noise from a seed.
    fn simulated(&self, seed: u64, progress: &dyn Progress) -> Result<OwnActions, OwnLogError> {
        let counted = self.log().count(progress)?;
        let ready = self.collect(counted, progress)?;
        let drawn = ready.draw(self, &mut SimSeed(seed).stream(0, Stream::Noise))?;
        self.told(&drawn, counted, Provenance::Simulation.into())
    }

    /// With noise from the operating system, once it is paid for.
    fn paid(&self, purse: Purse<'_>, progress: &dyn Progress) -> Result<(OwnActions, Paid), OwnLogError> {
        let (counted, seen) = self.log().look(purse.accounts.key(), progress)?;
        let what = format!("tune fit --method {}", self.method.name());
        let mut question = json!({
            "what": what,
            "people": counted.rows,
            "mark": seen.mark(),
            "epsilon": self.loss.0,
            "plan": self.setting,
        });
        match self.method {
            // Another context is another release, and predictions of one are free.
            OwnMethod::Usca => question["context"] = json!(self.contexts),
            OwnMethod::Dubey | OwnMethod::Gp => question["delta"] = json!(self.loss.1),
        }
        let (text, loss) = (question.to_string(), self.method.promise(self.loss.0, self.loss.1).loss);
        // The first versions knew none of these methods: there is nothing to find under this text.
        let before = self.old_account.map(|file| Before { file, text: &text });
        let question = Question { seen: &seen, text: &text, loss, what: &what, before, state: None };
        let paid = purse.answer(question, || {
            let ready = self.collect(counted, progress)?;
            Ok::<_, OwnLogError>(move || {
                let drawn = ready.draw(self, &mut NoiseRng::from_os()?)?;
                serde_json::to_string(&drawn).map_err(|error| OwnLogError::Stored(error.to_string()))
            })
        })?;
        let drawn: Drawn =
            serde_json::from_str(&paid.text).map_err(|error| OwnLogError::Stored(error.to_string()))?;
        Ok((self.told(&drawn, counted, Provenance::SystemEntropy.into())?, paid))
    }

    /// The document of what was drawn: no people are asked again.
    fn told(&self, drawn: &Drawn, counted: Counted, noise: Noise) -> Result<OwnActions, OwnLogError> {
        let answers = match drawn {
            Drawn::Action(place) => vec![(place.clone(), None)],
            Drawn::Sums(released) => {
                let estimate = released.estimate(&self.dubey(counted.rows)?)?;
                self.answers(|points| estimate.values(points))
            }
        };
        Ok(OwnActions::new(self, counted.rows, answers, noise))
    }
}
