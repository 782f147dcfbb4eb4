//! Table 2: classification as a bandit, rewards relative to adaptive bins without privacy.

mod chart;
mod compare;
mod data_set;
mod overview;
mod published;

use self::data_set::DataSet;
use super::bench::epsilon;
use super::section::count;
use super::{Bench, Measured, Panel, Section, note};
use crate::contextual::{AgentName, Experiment};
use crate::reproduce::ReproduceError;

/// The paper has 100.
const REPETITIONS: u32 = 10;
/// More people than these are left out, so that the table is done in minutes: it is as many as ADULT has.
const MOST_PEOPLE: u64 = 41_292;

/// The agents, each with the paper's name for it.
const METHODS: [(AgentName, &str); 4] = [
    (AgentName::LdpContextual, "ours"),
    (AgentName::LdpAbseTuned, "LDPMAB"),
    (AgentName::LdpGlm, "Linear"),
    (AgentName::LdpNn, "NN"),
];

const CAPTION: [&str; 4] = [
    "Labels are arms, and the right one earns 1. Numbers are mean rewards relative to ABSE (adaptive bins on raw records, our abse), at a quarter \
     of the people and at the end; w and wo: with and without the other groups of the file as sources. ours is ldp-contextual, LDPMAB \
     ldp-abse-tuned (the paper's algorithms, honest noise), Linear ldp-glm, NN ldp-nn.",
    "▲ marks the best of a row if it is significantly better than each of the others (Wilcoxon's signed-rank test, one-sided, level 0.05, over repetitions \
     that meet the same people in the same order); △ marks a best that is not. With fewer than five \
     repetitions nothing can be significant.",
    "Rows “published” are printed in the paper, for its own files, which are not published. Its ABSE evidently differs from ours: on our ADULT file even an \
     oracle on a grid of 8 × 8 × 8 cells earns only 0.795, which is 1.59 times uniform play, and the paper has ratios of 1.602 to its ABSE. Read published and ours within a row, not against each other.",
    "The yardstick for both is the share of the most frequent label: who earns less would do better to ignore all contexts.",
];

/// One method in one setting.
struct Entry {
    method: usize,
    epsilon: f64,
    /// The sources' loss; `None` without sources.
    source_epsilon: Option<f64>,
    measured: Measured,
}

impl Entry {
    /// The paper's name of it: w and wo are with and without sources.
    fn name(&self) -> String {
        format!("{} {}", METHODS[self.method].1, if self.source_epsilon.is_some() { "w" } else { "wo" })
    }
}

/// All results on one data set.
struct Results {
    users: u64,
    abse: Measured,
    entries: Vec<Entry>,
}

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Table 2: classification data as bandits",
        captions: CAPTION.iter().map(ToString::to_string).collect(),
        ..Section::default()
    };
    let mut read = Vec::new();
    for data in data_set::read_all(bench.options.data.as_deref())? {
        let results = run(bench, &data)?;
        read.push((data, results));
    }
    let table_1 = "Table 1: the data sets.".to_string();
    section.tables.push((table_1, overview::data_sets(&read)));
    for (data, results) in &read {
        section.rows.add(&results.abse, |users| results.times().contains(&users));
        for entry in &results.entries {
            section.rows.add(&entry.measured, |users| results.times().contains(&users));
        }
        let chart = chart::rewards(bench, data, results);
        section.panels.push(Panel { suffix: format!("-{}", data.name), chart });
        section.tables.push((heading(bench, data, results), compare::ratios(data, results)));
        let absolute = format!("{}: the same as mean rewards.", data.name);
        section.tables.push((absolute, compare::rewards(data, results)));
    }
    if let Some(table) = overview::rank_sums(&read) {
        let heading =
            "Rank sums over the rows of data sets with sources (of eight methods; the paper's of six).";
        section.tables.push((heading.to_string(), table));
    }
    Ok(section)
}

fn heading(bench: &Bench<'_>, data: &DataSet, results: &Results) -> String {
    let sources = match data.sources.len() {
        0 => "no other groups, hence no sources".to_string(),
        1 => "1 source".to_string(),
        many => format!("{many} sources"),
    };
    let [quarter, end] = results.times().map(|t| compare::mean(&results.abse.rewards_at(t)));
    format!(
        "{}: {} of {} people served, {sources}, {} repetitions. ABSE itself earns {quarter:.3} at n/4 and {end:.3} at n; always the most frequent label {:.3}.",
        data.name,
        count(results.users),
        count(data.people),
        bench.trials(REPETITIONS),
        data.majority
    )
}

fn run(bench: &Bench<'_>, data: &DataSet) -> Result<Results, ReproduceError> {
    let users = bench.people(data.people.min(MOST_PEOPLE));
    let measure = |agent: AgentName, loss: f64, source_loss: Option<f64>| {
        let sources =
            source_loss.map(|loss| data.sources.iter().map(|s| (s.clone(), epsilon(loss))).collect());
        bench.measure(Experiment {
            sources: sources.unwrap_or_default(),
            users,
            trials: bench.trials(REPETITIONS),
            seed: bench.options.seed,
            ..Experiment::new(agent, data.world.clone(), Some(epsilon(loss)))
        })
    };
    let abse = measure(AgentName::Abse, 1.0, None)?;
    let mut entries = Vec::new();
    let with: &[Option<f64>] = if data.sources.is_empty() { &[None] } else { &[None, Some(1.0), Some(4.0)] };
    for (method, (agent, _)) in METHODS.iter().enumerate() {
        for epsilon in [1.0, 2.0] {
            for &source_epsilon in with {
                let measured = measure(*agent, epsilon, source_epsilon)?;
                entries.push(Entry { method, epsilon, source_epsilon, measured });
            }
        }
    }
    Ok(Results { users, abse, entries })
}

impl Results {
    /// A quarter of the people, and all.
    fn times(&self) -> [u64; 2] {
        [(self.users / 4).max(1), self.users]
    }

    fn find(&self, method: usize, epsilon: f64, source_epsilon: Option<f64>) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            (entry.method, entry.epsilon, entry.source_epsilon) == (method, epsilon, source_epsilon)
        })
    }

    /// Every method with and without sources, at one pair of budgets; only without if there are none.
    fn row(&self, (epsilon, source_epsilon): (f64, f64)) -> Vec<&Entry> {
        let pair = |method| [Some(source_epsilon), None].map(|with| self.find(method, epsilon, with));
        (0..METHODS.len()).flat_map(pair).flatten().collect()
    }
}
