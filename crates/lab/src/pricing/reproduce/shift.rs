//! `price-shift`: more context coordinates, less overlap, less exploration; beside the theorem's rate.

use super::Section;
use super::bench::epsilon;
use super::row::{CSV_HEAD, Row, cells, exponent, lines, series};
use crate::named::Named;
use crate::pricing::market::{CurveSpec, Logging, LowerBoundSpec, MarketSpec, Source, Target};
use crate::pricing::{MethodName, Setting};
use crate::reproduce::{Panel, ReproduceError, Stage, mark};
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const RECORDS: [u64; 3] = [10_000, 100_000, 1_000_000];
const QUICK_RECORDS: [u64; 2] = [3_000, 10_000];
const LOSS: f64 = 4.0;
/// The paper's method without privacy keeps all records, and its index helps less in five dimensions.
const MOST_RAW: u64 = 100_000;

const CAPTION: &str = "Logit demand, ε = 4. Dimensions: the log uniform, the target market Beta(4, 2) in each coordinate; the score that shifts demand is scaled so that its spread does not \
     shrink. Transfer exponents: one coordinate, the target uniform, the log’s density proportional to (1 − x)^α, so that contexts near 1 are ever rarer in it. Exploration: prices near the best one have \
     density ζ in the log. The lower-bound construction is that of appendix D.3 (mended) at the radius that is hardest for so many records.";
const RATES: &str = "Theorem 2 promises (ζ n)^(−β/(2β + α + d + 1)) without privacy, here with β = 1, for the worst function that is only Lipschitz; there is no rate with privacy in the paper. Slopes are fitted to the logarithms of the \
     means. A smooth demand is easier than the theorem’s worst case, and its slopes may be steeper.";

/// One kind of shift.
struct Case {
    part: &'static str,
    label: String,
    market: fn(u64, f64) -> MarketSpec,
    by: f64,
    /// Theorem 2's exponent.
    rate: f64,
}

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Dimensions, overlap and exploration",
        captions: vec![CAPTION.to_string(), RATES.to_string()],
        rows: CSV_HEAD.to_string(),
        ..Section::default()
    };
    let mut table = Table { head: head(stage), rows: Vec::new() };
    for part in ["dimensions", "transfer", "exploration", "lower-bound"] {
        let mut rows: Vec<Row> = Vec::new();
        let mut rates = Vec::new();
        for case in cases().into_iter().filter(|case| case.part == part) {
            let measured = measured(stage, &case)?;
            rates.push((case.label.clone(), case.rate));
            rows.extend(measured);
        }
        for (label, rows) in lines(&rows) {
            let rate = rates
                .iter()
                .find(|(case, _)| label.starts_with(case.as_str()))
                .map_or(0.0, |(_, rate)| *rate);
            let mut row = vec![label];
            row.extend(cells(&rows, records(stage)));
            row.extend([exponent(&rows), format!("{rate:.2}")]);
            table.rows.push((row, rows[0].kind == MethodName::DEFAULT));
        }
        for row in &rows {
            row.write(&mut section.rows, part, stage.options.seed);
        }
        section.panels.push(Panel { suffix: format!("-{part}"), chart: chart(stage, part, &rows, &rates) });
    }
    section
        .tables
        .push(("Suboptimality by records, mean (sd), the fitted slope, and Theorem 2’s.".to_string(), table));
    Ok(section)
}

fn cases() -> Vec<Case> {
    let rate = |alpha: f64, dims: f64| -1.0 / (2.0 + alpha + dims + 1.0);
    let dimension = |dims: f64| Case {
        part: "dimensions",
        label: format!("d = {dims}"),
        market: |_, dims| {
            CurveSpec { dims: dims as usize, target: Target::Beta, ..CurveSpec::default() }.into()
        },
        by: dims,
        rate: rate(0.0, dims),
    };
    let transfer = |alpha: f64| Case {
        part: "transfer",
        label: format!("α = {alpha}"),
        market: |_, alpha| CurveSpec { source: Source::Vanishing { alpha }, ..CurveSpec::default() }.into(),
        by: alpha,
        rate: rate(alpha, 1.0),
    };
    let exploration = |zeta: f64| Case {
        part: "exploration",
        label: format!("ζ = {zeta}"),
        market: |_, zeta| CurveSpec { logging: Logging::Exploring { zeta }, ..CurveSpec::default() }.into(),
        by: zeta,
        rate: rate(0.0, 1.0),
    };
    let bound = |alpha: f64| Case {
        part: "lower-bound",
        label: format!("lower bound, α = {alpha}"),
        market: |records, alpha| {
            LowerBoundSpec { alpha, ..LowerBoundSpec::default() }.hardest(records).into()
        },
        by: alpha,
        rate: rate(alpha, 1.0),
    };
    let mut cases: Vec<Case> = [1.0, 3.0, 5.0].into_iter().map(dimension).collect();
    cases.extend([0.0, 1.0, 2.0].into_iter().map(transfer));
    cases.extend([1.0, 0.3, 0.1].into_iter().map(exploration));
    cases.extend([0.0, 1.0].into_iter().map(bound));
    cases
}

fn records(stage: &Stage<'_>) -> &'static [u64] {
    if stage.options.quick { &QUICK_RECORDS } else { &RECORDS }
}

fn measured(stage: &Stage<'_>, case: &Case) -> Result<Vec<Row>, ReproduceError> {
    let mut rows = Vec::new();
    for (kind, loss, words) in
        [(MethodName::PrivatePricing, Some(LOSS), "private-pricing"), (MethodName::NwLcb, None, "nw-lcb")]
    {
        for &records in records(stage).iter().filter(|records| kind.is_private() || **records <= MOST_RAW) {
            let label = format!("{}: {words}", case.label);
            stage.progress.begin(&format!("{}: {label}", stage.id));
            let market = (case.market)(records, case.by);
            let setting = Setting { market, records, epsilon: loss.map(epsilon), side: None, forgers: None };
            rows.push(stage.measure(label, kind, setting, stage.trials())?);
        }
    }
    Ok(rows)
}

fn head(stage: &Stage<'_>) -> Vec<String> {
    let mut head = vec!["case".to_string()];
    head.extend(records(stage).iter().map(|&records| format!("n = {}", number(records as f64))));
    head.extend(["slope".to_string(), "theorem".to_string()]);
    head
}

fn chart(stage: &Stage<'_>, part: &str, rows: &[Row], rates: &[(String, f64)]) -> Chart {
    let mut all: Vec<Series> = lines(rows).iter().map(|(label, rows)| series(label, rows)).collect();
    for (label, rate) in rates {
        let rate = |&records: &u64| (records as f64, libm::pow(records as f64, *rate));
        all.push(Series::bound(format!("{label}: theorem"), records(stage).iter().map(rate).collect()));
    }
    Chart {
        title: format!("{part}: suboptimality against records"),
        subtitle: Some(format!(
            "mean of {} trials; the theorem’s lines have constant 1, only their slopes say something",
            stage.trials()
        )),
        x: Axis::log("records in the log"),
        y: Axis::log("suboptimality (revenue lost)"),
        series: all,
        note: Some(mark(stage.options.seed)),
    }
}
