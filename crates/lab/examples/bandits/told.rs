//! What agents say of arms, and how often they are right.

use reticent_lab::mab::Environment;
use reticent_lab::mab::bounds::identification;
use reticent_learn::mab::{Agent, AgentKind};
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::{SEED, Table, bernoulli, summary};

pub(super) fn best(agent: &str, env: &Environment, epsilon: Epsilon, error: f64, trials: u64) {
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

pub(super) fn intervals(env: &Environment, epsilon: Epsilon, users: u64, trials: u64) {
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

/// So many arms drawn evenly from a range; how often an arm with a stated probability of being best is.
pub(super) fn probability([low, high]: [f64; 2], arms: u32, epsilon: Epsilon, users: u64, trials: u64) {
    let mut bins = [(0.0, 0_u32, 0_u32); 10];
    // Of the arm that is held for the best, and of what a forecast is scored by (Brier 1950), by the number of people.
    let (mut favourites, mut score) = ((0.0, 0_u32, 0_u32), 0.0);
    for trial in 0..trials {
        let mut draws = SimSeed(SEED + 1).stream(trial, Stream::Environment);
        let means: Vec<f64> = (0..arms).map(|_| low + (high - low) * draws.uniform()).collect();
        let env = bernoulli(&means);
        let choices = SimSeed(SEED).stream(trial, Stream::Agent);
        let mut agent = AgentKind::DEFAULT.build(arms, epsilon, choices).unwrap();
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
            let said: Vec<(f64, u32)> = agent
                .estimates()
                .iter()
                .zip(env.gaps())
                .map(|(one, gap)| (one.probability_of_best, u32::from(gap == 0.0)))
                .collect();
            for &(said, is) in &said {
                let bin = &mut bins[((10.0 * said) as usize).min(9)];
                *bin = (bin.0 + said, bin.1 + is, bin.2 + 1);
                score += (said - f64::from(is)) * (said - f64::from(is));
            }
            let first = said.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            favourites = (favourites.0 + first.0, favourites.1 + first.1, favourites.2 + 1);
        }
    }
    let (looks, all) = ([users / 100, users / 10, users], f64::from(favourites.2));
    println!(
        "eps {epsilon}, {arms} arms in {low} to {high}, after {looks:?} people, {trials} runs: favourite said {:.3}, was \
         {:.3}; score {:.4}",
        favourites.0 / all,
        f64::from(favourites.1) / all,
        score / all
    );
    let words = bins.into_iter().filter(|bin| bin.2 > 0).map(|(sum, best, all)| {
        format!("{:.2}: {:.2} of {all}", sum / f64::from(all), f64::from(best) / f64::from(all))
    });
    println!("  {}", words.collect::<Vec<_>>().join(", "));
}
