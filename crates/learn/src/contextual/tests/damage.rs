//! Damaged documents are refused, or give an agent that works.

use super::saved::{people, small};
use super::*;

fn document() -> String {
    let mut agent = small(3.0, 1, Some(60));
    agent.refresh();
    people(&mut agent, 0, 90);
    save(&agent).unwrap()
}

/// Whatever was read serves people, makes policies, can be looked at, saved and read again.
fn works(mut agent: Contextual, what: &str) {
    let truth = Truth::even(vec![vec![0.8; 4], vec![0.2; 4]]);
    if agent.spec().grid().cells() != 4 || agent.spec().arms() != 2 {
        return;
    }
    for person in 0..60 {
        serve(&mut agent, &truth, 1, &mut rng(person));
    }
    agent.refresh();
    let insight = agent.insight();
    assert!(
        insight.arms.iter().flat_map(|arm| &arm.mean).all(|mean| mean.is_finite()),
        "{what}: {insight:?}"
    );
    let again = load(&save(&agent).unwrap());
    assert!(again.is_ok(), "{what}: {:?}", again.err());
}

#[test]
fn a_cut_document_is_refused() {
    let text = document();
    for cut in (0..text.len()).step_by(101).chain([1, text.len() - 1]) {
        assert!(load(&text[..cut]).is_err(), "{cut}");
    }
}

/// One byte at a time: another digit, a sign, a bracket.
#[test]
fn a_changed_byte_is_refused_or_harmless() {
    let text = document();
    let mut rng = rng(0);
    let mut read = 0;
    for _ in 0..1500 {
        let at = (rng.uniform() * text.len() as f64) as usize;
        let new = b"0123456789-e.,[]"[(rng.uniform() * 16.0) as usize];
        let mut bytes = text.clone().into_bytes();
        bytes[at] = new;
        if let Ok(agent) = load(std::str::from_utf8(&bytes).unwrap()) {
            read += 1;
            works(agent, &format!("byte {at}"));
        }
    }
    // Power: many changes of digits are harmless, and are read.
    assert!(read > 50, "{read}");
}

/// Each number of the document in turn becomes an extreme one.
#[test]
fn an_extreme_number_is_refused_or_harmless() {
    let document: serde_json::Value = serde_json::from_str(&document()).unwrap();
    let mut paths = Vec::new();
    numbers(&document, String::new(), &mut paths);
    assert!(paths.len() > 100);
    let extremes = [
        serde_json::json!(u64::MAX),
        serde_json::json!(u64::MAX - 1),
        serde_json::json!(u32::MAX),
        serde_json::json!(0),
        serde_json::json!(-1),
        serde_json::json!(1e308),
        serde_json::json!(1e-308),
    ];
    // Maps and counts have many alike: every third number, with another extreme each.
    for (i, path) in paths.iter().enumerate() {
        for extreme in extremes.iter().skip(i % 3).step_by(3) {
            let mut damaged = document.clone();
            *damaged.pointer_mut(path).unwrap() = extreme.clone();
            if let Ok(agent) = load(&damaged.to_string()) {
                works(agent, &format!("{path} is {extreme}"));
            }
        }
    }
}

fn numbers(value: &serde_json::Value, path: String, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => into.push(path),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, format!("{path}/{i}"), into));
        }
        serde_json::Value::Object(items) => {
            items.iter().for_each(|(key, item)| numbers(item, format!("{path}/{key}"), into));
        }
        _ => {}
    }
}

/// Policies and counts that do not belong together.
#[test]
fn contradictions_are_refused() {
    let document: serde_json::Value = serde_json::from_str(&document()).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut damaged = document.clone();
        change(&mut damaged);
        assert_ne!(damaged, document);
        load(&damaged.to_string()).unwrap_err().to_string()
    };
    let messages = [
        refused(&|d| drop(d["open"].as_array_mut().unwrap().drain(..))),
        refused(&|d| d["open"].as_array_mut().unwrap().swap(0, 1)),
        refused(&|d| d["open"][0] = d["source_plans"][0].clone()),
        refused(&|d| d["source_plans"][0] = d["open"][0].clone()),
        refused(&|d| d["open"][0][1] = d["source_plans"][0][1].clone()),
        refused(&|d| drop(d["sources"].as_array_mut().unwrap().pop())),
        refused(&|d| d["people"] = serde_json::json!(1)),
        refused(&|d| d["next_refresh"] = d["people"].clone()),
        refused(&|d| d["belief"]["masses"][0] = serde_json::json!(0.9)),
        refused(&|d| d["target"]["arms"][0]["gram"][1] = serde_json::json!(1e9)),
    ];
    assert!(messages.iter().all(|message| message.contains("contradicts itself")), "{messages:#?}");
}
