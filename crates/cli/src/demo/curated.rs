//! Made-up people of experiments that have no devices: a clinic and a laboratory that talk to the service.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_server::run::{Answered, Remote};
use serde_json::json;

use crate::CliError;
use crate::remote::asked;

/// Between two people of a trial.
const PAUSE: Duration = Duration::from_millis(60);
/// Those of the trial's plan.
const PATIENTS: u64 = 300;
/// Records before a function is released.
const RECORDS: u64 = 3_000;
const BATCH: u64 = 500;

pub(super) fn people(name: &str, remote: &Remote, over: &AtomicBool) -> Result<(), CliError> {
    let phase = asked(&remote.ask("GET", &format!("/v1/experiments/{name}"), None)?)?;
    // A trial of an earlier run is over.
    if phase["phase"] != "running" {
        return Ok(());
    }
    let mut people = SimSeed(1).stream(0, Stream::Environment);
    if name == "dose" {
        laboratory(name, remote, over, &mut people)
    } else {
        clinic(name, remote, over, &mut people)
    }
}

/// Who gets a letter comes with a chance of 0.65 instead of 0.45.
fn clinic(name: &str, remote: &Remote, over: &AtomicBool, people: &mut SimRng) -> Result<(), CliError> {
    for patient in 0..PATIENTS {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let patient = format!("person-{patient}");
        let given = asked(&post(remote, name, "assignments", &json!({ "patient": patient }))?)?;
        let chance = if given["arm"] == "letter" { 0.65 } else { 0.45 };
        let came = f64::from(u8::from(people.uniform() < chance));
        asked(&post(remote, name, "outcomes", &json!({ "patient": patient, "outcome": came }))?)?;
        std::thread::park_timeout(PAUSE);
    }
    asked(&remote.ask("POST", &format!("/v1/experiments/{name}/stop"), None)?)?;
    Ok(())
}

/// The best dose grows with age.
fn laboratory(name: &str, remote: &Remote, over: &AtomicBool, people: &mut SimRng) -> Result<(), CliError> {
    for batch in 0..RECORDS / BATCH {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let record = |number: u64| {
            let (dose, age) = (10.0 * people.uniform(), 18.0 + 72.0 * people.uniform());
            let off = (dose / 10.0 - (age - 18.0) / 90.0 - 0.1).abs();
            let response = (0.9 - off * off + 0.1 * people.normal()).clamp(0.0, 1.0);
            json!({ "id": format!("record-{number}"), "values": { "dose": dose, "age": age, "response": response } })
        };
        let records: Vec<_> = (batch * BATCH..(batch + 1) * BATCH).map(record).collect();
        asked(&post(remote, name, "records", &json!({ "records": records }))?)?;
    }
    // The same question again gets the stored answer and costs nothing.
    asked(&post(remote, name, "fits", &json!({ "epsilon": 2 }))?)?;
    Ok(())
}

fn post(remote: &Remote, name: &str, what: &str, body: &serde_json::Value) -> Result<Answered, CliError> {
    let text = body.to_string();
    let path = format!("/v1/experiments/{name}/{what}");
    Ok(remote.ask("POST", &path, Some(("application/json", text.as_bytes())))?)
}
