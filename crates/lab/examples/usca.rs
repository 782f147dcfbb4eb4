//! The paper's algorithm with its approximating set as large as the paper has it, beside one that is cut: time, the
//! most memory, the supremum, and what is lost.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example usca -- 100000 full
//! cargo run --release -p reticent-lab --example usca -- 100000 65536
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use reticent_baselines::kernel::{Usca, UscaSpec};
use reticent_curate::kernel::{
    Draft, Family, Form, Input, Kernel, KernelSpec, Points, Population, Reward, Shape,
};
use reticent_lab::kernel::Target;
use reticent_privacy::{Epsilon, SimSeed, Stream};

const SEED: SimSeed = SimSeed(1);
const CONTEXTS: usize = 200;
const BOUND: f64 = 1.3;
const THREADS: usize = 2;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let people: usize = words[0].parse().unwrap();
    let most = if words[1] == "full" { usize::MAX } else { words[1].parse().unwrap() };
    let target = Target::rkhs(
        &Kernel::product(Family::MaternFiveHalves, &[0.3, 0.3]).unwrap(),
        1,
        30,
        &mut SEED.stream(0, Stream::Source),
    );
    let records = target.records(people, 0.1, BOUND, &mut SEED.stream(0, Stream::Environment));
    let spec = UscaSpec {
        tau: 0.1,
        epsilon: Epsilon::new(1.0).unwrap(),
        candidates: Points::candidates(1),
        most_approximating: most,
    };
    let start = reticent_lab::clock::Stopwatch::start();
    let mut usca = Usca::new(&setting(), &Population::Uniform, people, spec, SimSeed(2), THREADS).unwrap();
    let built = start.seconds();
    usca.add(&records).unwrap();
    let mut noise = SEED.stream(0, Stream::Noise);
    let mut people_who_ask = SEED.stream(1, Stream::Environment);
    let lost: f64 = (0..CONTEXTS)
        .map(|_| {
            let context = target.context(&mut people_who_ask);
            let action = usca.predict(&context, &mut noise).unwrap();
            target.best(&context) - target.value(&action, &context)
        })
        .sum();
    println!("T {people}, Z {} points, gamma_T {:.1}", usca.approximating(), usca.gain().even);
    println!("built in {built:.1} s on {THREADS} threads; most memory {}", most_memory());
    println!("supremum {:.6}; loses {:.4}", usca.supremum(), lost / CONTEXTS as f64);
}

fn setting() -> KernelSpec {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.3, levels: None };
    let plan = Draft {
        experiment: None,
        actions: vec![input("action")],
        contexts: vec![input("context")],
        reward: Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: 0.1 / BOUND },
        kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank: 200 },
    };
    plan.try_into().unwrap()
}

/// As the system says it, where it does.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "not known".into(), |line| line.trim().into())
}
