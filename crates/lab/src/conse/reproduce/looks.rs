//! What looking costs and how often it misleads: repeated intervals at planned looks, and decisions by them.

use std::fmt::Write;

use super::{Bench, Panel, Section, note};
use crate::reproduce::ReproduceError;
use crate::runner::LabError;
use crate::trial::simulate::{Decided, Simulation, TrialOutcome, many};
use crate::trial::{Arrivals, Conditions, Noise, World, WorldError};
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};
use reticent_curate::trial::{Draft, Spending, TrialSpec, Verdict};

const TRIALS: u32 = 2000;

const WHAT: &str = "Outcomes 0 or 1, epsilon 1 for the whole trial, looks at equal distances, intervals of 95 %. Wrong at some look: the interval of any look does not contain the truth; \
     promised at most 5 %. Over fixed: the last look's interval over that of the same people with one table and no looks. Decided: the trial would have stopped by then with a verdict. Everyone and strata are two families, each with 5 %.";
const EDGES: &str = "Where the truth is on the edge of a decision (no effect; worse by the margin; as good as is worthwhile), the decision is wrong; promised at most 2.5 %.";

/// A plan with looks, and the truth.
struct Asked {
    name: &'static str,
    people: u64,
    looks: u64,
    alpha: f64,
    spending: Spending,
    means: Vec<f64>,
    strata: usize,
    margin: Option<f64>,
    worthwhile: Option<f64>,
    /// What must not be decided here.
    wrong: Option<Verdict>,
}

fn asked(name: &'static str, people: u64, looks: u64, means: &[f64]) -> Asked {
    Asked {
        name,
        people,
        looks,
        alpha: 0.0,
        spending: Spending::ObrienFleming,
        means: means.to_vec(),
        strata: 1,
        margin: None,
        worthwhile: None,
        wrong: None,
    }
}

fn all() -> Vec<Asked> {
    let (pocock, better) = (Spending::Pocock, Some(Verdict::Better));
    let none = [0.5, 0.5];
    vec![
        Asked { wrong: better, ..asked("no effect", 1000, 3, &none) },
        Asked { wrong: better, spending: pocock, ..asked("no effect", 1000, 3, &none) },
        Asked { wrong: better, ..asked("no effect", 5000, 5, &none) },
        Asked { wrong: better, spending: pocock, ..asked("no effect", 5000, 5, &none) },
        asked("effect 0.15", 1000, 3, &[0.4, 0.55]),
        Asked { spending: pocock, ..asked("effect 0.15", 1000, 3, &[0.4, 0.55]) },
        asked("effect 0.15", 5000, 5, &[0.4, 0.55]),
        Asked { wrong: better, alpha: 0.3, ..asked("no effect, adaptive", 4000, 4, &none) },
        Asked {
            margin: Some(0.1),
            wrong: Some(Verdict::NotInferior),
            ..asked("worse by the margin 0.1", 1000, 3, &[0.5, 0.4])
        },
        Asked { margin: Some(0.1), ..asked("no effect, margin 0.1", 1000, 3, &none) },
        Asked {
            worthwhile: Some(0.1),
            wrong: Some(Verdict::Futile),
            ..asked("as good as is worthwhile, 0.1", 1000, 3, &[0.4, 0.5])
        },
        Asked { worthwhile: Some(0.1), ..asked("no effect, worthwhile 0.1", 1000, 3, &none) },
        Asked { wrong: better, ..asked("three arms, no effect", 1500, 3, &[0.5; 3]) },
        Asked { wrong: better, strata: 4, ..asked("four strata, no effect", 4000, 3, &none) },
    ]
}

impl Asked {
    fn world(&self, looks: bool) -> Result<World, WorldError> {
        let mut plan = Draft::simple("looks", self.people, 1.0);
        plan.arms = (0..self.means.len()).map(|arm| format!("arm {arm}")).collect();
        if looks {
            // Every outcome is there at once.
            (plan.alpha, plan.late_is_missing) = (self.alpha, true);
            (plan.first_epoch, plan.growth) = (Some(self.people.div_ceil(self.looks)), 1.0);
            (plan.spending, plan.margin, plan.worthwhile) =
                (Some(self.spending), self.margin, self.worthwhile);
        }
        let plan = if self.strata > 1 { plan.with_levels("group", self.strata) } else { plan };
        Ok(World {
            spec: TrialSpec::new(plan)?,
            arrivals: Arrivals::equal(self.strata),
            means: vec![self.means.clone(); self.strata],
            noise: Noise::Coin,
            conditions: Conditions::default(),
        })
    }
}

struct Row {
    asked: Asked,
    trials: u32,
    /// Share of trials in which the interval of some look, of some arm and stratum, does not hold.
    missed: f64,
    missed_for_everyone: f64,
    wrong: Option<f64>,
    over_fixed: f64,
    /// Share of trials that some look but the last decides, and that any does.
    early: f64,
    decided: f64,
    people: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let rows = all().into_iter().map(|one| row(bench, one)).collect::<Result<Vec<_>, _>>()?;
    let title = "Planned looks: how often they mislead, and what they cost";
    Ok(Section {
        title,
        captions: vec![WHAT.into(), EDGES.into()],
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, &rows) }],
        tables: vec![(String::new(), table(&rows))],
        rows: csv(bench, &rows),
    })
}

fn row(bench: &Bench<'_>, asked: Asked) -> Result<Row, ReproduceError> {
    let trials = bench.trials(TRIALS);
    bench.progress.begin(&format!("{}, {} people", asked.name, asked.people));
    let run = |looks: bool| -> Result<Vec<TrialOutcome>, ReproduceError> {
        let world = asked.world(looks).map_err(LabError::from)?;
        let simulation = Simulation { world, trials, seed: bench.options.seed };
        Ok(many(&simulation, bench.options.threads, bench.progress)?)
    };
    let (looked, fixed) = (run(true)?, run(false)?);
    let share = |holds: &dyn Fn(&TrialOutcome) -> bool| {
        looked.iter().filter(|one| holds(one)).count() as f64 / f64::from(trials)
    };
    let width = |all: &[TrialOutcome]| {
        let last = |one: &TrialOutcome| {
            one.looks.last().map_or(0.0, |last| last[0].interval.high - last[0].interval.low)
        };
        all.iter().map(last).sum::<f64>()
    };
    let decides = |one: &TrialOutcome| one.looks.iter().position(|look| look[0].verdict != Verdict::Open);
    let people = |one: &TrialOutcome| {
        let at = decides(one).unwrap_or(one.looks.len() - 1);
        one.looks[at][0].people as f64
    };
    let says = |one: &TrialOutcome, what: Verdict| {
        one.looks.iter().flatten().any(|decided: &Decided| decided.verdict == what)
    };
    Ok(Row {
        trials,
        missed: share(&|one| misses(one, usize::MAX)),
        missed_for_everyone: share(&|one| misses(one, 1)),
        wrong: asked.wrong.map(|what| share(&|one| says(one, what))),
        over_fixed: width(&looked) / width(&fixed),
        early: share(&|one| decides(one).is_some_and(|at| at + 1 < one.looks.len())),
        decided: share(&|one| decides(one).is_some()),
        people: looked.iter().map(people).sum::<f64>() / f64::from(trials),
        asked,
    })
}

/// Whether some look's interval, of the first so many effects, does not hold.
fn misses(one: &TrialOutcome, first: usize) -> bool {
    let out =
        |(decided, truth): (&Decided, &f64)| *truth < decided.interval.low || *truth > decided.interval.high;
    one.looks.iter().any(|look| look.iter().zip(&one.effects).take(first).any(out))
}

fn table(rows: &[Row]) -> Table {
    let head = [
        "truth",
        "people",
        "looks",
        "spending",
        "some look wrong, everyone",
        "of any arm or stratum",
        "decision wrong",
        "over fixed",
        "decided",
        "before the last look",
        "people by then",
    ];
    let line = |row: &Row| {
        let percent = |share: f64| {
            let error = (share * (1.0 - share) / f64::from(row.trials)).sqrt();
            format!("{:.1} ± {:.1}", 100.0 * share, 100.0 * error)
        };
        let cells = vec![
            row.asked.name.to_string(),
            row.asked.people.to_string(),
            row.asked.looks.to_string(),
            row.asked.spending.name().to_string(),
            percent(row.missed_for_everyone),
            percent(row.missed),
            row.wrong.map_or("–".into(), percent),
            format!("{:.2}", row.over_fixed),
            percent(row.decided),
            percent(row.early),
            format!("{:.0}", row.people),
        ];
        (cells, false)
    };
    Table { head: head.map(String::from).to_vec(), rows: rows.iter().map(line).collect() }
}

fn chart(bench: &Bench<'_>, title: &str, rows: &[Row]) -> Chart {
    let of = |value: &dyn Fn(&Row) -> f64| {
        rows.iter()
            .enumerate()
            .map(|(place, row)| (place as f64 + 1.0, 100.0 * value(row)))
            .collect::<Vec<_>>()
    };
    Chart {
        title: title.to_string(),
        subtitle: Some(
            "Share of trials in which the interval of some look does not hold, by the table's rows".into(),
        ),
        x: Axis::linear("row"),
        y: Axis::linear("share (%)"),
        series: vec![
            Series::measured("everyone", of(&|row| row.missed_for_everyone)),
            Series::measured("any arm or stratum", of(&|row| row.missed)),
            Series::bound("promised", vec![(1.0, 5.0), (rows.len() as f64, 5.0)]),
        ],
        note: Some(note(bench.options)),
    }
}

fn csv(bench: &Bench<'_>, rows: &[Row]) -> String {
    let mut text = "truth,people,looks,spending,alpha,arms,strata,trials,seed,missed_for_everyone,missed,decision_wrong,over_fixed,decided,early,people_by_then\n".to_string();
    for row in rows {
        let one = &row.asked;
        let _ = writeln!(
            text,
            "\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            one.name,
            one.people,
            one.looks,
            one.spending.name(),
            one.alpha,
            one.means.len(),
            one.strata,
            row.trials,
            bench.options.seed,
            row.missed_for_everyone,
            row.missed,
            row.wrong.unwrap_or(f64::NAN),
            row.over_fixed,
            row.decided,
            row.early,
            row.people
        );
    }
    text
}
