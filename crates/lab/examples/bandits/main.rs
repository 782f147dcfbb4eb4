//! The measurements of `docs/mab.md` that no figure of `reticent reproduce` shows.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example bandits -- regret ldp-thompson 0.5,0.55 0.5 100000 1 0 0 1000
//! cargo run --release -p reticent-lab --example bandits -- best ldp-top-two 0.5,0.6,0.7 1 0.05 2000
//! cargo run --release -p reticent-lab --example bandits -- intervals 0.4,0.5,0.6 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- probability 0.3 0.7 5 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- value 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- contexts 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- visits ldp-thompson 1 16 20000 20
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

mod contexts;
mod regret;
mod told;
mod value;
mod visits;

use reticent_device::mab::Device;
use reticent_lab::mab::Environment;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::mab::{Policy, Spec};

const SEED: u64 = 24;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        ["regret", agent, env, epsilon, users, batch, late, swap, trials] => regret::regret(
            agent,
            &world(env),
            loss(epsilon),
            [users, batch, late, swap, trials].map(|text| text.parse().unwrap()),
        ),
        ["best", agent, env, epsilon, error, trials] => {
            told::best(agent, &world(env), loss(epsilon), error.parse().unwrap(), trials.parse().unwrap());
        }
        ["intervals", env, epsilon, users, trials] => {
            told::intervals(&world(env), loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["probability", low, high, arms, epsilon, users, trials] => {
            let between = [low.parse().unwrap(), high.parse().unwrap()];
            let [users, trials] = [users, trials].map(|text| text.parse().unwrap());
            told::probability(between, arms.parse().unwrap(), loss(epsilon), users, trials);
        }
        ["value", epsilon, users, trials] => {
            value::value(loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["contexts", epsilon, users, trials] => {
            contexts::value(loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["visits", agent, lifetime, visits, people, trials] => {
            let [visits, people, trials] = [visits, people, trials].map(|text| text.parse().unwrap());
            visits::many_visits(agent.parse().unwrap(), loss(lifetime), visits, people, trials);
        }
        _ => println!("see the head of this file"),
    }
}

fn loss(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// A built-in environment, or yes-or-no arms with these means.
fn world(text: &str) -> Environment {
    if let Ok(env) = Environment::open(text) {
        return env;
    }
    bernoulli(&text.split(',').map(|mean| mean.parse().unwrap()).collect::<Vec<f64>>())
}

fn bernoulli(means: &[f64]) -> Environment {
    let arm = |mean: &f64| format!("[[arm]]\nkind = \"bernoulli\"\nmean = {mean:?}\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arms.toml");
    std::fs::write(&path, means.iter().map(arm).collect::<String>()).unwrap();
    Environment::open(&format!("file:{}", path.display())).unwrap()
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}

fn summary(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let (mean, sd) = mean_and_deviation(&values);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    format!("mean {mean:.1} sd {sd:.1} median {:.1} 99 % {:.1} worst {:.1}", at(0.5), at(0.99), at(1.0))
}

/// Runs of an agent with devices of its own, policy after policy.
struct Table<'a> {
    env: &'a Environment,
    world: SimRng,
    device: Device<SimRng>,
    loss: Epsilon,
}

impl<'a> Table<'a> {
    fn new(env: &'a Environment, spec: &Spec, trial: u64) -> Table<'a> {
        let seed = SimSeed(SEED);
        let device = Device::simulated(spec, spec.epsilon(), seed.stream(trial, Stream::Noise));
        Table { env, world: seed.stream(trial, Stream::Environment), device, loss: spec.epsilon() }
    }

    /// One person: their arm, their reward, and their report if they send one.
    fn serve(&mut self, policy: &Policy, sends: bool) -> (u32, f64, Option<reticent_protocol::Report>) {
        self.device.next_person(self.loss);
        let choice = self.device.choose(policy).unwrap();
        let arm = choice.arm();
        let reward = self.env.draw(arm, &mut self.world);
        let report = sends.then(|| self.device.answer(choice, reward).unwrap());
        (arm, reward, report)
    }
}
