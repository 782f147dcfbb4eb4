use serde_json::{Value, json};

use super::*;
use crate::Provenance::{Simulation, SystemEntropy};

fn promised(epsilon: f64) -> Guarantee {
    Guarantee::local(Epsilon::new(epsilon).unwrap(), "one report", "any two", "proof.md")
}

#[test]
fn what_a_seed_made_says_so_and_claims_nothing() {
    let simulated = promised(0.5).made_with(Simulation);
    assert_eq!(simulated.to_string(), "simulation, not private (would be 0.5-DP, local model)");
    assert_eq!((simulated.trust_model, simulated.loss), (TrustModel::NoPrivacy, Loss::Unbounded));
    assert_eq!((simulated.protects(), simulated.promise()), (Some(false), promised(0.5).promise()));
    let json = serde_json::to_value(&simulated).unwrap();
    assert_eq!((&json["loss"], &json["noise"]), (&json!("unbounded"), &json!("simulation, not private")));
    assert_eq!(json["would_be"], json!({ "trust_model": "local", "loss": { "pure": { "epsilon": 0.5 } } }));
    assert_eq!(serde_json::from_value::<Guarantee>(json).unwrap(), simulated);
}

#[test]
fn what_the_operating_system_made_keeps_its_promise() {
    let made = promised(0.5).made_with(SystemEntropy);
    assert_eq!((made.to_string(), made.protects()), ("0.5-DP, local model".into(), Some(true)));
    let json = serde_json::to_value(&made).unwrap();
    assert_eq!((&json["noise"], &json["would_be"]), (&json!("operating system entropy"), &Value::Null));
    assert_eq!(serde_json::from_value::<Guarantee>(json).unwrap(), made);
}

/// A document of version 1 has neither field; what reads it says that nothing is known of its noise.
#[test]
fn a_promise_is_written_as_before_and_old_documents_are_read() {
    let old = json!({
        "trust_model": "local", "loss": { "pure": { "epsilon": 0.5 } },
        "unit": "one report", "neighbours": "any two", "proof": "proof.md",
    });
    assert_eq!(serde_json::to_value(promised(0.5)).unwrap(), old);
    let read: Guarantee = serde_json::from_value(old).unwrap();
    assert_eq!((&read, read.protects()), (&promised(0.5), None));
    let unknown = read.made_with(None);
    assert_eq!(unknown.to_string(), "0.5-DP, local model (where its noise came from is not stated)");
    assert_eq!(unknown.protects(), None);
    let json = serde_json::to_value(&unknown).unwrap();
    assert_eq!(json["noise"], "not stated");
    assert_eq!(serde_json::from_value::<Guarantee>(json).unwrap(), unknown);
}

#[test]
fn nothing_mends_weak_noise() {
    for later in [Noise::from(SystemEntropy), Noise::NotStated, Noise::NotDrawn] {
        let simulated = promised(1.0).made_with(Simulation);
        assert_eq!(simulated.clone().made_with(later), simulated);
        assert_eq!(promised(1.0).made_with(later).made_with(Simulation), simulated);
    }
    assert_eq!(promised(1.0).made_with(None).made_with(SystemEntropy).noise, Noise::NotStated);
}

/// However a guarantee was put together, a seed is not hidden by the words.
#[test]
fn a_loss_beside_a_seed_is_not_believed() {
    let forged = Guarantee { noise: Simulation.into(), ..promised(1.0) };
    assert_eq!(forged.protects(), Some(false));
    assert!(forged.to_string().starts_with("simulation, not private"));
    assert!(!forged.agrees_with(&promised(1.0).made_with(Simulation)));
}

#[test]
fn a_baseline_is_not_private_whatever_its_noise() {
    for noise in [SystemEntropy, Simulation] {
        let none = Guarantee::none("one person").made_with(noise);
        assert_eq!((none.to_string(), none.protects()), ("not private".into(), Some(false)));
        assert_eq!(none.would_be, None);
    }
}

#[test]
fn words_may_differ_and_losses_may_not() {
    let other = Guarantee { unit: "a visit".into(), ..promised(1.0) };
    assert!(promised(1.0).agrees_with(&other) && !promised(1.0).agrees_with(&promised(1.5)));
    assert!(!promised(1.0).agrees_with(&promised(1.0).made_with(SystemEntropy)));
}
