//! What a user asks of a simulation: how soon people get the best arm, and what is known of each arm in the end.

use reticent_chart::numbers::{count, number};
use reticent_chart::plot::{Axis, Chart, ForestChart, ForestRow, Series};
use reticent_learn::mab::ArmEstimate;

use crate::mab::{BestArm, Experiment};
use crate::reproduce::mark;

/// Shares of fewer people than this jump about; all are shown if there are few people.
const FIRST_SHOWN: u64 = 100;

/// The share of people who get the best arm, against how many came before.
pub fn best_arm_chart(title: &str, subtitle: &str, best: &BestArm, seed: u64) -> Chart {
    let users = best.share.last().map_or(0, |point| point.users);
    let first = if users > 10 * FIRST_SHOWN { FIRST_SHOWN } else { 1 };
    let shown: Vec<_> = best.share.iter().filter(|point| point.users >= first).collect();
    let percent = |share: f64| 100.0 * share;
    let points = shown.iter().map(|point| (point.users as f64, percent(point.summary.mean))).collect();
    let band = shown.iter().map(|point| {
        let [low, high] = point.summary.ci95.unwrap_or([point.summary.mean; 2]);
        (percent(low).clamp(0.0, 100.0), percent(high).clamp(0.0, 100.0))
    });
    let mut series = vec![Series::measured("on the best arm", points).with_band(band.collect())];
    if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
        let goal = percent(best.goal);
        let ends = [first, last].map(|point| (point.users as f64, goal)).to_vec();
        series.push(Series::bound(format!("{goal:.0} %"), ends));
    }
    Chart {
        title: title.to_string(),
        subtitle: Some(format!("{subtitle}. {}", capital(&best.words()))),
        x: Axis::log("people served"),
        y: Axis::linear("of the people then, on the best arm (%)"),
        series,
        note: Some(mark(seed)),
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

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
