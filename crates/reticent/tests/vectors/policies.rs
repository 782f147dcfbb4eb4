//! Policies: bytes and JSON of the same policy, and what an experiment's device makes of it, or a refusal.

use reticent::protocol::mab::{Lottery, Policy, Spec, Squash};
use reticent::protocol::{contextual, pricing};
use serde_json::{Value, json};

use super::{Kind, experiments, hex, refused, unhex};

pub(super) const KIND: Kind = Kind {
    name: "policies",
    about: "The bytes of a policy (hexadecimal) and its kind, and its form in JSON, or a refusal.",
    inputs,
    output,
};

/// Policies of the first two experiments of `experiments.json`.
pub(super) fn bandit_policies() -> Vec<Policy> {
    let specs: Vec<Spec> = experiments::documents()[..2]
        .iter()
        .map(|document| Spec::of(experiments::experiment(document).unwrap()).unwrap())
        .collect();
    let lotteries = [
        Lottery::one(0),
        Lottery::one(2),
        Lottery::new(vec![(0, 1), (1, 1), (2, 1)]).unwrap(),
        Lottery::new(vec![(0, 250), (2, 6)]).unwrap(),
    ];
    let mut policies = Vec::new();
    for spec in &specs {
        for (version, arms) in (1..).zip(&lotteries) {
            let (experiment, squash) = (spec.digest(), Squash::over(spec.reward()));
            policies.push(Policy { experiment, version, question: 0, squash, arms: arms.clone() });
        }
    }
    let step = Squash::line(0.25, 0.25).unwrap();
    policies.push(Policy { question: 3, squash: step, version: 300, ..policies[0].clone() });
    policies
}

/// A policy of the third experiment: two maps and a question of each kind.
pub(super) fn contextual_policies() -> Vec<contextual::Policy> {
    let build = |document: &Value| {
        let spec = contextual::Spec::of(experiments::experiment(document).unwrap().draft()).unwrap();
        let (arms, cells, axes) = (spec.arms(), spec.grid().cells(), spec.grid().sizes().to_vec());
        let halves: Vec<u32> = axes.iter().map(|size| size.div_ceil(2)).collect();
        let questions = vec![
            contextual::Question::outcome(spec.grid(), halves.clone(), arms, spec.epsilon()).unwrap(),
            contextual::Question::effect(axes.clone()),
            contextual::Question::effect(halves.clone()),
            contextual::Question::place(spec.grid(), halves, spec.epsilon()).unwrap(),
        ];
        let map = |shift: usize| (0..cells).map(|cell| ((cell / 7 + shift) % arms as usize) as u8).collect();
        let tasks = (0..4).map(|i| contextual::Task { map: i % 2, question: i }).collect();
        let experiment = spec.digest();
        contextual::Policy {
            experiment,
            source: None,
            version: 9,
            questions,
            maps: vec![map(0), map(1)],
            tasks,
        }
    };
    experiments::documents()[2..5].iter().map(build).collect()
}

/// What the fourth experiment asks the people of its source: they have their arms, so there are no maps.
pub(super) fn source_policy() -> contextual::Policy {
    let spec =
        contextual::Spec::of(experiments::experiment(&experiments::documents()[3]).unwrap().draft()).unwrap();
    let loss = spec.epsilon_of(Some(0)).unwrap();
    let questions = vec![
        contextual::Question::outcome(spec.grid(), vec![8], spec.arms(), loss).unwrap(),
        contextual::Question::place(spec.grid(), vec![4], loss).unwrap(),
        contextual::Question::effect(vec![16]),
    ];
    let tasks = (0..3).map(|question| contextual::Task { map: 0, question }).collect();
    contextual::Policy {
        experiment: spec.digest(),
        source: Some(0),
        version: 2,
        questions,
        maps: Vec::new(),
        tasks,
    }
}

fn tables() -> Vec<pricing::Table> {
    let document = &experiments::documents()[5];
    let experiment = experiments::experiment(document).unwrap().digest();
    let prices = vec![4.99, 9.99, 14.99, 19.99];
    [vec![0, 0, 1, 3], vec![2, 2, 2, 2], vec![3, 2, 1, 0]]
        .into_iter()
        .zip(1..)
        .map(|(map, version)| pricing::Table::new(experiment, version, vec![4], prices.clone(), map).unwrap())
        .collect()
}

fn inputs() -> Vec<Value> {
    let mut all: Vec<(&str, Vec<u8>)> = Vec::new();
    all.extend(bandit_policies().iter().map(|policy| ("bandit", policy.encode())));
    all.extend(contextual_policies().iter().map(|policy| ("contextual", policy.encode())));
    all.extend(tables().iter().map(|table| ("prices", table.encode())));
    for (kind, bytes) in [all[2].clone(), all[9].clone(), all[12].clone()] {
        // Cut short at the seams, too long, another version, another kind.
        for cut in [0, 1, 2, 33, 34, 35, bytes.len() - 1] {
            all.push((kind, bytes[..cut].to_vec()));
        }
        all.push((kind, [bytes.clone(), vec![0]].concat()));
        for (at, byte) in [(0, 1), (0, 3), (1, 0), (1, 4)] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            all.push((kind, changed));
        }
    }
    all.push(("contextual", source_policy().encode()));
    all.into_iter().map(|(kind, bytes)| json!({ "kind": kind, "bytes": hex(&bytes) })).collect()
}

fn output(input: &Value) -> Value {
    let bytes = unhex(&input["bytes"]);
    let json = match input["kind"].as_str().unwrap() {
        "bandit" => Policy::decode(&bytes).ok().map(|policy| serde_json::to_value(policy).unwrap()),
        "contextual" => {
            contextual::Policy::decode(&bytes).ok().map(|policy| serde_json::to_value(policy).unwrap())
        }
        _ => pricing::Table::decode(&bytes).ok().map(|table| serde_json::to_value(table).unwrap()),
    };
    json.unwrap_or_else(refused)
}
