//! Experiment documents: the canonical form and the digest, or a refusal.

use reticent::privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleKind};
use reticent::protocol::{contextual, mab, pricing};
use reticent::schema::Experiment;
use reticent::schema::experiment::Problem;
use serde_json::{Value, json};

use super::{Kind, refused};

pub(super) const KIND: Kind = Kind {
    name: "experiments",
    about: "A document as somebody wrote it, and its canonical form (RFC 8785), the SHA-256 of that and the prefix that reports carry, or a refusal.",
    inputs,
    output,
};

/// One of each kind.
pub(super) fn documents() -> Vec<Value> {
    let number = |name: &str, low: &str, high: &str| json!({ "name": name, "low": low, "high": high });
    let town = json!({ "name": "town", "levels": ["Lyon", "Köln", "elsewhere"] });
    vec![
        json!({ "name": "landing page", "epsilon": "1", "problem": { "kind": "bandit", "arms": ["blue", "green", "red"] } }),
        json!({ "name": "tips", "epsilon": "0.5", "report_window_days": 30, "problem": { "kind": "bandit",
            "arms": ["€", "\"quoted\"", "back\\slash"], "reward": { "low": "-2.5", "high": "10" },
            "agent": { "name": "ldp-kl-ucb" } } }),
        json!({ "name": "which page for whom", "epsilon": "2", "problem": { "kind": "contextual", "arms": ["a", "b"],
            "context": { "columns": [number("age", "18", "90"), town] } } }),
        json!({ "name": "with a source", "epsilon": "1.5", "problem": { "kind": "contextual", "arms": ["a", "b", "c"],
            "context": { "columns": [number("x", "0", "1"), number("y", "-1", "1")],
                "projections": [{ "name": "sum", "weights": [["x", "1"], ["y", "-0.5"]], "low": "-0.5", "high": "1" }],
                "axes": ["sum"] },
            "reward": { "low": "0", "high": "5" }, "cells": [32],
            "sources": [{ "name": "last year", "epsilon": "8", "people": 5000, "behaviour": ["0.5", "0.25", "0.25"] }],
            "agent": { "half_life": 20000 } } }),
        json!({ "name": "private arms", "epsilon": "1", "problem": { "kind": "contextual", "arms": ["a", "b"],
            "context": { "columns": [number("x", "0", "1")] }, "arm_epsilon": "0.5" } }),
        json!({ "name": "shop", "epsilon": "1", "problem": { "kind": "pricing",
            "context": { "columns": [number("income", "0", "100000")] },
            "price": { "column": "price", "points": ["4.99", "9.99", "14.99", "19.99"] },
            "outcome": { "column": "bought", "kind": "binary", "low": "0", "high": "1" }, "records": 100_000 } }),
        json!({ "name": "market", "epsilon": "4", "problem": { "kind": "pricing",
            "context": { "columns": [number("income", "0", "1"), { "name": "shop", "levels": ["a", "b"] }] },
            "price": { "column": "price", "low": "0", "high": "25" },
            "outcome": { "column": "revenue", "kind": "number", "low": "0", "high": "30" }, "records": 2_000 } }),
        json!({ "name": "pilot", "epsilon": "1", "problem": { "kind": "trial", "arms": ["control", "treatment"],
            "people": 2000, "outcome": { "column": "well", "kind": "binary", "low": "0", "high": "1" },
            "features": [{ "name": "age", "bins": ["40", "65"] }, town], "design": { "alpha": "0.2", "follow_up": 50 } } }),
        json!({ "name": "dose", "epsilon": "1", "problem": { "kind": "tuning",
            "actions": [{ "name": "dose", "low": "0", "high": "10", "length": "0.3" }],
            "context": [{ "name": "age", "low": "18", "high": "90" }],
            "outcome": { "column": "response", "kind": "number", "low": "0", "high": "1" },
            "kernel": { "family": "matern-5/2", "rank": 256 } } }),
    ]
}

/// Markets whose one question is asked by each oracle: those of sets are refused.
pub(super) fn one_question_markets() -> Vec<Value> {
    let epsilon = "1";
    let of = |kind: OracleKind| {
        let domain = Domain::new(2 * 4 * 6).unwrap();
        let design = FrequencyOracle::new(kind, domain, epsilon.parse().unwrap()).design();
        json!({ "name": "one question", "epsilon": epsilon, "problem": { "kind": "pricing",
            "context": { "columns": [{ "name": "income", "low": "0", "high": "1" }] },
            "price": { "column": "price", "low": "0", "high": "25" },
            "outcome": { "column": "revenue", "kind": "number", "low": "0", "high": "30" },
            "questions": [{ "parts": [4, 6], "oracle": kind.name(), "design": design }] } })
    };
    OracleKind::ALL.into_iter().map(of).collect()
}

fn inputs() -> Vec<Value> {
    let mut all = documents();
    let bandit = || documents().remove(0);
    let mut with = |change: &dyn Fn(&mut Value)| {
        let mut document = bandit();
        change(&mut document);
        all.push(document);
    };
    // The same in other words.
    with(&|d| d["epsilon"] = json!(1));
    with(&|d| d["epsilon"] = json!("1.0000000000"));
    with(&|d| d["report_window_days"] = json!(7));
    with(&|d| d["format"] = json!("reticent-experiment"));
    with(&|d| d["version"] = json!(2));
    with(&|d| d["problem"]["reward"] = json!({ "low": "0.0", "high": 1 }));
    // Other experiments.
    for epsilon in ["0.000000001", "0.0000000001", "0.1", "0.25", "2", "8", "1024", "1.0000000001"] {
        with(&|d| d["epsilon"] = json!(epsilon));
    }
    for name in ["x", "näme", "日本語", "emoji 🙂", "tab\\t is two characters here"] {
        with(&|d| d["name"] = json!(name));
    }
    for days in [1, 14, 365] {
        with(&|d| d["report_window_days"] = json!(days));
    }
    with(&|d| d["unit"] = json!("one visit"));
    with(&|d| d["problem"]["arms"] = json!(["only one"]));
    // Refusals.
    for epsilon in [json!("0"), json!("-1"), json!("1025"), json!("1e3"), json!(null), json!("one")] {
        with(&|d| d["epsilon"] = epsilon.clone());
    }
    for name in [json!(""), json!(" padded"), json!("line\nbreak"), json!("x".repeat(101)), json!(7)] {
        with(&|d| d["name"] = name.clone());
    }
    for days in [json!(0), json!(366), json!(1.5), json!("7")] {
        with(&|d| d["report_window_days"] = days.clone());
    }
    with(&|d| d["version"] = json!(1));
    with(&|d| d["version"] = json!(3));
    with(&|d| d["format"] = json!("reticent-policy"));
    with(&|d| d["colour"] = json!("blue"));
    with(&|d| d["problem"]["colour"] = json!("blue"));
    with(&|d| d["problem"]["kind"] = json!("lottery"));
    with(&|d| d["problem"]["arms"] = json!([]));
    with(&|d| d["problem"]["arms"] = json!(["a", "a"]));
    with(&|d| d["problem"]["arms"] = json!(["a", ""]));
    with(&|d| d["problem"]["reward"] = json!({ "low": "1", "high": "1" }));
    with(&|d| d["problem"]["reward"] = json!({ "low": "2", "high": "1" }));
    with(&|d| d["problem"]["reward"] = json!({ "low": "0" }));
    let mut contextual = |change: &dyn Fn(&mut Value)| {
        let mut document = documents().remove(2);
        change(&mut document);
        all.push(document);
    };
    contextual(&|d| d["problem"]["arms"] = json!(["a"]));
    contextual(&|d| d["problem"]["cells"] = json!([16]));
    contextual(&|d| d["problem"]["cells"] = json!([16, 4]));
    contextual(&|d| d["problem"]["arm_epsilon"] = json!("0"));
    contextual(&|d| d["problem"]["context"]["columns"][0]["high"] = json!("18"));
    contextual(&|d| d["problem"]["context"]["columns"][1]["levels"] = json!(["one"]));
    contextual(&|d| d["problem"]["context"]["columns"][1]["bins"] = json!(["1"]));
    contextual(&|d| d["problem"]["context"]["axes"] = json!(["height"]));
    contextual(&|d| d["problem"]["cells"] = json!([1024, 3]));
    contextual(&|d| d["problem"]["cells"] = json!([0, 3]));
    contextual(&|d| d["problem"]["arms"] = json!((0..51).map(|arm| arm.to_string()).collect::<Vec<_>>()));
    contextual(&|d| d["problem"]["context"]["axes"] = json!([]));
    contextual(&|d| d["problem"]["context"]["axes"] = json!(["age", "age"]));
    contextual(&|d| d["problem"]["context"]["columns"][0]["high"] = json!("18.00000000000000000001"));
    for weights in [json!([["town", "1"]]), json!([["height", "1"]]), json!([])] {
        let sum = json!([{ "name": "sum", "weights": weights, "low": "0", "high": "1" }]);
        contextual(&|d| d["problem"]["context"]["projections"] = sum.clone());
    }
    for behaviour in [json!(["0.5"]), json!(["0.5", "0.6"]), json!(["-0.5", "1.5"])] {
        let source = json!([{ "name": "old", "epsilon": "1", "people": 10, "behaviour": behaviour }]);
        contextual(&|d| d["problem"]["sources"] = source.clone());
    }
    let mut market = one_question_markets().remove(0);
    let question = market["problem"]["questions"][0].clone();
    market["problem"]["questions"] = json!([question, question]);
    all.push(market);
    let mut market = documents().remove(5);
    market["problem"]["price"]["points"] = json!(["9.99", "4.99"]);
    all.push(market);
    all.extend(one_question_markets());
    let mut changed = |key: &str, value: Value| {
        let mut market = one_question_markets().remove(3);
        market["problem"]["questions"][0][key] = value;
        all.push(market);
    };
    changed("oracle", json!("lottery"));
    changed("design", json!([7, 1]));
    changed("parts", json!([4, 5]));
    changed("parts", json!([4]));
    all
}

/// Read and checked as its users do: the problem's own checks included, which also write out what was left to them.
pub(super) fn experiment(document: &Value) -> Option<Experiment> {
    let experiment = Experiment::from_json(&document.to_string()).ok()?;
    match experiment.problem() {
        Problem::Bandit(_) => Some(mab::Spec::of(experiment).ok()?.into()),
        Problem::Contextual(_) => Some(contextual::Spec::of(experiment.draft()).ok()?.into()),
        Problem::Pricing(_) => Some(pricing::Spec::of(experiment.draft()).ok()?.experiment().clone()),
        _ => Some(experiment),
    }
}

fn output(document: &Value) -> Value {
    match experiment(document) {
        Some(experiment) => json!({
            "canonical": experiment.to_json().unwrap(),
            "digest": experiment.digest(),
            "prefix": experiment.prefix(),
        }),
        None => refused(),
    }
}
