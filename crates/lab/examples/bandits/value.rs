//! What intervals of `learn::value` hold.

use reticent_learn::mab::{Agent, AgentKind};
use reticent_learn::value::Evaluation;
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::{Lottery, Policy};

use super::{SEED, Table, bernoulli};

pub(super) fn value(epsilon: Epsilon, users: u64, trials: u64) {
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
