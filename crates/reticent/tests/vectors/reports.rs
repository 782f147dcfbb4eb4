//! Reports: bytes and JSON of the same report, or a refusal.

use reticent::protocol::Report;
use serde_json::{Value, json};

use super::{Kind, hex, refused, unhex, words};

pub(super) const KIND: Kind = Kind {
    name: "reports",
    about: "The bytes of a report (hexadecimal), and its form in JSON, or a refusal.",
    inputs,
    output,
};

fn inputs() -> Vec<Value> {
    let mut good: Vec<String> = Vec::new();
    let prefix = "ab010203";
    for policy in ["00", "01", "7f", "8001", "ac02", "ffffffff0f", "ffffffffffffffffff01"] {
        for answer in ["0000", "0103", "01ac02", "0296 01", "0200", "0301 0500000000000000"] {
            good.push(format!("02{prefix}{policy}0000{answer}").replace(' ', ""));
        }
    }
    for (source, question) in [("01", "00"), ("03", "07"), ("20", "ac02"), ("00", "ffffffff0f")] {
        good.push(format!("02{prefix}05{source}{question}0201"));
    }
    let mut all: Vec<String> = good.clone();
    // Cut short, too long, another version, another form, more than one spelling of a number.
    let first = good[1].clone();
    all.extend((0..first.len() / 2).map(|length| first[..2 * length].to_string()));
    all.push(format!("{first}00"));
    for (from, to) in [("02ab", "01ab"), ("02ab", "03ab"), ("02ab", "00ab")] {
        all.push(first.replacen(from, to, 1));
    }
    for tail in [
        "0000000400",
        "000000ff00",
        "8000000000",
        "00800000",
        "ffffffffffffffffff020000000000",
        "000000028080808010",
    ] {
        all.push(format!("02{prefix}{tail}"));
    }
    all.push(format!("02{prefix}00000003ffff7f"));
    all.extend(
        (0..12)
            .map(|case| hex(&words(case, 4).iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>())),
    );
    all.into_iter().map(|bytes| json!(bytes)).collect()
}

fn output(bytes: &Value) -> Value {
    Report::decode(&unhex(bytes)).map_or_else(|_| refused(), |report| serde_json::to_value(report).unwrap())
}
