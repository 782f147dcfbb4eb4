//! The tour's pricing: which price for whom, from a log that tells nothing about anybody?

use reticent_privacy::Epsilon;

use super::TourError;
use crate::named::Named;
use crate::pricing::market::{CurveSpec, Target};
use crate::pricing::{Experiment, Measured, MethodName, Setting, measure};
use crate::reproduce::{Options, ReproduceError};
use crate::runner::Store;
use reticent_chart::page::{Page, Table};
use reticent_jobs::Progress;

/// One method's line.
#[derive(Debug)]
pub struct PricingLine {
    /// The method and its loss.
    pub label: String,
    /// Whether it is ours.
    pub is_ours: bool,
    /// Trials, and what came out.
    pub trials: u32,
    /// What was lost, and whether the band held.
    pub measured: Measured,
}

/// The headline.
pub const TITLE: &str = "Private pricing: which price for whom, from a log that tells nothing about anybody?";
const CAPTION: &str = "A shop has 100,000 records of (context, price, revenue); each left its owner as one randomised symbol of two bytes. The new market has other customers than the log. \
    Suboptimality is the revenue, of at most 1, that is lost on average against the best price for each customer. ldp-nw-lcb is the paper's method, with as many cells as suit it best here; nw-lcb sees raw records. \
    private-pricing also says what its price earns at least.";
const RECORDS: u64 = 100_000;
const TRIALS: u32 = 10;
/// The best for the paper's method at this size.
const SIDE: u32 = 4;

pub(super) fn stop(
    options: &Options,
    progress: &dyn Progress,
    page: &mut Page,
) -> Result<Vec<PricingLine>, TourError> {
    let trials = if options.quick { TRIALS / 5 } else { TRIALS };
    let market = CurveSpec { target: Target::Beta, ..CurveSpec::default() }.into();
    let methods = [
        (MethodName::NwLcb, None, None),
        (MethodName::LdpNwLcb, Some(4.0), Some(SIDE)),
        (MethodName::PrivatePricing, Some(1.0), None),
        (MethodName::PrivatePricing, Some(4.0), None),
    ];
    let mut lines = Vec::new();
    for (kind, loss, side) in methods {
        let words = loss.map_or(", not private".to_string(), |loss| format!(", ε = {loss}"));
        let label = format!("{}{words}", kind.name());
        progress.begin(&format!("tour-pricing: {label}"));
        let epsilon = loss.and_then(|loss| Epsilon::new(loss).ok());
        let setting = Setting { market, records: RECORDS, epsilon, side, forgers: None };
        let experiment = Experiment { kind, setting, trials, seed: options.seed };
        let measured = measure(&experiment, options.threads, &mut Store::in_memory(), progress)
            .map_err(|error| TourError::Reproduce(ReproduceError::Lab(error)))?;
        lines.push(PricingLine { label, is_ours: kind == MethodName::DEFAULT, trials, measured });
    }
    page.section(TITLE);
    page.paragraph(CAPTION);
    page.table(&table(&lines));
    Ok(lines)
}

/// What each line lost.
pub fn table(lines: &[PricingLine]) -> Table {
    let head = ["method", "suboptimality, mean", "sd", "pessimistic value held", "trials"];
    let rows = lines.iter().map(|line| {
        let lost = line.measured.suboptimality;
        let held = line.measured.standing.map(|standing| standing.0 * f64::from(line.trials));
        let row = vec![
            line.label.clone(),
            format!("{:.4}", lost.mean),
            lost.sd.map_or("–".to_string(), |sd| format!("{sd:.4}")),
            held.map_or("–".to_string(), |held| format!("{held:.0} of {}", line.trials)),
            line.trials.to_string(),
        ];
        (row, line.is_ours)
    });
    Table { head: head.map(String::from).into(), rows: rows.collect() }
}
