//! Propositions 2.6 and 3.6: the printed law of an estimate, and how often intervals by it hold.

use std::fmt::Write;

use super::bench::epsilon;
use super::{Bench, Panel, Section, note};
use crate::conse::{Halved, Halves, World, coin_variance, printed_length, printed_variance};
use crate::reproduce::ReproduceError;
use crate::trial::Arrivals;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const PEOPLE: u64 = 20_000;
const FEATURES: usize = 5;
const GAP: f64 = 0.3;
const TRIALS: u32 = 1000;
const ALPHAS: [f64; 7] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
const LOSS: f64 = 1.0;
/// Of a 95 % interval.
const Z: f64 = 1.959_963_985;

const PRINTED: &str = "Proposition 2.6 (conse) and Proposition 3.6 (dp-conse), as published: √T (estimate − effect) → N(0, σ₀² + σ₁²), with T = max(f_min(n)^(1−α), log n), or log(n)/ε in its place with privacy; \
     estimates are unbiased. Measured: the share of 95 % intervals by that law which contain the effect.";
const WRONG: &str = "The law is wrong by a factor of two. T people are given arms by coins, so that each arm has T/2 of them, and the difference of means has variance 2(σ₀² + σ₁²)/T; the proof takes T differences of \
     pairs. Intervals by the printed variance are too short by √2 and hold in 2Φ(1.96/√2) − 1 = 83.4 % of trials, whatever n. Besides, the algorithms randomise as many people as the rarest feature has in the \
     *first half*, and the proposition has f_min(n), twice that: taken as printed, coverage is lower still where α is small. With 2(σ₀² + σ₁²)/T_min intervals of conse hold; those of dp-conse \
     need the variance of the noise, 8/(ε T)², which the limit hides and a trial does not.";

/// How often intervals hold, with a standard error.
#[derive(Clone, Copy)]
struct Held {
    share: f64,
    error: f64,
}

struct Row {
    agent: &'static str,
    alpha: f64,
    length: f64,
    estimates: usize,
    /// As printed; with the algorithm's own T; with the coins' variance; and with the noise's.
    held: [Held; 4],
    /// Mean error over its standard error.
    bias: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut rows = Vec::new();
    for (agent, loss) in [("conse", None), ("dp-conse", Some(LOSS))] {
        bench.progress.begin(&format!("{}: {agent}", bench.id));
        for alpha in ALPHAS {
            rows.push(row(bench, agent, loss, alpha)?);
        }
    }
    let title = "Propositions 2.6 and 3.6: how often the printed law holds";
    Ok(Section {
        title,
        captions: vec![PRINTED.into(), WRONG.into()],
        panels: vec![Panel { suffix: String::new(), chart: chart(bench, title, &rows) }],
        tables: vec![(
            "Share of 95 % intervals that hold, by what they take the variance to be.".into(),
            table(&rows),
        )],
        rows: csv(bench, &rows),
    })
}

fn row(bench: &Bench<'_>, agent: &'static str, loss: Option<f64>, alpha: f64) -> Result<Row, ReproduceError> {
    // A quick look has a tenth of the trials and everybody: with fewer people no arm is ever removed.
    let (people, trials) = (PEOPLE, bench.trials(TRIALS));
    let world = World::alternating(Arrivals::equal(FEATURES), GAP);
    let seed = bench.options.seed;
    let halves = Halves { epsilon: loss.map(epsilon), alpha, world, people, trials, seed };
    let found = bench.halves(&halves)?;
    let printed = printed_length(&halves.world, people, alpha, loss);
    let errors: Vec<(f64, f64)> = found.iter().flat_map(|trial| errors(&halves.world, trial)).collect();
    let (plain, coins) = (printed_variance(halves.world.means[0]), coin_variance(halves.world.means[0]));
    let noise = |length: f64| loss.map_or(0.0, |loss| 8.0 / (loss * length * loss * length));
    let held = [
        held(&errors, &|_| plain / printed),
        held(&errors, &|length| plain / length),
        held(&errors, &|length| coins / length),
        held(&errors, &|length| coins / length + noise(length)),
    ];
    let count = errors.len() as f64;
    let mean = errors.iter().map(|error| error.0).sum::<f64>() / count;
    let square = errors.iter().map(|error| error.0 * error.0).sum::<f64>() / count;
    let length = found.iter().map(|trial| trial.least_length).sum::<f64>() / found.len() as f64;
    Ok(Row { agent, alpha, length, estimates: errors.len(), held, bias: mean / (square / count).sqrt() })
}

/// Errors of a trial's estimates, each with the people that the algorithm meant to randomise.
fn errors(world: &World, trial: &Halved) -> Vec<(f64, f64)> {
    let all = trial.estimates.iter().enumerate();
    all.filter_map(|(feature, estimate)| {
        Some((*estimate.as_ref()? - world.effect(feature), trial.least_length))
    })
    .collect()
}

fn held(errors: &[(f64, f64)], variance: &dyn Fn(f64) -> f64) -> Held {
    let inside = errors.iter().filter(|(error, length)| error.abs() <= Z * variance(*length).sqrt()).count();
    let share = inside as f64 / errors.len() as f64;
    Held { share, error: (share * (1.0 - share) / errors.len() as f64).sqrt() }
}

const NAMES: [&str; 4] = ["as printed", "printed variance, T_min", "2(σ₀² + σ₁²)/T_min", "and the noise"];

fn table(rows: &[Row]) -> Table {
    let mut head = vec!["algorithm".to_string(), "α".into(), "T_min".into(), "estimates".into()];
    head.extend(NAMES.map(String::from));
    head.push("bias / its error".into());
    let line = |row: &Row| {
        let mut cells = vec![
            row.agent.to_string(),
            row.alpha.to_string(),
            format!("{:.0}", row.length),
            row.estimates.to_string(),
        ];
        cells.extend(row.held.map(|one| format!("{:.1} ± {:.1}", 100.0 * one.share, 100.0 * one.error)));
        cells.push(format!("{:.1}", row.bias));
        (cells, false)
    };
    Table { head, rows: rows.iter().map(line).collect() }
}

fn chart(bench: &Bench<'_>, title: &str, rows: &[Row]) -> Chart {
    let of = |agent: &str, which: usize| {
        let points = rows.iter().filter(|row| row.agent == agent);
        points.map(|row| (row.alpha, 100.0 * row.held[which].share)).collect::<Vec<_>>()
    };
    let line = |percent: f64| vec![(ALPHAS[0], percent), (ALPHAS[ALPHAS.len() - 1], percent)];
    Chart {
        title: title.to_string(),
        subtitle: Some(format!(
            "{PEOPLE} people, {FEATURES} features, gap {GAP}; ε = {LOSS}; {} trials; intervals of 95 %",
            bench.trials(TRIALS)
        )),
        x: Axis::linear("α"),
        y: Axis::linear("intervals that hold (%)"),
        series: vec![
            Series::measured("conse, as printed", of("conse", 0)),
            Series::measured("conse, printed variance and T_min", of("conse", 1)),
            Series::measured("conse, variance of coins", of("conse", 2)),
            Series::measured("dp-conse, printed variance and T_min", of("dp-conse", 1)),
            Series::measured("dp-conse, variance of coins", of("dp-conse", 2)),
            Series::measured("dp-conse, variance of coins and noise", of("dp-conse", 3)),
            Series::bound("promised: 95 %", line(95.0)),
            Series::bound("too short by √2: 83.4 %", line(83.4)),
        ],
        note: Some(note(bench.options)),
    }
}

fn csv(bench: &Bench<'_>, rows: &[Row]) -> String {
    let mut text = "algorithm,alpha,people,trials,seed,t_min,estimates,as_printed,as_printed_se,printed_variance,printed_variance_se,coins,coins_se,coins_and_noise,coins_and_noise_se,bias_over_error\n".to_string();
    for row in rows {
        let _ = write!(
            text,
            "{},{},{PEOPLE},{},{},{},{}",
            row.agent,
            row.alpha,
            bench.trials(TRIALS),
            bench.options.seed,
            row.length,
            row.estimates
        );
        for one in row.held {
            let _ = write!(text, ",{},{}", one.share, one.error);
        }
        let _ = writeln!(text, ",{}", row.bias);
    }
    text
}
