//! What is lost, in worlds that change and with reports that come late.

use std::sync::Arc;

use reticent_lab::mab::{AgentName, Environment, Experiment, Late, Playable, Run};
use reticent_lab::named::Named;
use reticent_learn::mab::AgentKind;
use reticent_privacy::Epsilon;

use super::{SEED, summary};

pub(super) fn regret(
    agent: &str,
    env: &Environment,
    epsilon: Epsilon,
    [users, batch, late, swap, trials]: [u64; 5],
) {
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
