//! The paper's methods on somebody's own table of sales, to compare with.
//!
//! **Nothing here is private**: raw rows are read, and what noise there is comes from a seed. Everything that is
//! written says so.

mod prices;
mod sales;

use std::path::Path;

use reticent_baselines::nw_lcb::agent::{Pessimism, Policy};
use reticent_baselines::nw_lcb::raw::{NwLcb, Sales, Smoothness};
use reticent_baselines::nw_lcb::{Spec, theorem_bandwidth};
use reticent_jobs::Progress;
use reticent_jobs::columns::{ColumnsError, FormatError, TableFiles};
use reticent_jobs::price::Market;
use reticent_learn::pricing::Earns;
use reticent_privacy::{Epsilon, Guarantee, Provenance, SimSeed, Stream};
use reticent_protocol::pricing::Prices;
use reticent_store::files::FileError;

use super::lesson::{BETA, HOLDER, LessonError, shortcut};
use sales::Raw;

/// A method of the paper, and what it is asked.
#[derive(Debug, Clone, Copy)]
pub struct OwnLog<'a> {
    /// The loss of `ldp-nw-lcb`; `nw-lcb` if none.
    pub epsilon: Option<Epsilon>,
    /// What the columns of both tables mean.
    pub market: &'a Market,
    /// The sales.
    pub sales: &'a TableFiles,
    /// The contexts that prices are for.
    pub target: &'a TableFiles,
    /// What is earned.
    pub earns: Earns,
    /// The seed of the noise.
    pub seed: u64,
}

/// What was written.
#[derive(Debug, Clone)]
pub struct OwnPrices {
    /// How many sales were read.
    pub sales: u64,
    /// How many people have a price.
    pub quotes: u64,
    /// For how many of them nothing is known, by the method itself.
    pub unknown: u64,
    /// The mean price.
    pub mean_price: f64,
    /// What is promised: nothing.
    pub guarantee: Guarantee,
}

/// Why there are no prices. Contains nothing of a record.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each is the error of the part that its name says")]
#[non_exhaustive]
pub enum OwnLogError {
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Lesson(#[from] LessonError),
    /// A list of prices.
    #[error("the paper's methods know a range of prices alone; declare low and high in place of points")]
    Listed,
    /// No contexts.
    #[error("the paper's methods need at least one [[context]]; --method single needs none")]
    NoContext,
    /// Somebody asked to stop.
    #[error("stopped")]
    Interrupted,
}

/// A price and whether anything is known of it.
type Priced<'a> = Box<dyn Fn(&[f64]) -> (f64, bool) + 'a>;

impl OwnLog<'_> {
    /// Writes a price for each row of the target: its contexts, the price, and that nothing of it is private.
    pub fn run(&self, out: &Path, progress: &dyn Progress) -> Result<OwnPrices, OwnLogError> {
        let terms = self.market.terms();
        let Prices::Range(..) = terms.prices() else { return Err(OwnLogError::Listed) };
        if terms.context().dimension() == 0 {
            return Err(OwnLogError::NoContext);
        }
        progress.begin("reading sales");
        let raw = self.read(progress)?;
        progress.begin("learning");
        let guarantee = self.guarantee(&raw)?;
        let priced = match self.epsilon {
            None => near(&raw)?,
            Some(epsilon) => self.cells(&raw, epsilon)?,
        };
        progress.begin("quoting");
        let written = self.write(&priced, &guarantee, out, progress)?;
        Ok(OwnPrices { sales: raw.prices.len() as u64, guarantee, ..written })
    }

    fn guarantee(&self, raw: &Raw) -> Result<Guarantee, LessonError> {
        Ok(match self.epsilon {
            None => Guarantee::none("one record: the context, price and outcome of one sale"),
            Some(epsilon) => raw.spec(epsilon)?.guarantee().made_with(Provenance::Simulation),
        })
    }

    /// `ldp-nw-lcb`: sums over cells with the noise of all reports.
    fn cells(&self, raw: &Raw, epsilon: Epsilon) -> Result<Priced<'static>, LessonError> {
        let spec = raw.spec(epsilon)?;
        let mut totals = vec![0.0; 2 * spec.cells()];
        for (context, (&price, &reward)) in raw.each() {
            if let Some(cell) = spec.cell(context, price) {
                totals[2 * cell] += 1.0;
                totals[2 * cell + 1] += reward;
            }
        }
        let mut noise = SimSeed(self.seed).stream(0, Stream::Noise);
        let sums = shortcut(&spec, raw.prices.len() as u64, &totals, &mut noise)?;
        let policy = Policy::new(&sums, Pessimism::new(HOLDER, BETA)?)?;
        Ok(Box::new(move |context| match policy.price(context) {
            Ok(quote) => (quote.price, quote.lower.is_some_and(|lower| lower > 0.0)),
            Err(_) => (policy.fallback(), false),
        }))
    }
}

/// `nw-lcb`: the mean of near records less a radius.
fn near(raw: &Raw) -> Result<Priced<'static>, LessonError> {
    let sales = Sales { dims: raw.dims, contexts: &raw.contexts, prices: &raw.prices, rewards: &raw.rewards };
    let policy = NwLcb::new(&sales, Smoothness { bandwidth: raw.bandwidth()?, holder: HOLDER, beta: BETA })?;
    // The paper's fallback is the highest price.
    Ok(Box::new(move |context| {
        policy.quote(context).map_or((1.0, false), |quote| (quote.price, quote.lower.is_some()))
    }))
}

impl Raw {
    fn bandwidth(&self) -> Result<f64, LessonError> {
        let bandwidth = theorem_bandwidth(self.prices.len() as u64, self.dims as u32, BETA, 0.0, 1.0);
        bandwidth.ok_or(LessonError::NoBandwidth)
    }

    fn spec(&self, epsilon: Epsilon) -> Result<Spec, LessonError> {
        Ok(Spec::from_bandwidth(self.dims as u32, self.bandwidth()?, epsilon)?)
    }
}
