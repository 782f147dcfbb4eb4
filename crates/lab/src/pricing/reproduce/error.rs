//! `price-error`: what is lost by records and by loss, for three demands.

use super::Section;
use super::bench::epsilon;
use super::row::{CSV_HEAD, Row, cells, exponent, lines, series};
use crate::named::Named;
use crate::pricing::market::{Curve, CurveSpec, OutcomeKind, Target};
use crate::pricing::{MethodName, Setting};
use crate::reproduce::{Panel, ReproduceError, Stage, mark};
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart};

const RECORDS: [u64; 3] = [100_000, 1_000_000, 10_000_000];
const QUICK_RECORDS: [u64; 2] = [10_000, 50_000];
const LOSSES: [f64; 2] = [1.0, 4.0];
/// Cells a side that the paper's method is tried with: it gets the best of them.
const SIDES: std::ops::RangeInclusive<u32> = 2..=10;
const QUICK_SIDES: std::ops::RangeInclusive<u32> = 3..=4;
/// More raw records are not kept.
const MOST_RAW: u64 = 1_000_000;

const CAPTION: &str = "One context, the log’s contexts and prices uniform, the target market Beta(4, 2). Outcomes are coins with mean revenue, or, where a line says demand, sales, of which \
     revenue is computed. ldp-nw-lcb is the paper’s method with the best of 2 to 10 cells a side, chosen for it knowing the truth; where nothing is looked at it asks for \
     the highest price. Its sums of noise are drawn at once, which a test compares with its devices. nw-lcb sees raw records, up to a million. private-pricing went through its devices’ own code, knows nothing about where records are, \
     and has a 95 % band that holds for all contexts and prices at once. In brackets: the standard deviation over trials.";

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "What is lost, by records and loss",
        captions: vec![CAPTION.to_string()],
        rows: CSV_HEAD.to_string(),
        ..Section::default()
    };
    for demand in [Curve::Logit, Curve::Linear, Curve::Kinked] {
        let rows = measured(stage, demand)?;
        let name = demand.name();
        let trials = stage.trials();
        let chart = Chart {
            title: format!("{name} demand: suboptimality against records"),
            subtitle: Some(format!("mean of {trials} trials, bands are 95 % confidence intervals")),
            x: Axis::log("records in the log"),
            y: Axis::log("suboptimality (revenue lost)"),
            series: lines(&rows).iter().map(|(label, rows)| series(label, rows)).collect(),
            note: Some(mark(stage.options.seed)),
        };
        section.panels.push(Panel { suffix: format!("-{name}"), chart });
        section.tables.push((
            format!("{name} demand: suboptimality, mean (sd), and the fitted slope."),
            table(stage, &rows),
        ));
        for row in &rows {
            row.write(&mut section.rows, name, stage.options.seed);
        }
    }
    Ok(section)
}

fn records(stage: &Stage<'_>) -> &'static [u64] {
    if stage.options.quick { &QUICK_RECORDS } else { &RECORDS }
}

fn measured(stage: &Stage<'_>, demand: Curve) -> Result<Vec<Row>, ReproduceError> {
    let market = |outcome| CurveSpec { demand, target: Target::Beta, outcome, ..CurveSpec::default() }.into();
    let mut rows = Vec::new();
    for loss in LOSSES {
        for (outcome, words) in [(OutcomeKind::Reward, ""), (OutcomeKind::Sale, ", demand")] {
            for &records in records(stage) {
                let label = format!("private-pricing{words}, ε = {loss}");
                stage.progress.begin(&format!("{}: {}, {label}", stage.id, demand.name()));
                let setting = Setting {
                    market: market(outcome),
                    records,
                    epsilon: Some(epsilon(loss)),
                    side: None,
                    forgers: None,
                };
                rows.push(stage.measure(label, MethodName::PrivatePricing, setting, stage.trials())?);
            }
        }
        for &records in records(stage) {
            rows.push(best_faithful(
                stage,
                Setting {
                    market: market(OutcomeKind::Reward),
                    records,
                    epsilon: Some(epsilon(loss)),
                    side: None,
                    forgers: None,
                },
            )?);
        }
    }
    for &records in records(stage).iter().filter(|records| **records <= MOST_RAW) {
        let setting = Setting {
            market: market(OutcomeKind::Reward),
            records,
            epsilon: None,
            side: None,
            forgers: None,
        };
        stage.progress.begin(&format!("{}: {}, nw-lcb", stage.id, demand.name()));
        rows.push(stage.measure(
            "nw-lcb, not private".to_string(),
            MethodName::NwLcb,
            setting,
            stage.trials(),
        )?);
    }
    Ok(rows)
}

/// The paper's method at the bandwidth that turned out best.
fn best_faithful(stage: &Stage<'_>, setting: Setting) -> Result<Row, ReproduceError> {
    let loss = setting.epsilon.map(|epsilon| epsilon.to_string()).unwrap_or_default();
    let label = format!("ldp-nw-lcb, ε = {loss}");
    stage.progress.begin(&format!("{}: {label}", stage.id));
    let mut best: Option<Row> = None;
    for side in if stage.options.quick { QUICK_SIDES } else { SIDES } {
        let setting = Setting { side: Some(side), ..setting };
        let row = stage.measure(label.clone(), MethodName::LdpNwLcb, setting, stage.trials())?;
        let better = |best: &Row| row.measured.suboptimality.mean < best.measured.suboptimality.mean;
        if best.as_ref().is_none_or(better) {
            best = Some(row);
        }
    }
    Ok(best.expect("there is at least one side"))
}

fn table(stage: &Stage<'_>, rows: &[Row]) -> Table {
    let mut head = vec!["method".to_string()];
    head.extend(records(stage).iter().map(|&records| format!("n = {}", number(records as f64))));
    head.push("slope".to_string());
    let line = |(label, rows): (String, Vec<&Row>)| {
        let mut row = vec![label];
        row.extend(cells(&rows, records(stage)));
        row.push(exponent(&rows));
        (row, rows[0].kind == MethodName::DEFAULT)
    };
    Table { head, rows: lines(rows).into_iter().map(line).collect() }
}
