//! Nothing that ever held a person's values shows them when it is formatted. Whoever adds a public type to this
//! crate that holds one lists it here.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Debug;
use std::sync::Arc;

use reticent_device::{Vetted, Wallet, contextual, mab, pricing};
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Policy, Question, Task};
use reticent_protocol::{
    contextual as contextual_protocol, mab as mab_protocol, pricing as pricing_protocol,
};
use reticent_schema::{Axis, Encoding, Field, Range, Value};
use reticent_store::{DurableLedger, Memory};

/// Marks that no formatting may show: a town, a request, and digits of a number.
const MARKS: [&str; 3] = ["Secretville", "request-7f3a", "73219"];
const NUMBER: f64 = 0.732_19;

fn quiet(value: &impl Debug) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(MARKS.iter().all(|mark| !text.contains(mark)), "{text}");
    }
}

fn encoding() -> Encoding {
    let fields = vec![
        Field::Numeric { name: "x".into(), low: 0.0, high: 1.0 },
        Field::Category { name: "town".into(), levels: vec!["here".into(), "there".into()] },
    ];
    let axes = ["x", "town"].map(|field| Axis::Field { field: field.into() }).to_vec();
    Encoding::new(fields, axes).unwrap()
}

fn wallet() -> Wallet {
    DurableLedger::over(Memory::default(), Epsilon::new(9.0).unwrap(), None).unwrap().into()
}

#[test]
#[should_panic(expected = "Secretville")]
fn a_mark_would_be_seen() {
    quiet(&Some("Secretville"));
}

#[test]
fn bandits() {
    let one = Epsilon::new(1.0).unwrap();
    let spec = mab_protocol::Spec::new(2, one).unwrap();
    let policy = mab_protocol::Policy {
        experiment: spec.digest(),
        version: 1,
        question: 0,
        squash: mab_protocol::Squash::CLIP,
        arms: mab_protocol::Lottery::one(1),
    };
    let mut device = mab::Device::simulated(&spec, one, SimSeed(1).stream(0, Stream::Noise));
    let choice = device.choose(&policy).unwrap();
    quiet(&choice);
    quiet(&device.answer(choice, NUMBER).unwrap());
    quiet(&device);
    let mut durable = mab::DurableDevice::new(&spec, wallet()).unwrap();
    let choice = durable.choose(&policy).unwrap();
    durable.answer("request-7f3a", choice, NUMBER).unwrap();
    quiet(&durable);
    quiet(durable.wallet());
    let choice = durable.choose(&policy).unwrap();
    let long = "request-7f3a".repeat(40);
    quiet(&durable.answer(&long, choice, NUMBER).unwrap_err());
    quiet(&Vetted::new([spec.digest()]));
}

#[test]
fn contexts() {
    let one = Epsilon::new(1.0).unwrap();
    let spec = contextual_protocol::Spec::new(2, encoding(), one).unwrap();
    let policy = Policy {
        experiment: spec.digest(),
        source: None,
        version: 1,
        questions: vec![Question::effect(vec![1; 2])],
        maps: vec![vec![0; spec.grid().cells()]],
        tasks: vec![Task { map: 0, question: 0 }],
        cells: None,
    };
    let plan = Arc::new(Plan::new(&spec, policy).unwrap());
    let mut device = contextual::Device::simulated(&spec, one, SimSeed(1).stream(0, Stream::Noise));
    let values: [Value; 2] = [NUMBER.into(), "Secretville".into()];
    quiet(&values);
    let context = device.encode(&values).unwrap();
    let choice = device.choose(&plan, &context).unwrap();
    quiet(&context);
    quiet(&choice);
    device.answer(choice, NUMBER).unwrap();
    quiet(&device);
    quiet(&device.encode(&values[..1]).unwrap_err());
    let mut durable = contextual::DurableDevice::new(&spec, wallet()).unwrap();
    let choice = durable.choose("request-7f3a", &plan, &context).unwrap();
    durable.answer("request-7f3a", choice, NUMBER).unwrap();
    quiet(&durable);
}

#[test]
fn sales() {
    let one = Epsilon::new(1.0).unwrap();
    let prices = pricing_protocol::Prices::range(0.0, 1.0).unwrap();
    let terms = pricing_protocol::Terms::new(encoding(), prices, Range::UNIT).unwrap();
    let spec = pricing_protocol::Spec::designed(terms, one, 1_000).unwrap();
    let mut device = pricing::Device::simulated(&spec, one, SimSeed(1).stream(0, Stream::Noise));
    let record = device.record(&[NUMBER.into(), "Secretville".into()], NUMBER).unwrap();
    quiet(&record);
    device.answer(record, NUMBER).unwrap();
    quiet(&device);
}
