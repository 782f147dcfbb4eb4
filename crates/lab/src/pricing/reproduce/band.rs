//! `price-band`: how often the pessimistic values hold in all contexts.

use super::Section;
use super::bench::epsilon;
use super::row::{CSV_HEAD, digits};
use crate::pricing::market::{Curve, CurveSpec, OutcomeKind, Target};
use crate::pricing::{MethodName, Setting};
use crate::reproduce::{ReproduceError, Stage};
use crate::stats::share_interval;
use reticent_chart::page::Table;

const TRIALS: u32 = 1000;
const QUICK_TRIALS: u32 = 10;
const RECORDS: u64 = 100_000;
const QUICK_RECORDS: u64 = 5_000;

const CAPTION: &str = "In each run a log is drawn, privatised and fitted anew, and the pessimistic value of the chosen price is compared with what that price really earns, in 2,000 contexts. A run holds if \
     it is not above it in any of them; the band promises that for 95 % of runs. Since the price is chosen where the band is kind, and few contexts decide, more hold.";

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let quick = stage.options.quick;
    let (trials, records) = if quick { (QUICK_TRIALS, QUICK_RECORDS) } else { (TRIALS, RECORDS) };
    let mut section = Section {
        title: "Does the pessimism hold?",
        captions: vec![CAPTION.to_string()],
        rows: CSV_HEAD.to_string(),
        ..Section::default()
    };
    let mut rows = Vec::new();
    let cases = [
        (Curve::Logit, OutcomeKind::Reward, 1.0),
        (Curve::Logit, OutcomeKind::Reward, 4.0),
        (Curve::Logit, OutcomeKind::Sale, 4.0),
        (Curve::Linear, OutcomeKind::Reward, 4.0),
        (Curve::Kinked, OutcomeKind::Reward, 4.0),
    ];
    for (demand, outcome, loss) in cases {
        let market = CurveSpec { demand, target: Target::Beta, outcome, ..CurveSpec::default() }.into();
        let label = format!("{demand}, {outcome}, ε = {loss}");
        stage.progress.begin(&format!("{}: {label}", stage.id));
        let setting = Setting { market, records, epsilon: Some(epsilon(loss)), side: None, forgers: None };
        let row = stage.measure(label.clone(), MethodName::PrivatePricing, setting, trials)?;
        row.write(&mut section.rows, "band", stage.options.seed);
        let (held, gap) = row.measured.standing.unwrap_or((0.0, 0.0));
        let count = (held * f64::from(trials)).round() as u64;
        let [low, high] = share_interval(count, u64::from(trials));
        let cells = vec![
            label,
            format!("{count} of {trials}"),
            format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
            digits(gap),
            row.cell(),
        ];
        rows.push((cells, true));
    }
    let head = ["market", "runs that hold", "95 % interval", "below the truth by", "suboptimality"];
    let table = Table { head: head.map(str::to_string).to_vec(), rows };
    section.tables.push((format!("{records} records a run, nominal 95 %."), table));
    Ok(section)
}
