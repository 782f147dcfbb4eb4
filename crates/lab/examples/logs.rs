//! Some trials of one kind of log, without the process on raw data: a line each, then their means.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example logs -- outcome 10000 8 11
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use reticent_lab::kernel::{HABITS, Learned, LogExperiment, WORLDS};
use reticent_privacy::Epsilon;

/// What a column is called, and how it is read off a trial.
type Column = (&'static str, fn(&Learned) -> f64);

const COLUMNS: [Column; 16] = [
    ("loss", |one| one.loss),
    ("own", |one| one.own),
    ("constant", |one| one.constant),
    ("private", |one| one.private_constant),
    ("uniform", |one| one.uniform),
    ("error", |one| one.error),
    ("said", |one| one.expected_error),
    ("band", |one| one.band),
    ("at best", |one| one.band_at_best),
    ("width", |one| one.width_at_best),
    ("supported", |one| one.supported),
    ("at those", |one| one.band_at_supported),
    ("usual", |one| one.usual),
    ("even sup", |one| one.supported_even),
    ("at those", |one| one.band_at_supported_even),
    ("doubtful", |one| f64::from(one.doubtful)),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words[1..].iter().map(|word| word.parse().unwrap()).collect();
    let (people, trials, seed) = (numbers[0], numbers[1], numbers[2]);
    let start = numbers.get(3).copied().unwrap_or(0);
    let world = *WORLDS.iter().chain(&HABITS).find(|world| world.id == words[0]).unwrap();
    let epsilon = Epsilon::new(1.0).unwrap();
    let experiment = LogExperiment { world, people, epsilon, trials: trials as u32, seed };
    let names: Vec<String> = COLUMNS.iter().map(|(name, _)| format!("{name:>9}")).collect();
    println!("{} {people} seed {seed}\n        {}", world.id, names.join(" "));
    let learned: Vec<Learned> = (start..start + trials)
        .map(|trial| {
            let one = experiment.alone(trial).unwrap();
            let cells: Vec<String> =
                COLUMNS.iter().map(|(_, value)| format!("{:9.4}", value(&one))).collect();
            println!("{trial:7} {}", cells.join(" "));
            one
        })
        .collect();
    let count = learned.len() as f64;
    for (name, deviation) in [("mean", false), ("sd", true)] {
        let cells: Vec<String> = COLUMNS
            .iter()
            .map(|(_, value)| {
                let mean = learned.iter().map(value).sum::<f64>() / count;
                let square = learned.iter().map(|one| (value(one) - mean).powi(2)).sum::<f64>();
                format!("{:9.4}", if deviation { (square / (count - 1.0).max(1.0)).sqrt() } else { mean })
            })
            .collect();
        println!("{name:>7} {}", cells.join(" "));
    }
}
