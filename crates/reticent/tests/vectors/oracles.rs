//! Oracles by themselves: a symbol and random words, and the report that they give.

use reticent::privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleKind, Report, SignedHadamard};
use reticent::privacy::{Epsilon, ScriptedRng};
use serde_json::{Value, json};

use super::{Kind, words};

pub(super) const KIND: Kind = Kind {
    name: "oracles",
    about: "An oracle (or effect, which has a sign) with its domain, loss and design, a symbol and the 32-bit words that the generator gives; and the report (the number of an output, or the words of a set in hexadecimal) and how many words were taken.",
    inputs,
    output,
};

/// More words than any case takes: cases keep those that they take, and two more.
const WORDS: usize = 512;

fn inputs() -> Vec<Value> {
    let mut all = Vec::new();
    let mut number = 1000;
    let mut add = |mut case: Value| {
        number += 1;
        case["words"] = json!(words(number, WORDS));
        let taken = output(&case)["words"].as_u64().unwrap() as usize;
        case["words"] = json!(words(number, taken + 2));
        all.push(case);
    };
    for domain in [1, 2, 6, 24, 70] {
        for epsilon in ["0.5", "1", "4"] {
            for symbol in [0, domain / 2, domain - 1] {
                for kind in OracleKind::ALL {
                    let design = oracle(kind, domain, epsilon).design();
                    add(
                        json!({ "oracle": kind.name(), "domain": domain, "epsilon": epsilon, "design": design,
                        "symbol": symbol }),
                    );
                }
                for plus in [true, false] {
                    add(json!({ "oracle": "effect", "domain": domain, "epsilon": epsilon, "symbol": symbol,
                        "plus": plus }));
                }
            }
        }
    }
    all
}

fn oracle(kind: OracleKind, domain: u32, epsilon: &str) -> FrequencyOracle {
    FrequencyOracle::new(kind, Domain::new(domain).unwrap(), epsilon.parse().unwrap())
}

fn output(case: &Value) -> Value {
    let words = case["words"].as_array().unwrap().iter().map(|word| word.as_u64().unwrap() as u32);
    let mut rng = ScriptedRng::new(words.collect());
    let epsilon = case["epsilon"].as_str().unwrap();
    let size = case["domain"].as_u64().unwrap() as u32;
    let domain = Domain::new(size).unwrap();
    let symbol = domain.symbol(case["symbol"].as_u64().unwrap() as u32).unwrap();
    let report = match case["plus"].as_bool() {
        Some(plus) => {
            let epsilon: Epsilon = epsilon.parse().unwrap();
            SignedHadamard::new(domain, epsilon).randomise(symbol, plus, &mut rng)
        }
        None => oracle(case["oracle"].as_str().unwrap().parse().unwrap(), size, epsilon)
            .randomise(symbol, &mut rng),
    };
    let report = match report {
        Report::Index(output) => json!({ "index": output }),
        Report::Set(words) => {
            json!({ "set": words.iter().map(|word| format!("{word:016x}")).collect::<Vec<_>>() })
        }
    };
    json!({ "report": report, "words": rng.taken() })
}
