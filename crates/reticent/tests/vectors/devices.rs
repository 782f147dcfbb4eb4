//! Devices: a person's values and random words, and the report that they give.

use std::sync::Arc;

use reticent::device::{contextual, mab, pricing};
use reticent::privacy::{Epsilon, Ledger, ScriptedRng};
use reticent::protocol::Report;
use reticent::protocol::mab::{Lottery, Policy, Squash};
use reticent::protocol::{
    contextual as contextual_protocol, mab as mab_protocol, pricing as pricing_protocol,
};
use reticent::schema::Value as Raw;
use serde_json::{Value, json};

use super::{Kind, experiments, hex, policies, refused, unhex, words};

pub(super) const KIND: Kind = Kind {
    name: "devices",
    about: "An experiment, a policy (bytes; none for pricing), the person's values (numbers as strings, null for missing; people of a source have an arm already) and the 32-bit words that the generator gives; and the arm, the report (bytes) and how many words were taken; or a refusal.",
    inputs,
    output,
};

fn inputs() -> Vec<Value> {
    let documents = experiments::documents();
    let mut all = Vec::new();
    let mut number = 0;
    let mut add = |mut case: Value| {
        number += 1;
        case["words"] = json!(words(number, 512));
        let taken = output(&case)["words"].as_u64().unwrap_or_default() as usize;
        case["words"] = json!(words(number, taken.max(30) + 2));
        all.push(case);
    };
    for (at, policy) in policies::bandit_policies().iter().enumerate() {
        let experiment = &documents[usize::from((4..8).contains(&at))];
        for reward in [json!("0"), json!("1"), json!("0.37"), json!("-7"), json!("12.5"), json!(null)] {
            add(json!({ "experiment": experiment, "policy": hex(&policy.encode()), "reward": reward }));
        }
    }
    let contexts = [
        vec![
            json!(["18", "Lyon"]),
            json!(["54", "Köln"]),
            json!(["91", "nowhere"]),
            json!([null, null]),
            json!(["33.3", "elsewhere"]),
        ],
        vec![json!(["0", "0"]), json!(["0.7", "-0.2"]), json!([null, "1"]), json!(["1", "-1"])],
        vec![json!(["0"]), json!(["0.5"]), json!(["0.999"]), json!([null])],
    ];
    for ((policy, document), contexts) in
        policies::contextual_policies().iter().zip(&documents[2..5]).zip(contexts)
    {
        for context in contexts {
            for reward in [json!("0"), json!("0.8"), json!("1"), json!(null)] {
                let policy = hex(&policy.encode());
                add(
                    json!({ "experiment": document, "policy": policy, "context": context, "reward": reward }),
                );
            }
        }
    }
    let sales = [
        vec![
            (json!(["0"]), "4.99"),
            (json!(["51000"]), "9.99"),
            (json!(["100001"]), "17"),
            (json!([null]), "100"),
        ],
        vec![(json!(["0.2", "a"]), "0"), (json!(["0.9", "b"]), "24.5"), (json!([null, "c"]), "30")],
    ];
    for (document, sales) in documents[5..7].iter().zip(sales) {
        for (context, price) in sales {
            for outcome in [json!("0"), json!("1"), json!("0.4"), json!(null)] {
                add(
                    json!({ "experiment": document, "context": context, "price": price, "outcome": outcome }),
                );
            }
        }
    }
    source_people(&mut add);
    missing_and_between(&mut add);
    hostile_policies(&mut add);
    asked_by_each_oracle(&mut add);
    cells_of_a_policy(&mut add);
    all
}

/// People of the fourth experiment's source, who have an arm: one that the experiment has, or not.
fn source_people(add: &mut impl FnMut(Value)) {
    let document = &experiments::documents()[3];
    let policy = hex(&policies::source_policy().encode());
    for context in [json!(["0.1", "0.9"]), json!(["0.8", null])] {
        for arm in [0, 2, 3] {
            for reward in [json!("0"), json!("4.2"), json!(null)] {
                add(json!({ "experiment": document, "policy": policy, "context": context, "arm": arm,
                    "reward": reward }));
            }
        }
    }
}

/// Prices that are no number, or as near to one as to another; and a reward that its policy does not scale.
fn missing_and_between(add: &mut impl FnMut(Value)) {
    let documents = experiments::documents();
    for price in [json!(null), json!("7.49"), json!("12.490000000000002"), json!("-3")] {
        for (document, context) in [(5, json!(["20000"])), (6, json!(["0.4", "b"]))] {
            add(
                json!({ "experiment": documents[document], "context": context, "price": price, "outcome": "1" }),
            );
        }
    }
    let clip = Policy { squash: Squash::CLIP, ..policies::bandit_policies().remove(4) };
    for reward in ["0.5", "-2.5", "10"] {
        add(json!({ "experiment": documents[1], "policy": hex(&clip.encode()), "reward": reward }));
    }
}

/// Policies that a device refuses, whoever the person is.
fn hostile_policies(add: &mut impl FnMut(Value)) {
    let documents = experiments::documents();
    let bandits = policies::bandit_policies();
    let beyond = Policy { arms: Lottery::one(3), ..bandits[0].clone() };
    for policy in [&bandits[4], &beyond] {
        add(json!({ "experiment": documents[0], "policy": hex(&policy.encode()), "reward": "1" }));
    }
    for policy in policies::hostile_contextual_policies() {
        let policy = hex(&policy.encode());
        add(json!({ "experiment": documents[3], "policy": policy, "context": ["0.5", "0"], "reward": "1" }));
    }
    let source = policies::source_policy();
    let own = policies::contextual_policies().remove(1);
    let with_maps = contextual_protocol::Policy { maps: own.maps.clone(), ..source.clone() };
    let mapped = contextual_protocol::Policy {
        tasks: vec![contextual_protocol::Task { map: 1, question: 0 }],
        ..source.clone()
    };
    let unknown = contextual_protocol::Policy { source: Some(1), ..source.clone() };
    for policy in [own, with_maps, mapped, unknown] {
        let policy = hex(&policy.encode());
        add(json!({ "experiment": documents[3], "policy": policy, "context": ["0.5", "0"], "arm": 0,
            "reward": "1" }));
    }
    // A source's policy for the experiment's own people, who pay less.
    let policy = hex(&source.encode());
    add(json!({ "experiment": documents[3], "policy": policy, "context": ["0.5", "0"], "reward": "1" }));
    // Too few values, too many.
    for context in [json!(["0.5"]), json!(["0.5", "0", "0"])] {
        let policy = hex(&policies::contextual_policies()[1].encode());
        add(json!({ "experiment": documents[3], "policy": policy, "context": context, "reward": "1" }));
    }
}

/// Policies with cells of their own, and with cells that are none.
fn cells_of_a_policy(add: &mut impl FnMut(Value)) {
    let documents = experiments::documents();
    let [fine, refused] = policies::policies_with_cells();
    for (at, policy) in fine {
        let contexts = match at {
            2 => vec![
                json!(["18", "Lyon"]),
                json!(["30.3", "Köln"]),
                json!(["54", "elsewhere"]),
                json!(["90", null]),
                json!([null, "nowhere"]),
            ],
            _ => vec![json!(["0.499"]), json!(["0.5"]), json!(["1"]), json!([null])],
        };
        for context in contexts {
            let policy = hex(&policy.encode());
            add(
                json!({ "experiment": documents[at], "policy": policy, "context": context, "reward": "0.8" }),
            );
        }
    }
    for (at, policy) in refused {
        let policy = hex(&policy.encode());
        add(
            json!({ "experiment": documents[at], "policy": policy, "context": ["54", "Lyon"], "reward": "1" }),
        );
    }
}

/// Pricing with one question, asked by each oracle whose reports are numbers.
fn asked_by_each_oracle(add: &mut impl FnMut(Value)) {
    let markets = experiments::one_question_markets();
    for document in markets.into_iter().filter(|market| experiments::experiment(market).is_some()) {
        for (context, price) in [(json!(["0.05"]), "1"), (json!(["0.95"]), "24"), (json!([null]), "13")] {
            for outcome in [json!("0"), json!("30"), json!("11"), json!(null)] {
                add(
                    json!({ "experiment": document, "context": context, "price": price, "outcome": outcome }),
                );
            }
        }
    }
}

fn number(value: &Value) -> f64 {
    value.as_str().map_or(f64::NAN, |text| text.parse().unwrap())
}

/// A text that reads as a number is one.
fn raw(value: &Value) -> Raw {
    match value.as_str() {
        None => Raw::Missing,
        Some(text) => text.parse().map_or_else(|_| Raw::Category(text.into()), Raw::Number),
    }
}

fn output(case: &Value) -> Value {
    let words = case["words"].as_array().unwrap().iter().map(|word| word.as_u64().unwrap() as u32);
    let mut rng = ScriptedRng::new(words.collect());
    let Some((arm, report)) = answered(case, &mut rng) else { return refused() };
    let report = hex(&report.encode());
    match arm {
        Some(arm) => json!({ "arm": arm, "report": report, "words": rng.taken() }),
        None => json!({ "report": report, "words": rng.taken() }),
    }
}

/// The arm, for those who are given one, and the report; none if the device refuses.
fn answered(case: &Value, rng: &mut ScriptedRng) -> Option<(Option<Value>, Report)> {
    let experiment = experiments::experiment(&case["experiment"]).unwrap();
    let context: Vec<Raw> = case["context"].as_array().into_iter().flatten().map(raw).collect();
    let ledger = Ledger::new(Epsilon::MAX);
    match experiment.problem().kind() {
        "bandit" => {
            let spec = mab_protocol::Spec::of(experiment).unwrap();
            let mut device = mab::Device::with_noise(&spec, ledger, rng);
            let choice = device.choose(&Policy::decode(&unhex(&case["policy"])).ok()?).ok()?;
            Some((Some(json!(choice.arm())), device.answer(choice, number(&case["reward"])).ok()?))
        }
        "contextual" => {
            let spec = contextual_protocol::Spec::of(experiment.draft()).unwrap();
            let mut device = contextual::Device::with_noise(&spec, ledger, rng);
            let policy = contextual_protocol::Policy::decode(&unhex(&case["policy"])).ok()?;
            let plan = Arc::new(contextual_protocol::Plan::new(&spec, policy).ok()?);
            let (context, reward) = (device.encode(&context).ok()?, number(&case["reward"]));
            if let Some(arm) = case["arm"].as_u64() {
                return Some((None, device.answer_record(&plan, &context, arm as u32, reward).ok()?));
            }
            let choice = device.choose(&plan, &context).ok()?;
            Some((Some(json!(choice.arm())), device.answer(choice, reward).ok()?))
        }
        _ => {
            let spec = pricing_protocol::Spec::of(experiment.draft()).unwrap();
            let mut device = pricing::Device::with_noise(&spec, ledger, rng);
            let record = device.record(&context, number(&case["price"])).ok()?;
            Some((Some(Value::Null), device.answer(record, number(&case["outcome"])).ok()?))
        }
    }
}
