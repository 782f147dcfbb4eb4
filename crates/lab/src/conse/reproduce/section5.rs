//! Section 5's other tools: adaptive Neyman allocation, and a doubly robust estimator with a covariate.

use std::fmt::Write;

use reticent_privacy::{SimSeed, Stream};

use super::digits::small;
use super::{Bench, Panel, Section, note};
use crate::conse::{Allocation, Covariates, Enrolled, doubly_robust, md};
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const TRIALS: u32 = 2000;
const PEOPLE: [u64; 4] = [200, 400, 800, 1600];
const EFFECT: f64 = 0.4;
/// Name, deviations of the arms' noise, and what the covariate says: by a line, and beside it.
const WORLDS: [(&str, [f64; 2], f64, f64); 5] = [
    ("arms alike, no covariate", [1.0, 1.0], 0.0, 0.0),
    ("arms unlike, no covariate", [0.5, 1.5], 0.0, 0.0),
    ("arms alike, covariate", [1.0, 1.0], 1.5, 0.0),
    ("arms unlike, covariate", [0.5, 1.5], 1.0, 0.0),
    ("arms unlike, covariate, no line", [0.5, 1.5], 1.0, 0.7),
];
/// The world that is drawn.
const DRAWN: usize = 3;
const METHODS: [(&str, Allocation, bool); 4] = [
    ("coins, difference of means", Allocation::Coins, false),
    ("Neyman, difference of means", Allocation::Neyman, false),
    ("coins, doubly robust", Allocation::Coins, true),
    ("Neyman, doubly robust", Allocation::Neyman, true),
];

const WHAT: &str = "Section 5 names these for whoever needs no privacy, and reports neither: adaptive Neyman allocation (a first part of 3√T people by coins, then chances by the arms' deviations) and a doubly robust estimator with a \
     covariate (each half predicted by lines through the other, what is missed weighed by the person's own chance). Published: \u{201c}one may adopt\u{201d} them \u{201c}to improve estimation efficiency\u{201d}, and its DML \u{201c}is not helpful\u{201d}. Measured: the mean squared error \
     of the effect. Neither is private.";
const SEEN: &str = "Neyman allocation is worth up to (σ₀ + σ₁)²/2(σ₀² + σ₁²) where arms vary unlike, and costs nothing where they do not. A covariate that explains outcomes is worth what it explains. That \
     DML does not help is a matter of the paper's experiment, which has no covariate: there is nothing to adjust for. A line that is wrong costs width and no bias, because chances are known. The dashed lines \
     are the least variances over T, with coins and with the best chances.";

struct Row {
    world: usize,
    method: usize,
    people: u64,
    error: f64,
    se: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Section {
    let mut rows = Vec::new();
    for (world, (name, ..)) in WORLDS.iter().enumerate() {
        bench.progress.begin(&format!("{}: {name}", bench.id));
        for method in 0..METHODS.len() {
            rows.extend(PEOPLE.map(|people| row(bench, world, method, people)));
        }
    }
    let title = "Section 5: Neyman allocation and a doubly robust estimator";
    Section {
        title,
        captions: vec![WHAT.into(), SEEN.into()],
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, &rows) }],
        tables: vec![(
            "Mean squared error times T, over the least that coins allow for; ± one standard error.".into(),
            table(&rows),
        )],
        rows: csv(bench, &rows),
    }
}

fn world(place: usize) -> Covariates {
    let (_, noise, slope, bend) = WORLDS[place];
    Covariates { means: [0.0, EFFECT], noise, slope, bend }
}

fn row(bench: &Bench<'_>, place: usize, method: usize, people: u64) -> Row {
    let (world, (_, allocation, robust)) = (world(place), METHODS[method]);
    let trials = bench.trials(TRIALS);
    let squares = (0..trials).map(|trial| {
        let mut rng = SimSeed(bench.options.seed).stream(u64::from(trial), Stream::Environment);
        let all = world.enrol(people, allocation, &mut rng);
        let sample = |one: &Enrolled| (one.arm, one.outcome);
        let estimate =
            if robust { doubly_robust(&all) } else { md(&all.iter().map(sample).collect::<Vec<_>>()) };
        (estimate - EFFECT) * (estimate - EFFECT)
    });
    let (sum, sum_of_squares) =
        squares.fold((0.0, 0.0), |(sum, squares), square| (sum + square, squares + square * square));
    let count = f64::from(trials);
    let error = sum / count;
    let se = ((sum_of_squares / count - error * error).max(0.0) / count).sqrt();
    Row { world: place, method, people, error, se }
}

fn table(rows: &[Row]) -> Table {
    let mut head = vec!["world".to_string(), "T".into()];
    head.extend(METHODS.map(|method| method.0.to_string()));
    head.push("best chances".into());
    let mut lines = Vec::new();
    for (place, (name, ..)) in WORLDS.iter().enumerate() {
        let [coins, best] = world(place).floors();
        for people in PEOPLE {
            let mut cells = vec![(*name).to_string(), people.to_string()];
            let of = rows.iter().filter(|row| row.world == place && row.people == people);
            let scale = people as f64 / coins;
            cells.extend(of.map(|row| format!("{:.2} ± {:.2}", row.error * scale, row.se * scale)));
            cells.push(format!("{:.2}", best / coins));
            lines.push((cells, false));
        }
    }
    Table { head, rows: lines }
}

fn chart(bench: &Bench<'_>, title: &str, rows: &[Row]) -> Chart {
    let measured = |(place, method): (usize, &(&str, Allocation, bool))| {
        let of = || rows.iter().filter(|row| row.world == DRAWN && row.method == place);
        let band = of().map(|row| (row.error - 2.0 * row.se, row.error + 2.0 * row.se)).collect();
        Series::measured(method.0, of().map(|row| (row.people as f64, row.error)).collect()).with_band(band)
    };
    let mut series: Vec<Series> = METHODS.iter().enumerate().map(measured).collect();
    let [coins, best] = world(DRAWN).floors();
    let over = |floor: f64| PEOPLE.map(|people| (people as f64, floor / people as f64)).to_vec();
    series.push(Series::bound(format!("least with coins: {}/T", small(coins)), over(coins)));
    series.push(Series::bound(format!("least: {}/T", small(best)), over(best)));
    Chart {
        title: title.to_string(),
        subtitle: Some(format!(
            "{}; {} trials, bands are two standard errors",
            WORLDS[DRAWN].0,
            bench.trials(TRIALS)
        )),
        x: Axis::log("people randomised, T"),
        y: Axis::log("mean squared error of the effect"),
        series,
        note: Some(note(bench.options)),
    }
}

fn csv(bench: &Bench<'_>, rows: &[Row]) -> String {
    let mut text = "world,method,people,trials,seed,error,error_se,least_with_coins,least\n".to_string();
    for row in rows {
        let [coins, best] = world(row.world).floors().map(|floor| floor / row.people as f64);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{coins},{best}",
            WORLDS[row.world].0.replace(',', ""),
            METHODS[row.method].0.replace(',', ""),
            row.people,
            bench.trials(TRIALS),
            bench.options.seed,
            row.error,
            row.se
        );
    }
    text
}
