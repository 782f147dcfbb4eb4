//! Figures 1 to 3: the curve of regret against error, for arrivals, for losses and for rare features.

use super::bench::epsilon;
use super::curve::{CSV_HEAD, Curve, OURS, Setting, table};
use super::{Bench, Panel, Section, note};
use crate::conse::{RunnerKind, World, least_product};
use crate::reproduce::ReproduceError;
use crate::trial::Arrivals;
use reticent_chart::numbers::number;
use reticent_chart::plot::{Axis, Chart, Series};

const PEOPLE: u64 = 100_000;
const FEATURES: usize = 5;
const GAP: f64 = 0.3;
const TRIALS: u32 = 20;
const LOSSES: [f64; 3] = [0.25, 1.0, 4.0];
/// The share of the rarest of five features; the others share the rest.
const RAREST: [f64; 4] = [0.2, 0.05, 0.01, 0.002];

const CAPTION: &str = "Five features, Bernoulli rewards with means 0.35 and 0.65, the better arm alternating by feature; α from 0 (estimate well, \
     at the right end of a curve) to 1 (lose little, at its left end). \
     Regret is what people lost on average against the better arm; error is the worst feature's mean squared error of the effect over the trials that \
     have an estimate, with a band of two standard errors; the worst of five means of few squares lies above their common expectation. The paper's figures are drawings of the theorem error × regret = O(M), without numbers.";

const SEEN: &str = "The dashed line is what randomised people alone give: T people of each feature have error 4 · 0.2275/T and lose 0.15 · 5 T, so that error × regret = \
     0.137 M. Curves leave it where regret does not fall any more: before an arm is removed the printed constants randomise some 1,800 people of each feature (conse) or \
     3,700 (dp-conse), whatever α, so that error × regret grows a hundredfold along a curve. dp-conse at ε = 0.25 errs by more than 1 at α from 0.7 on: Algorithm 2 has the floor log n \
     where the theorem has log(n)/ε, and a handful of people gets noise of scale 2/(ε T_j). A feature with fewer people never loses an arm, and is then given arm 0 by our reading. No estimate is made where fewer than T_j people \
     come in the second half, which at α = 0 is frequent: T_min is the rarest feature's count in the first half, and its count in the second is as often below.";

const LEAST: &str = "The lower dashed line is Theorem 2.1, inf max error × regret ≥ Ω(M), with the constant of its proof (Lemma 1.1): error × regret ≥ 3 gap/128 for rewards of −1 and 1, which is \
     3 gap/512 = 0.0018 for each feature with rewards in [0, 1]. No curve is below it, and the best are 78 times above: it takes Pinsker's inequality where the randomised people's own law is known. \
     The proof multiplies the error of one instance by the regret of another; what it shows is that no design has both a regret of R in an instance and an error below the line in all instances near it. \
     Lemma 1.1 is printed with 16/3 under the root, and its proof has 8/3, which is better and is used here.";

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let figures = [
        (1, "-fig1", "Figure 1: conse, by arrivals", arrivals(bench)?),
        (2, "-fig2", "Figure 2: by the loss ε", losses(bench)?),
        (3, "-fig3", "Figure 3: by the rarest feature's share, ε = 1", rarities(bench)?),
    ];
    let mut section = Section {
        title: "Figures 1 to 3: regret against error",
        captions: vec![CAPTION.to_string(), SEEN.to_string(), LEAST.to_string()],
        rows: CSV_HEAD.to_string(),
        ..Section::default()
    };
    for (figure, suffix, title, curves) in figures {
        section.panels.push(Panel { suffix: suffix.into(), chart: chart(bench, title, &curves) });
        section.tables.push((format!("{title}."), table(&curves)));
        for curve in &curves {
            curve.write(&mut section.rows, figure, bench.options.seed);
        }
    }
    Ok(section)
}

const PRIVATE_TRIAL: RunnerKind = RunnerKind::PrivateTrial { first_epoch: None };

fn setting(bench: &Bench<'_>, name: String, arrivals: Arrivals, loss: Option<f64>) -> Setting {
    Setting {
        kind: RunnerKind::Paper,
        name,
        epsilon: loss.map(epsilon),
        world: World::alternating(arrivals, GAP),
        people: bench.people(PEOPLE),
        trials: bench.trials(TRIALS),
    }
}

fn arrivals(bench: &Bench<'_>) -> Result<Vec<Curve>, ReproduceError> {
    let (shares, people) = (vec![1.0; FEATURES], bench.people(PEOPLE));
    let laws = [
        Arrivals::equal(FEATURES),
        // Ten seasons in each half.
        Arrivals::Seasonal { shares: shares.clone(), period: people / 20 },
        Arrivals::Blocks { shares, people },
    ];
    let curve = |law: Arrivals| {
        let name = format!("conse, {}", law.name());
        Curve::measure(bench, setting(bench, name, law, None))
    };
    laws.into_iter().map(curve).collect()
}

fn losses(bench: &Bench<'_>) -> Result<Vec<Curve>, ReproduceError> {
    let law = || Arrivals::equal(FEATURES);
    let mut curves = vec![Curve::measure(bench, setting(bench, "conse, not private".into(), law(), None))?];
    for loss in LOSSES {
        let of = |agent: &str| setting(bench, format!("{agent} ε = {loss}"), law(), Some(loss));
        curves.push(Curve::measure(bench, of("dp-conse"))?);
        curves.push(Curve::measure(bench, Setting { kind: PRIVATE_TRIAL, ..of(OURS) })?);
    }
    Ok(curves)
}

fn rarities(bench: &Bench<'_>) -> Result<Vec<Curve>, ReproduceError> {
    let mut curves = Vec::new();
    for share in RAREST {
        let mut shares = vec![(1.0 - share) / (FEATURES - 1) as f64; FEATURES];
        shares[0] = share;
        let law = || Arrivals::Stationary { shares: shares.clone() };
        let of = |agent: &str| setting(bench, format!("{agent}, share {share}"), law(), Some(1.0));
        curves.push(Curve::measure(bench, of("dp-conse"))?);
        curves.push(Curve::measure(bench, Setting { kind: PRIVATE_TRIAL, ..of(OURS) })?);
    }
    Ok(curves)
}

/// error x regret of randomised people alone, over M: 4 sigma^2 / T times T gap / 2.
const RANDOMISED: f64 = 4.0 * (0.25 - GAP * GAP / 4.0) * GAP / 2.0;

fn chart(bench: &Bench<'_>, title: &str, curves: &[Curve]) -> Chart {
    let regrets = curves.iter().flat_map(|curve| &curve.points).map(|point| point.regret);
    let (low, high) = regrets.fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(r), h.max(r)));
    let line = [low, high].map(|regret| (regret, RANDOMISED * FEATURES as f64 / regret)).to_vec();
    let least = [low, high].map(|regret| (regret, least_product(GAP) * FEATURES as f64 / regret)).to_vec();
    let mut series: Vec<Series> = curves.iter().map(Curve::series).collect();
    series.push(Series::bound("error × regret = 0.137 M", line));
    series.push(Series::bound("Theorem 2.1: 0.0018 M at least", least));
    Chart {
        title: title.to_string(),
        subtitle: Some(format!(
            "{} people, {FEATURES} features, gap {GAP}; α from 0 to 1; {} trials, bands are two standard errors",
            number(bench.people(PEOPLE) as f64),
            bench.trials(TRIALS)
        )),
        x: Axis::log("regret"),
        y: Axis::log("worst mean squared error of an effect"),
        series,
        note: Some(note(bench.options)),
    }
}
