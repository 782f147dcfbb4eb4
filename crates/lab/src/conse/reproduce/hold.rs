//! How often ours holds what its intervals say, and how long they are: in worlds it was not made for.

use std::fmt::Write;

use super::{Bench, Panel, Section, note};
use crate::reproduce::ReproduceError;
use crate::runner::LabError;
use crate::trial::simulate::{Share, Simulated, Simulation, many};
use crate::trial::{Tried, least_widths, tried};
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const TRIALS: u32 = 5000;

const WHAT: &str = "private-trial at epsilon 1, intervals of 95 % by the default estimator; ± is one standard error. Floor: one signed sum whose noise hides a change of one, the \
     least that epsilon asks for; plain: the same trial without privacy. A headline names a stratum if its simultaneous interval excludes zero.";
const CANNOT: &str = "In the last two worlds no design can hold: whoever is missing because of an outcome in one arm alone is seen by no table, and an effect that drifts is not one number.";

struct Row {
    tried: Tried,
    coverage: Share,
    strata: [f64; 2],
    width: f64,
    /// Over the plain interval, and over the floor.
    over: Option<(f64, f64)>,
    named: Share,
    trials: u32,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut rows = Vec::new();
    for one in tried().map_err(LabError::from)? {
        rows.push(row(bench, one)?);
    }
    let title = "How often intervals hold, and how long they are";
    Ok(Section {
        title,
        captions: vec![WHAT.into(), CANNOT.into()],
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, &rows) }],
        tables: vec![(String::new(), table(&rows))],
        rows: csv(bench, &rows),
    })
}

fn row(bench: &Bench<'_>, tried: Tried) -> Result<Row, ReproduceError> {
    let trials = bench.trials(TRIALS);
    bench.progress.begin(&format!("{}, {} people", tried.name, tried.world.spec.draft().people));
    let simulation = Simulation { world: tried.world.clone(), trials, seed: bench.options.seed };
    let all = many(&simulation, bench.options.threads, bench.progress)?;
    let simulated = Simulated::new(&simulation, &all)?;
    let none = || LabError::Interrupted { finished: 0, trials };
    let planned = simulated.planned().ok_or_else(none)?;
    let everyone = planned.everyone.last().ok_or_else(none)?;
    let [least, _, most] = planned.coverage_of_strata;
    let width = everyone.width.mean;
    Ok(Row {
        over: least_widths(&tried.world).map(|(plain, floor)| (width / plain, width / floor)),
        coverage: everyone.coverage,
        strata: [least, most],
        width,
        named: simulated.strata_named,
        trials,
        tried,
    })
}

fn table(rows: &[Row]) -> Table {
    let head = [
        "world",
        "people",
        "alpha",
        "coverage",
        "strata",
        "width",
        "over plain",
        "over floor",
        "strata named",
    ];
    let percent = |share: Share| format!("{:.1} ± {:.1}", 100.0 * share.share, 100.0 * share.error);
    let line = |row: &Row| {
        let plan = row.tried.world.spec.draft();
        let strata = row.tried.world.spec.strata() > 1;
        let over = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.2}"));
        let [least, most] = row.strata.map(|share| format!("{:.1}", 100.0 * share));
        let cells = vec![
            row.tried.name.to_string(),
            plan.people.to_string(),
            plan.alpha.to_string(),
            percent(row.coverage),
            if strata { format!("{least} to {most}") } else { "–".into() },
            format!("{:.4}", row.width),
            over(row.over.map(|over| over.0)),
            over(row.over.map(|over| over.1)),
            if strata { percent(row.named) } else { "–".into() },
        ];
        (cells, !row.tried.can_hold)
    };
    Table { head: head.map(String::from).to_vec(), rows: rows.iter().map(line).collect() }
}

fn chart(bench: &Bench<'_>, title: &str, rows: &[Row]) -> Chart {
    let of = |can_hold: bool| {
        let points = rows.iter().enumerate().filter(|(_, row)| row.tried.can_hold == can_hold);
        points.map(|(place, row)| (place as f64 + 1.0, 100.0 * row.coverage.share)).collect::<Vec<_>>()
    };
    let ends = vec![(1.0, 95.0), (rows.len() as f64, 95.0)];
    Chart {
        title: title.to_string(),
        subtitle: Some("Share of trials whose interval for everyone holds, by the table's rows".into()),
        x: Axis::linear("world"),
        y: Axis::linear("coverage (%)"),
        series: vec![
            Series::measured("can be held", of(true)),
            Series::measured("cannot", of(false)),
            Series::bound("promised", ends),
        ],
        note: Some(note(bench.options)),
    }
}

fn csv(bench: &Bench<'_>, rows: &[Row]) -> String {
    let mut text =
        "world,people,alpha,arms,strata,trials,seed,coverage,coverage_se,least_stratum,largest_stratum,width,over_plain,over_floor,strata_named\n"
            .to_string();
    for row in rows {
        let (spec, plan) = (&row.tried.world.spec, row.tried.world.spec.draft());
        let (plain, floor) = row.over.unwrap_or((f64::NAN, f64::NAN));
        let _ = writeln!(
            text,
            "\"{}\",{},{},{},{},{},{},{},{},{},{},{},{plain},{floor},{}",
            row.tried.name,
            plan.people,
            plan.alpha,
            spec.arms(),
            spec.strata(),
            row.trials,
            bench.options.seed,
            row.coverage.share,
            row.coverage.error,
            row.strata[0],
            row.strata[1],
            row.width,
            row.named.share
        );
    }
    text
}
