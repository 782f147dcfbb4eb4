//! What is known of each arm in the end.

use reticent_chart::numbers::{count, number};
use reticent_chart::plot::{Axis, ForestChart, ForestRow};
use reticent_learn::mab::ArmEstimate;

use crate::mab::Experiment;
use crate::reproduce::mark;

/// What an agent knows of each arm, beside the truth that only a simulation has.
pub fn estimates_chart(experiment: &Experiment, known: &[ArmEstimate]) -> ForestChart {
    let truth = experiment.env.means();
    let gaps = experiment.env.gaps();
    let rows = known.iter().enumerate().map(|(arm, one)| ForestRow {
        name: experiment.env.labels()[arm].clone() + if gaps[arm] == 0.0 { " (best)" } else { "" },
        estimate: one.mean,
        interval: Some((one.interval[0], one.interval[1])),
        note: format!(
            "{}, truth {}, {}",
            one.mean.map_or("–".into(), number),
            number(truth[arm]),
            probability(one.probability_of_best)
        ),
        ..ForestRow::default()
    });
    let users = count(experiment.users);
    ForestChart {
        title: "What is known of each arm".into(),
        subtitle: Some(format!(
            "The first trial after {users} people. Lines hold the mean reward at all times together with a confidence of 95 % for each arm; nobody's reward was seen"
        )),
        x: Axis::linear("mean reward"),
        rows: rows.collect(),
        note_name: "estimate, truth, probability of being best".into(),
        note: Some(mark(experiment.seed)),
    }
}

fn probability(share: f64) -> String {
    match 100.0 * share {
        few if few < 0.1 => "< 0.1 %".into(),
        most if most > 99.9 => "> 99.9 %".into(),
        some => format!("{some:.1} %"),
    }
}
