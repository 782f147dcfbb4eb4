//! Tables 2 and 3: the error of two estimators by the number of randomised people.

use std::fmt::Write;

use reticent_privacy::{SimSeed, Stream};

use super::digits::small;
use super::{Bench, Panel, Section, note};
use crate::conse::LinearTrial;
use crate::reproduce::ReproduceError;
use crate::runner::LabError;
use crate::stats::Summary;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const TRIALS: u32 = 50;

/// What the paper prints: "Reg", the error of MD, the error of DML.
type Published = (u64, f64, f64);

const TABLE_2: [Published; 3] = [(200, 0.31, 0.53), (400, 0.03, 0.07), (800, 0.008, 0.02)];
const TABLE_3: [Published; 2] = [(400, 0.03, 4.1), (800, 0.008, 4.0)];

/// People of "Reg" who are gone before the randomised phase, in the second reading: fitted to the published errors.
const SPENT: u64 = 184;

const ASSUMED: &str = "The paper gives neither the noise nor the meaning of \"Reg\" nor its DML. Assumed: rewards are normal with standard deviation 1; \
     \"Reg\" is the number of randomised people, half of them with either arm, since in experiment 1 both arms are equally good and no \
     regret exists; DML is ridge regression of the reward on the arm's vector with penalty 1, its effect (a₁ − a₀)ᵀθ, on everybody or on half of \
     the people, as double machine learning splits its sample. Of 20,000 people the others do not matter here. Errors are mean squared errors \
     over 50 replications, ± one standard error. In conse these lengths are T_min = 10,000^(1−α) with α = 0.42, 0.35 and 0.27.";

const MISMATCH: &str = "It does not match at few people. A difference of means has error 4σ²/people, which falls by 4 from 200 to 800; the published error falls by 39. \
     The published MD fits 4σ²/(Reg − B) with B about 184 and σ between 1 and 1.2, as if so many people of \"Reg\" were gone before the \
     randomised phase: the second reading, two numbers fitted to three. The published DML has about twice the error of MD. Ridge on half of the \
     sample has nearly that where people are many, and ridge on everybody does not; with 16 people the penalty helps ridge, since the true effect is 0, \
     and no reading here gives the published 0.53.";

const ILL: &str = "Here a₀ = (1, 0.001), a₁ = (1, 0), and means 3 and 1 need θ₂ = 2000. Ridge shrinks it to nothing, its effect is about 0 for −2, and its squared error 4.0 in \
     any reading, as published. Least squares without a penalty would be the difference of means: what fails is the penalty, not double \
     machine learning.";

/// One row: "Reg", the people randomised, and the errors of MD, of ridge on all and on half.
struct Row {
    regret: u64,
    people: u64,
    errors: [Error; 3],
}

/// A mean squared error with its standard error.
#[derive(Clone, Copy)]
struct Error {
    mean: f64,
    se: f64,
}

pub(super) fn table2(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    section(bench, "Table 2: normal linear bandit", LinearTrial::REGULAR, &TABLE_2, &[ASSUMED, MISMATCH])
}

pub(super) fn table3(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let title = "Table 3: an ill-conditioned linear bandit";
    section(bench, title, LinearTrial::ILL_CONDITIONED, &TABLE_3, &[ASSUMED, ILL])
}

fn section(
    bench: &Bench<'_>,
    title: &'static str,
    world: LinearTrial,
    published: &[Published],
    captions: &[&str],
) -> Result<Section, ReproduceError> {
    bench.progress.begin(bench.id);
    let rows = |spent: u64| -> Result<Vec<Row>, ReproduceError> {
        published.iter().map(|&(regret, ..)| row(bench, world, regret, spent)).collect()
    };
    let readings = [rows(0)?, rows(SPENT)?];
    let tables = [
        ("First reading: \"Reg\" people are randomised.".to_string(), table(published, &readings[0])),
        (
            format!("Second reading: \"Reg\" less {SPENT} people are randomised."),
            table(published, &readings[1]),
        ),
    ];
    Ok(Section {
        title,
        captions: captions.iter().map(ToString::to_string).collect(),
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, published, &readings) }],
        tables: tables.into(),
        rows: csv(bench, published, &readings),
    })
}

fn row(bench: &Bench<'_>, world: LinearTrial, regret: u64, spent: u64) -> Result<Row, ReproduceError> {
    let (people, trials) = (regret - spent, bench.trials(TRIALS));
    let mut errors = [const { Vec::new() }; 3];
    for trial in 0..trials {
        if bench.progress.stop() {
            return Err(LabError::Interrupted { finished: trial as usize, trials }.into());
        }
        let mut rng = SimSeed(bench.options.seed).stream(u64::from(trial), Stream::Environment);
        let one = world.squared_errors(&world.randomise(people, &mut rng));
        errors.iter_mut().zip(one).for_each(|(all, error)| all.push(error));
    }
    Ok(Row { regret, people, errors: errors.map(|errors| Error::of(&errors)) })
}

impl Error {
    fn of(squares: &[f64]) -> Error {
        let summary = Summary::of(squares);
        let sd = summary.and_then(|summary| summary.sd).unwrap_or(0.0);
        Error {
            mean: summary.map_or(f64::NAN, |summary| summary.mean),
            se: sd / (squares.len() as f64).sqrt(),
        }
    }
}

fn table(published: &[Published], rows: &[Row]) -> Table {
    let head =
        ["Reg", "people", "MD, published", "MD, here", "DML, published", "ridge on half", "ridge on all"];
    let cell = |error: Error| format!("{} ± {}", small(error.mean), small(error.se));
    let line = |(row, &(_, md, dml)): (&Row, &Published)| {
        let [ours, all, half] = row.errors.map(cell);
        let cells = [
            row.regret.to_string(),
            row.people.to_string(),
            md.to_string(),
            ours,
            dml.to_string(),
            half,
            all,
        ];
        (cells.to_vec(), false)
    };
    Table { head: head.map(String::from).to_vec(), rows: rows.iter().zip(published).map(line).collect() }
}

fn chart(bench: &Bench<'_>, title: &str, published: &[Published], readings: &[Vec<Row>; 2]) -> Chart {
    let points =
        |values: &dyn Fn(&Published) -> f64| published.iter().map(|p| (p.0 as f64, values(p))).collect();
    let measured =
        |rows: &[Row], i: usize| rows.iter().map(|r| (r.regret as f64, r.errors[i].mean)).collect();
    let series = vec![
        Series::measured("MD, first reading", measured(&readings[0], 0)),
        Series::measured("MD, second reading", measured(&readings[1], 0)),
        Series::measured("ridge on half, first reading", measured(&readings[0], 2)),
        Series::measured("ridge on half, second reading", measured(&readings[1], 2)),
        Series::bound("MD, published", points(&|p| p.1)),
        Series::bound("DML, published", points(&|p| p.2)),
    ];
    Chart {
        title: title.to_string(),
        subtitle: Some(format!("Mean squared error of the effect; {} replications", bench.trials(TRIALS))),
        x: Axis::log("Reg"),
        y: Axis::log("mean squared error"),
        series,
        note: Some(note(bench.options)),
    }
}

fn csv(bench: &Bench<'_>, published: &[Published], readings: &[Vec<Row>; 2]) -> String {
    let mut text = "reading,reg,people,trials,seed,md_published,md,md_se,dml_published,ridge_half,ridge_half_se,ridge_all,ridge_all_se\n".to_string();
    let (trials, seed) = (bench.trials(TRIALS), bench.options.seed);
    for (reading, rows) in readings.iter().enumerate() {
        for (row, (_, md, dml)) in rows.iter().zip(published) {
            let [ours, all, half] = row.errors.map(|error| format!("{},{}", error.mean, error.se));
            let _ = writeln!(
                text,
                "{},{},{},{trials},{seed},{md},{ours},{dml},{half},{all}",
                reading + 1,
                row.regret,
                row.people
            );
        }
    }
    text
}
