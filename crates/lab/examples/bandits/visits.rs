//! One person, many visits.

use reticent_lab::mab::Environment;
use reticent_learn::mab::{Agent, AgentKind};
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::{SEED, Table, mean_and_deviation};

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

pub(super) fn many_visits(kind: AgentKind, lifetime: Epsilon, visits: u64, people: u64, trials: u64) {
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
