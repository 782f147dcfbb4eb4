//! Figure 7 in numbers, and beside what the authors' code gives.

use super::published::{Published, SIZES};
use super::{Sweep, WORLD, sweep};
use crate::contextual::AgentName;
use crate::contextual::reproduce::Bench;
use crate::contextual::reproduce::rows::Rows;
use crate::contextual::reproduce::section::{cells, plus_minus};
use crate::reproduce::ReproduceError;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;

/// A row for each line, a column for each size.
pub(super) fn by_size(sweeps: &[Sweep], sizes: &[u64]) -> Table {
    let head = std::iter::once("agent".to_string()).chain(sizes.iter().map(|&size| number(size as f64)));
    let row = |sweep: &Sweep| {
        let cell = |&size: &u64| sweep.at(size).map_or("–".to_string(), |regret| number(regret.mean));
        let row = std::iter::once(sweep.name.clone()).chain(sizes.iter().map(cell));
        (row.collect(), sweep.agent == AgentName::LdpContextual)
    };
    Table { head: head.collect(), rows: sweeps.iter().map(row).collect() }
}

/// What stands above the comparison.
pub(super) fn heading(world: &str) -> String {
    let honest = if world == WORLD {
        " “With honest noise” is the same code with noise in every bin, 3 to 8 runs with a wide spread."
    } else {
        ""
    };
    format!(
        "World {world}, no source, beside the authors' published code, which we ran 30 times. It adds noise only in the person's own bin, so it is \
         not ε-LDP and its regret is too good: a number to beat honestly, not one to reach by the same means.{honest} abse-published shares its silence but not all of its rules, and does not reach its \
         numbers: it is no reproduction of that code. ldp-abse-tuned is at some ε weaker than the code with honest noise, too. The fair rivals of \
         ldp-contextual in this table are the authors' own columns."
    )
}

/// Ours, the tuned agent and the rebuilt published code beside the published code's own numbers.
pub(super) fn beside(
    bench: &Bench<'_>,
    world: &str,
    published: &[Published],
    rows: &mut Rows,
) -> Result<Table, ReproduceError> {
    let with_honest = published.iter().any(|p| p.honest.is_some());
    let sizes = SIZES.map(|size| bench.people(size));
    let mut table = Table { head: head(with_honest), rows: Vec::new() };
    let mut lines: [Vec<(Vec<String>, bool)>; 2] = Default::default();
    for p in published {
        let run = |agent, sizes: &[u64]| sweep(bench, agent, (world, p.epsilon, &[]), sizes);
        // ldp-contextual needs no horizon; the run of the largest size has both.
        let agents = [
            run(AgentName::AbsePublished, &sizes)?,
            run(AgentName::LdpAbseTuned, &sizes)?,
            run(AgentName::LdpContextual, &sizes[1..])?,
        ];
        for one in agents.iter().flat_map(|sweep| &sweep.runs) {
            rows.add(one, |users| sizes.contains(&users));
        }
        for (place, line) in lines.iter_mut().enumerate() {
            line.push((row(p, place, sizes[place], &agents, with_honest), false));
        }
    }
    table.rows = lines.concat();
    Ok(table)
}

fn head(with_honest: bool) -> Vec<String> {
    let mut head =
        cells(&["people and ε", "authors' code, not ε-LDP", "abse-published, our approximation of it"]);
    if with_honest {
        head.push("authors' code with honest noise".into());
    }
    head.extend(cells(&["ldp-abse-tuned", "ldp-contextual (ours)"]));
    head
}

fn row(p: &Published, place: usize, size: u64, agents: &[Sweep; 3], with_honest: bool) -> Vec<String> {
    // A quick look has fewer people than the published number.
    let all =
        if size == SIZES[place] { String::new() } else { format!(" (at {})", number(SIZES[place] as f64)) };
    let known = |value: f64| format!("{}{all}", number(value));
    let measured = |sweep: &Sweep| sweep.at(size).map_or("–".to_string(), plus_minus);
    let [rebuilt, tuned, ours] = agents;
    let mut row =
        vec![format!("{}, ε = {}", number(size as f64), p.epsilon), known(p.code[place]), measured(rebuilt)];
    if with_honest {
        row.push(p.honest.map_or("–".to_string(), |honest| known(honest[place])));
    }
    row.extend([measured(tuned), measured(ours)]);
    row
}
