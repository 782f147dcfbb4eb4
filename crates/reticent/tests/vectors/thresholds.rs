//! The integer thresholds that all randomness is compared with.

use reticent::privacy::exact::TwoLevel;
use reticent::privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleKind};
use reticent::privacy::{Epsilon, UnitGrid};
use serde_json::{Value, json};

use super::{Kind, refused};

pub(super) const KIND: Kind = Kind {
    name: "thresholds",
    about: "keep: a loss and two group sizes, and the threshold of 64 bits (decimal string) below which a word keeps the inside group. oracle: a design, which policies carry. grid: a number (its bits) and its steps of 2^-30.",
    inputs,
    output,
};

const LOSSES: [&str; 24] = [
    "0.000000001",
    "0.000001",
    "0.001",
    "0.01",
    "0.05",
    "0.1",
    "0.2",
    "0.25",
    "0.5",
    "0.693147181",
    "0.75",
    "1",
    "1.098612289",
    "1.5",
    "1.762747174",
    "2",
    "2.5",
    "3",
    "4",
    "5",
    "8",
    "16",
    "44.5",
    "1024",
];

fn inputs() -> Vec<Value> {
    let mut all = Vec::new();
    for epsilon in LOSSES {
        for (inside, outside) in [(1, 1), (1, 2), (1, 9), (2, 6), (16, 240), (1, 1 << 30), (31, 961)] {
            all.push(json!({ "keep": { "epsilon": epsilon, "inside": inside, "outside": outside } }));
        }
    }
    for (inside, outside) in [(0, 1), (1, 0), (1, (1_u64 << 30) + 1)] {
        all.push(json!({ "keep": { "epsilon": "1", "inside": inside, "outside": outside } }));
    }
    for kind in OracleKind::ALL {
        for domain in [1, 2, 6, 24, 100, 1000] {
            for epsilon in ["0.5", "1", "4"] {
                all.push(json!({ "oracle": { "kind": kind.name(), "domain": domain, "epsilon": epsilon } }));
            }
        }
    }
    for value in
        [0.0, 1.0, 0.5, -1.0, 7.0, 0.1, 0.3, 1e-10, 4.6e-10, 4.7e-10, 0.999_999_999_9, 1e300, -1e-300]
    {
        all.push(json!({ "grid": format!("{:016x}", f64::to_bits(value)) }));
    }
    for missing in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        all.push(json!({ "grid": format!("{:016x}", missing.to_bits()) }));
    }
    all
}

fn output(input: &Value) -> Value {
    let epsilon = |case: &Value| -> Epsilon { case["epsilon"].as_str().unwrap().parse().unwrap() };
    if let Some(case) = input.get("keep") {
        let [inside, outside] = ["inside", "outside"].map(|group| case[group].as_u64().unwrap());
        let channel = TwoLevel::for_groups(epsilon(case), inside, outside);
        return channel.map_or_else(refused, |channel| json!(channel.keep_of_two_to_64().to_string()));
    }
    if let Some(case) = input.get("oracle") {
        let kind: OracleKind = case["kind"].as_str().unwrap().parse().unwrap();
        let domain = Domain::new(case["domain"].as_u64().unwrap() as u32).unwrap();
        let oracle = FrequencyOracle::new(kind, domain, epsilon(case));
        return json!({ "design": oracle.design(), "bytes": oracle.report_bytes() });
    }
    let bits = u64::from_str_radix(input["grid"].as_str().unwrap(), 16).unwrap();
    // What is no number is missing, and counts as the middle.
    json!(UnitGrid::clip(f64::from_bits(bits)).unwrap_or(UnitGrid::MIDDLE).steps())
}
