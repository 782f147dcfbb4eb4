//! An adaptive trial by a clinic that is trusted with records: what it publishes is private, and no analysis
//! can see more.

use std::error::Error;

use reticent::curate::trial::{Draft, DurableTrial, TrialSpec, analyse};
use reticent::schema::Feature;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Public, and fixed before the first person: arms, features, outcome, people, and what the whole trial
    // costs each of them.
    let age = Feature { column: "age".into(), levels: None, bins: Some(vec![65.0]) };
    let spec = TrialSpec::new(Draft { features: vec![age], ..Draft::simple("drug", 400, 1.0) })?;
    assert_eq!(spec.guarantee().to_string(), "1-DP, central model");

    // Every step is on the disk before anybody sees it.
    let folder = tempfile::tempdir()?;
    let mut trial = DurableTrial::open(&folder.path().join("drug.journal"), spec.clone())?;
    let assigned = trial.assign("A-17", spec.stratum(&["71"])?)?;
    assert_eq!(assigned.chance, 0.5);
    trial.record("A-17", 1.0)?; // recovered
    trial.stop()?; // too early: only intervals that hold at any time are given
    let effects = analyse(trial.release()).effects;
    println!("effect after one person: {:?}", effects[0].anytime);
    assert!(effects[0].planned.is_none() && effects[0].anytime.low <= 0.0);
    Ok(())
}
