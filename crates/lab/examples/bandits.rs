//! The measurements of `docs/mab.md` that no figure of `reticent reproduce` shows.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example bandits -- regret ldp-thompson 0.5,0.55 0.5 100000 1 0 0 1000
//! cargo run --release -p reticent-lab --example bandits -- best ldp-top-two 0.5,0.6,0.7 1 0.05 2000
//! cargo run --release -p reticent-lab --example bandits -- intervals 0.4,0.5,0.6 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- probability 0.3 0.7 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- value 1 20000 1000
//! cargo run --release -p reticent-lab --example bandits -- visits ldp-thompson 1 16 20000 20
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use std::sync::Arc;

use reticent_device::mab::Device;
use reticent_lab::mab::bounds::identification;
use reticent_lab::mab::{AgentName, Environment, Experiment, Late, Playable, Run};
use reticent_lab::named::Named;
use reticent_learn::mab::{Agent, AgentKind};
use reticent_learn::value::Evaluation;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::{Lottery, Policy, Spec};

const SEED: u64 = 24;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        ["regret", agent, env, epsilon, users, batch, late, swap, trials] => regret(
            agent,
            &world(env),
            loss(epsilon),
            [users, batch, late, swap, trials].map(|text| text.parse().unwrap()),
        ),
        ["best", agent, env, epsilon, error, trials] => {
            best(agent, &world(env), loss(epsilon), error.parse().unwrap(), trials.parse().unwrap());
        }
        ["intervals", env, epsilon, users, trials] => {
            intervals(&world(env), loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["probability", low, high, epsilon, users, trials] => {
            let between = [low.parse().unwrap(), high.parse().unwrap()];
            probability(between, loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["value", epsilon, users, trials] => {
            value(loss(epsilon), users.parse().unwrap(), trials.parse().unwrap());
        }
        ["visits", agent, lifetime, visits, people, trials] => {
            let [visits, people, trials] = [visits, people, trials].map(|text| text.parse().unwrap());
            many_visits(agent.parse().unwrap(), loss(lifetime), visits, people, trials);
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

fn regret(agent: &str, env: &Environment, epsilon: Epsilon, [users, batch, late, swap, trials]: [u64; 5]) {
    let env = if swap > 0 { env.clone().swapped_after(swap) } else { env.clone() };
    let gaps = env.gaps();
    let even = users as f64 * gaps.iter().sum::<f64>() / gaps.len() as f64;
    let playable: Arc<dyn Playable> = match (late, agent.parse::<AgentKind>()) {
        (1.., Ok(agent)) => Arc::new(Late { agent, people: late as usize }),
        _ => AgentName::find(agent).unwrap().into(),
    };
    let trials = trials as u32;
    let (epsilon, seed) = (Some(epsilon), SEED);
    let experiment = Experiment { agent: playable, env, epsilon, users, batch, trials, seed, forgers: None };
    let mut regrets = Vec::new();
    let (mut after, mut changes, mut changed) = (Vec::new(), 0, 0);
    for trial in 0..trials {
        let mut run = Run::start(&experiment, trial).unwrap();
        if swap > 0 {
            run.advance(&experiment.env, swap).unwrap();
        }
        let before = run.regret();
        run.advance(&experiment.env, users).unwrap();
        regrets.push(run.regret());
        after.push(run.regret() - before);
        changes += run.found().1;
        changed += u32::from(run.found().1 > 0);
    }
    println!(
        "{agent} {} eps {} users {users} batch {batch} late {late}, {trials} trials: {}; even play {even:.1}; changes \
         noticed {changes}, in {changed} trials",
        experiment.env.name().rsplit('/').next().unwrap_or_default(),
        epsilon.unwrap(),
        summary(regrets)
    );
    if swap > 0 {
        println!("  after the swap: {}", summary(after));
    }
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

fn best(agent: &str, env: &Environment, epsilon: Epsilon, error: f64, trials: u64) {
    let kind: AgentKind = agent.parse().unwrap();
    let limit = identification(env, epsilon, error);
    let most = limit.map_or(1e6, |limit| 40.0 * limit) as u64;
    let (mut people, mut wrong, mut open) = (Vec::new(), 0, 0);
    for trial in 0..trials {
        let choices = SimSeed(SEED).stream(trial, Stream::Agent);
        let mut agent = kind.build(env.arms(), epsilon, choices).unwrap();
        let spec = agent.spec().clone();
        let mut table = Table::new(env, &spec, trial);
        let mut served = 0;
        while agent.found().is_none() && served < most {
            let policy = agent.policy(1);
            agent.absorb(&table.serve(&policy, true).2.unwrap()).unwrap();
            served += 1;
        }
        people.push(served as f64);
        match agent.found() {
            None => open += 1,
            Some(arm) => wrong += u32::from(env.gaps()[arm as usize] > 0.0),
        }
    }
    println!(
        "{agent} {:?} eps {epsilon}, {trials} runs: people {}; limit {:.0}; wrong {wrong}, open after {most}: {open}",
        env.means(),
        summary(people),
        limit.unwrap_or(f64::NAN)
    );
}

fn intervals(env: &Environment, epsilon: Epsilon, users: u64, trials: u64) {
    let arms = env.arms() as usize;
    let means = env.means();
    let (mut ever, mut at_end, mut once) = (vec![0; arms], vec![0; arms], vec![0; arms]);
    let (mut widths, mut narrow) = (vec![0.0; arms], vec![0.0; arms]);
    for trial in 0..trials {
        let choices = SimSeed(SEED).stream(trial, Stream::Agent);
        let mut agent = AgentKind::DEFAULT.build(env.arms(), epsilon, choices).unwrap();
        let spec = agent.spec().clone();
        let mut table = Table::new(env, &spec, trial);
        let mut missed = vec![false; arms];
        for served in 1..=users {
            let policy = agent.policy(1);
            agent.absorb(&table.serve(&policy, true).2.unwrap()).unwrap();
            if !served.is_multiple_of(users / 100) {
                continue;
            }
            for (arm, one) in agent.estimates().iter().enumerate() {
                let outside = |[low, high]: [f64; 2]| means[arm] < low || means[arm] > high;
                missed[arm] |= outside(one.interval);
                if served == users {
                    let now = one.interval_at_one_time(epsilon);
                    at_end[arm] += u32::from(outside(one.interval));
                    once[arm] += u32::from(outside(now));
                    widths[arm] += one.interval[1] - one.interval[0];
                    narrow[arm] += now[1] - now[0];
                }
            }
        }
        (0..arms).for_each(|arm| ever[arm] += u32::from(missed[arm]));
    }
    println!("eps {epsilon}, {users} people, {trials} runs: share of runs whose interval holds");
    let share = |misses: u32| 100.0 * (1.0 - f64::from(misses) / trials as f64);
    (0..arms).for_each(|arm| {
        println!(
            "  mean {}: at all times {:.1} %, the same at the end {:.1} % (width {:.3}), for one time {:.1} % (width {:.3})",
            means[arm],
            share(ever[arm]),
            share(at_end[arm]),
            widths[arm] / trials as f64,
            share(once[arm]),
            narrow[arm] / trials as f64
        );
    });
}

/// Arms drawn evenly from a range; how often an arm with a stated probability of being best is.
fn probability([low, high]: [f64; 2], epsilon: Epsilon, users: u64, trials: u64) {
    let mut bins = [(0.0, 0_u32, 0_u32); 10];
    for trial in 0..trials {
        let mut draws = SimSeed(SEED + 1).stream(trial, Stream::Environment);
        let means: Vec<f64> = (0..5).map(|_| low + (high - low) * draws.uniform()).collect();
        let env = bernoulli(&means);
        let choices = SimSeed(SEED).stream(trial, Stream::Agent);
        let mut agent = AgentKind::DEFAULT.build(5, epsilon, choices).unwrap();
        let spec = agent.spec().clone();
        let mut table = Table::new(&env, &spec, trial);
        let mut next = users / 100;
        for served in 1..=users {
            let policy = agent.policy(1);
            agent.absorb(&table.serve(&policy, true).2.unwrap()).unwrap();
            if served != next {
                continue;
            }
            next *= 10;
            for (one, gap) in agent.estimates().iter().zip(env.gaps()) {
                let bin = &mut bins[((10.0 * one.probability_of_best) as usize).min(9)];
                *bin = (bin.0 + one.probability_of_best, bin.1 + u32::from(gap == 0.0), bin.2 + 1);
            }
        }
    }
    println!(
        "eps {epsilon}, five arms in {low} to {high}, after {}, {} and {users} people, {trials} runs",
        users / 100,
        users / 10
    );
    for (sum, best, all) in bins.into_iter().filter(|bin| bin.2 > 0) {
        let all = f64::from(all);
        println!("  said {:.3}, was {:.3} of {all}", sum / all, f64::from(best) / all);
    }
}

fn value(epsilon: Epsilon, users: u64, trials: u64) {
    let env = bernoulli(&[0.3, 0.4, 0.5, 0.6]);
    let targets: [(&str, [f64; 4]); 3] =
        [("even", [0.25; 4]), ("one arm", [0.0, 0.0, 1.0, 0.0]), ("a mixture", [0.1, 0.2, 0.3, 0.4])];
    let mut found = vec![(0_u32, 0_u32, 0.0, 0.0, 0_u32); targets.len()];
    for trial in 0..trials {
        let choices = SimSeed(SEED).stream(trial, Stream::Agent);
        let mut agent = AgentKind::DEFAULT.build(4, epsilon, choices).unwrap();
        let spec = agent.spec().clone();
        let mut table = Table::new(&env, &spec, trial);
        let mut private: Vec<Evaluation> =
            targets.iter().map(|(_, target)| Evaluation::new(&spec, target.to_vec()).unwrap()).collect();
        let mut raw: Vec<Evaluation> =
            targets.iter().map(|(_, target)| Evaluation::raw(4, target.to_vec()).unwrap()).collect();
        let mut policy = explored(&agent.policy(256));
        for served in 0..users {
            if served.is_multiple_of(250) {
                policy = explored(&agent.policy(256));
            }
            let (arm, reward, report) = table.serve(&policy, true);
            let report = report.unwrap();
            if let Answer::Bit { bit, .. } = report.answer {
                for evaluation in &mut private {
                    evaluation.add(&policy.arms, arm, bit);
                }
            }
            for evaluation in &mut raw {
                evaluation.add(&policy.arms, arm, reward > 0.5);
            }
            // The lottery that was logged has more arms than the agent asked for: it is told the report alone.
            let _ = agent.absorb(&report);
        }
        for (at, (_, target)) in targets.iter().enumerate() {
            let truth: f64 = target.iter().zip(env.means()).map(|(share, mean)| share * mean).sum();
            let held = |[low, high]: [f64; 2]| u32::from((low..=high).contains(&truth));
            if let (Some(a), Some(b)) = (private[at].value(), raw[at].value()) {
                found[at].0 += held(a.interval);
                found[at].1 += held(b.interval);
                found[at].2 += a.interval[1] - a.interval[0];
                found[at].3 += b.interval[1] - b.interval[0];
                found[at].4 += 1;
            }
        }
    }
    for ((name, _), (held, held_raw, width, width_raw, logs)) in targets.iter().zip(found) {
        let logs = f64::from(logs);
        println!(
            "eps {epsilon}, {users} reports, {name}: held in {:.1} % of {logs} logs, width {:.4}; raw {:.1} %, width {:.4}",
            100.0 * f64::from(held) / logs,
            width / logs,
            100.0 * f64::from(held_raw) / logs,
            width_raw / logs
        );
    }
}

/// A policy that leaves every arm a share: one ticket in sixteen for each.
fn explored(policy: &Policy) -> Policy {
    let all: u32 = policy.arms.tickets().iter().map(|ticket| ticket.1).sum();
    let tickets = (0..4).map(|arm| {
        let given = (policy.arms.probability(arm) * f64::from(all)).round() as u32;
        (arm, 12 * given + all)
    });
    Policy { arms: Lottery::new(tickets.collect()).unwrap(), ..policy.clone() }
}

/// How a person with several visits spends a lifetime's loss.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// A share of it at each.
    Split,
    /// All of it at the first.
    First,
    /// All of it at one that is drawn beforehand.
    Drawn,
}

fn many_visits(kind: AgentKind, lifetime: Epsilon, visits: u64, people: u64, trials: u64) {
    let env = Environment::open("mab-bernoulli").unwrap();
    let gaps = env.gaps();
    for rule in [Rule::Split, Rule::First, Rule::Drawn] {
        let regrets: Vec<f64> = (0..trials)
            .map(|trial| {
                let loss = match rule {
                    Rule::Split => Epsilon::from_nano(lifetime.nano() / visits).unwrap(),
                    Rule::First | Rule::Drawn => lifetime,
                };
                let mut agent =
                    kind.build(env.arms(), loss, SimSeed(SEED).stream(trial, Stream::Agent)).unwrap();
                let spec = agent.spec().clone();
                let mut table = Table::new(&env, &spec, trial);
                let mut order = SimSeed(SEED).stream(trial, Stream::Source);
                let mut coming: Vec<u32> =
                    (0..people * visits).map(|visit| (visit / visits) as u32).collect();
                for at in (1..coming.len()).rev() {
                    coming.swap(at, (order.uniform() * (at + 1) as f64) as usize);
                }
                let answers: Vec<u64> = (0..people)
                    .map(|_| {
                        if matches!(rule, Rule::Drawn) { (order.uniform() * visits as f64) as u64 } else { 0 }
                    })
                    .collect();
                let mut came = vec![0_u64; people as usize];
                let (mut lost, mut policy) = (0.0, agent.policy(100));
                for (at, person) in coming.into_iter().enumerate() {
                    if at.is_multiple_of(100) {
                        policy = agent.policy(100);
                    }
                    let visit = &mut came[person as usize];
                    let sends = matches!(rule, Rule::Split) || *visit == answers[person as usize];
                    *visit += 1;
                    let (arm, _, report) = table.serve(&policy, sends);
                    lost += gaps[arm as usize];
                    if let Some(report) = report {
                        agent.absorb(&report).unwrap();
                    }
                }
                lost / (people * visits) as f64
            })
            .collect();
        let (mean, sd) = mean_and_deviation(&regrets);
        println!(
            "{kind} lifetime eps {lifetime}, {people} people x {visits} visits, {trials} trials, {rule:?}: lost per visit \
             mean {mean:.5} sd {sd:.5} worst {:.5}",
            regrets.iter().copied().fold(0.0, f64::max)
        );
    }
}
