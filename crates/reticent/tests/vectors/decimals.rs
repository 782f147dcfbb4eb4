//! Decimal numbers: their only spelling, and the double that they mean.

use reticent::schema::Decimal;
use serde_json::{Value, json};

use super::{Kind, refused};

pub(super) const KIND: Kind = Kind {
    name: "decimals",
    about: "A text, and the canonical decimal with the bits of its nearest double (16 hexadecimal digits), or a refusal.",
    inputs,
    output,
};

fn inputs() -> Vec<Value> {
    let good = [
        "0",
        "1",
        "-1",
        "0.5",
        "00.50",
        "-0",
        "-0.0",
        "10",
        "100",
        "9.99",
        "0.1",
        "0.30000000000000004",
        "-12.30",
        "123456789012345678901234567890",
        "0.000000001",
        "1024",
        "0.000000000000000000001",
        "1.7976931348623157",
        "3.14159265358979323846264338327950288",
        "2.2250738585072014",
        "5",
        "007",
        "1000000",
        "-273.15",
    ];
    let bad = [
        "", "-", ".", "1.", ".5", "+1", "1e3", " 1", "1 ", "1,5", "NaN", "Infinity", "--1", "0x1", "1_000",
        "\u{0661}",
    ];
    let long = "1".repeat(65);
    good.into_iter().chain(bad).chain([long.as_str()]).map(|text| json!(text)).collect()
}

fn output(text: &Value) -> Value {
    match text.as_str().unwrap().parse::<Decimal>() {
        Ok(decimal) => {
            json!({ "canonical": decimal.as_str(), "bits": format!("{:016x}", decimal.value().to_bits()) })
        }
        Err(_) => refused(),
    }
}
