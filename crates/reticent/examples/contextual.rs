//! Which arm is best for whom: the arm follows from the context on the device, and one randomised symbol leaves.

use std::error::Error;
use std::sync::Arc;

use reticent::device::contextual::Device;
use reticent::learn::contextual::{Contextual, Options};
use reticent::privacy::{Epsilon, SimSeed, Stream};
use reticent::protocol::contextual::{Plan, Policy, Spec};
use reticent::schema::{Axis, Encoding, Field};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Agreed on by everybody, and public: what a context is, how many arms, and what a report costs.
    let fields = vec![
        Field::Numeric { name: "age".into(), low: 18.0, high: 90.0 },
        Field::Category { name: "region".into(), levels: vec!["north".into(), "south".into()] },
    ];
    let axes = vec![Axis::Field { field: "age".into() }, Axis::Field { field: "region".into() }];
    let epsilon = Epsilon::new(2.0)?;
    let spec = Spec::new(3, Encoding::new(fields, axes)?, epsilon)?;

    // On the server: the policy is a public document.
    let choices = SimSeed::random()?.stream(0, Stream::Agent);
    let mut agent = Contextual::new(spec.clone(), Options::default(), choices)?;
    let document = agent.plan().policy().encode();

    // On a person's device.
    let plan = Arc::new(Plan::new(&spec, Policy::decode(&document)?)?);
    let mut device = Device::new(&spec, epsilon)?;
    let context = device.encode(&[41.0.into(), "south".into()])?; // stays here
    let choice = device.choose(&plan, &context)?;
    let reward = if choice.arm() == 1 { 1.0 } else { 0.0 }; // stays here
    let report = device.answer(choice, reward)?;
    println!("a policy of {} bytes, a report of {} bytes", document.len(), report.encode().len());

    // On the server again.
    agent.absorb(&report)?;
    assert!(agent.insight().undecided > 0.9, "one person's report decides nothing");
    Ok(())
}
