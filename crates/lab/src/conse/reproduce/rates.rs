//! What the paper's lemmas and theorems bound, measured: pulls of a worse arm, what each half costs, errors.

use std::fmt::Write;

use super::bench::epsilon;
use super::{Bench, Panel, Section, note};
use crate::conse::{Halved, Halves, World, coin_variance, most_bad_pulls, printed_length};
use crate::reproduce::ReproduceError;
use crate::trial::Arrivals;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const PEOPLE: u64 = 100_000;
const TRIALS: u32 = 20;
const GAPS: [f64; 6] = [0.1, 0.15, 0.2, 0.3, 0.5, 0.8];
const FEATURES: usize = 5;
const GAP: f64 = 0.3;
const ALPHAS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const AGENTS: [(&str, Option<f64>); 3] =
    [("conse", None), ("dp-conse, ε = 1", Some(1.0)), ("dp-conse, ε = 0.25", Some(0.25))];

const PULLS: &str = "Lemma 3.1 (and Lemma 2.1 for conse), as published: with probability 1 − 1/n a feature's worse arm is pulled in the first half at most O((log n_j + log log 1/Δ)(1/Δ² + 1/(εΔ))) times. Dashed: with the \
     constants that the proofs end with, 3 log(2 log(2/Δ) n)(1024/Δ² + 96/(εΔ)), and without the 3 and the ε for conse. One feature. The statements hold, and say little at this size: the bounds are 20 to 700 times what is measured, and but for conse with gaps above 0.5 they \
     are more than all people of the first half. Corollary 3.2 (regret of the first half, O(Σ log n/Δ + M log n/ε)) is the same times Δ: in the table. \
     The constants in the proofs do not follow from the sums above them (a sum of R_e is bounded by 6 R_e in one line where 2 R_e is meant), which only makes them larger.";
const ERRORS: &str = "Theorem 2.3 (conse) and Theorem 3.3 (dp-conse), as published: error = O(1/max(f_min(n)^(1−α), log n)), with log(n)/ε for log n with privacy. Measured: the worst feature's mean squared error times that \
     maximum; a statement with one constant is a flat line. The dashed line is 2(σ₀² + σ₁²) = 0.91, what coins give if as many people are randomised as the theorem says. conse lies above it by \
     2^(1−α), because the algorithm counts the first half alone. For dp-conse Theorem 3.3 is not true of Algorithm 2 with one constant for all ε: its T_min has the floor log n where the theorem has log(n)/ε, so \
     that noise of variance 8/(ε T)² is what is left at large α. At ε = 0.25 and α = 1 it is hundreds of times the rate, and \
     varies as much: T_j is then 12 give or take 11 people, and a few of them get noise of scale 2/(ε T_j) above 1.";
const SECOND: &str = "Lemma 3.4 (and the proof of Theorem 2.3 for conse), as published: the second half costs O(max(f_min(n)^(1−α), log(n)/ε) Σ Δ_j). Measured: its regret over that product. It holds with a constant below 1/2 (half of the \
     randomised people are on the worse arm) wherever every feature lost its worse arm in the first half. At ε = 0.25 it costs less than published, for the reason that its errors are larger: fewer people are randomised.";

/// One gap of one algorithm.
struct Pulls {
    agent: &'static str,
    gap: f64,
    mean: f64,
    most: u64,
    bound: f64,
}

/// One aim of one algorithm.
struct Rate {
    agent: &'static str,
    alpha: f64,
    length: f64,
    error: f64,
    error_se: f64,
    second: f64,
    second_sd: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let (mut pulls, mut rates) = (Vec::new(), Vec::new());
    for (agent, loss) in AGENTS {
        bench.progress.begin(&format!("{}: {agent}", bench.id));
        for gap in GAPS {
            pulls.push(pulls_of(bench, (agent, loss), gap)?);
        }
        for alpha in ALPHAS {
            rates.extend(rate(bench, (agent, loss), alpha)?);
        }
    }
    let panels = [
        ("-pulls", pulls_chart(bench, &pulls)),
        ("-error", rate_chart(bench, &rates, &ERROR)),
        ("-second", rate_chart(bench, &rates, &COST)),
    ];
    Ok(Section {
        title: "Lemmas 3.1 and 3.4, Corollary 3.2, Theorems 2.3 and 3.3: bounds beside the measurement",
        captions: [PULLS, ERRORS, SECOND].map(String::from).to_vec(),
        panels: panels.map(|(suffix, chart)| Panel { suffix: suffix.into(), chart }).into_iter().collect(),
        tables: vec![
            ("Pulls of the worse arm in the first half (Lemma 3.1), and its regret (Corollary 3.2).".into(), pulls_table(&pulls)),
            ("Errors (Theorems 2.3 and 3.3) and the second half's regret (Lemma 3.4) over the published rates.".into(), rate_table(&rates)),
        ],
        rows: csv(bench, &pulls, &rates),
    })
}

type Agent = (&'static str, Option<f64>);

fn halves(bench: &Bench<'_>, loss: Option<f64>, alpha: f64, world: World) -> Halves {
    let (trials, seed) = (bench.trials(TRIALS), bench.options.seed);
    Halves { epsilon: loss.map(epsilon), alpha, world, people: PEOPLE, trials, seed }
}

fn pulls_of(bench: &Bench<'_>, (agent, loss): Agent, gap: f64) -> Result<Pulls, ReproduceError> {
    let found = bench.halves(&halves(bench, loss, 1.0, World::alternating(Arrivals::equal(1), gap)))?;
    let all = || found.iter().map(|trial| trial.bad_pulls[0]);
    let mean = all().sum::<u64>() as f64 / found.len() as f64;
    let bound = most_bad_pulls(PEOPLE, gap, loss);
    Ok(Pulls { agent, gap, mean, most: all().max().unwrap_or(0), bound })
}

fn rate(bench: &Bench<'_>, (agent, loss): Agent, alpha: f64) -> Result<Option<Rate>, ReproduceError> {
    let halves = halves(bench, loss, alpha, World::alternating(Arrivals::equal(FEATURES), GAP));
    let found = bench.halves(&halves)?;
    let length = printed_length(&halves.world, PEOPLE, alpha, loss);
    let worst = (0..FEATURES).filter_map(|feature| squares(&halves.world, &found, feature));
    let Some((error, error_se)) = worst.max_by(|a, b| a.0.total_cmp(&b.0)) else { return Ok(None) };
    let product = length * GAP * FEATURES as f64;
    let (second, second_sd) = mean_and_sd(found.iter().map(|trial| trial.regret[1] / product));
    let (error, error_se) = (error * length, error_se * length);
    Ok(Some(Rate { agent, alpha, length, error, error_se, second, second_sd }))
}

/// A feature's mean squared error and its standard error.
fn squares(world: &World, found: &[Halved], feature: usize) -> Option<(f64, f64)> {
    let errors: Vec<f64> = found
        .iter()
        .filter_map(|trial| trial.estimates[feature])
        .map(|estimate| (estimate - world.effect(feature)) * (estimate - world.effect(feature)))
        .collect();
    let (mean, sd) = mean_and_sd(errors.iter().copied());
    (!errors.is_empty()).then(|| (mean, sd / (errors.len() as f64).sqrt()))
}

fn mean_and_sd(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let square = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, (square / (count - 1.0).max(1.0)).sqrt())
}

fn pulls_chart(bench: &Bench<'_>, pulls: &[Pulls]) -> Chart {
    let of = |agent: &str, value: &dyn Fn(&Pulls) -> f64| {
        pulls.iter().filter(|one| one.agent == agent).map(|one| (one.gap, value(one))).collect::<Vec<_>>()
    };
    let mut series: Vec<Series> =
        AGENTS.iter().map(|(agent, _)| Series::measured(*agent, of(agent, &|one| one.mean))).collect();
    series.push(Series::bound("Lemma 2.1, its constants", of(AGENTS[0].0, &|one| one.bound)));
    series.push(Series::bound("Lemma 3.1, ε = 1", of(AGENTS[1].0, &|one| one.bound)));
    let half = PEOPLE as f64 / 2.0;
    series.push(Series::bound("everybody in the first half", GAPS.map(|gap| (gap, half)).to_vec()));
    Chart {
        title: "Lemma 3.1: pulls of the worse arm in the first half".into(),
        subtitle: Some(subtitle(bench, 1)),
        x: Axis::log("gap"),
        y: Axis::log("pulls of the worse arm"),
        series,
        note: Some(note(bench.options)),
    }
}

fn subtitle(bench: &Bench<'_>, features: usize) -> String {
    let of =
        if features == 1 { "one feature".to_string() } else { format!("{features} features, gap {GAP}") };
    format!("{} people, {of}; mean of {} trials", number(PEOPLE as f64), bench.trials(TRIALS))
}

/// What a chart of rates shows.
struct Shown {
    title: &'static str,
    axis: &'static str,
    /// The name and height of what coins alone would give.
    bound: (&'static str, fn() -> f64),
    value: fn(&Rate) -> f64,
    half_band: fn(&Rate) -> f64,
}

const ERROR: Shown = Shown {
    title: "Theorems 2.3 and 3.3: error over the published rate",
    axis: "worst error × max(f_min(n)^(1−α), log n or log(n)/ε)",
    bound: ("coins: 0.91", || coin_variance([0.5 - GAP / 2.0, 0.5 + GAP / 2.0])),
    value: |rate| rate.error,
    half_band: |rate| 2.0 * rate.error_se,
};
const COST: Shown = Shown {
    title: "Lemma 3.4: the second half's regret over the published rate",
    axis: "regret / (max(f_min(n)^(1−α), log n or log(n)/ε) Σ Δ)",
    bound: ("half of the randomised: 0.5", || 0.5),
    value: |rate| rate.second,
    half_band: |rate| 2.0 * rate.second_sd,
};

fn rate_chart(bench: &Bench<'_>, rates: &[Rate], shown: &Shown) -> Chart {
    let measured = |(agent, _): &Agent| {
        let of = || rates.iter().filter(|rate| rate.agent == *agent);
        let points = of().map(|rate| (rate.alpha, (shown.value)(rate))).collect();
        let band = of().map(|rate| {
            let (value, half) = ((shown.value)(rate), (shown.half_band)(rate));
            ((value - half).max(0.2 * value), value + half)
        });
        Series::measured(*agent, points).with_band(band.collect())
    };
    let mut series: Vec<Series> = AGENTS.iter().map(measured).collect();
    let (name, height) = (shown.bound.0, (shown.bound.1)());
    series.push(Series::bound(name, ALPHAS.map(|alpha| (alpha, height)).to_vec()));
    Chart {
        title: shown.title.into(),
        subtitle: Some(subtitle(bench, FEATURES)),
        x: Axis::linear("α"),
        y: Axis::log(shown.axis),
        series,
        note: Some(note(bench.options)),
    }
}

fn pulls_table(pulls: &[Pulls]) -> Table {
    let head = [
        "algorithm",
        "gap",
        "pulls, mean",
        "largest",
        "bound",
        "bound / mean",
        "regret, mean",
        "Corollary 3.2's",
    ];
    let line = |one: &Pulls| {
        let regret = one.gap * one.mean;
        let cells = [
            one.agent.to_string(),
            one.gap.to_string(),
            number(one.mean),
            one.most.to_string(),
            number(one.bound),
            number(one.bound / one.mean),
            number(regret),
            number(one.gap * one.bound),
        ];
        (cells.to_vec(), false)
    };
    Table { head: head.map(String::from).to_vec(), rows: pulls.iter().map(line).collect() }
}

fn rate_table(rates: &[Rate]) -> Table {
    let head =
        ["algorithm", "α", "published length", "error × length ± se", "second half / (length Σ Δ) (sd)"];
    let line = |rate: &Rate| {
        let cells = [
            rate.agent.to_string(),
            rate.alpha.to_string(),
            number(rate.length),
            format!("{:.2} ± {:.2}", rate.error, rate.error_se),
            format!("{:.3} ({:.3})", rate.second, rate.second_sd),
        ];
        (cells.to_vec(), false)
    };
    Table { head: head.map(String::from).to_vec(), rows: rates.iter().map(line).collect() }
}

/// One table of two kinds of rows: what does not belong to a row is empty.
fn csv(bench: &Bench<'_>, pulls: &[Pulls], rates: &[Rate]) -> String {
    let mut text = "statement,algorithm,gap,alpha,people,trials,seed,measured,spread,bound\n".to_string();
    let (trials, seed) = (bench.trials(TRIALS), bench.options.seed);
    for one in pulls {
        let agent = one.agent.replace(',', "");
        let Pulls { gap, mean, most, bound, .. } = one;
        let _ = writeln!(text, "lemma 3.1,{agent},{gap},1,{PEOPLE},{trials},{seed},{mean},{most},{bound}");
    }
    for rate in rates {
        let agent = rate.agent.replace(',', "");
        let Rate { alpha, error, error_se, second, second_sd, .. } = rate;
        let _ =
            writeln!(text, "theorem 3.3,{agent},{GAP},{alpha},{PEOPLE},{trials},{seed},{error},{error_se},");
        let _ =
            writeln!(text, "lemma 3.4,{agent},{GAP},{alpha},{PEOPLE},{trials},{seed},{second},{second_sd},");
    }
    text
}
