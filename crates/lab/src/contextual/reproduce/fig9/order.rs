//! Figure 9 (c): two sources in either order.

use super::{AGENTS, Bench, Measured, Panel, SOURCE_PEOPLE, Section, TRIALS, WORLD, note};
use crate::contextual::reproduce::bench::source;
use crate::contextual::reproduce::section::{cells, line, plus_minus};
use crate::contextual::{AgentName, Experiment, Trial};
use crate::reproduce::ReproduceError;
use crate::stats::Summary;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};

const SIZES: [u64; 2] = [10_000, 80_000];
const EPSILONS: [(&str, f64); 2] = [("c1", 1.0), ("c2", 2.0)];
/// Good source first, poor source first.
const ORDERS: [(&str, [f64; 2]); 2] = [("good source first", [8.0, 2.0]), ("poor source first", [2.0, 8.0])];
const FIRST_SHOWN: u64 = 100;

/// One agent at one size, in both orders.
struct Pair {
    agent: AgentName,
    epsilon: f64,
    users: u64,
    orders: [Measured; 2],
}

pub(super) fn add(bench: &Bench<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let mut pairs = Vec::new();
    for (_, epsilon) in EPSILONS {
        for size in SIZES {
            for agent in AGENTS {
                pairs.push(pair(bench, agent, epsilon, bench.people(size))?);
            }
        }
    }
    for (suffix, epsilon) in EPSILONS {
        section.panels.push(Panel { suffix: suffix.into(), chart: chart(bench, epsilon, &pairs) });
    }
    for measured in pairs.iter().flat_map(|pair| &pair.orders) {
        section.rows.add_end(measured);
    }
    let heading = "(c) Regret by the order of two sources with ε_m = 8 (good) and 2 (poor), mean ± half the width of the 95 % interval; the difference \
         is within trials of one number, which meet the same people.";
    section.tables.push((heading.to_string(), table(&pairs)));
    Ok(())
}

fn pair(bench: &Bench<'_>, agent: AgentName, epsilon: f64, users: u64) -> Result<Pair, ReproduceError> {
    let run = |losses: [f64; 2]| {
        let two = losses.map(|loss| source(bench.people(SOURCE_PEOPLE), 0.0, 1.0, loss));
        let base = bench.experiment(agent, WORLD, epsilon, &two)?;
        bench.measure(Experiment { users, trials: bench.trials(TRIALS), ..base })
    };
    let [(_, good), (_, poor)] = ORDERS;
    Ok(Pair { agent, epsilon, users, orders: [run(good)?, run(poor)?] })
}

fn chart(bench: &Bench<'_>, epsilon: f64, pairs: &[Pair]) -> Chart {
    let largest = bench.people(SIZES[1]);
    let shown = pairs.iter().filter(|pair| pair.epsilon == epsilon && pair.users == largest);
    let both =
        shown.flat_map(|pair| pair.orders.iter().zip(ORDERS).map(|(m, (order, _))| (pair.agent, order, m)));
    Chart {
        title: format!("Figure 9 (c): two sources in either order, ε = {epsilon}"),
        subtitle: Some(format!(
            "World {WORLD}, {} people; mean of {} trials, bands are 95 % confidence intervals",
            number(largest as f64),
            bench.trials(TRIALS)
        )),
        x: Axis::log("people served"),
        y: Axis::log("regret"),
        series: both.map(|(agent, order, measured)| curve(format!("{agent}, {order}"), measured)).collect(),
        note: Some(note(bench.options)),
    }
}

fn curve(name: String, measured: &Measured) -> Series {
    let shown = measured.outcome.curve.iter().filter(|point| point.users >= FIRST_SHOWN);
    line(name, &shown.map(|point| (point.users as f64, point.regret)).collect::<Vec<_>>())
}

/// Good first less poor first, trial by trial.
fn difference([good, poor]: &[Measured; 2]) -> Option<Summary> {
    let end = |trial: &Trial| trial.regret.last().copied();
    let pairs = good.trials.iter().zip(&poor.trials);
    Summary::of(&pairs.filter_map(|(a, b)| Some(end(a)? - end(b)?)).collect::<Vec<_>>())
}

fn table(pairs: &[Pair]) -> Table {
    let row = |pair: &Pair| {
        let [good, poor] = &pair.orders;
        let row = vec![
            format!("{}, ε = {}, {} people", pair.agent, pair.epsilon, number(pair.users as f64)),
            plus_minus(good.regret()),
            plus_minus(poor.regret()),
            difference(&pair.orders).map_or("–".to_string(), plus_minus),
        ];
        (row, pair.agent == AgentName::LdpContextual)
    };
    let head = cells(&["agent", "good source first", "poor source first", "good less poor"]);
    Table { head, rows: pairs.iter().map(row).collect() }
}
