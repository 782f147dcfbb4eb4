//! A figure's numbers as CSV.

use std::fmt::Write;

use super::Measured;
use crate::contextual::Point;
use crate::reproduce::Csv;

/// Rows of a CSV file.
#[derive(Debug, Default)]
pub(crate) struct Rows(String);

const HEAD: &str = "agent,environment,epsilon,sources,horizon,trials,seed,users,regret_mean,regret_sd,ci95_low,ci95_high,reward_mean,reward_sd\n";

impl Rows {
    /// Adds the points of a result that `wanted` picks by their number of people.
    pub(super) fn add(&mut self, measured: &Measured, wanted: impl Fn(u64) -> bool) {
        for point in measured.outcome.curve.iter().filter(|point| wanted(point.users)) {
            self.point(measured, point);
        }
    }

    /// Adds what was found after all people.
    pub(super) fn add_end(&mut self, measured: &Measured) {
        self.add(measured, |users| users == measured.experiment.users);
    }

    fn point(&mut self, measured: &Measured, point: &Point) {
        let o = &measured.outcome;
        let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let epsilon = o.epsilon.filter(|_| measured.experiment.agent.needs_epsilon());
        let (regret, reward) = (point.regret, point.mean_reward);
        let _ = writeln!(
            self.0,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            o.agent,
            file_name(&o.env),
            epsilon.map_or(String::new(), |epsilon| epsilon.to_string()),
            sources(measured),
            o.users,
            o.trials,
            o.seed,
            point.users,
            regret.mean,
            text(regret.sd),
            text(regret.ci95.map(|ends| ends[0])),
            text(regret.ci95.map(|ends| ends[1])),
            reward.mean,
            text(reward.sd),
        );
    }
}

/// A data world is named by its path, which is nobody's business: the file's name alone.
pub(super) fn file_name(world: &str) -> &str {
    world.rsplit(['/', '\\', ':']).next().unwrap_or(world)
}

fn sources(measured: &Measured) -> String {
    let one = |(source, epsilon): &(crate::contextual::env::Source, _)| match source.epsilon() {
        Some(_) => source.description().replace(',', " "),
        None => format!("{} epsilon={epsilon}", source.description()),
    };
    measured.experiment.sources.iter().map(one).collect::<Vec<_>>().join(" + ")
}

impl Csv for Rows {
    fn csv(&self) -> String {
        format!("{HEAD}{}", self.0)
    }
}
