//! The kernel agents, end to end: all that others see of a log of two people.

mod chosen;
mod dubey;
mod released;

use reticent_curate::kernel::{Draft, Family, Form, Input, KernelSpec, Points, Records, Reward, Shape};
use reticent_privacy::Delta;
use serde::Deserialize;
use serde_json::Value;

use super::{CatalogueError, Entry};

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    vec![Box::new(released::PrivateKernel), chosen::once(), chosen::usca(), Box::new(dubey::Dubey)]
}

/// What of one person is private. Their action is known: it was drawn without looking.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    context: f64,
    reward: f64,
}

const EXAMPLE: &str = r#"{"context":0.4,"reward":1}"#;
/// A corner, where one person tells most: the variance that scores are divided by is largest there.
const ACTION: f64 = 0.0;
/// The context that a prediction is asked for, and where the first person may be.
const ASKED: f64 = 0.0;
const DELTA: f64 = 1e-6;

fn delta() -> Delta {
    Delta::new(DELTA).unwrap_or(Delta::ZERO)
}

/// One action and one context of the unit interval, rewards in [-1, 1].
fn setting(family: Family) -> Option<KernelSpec> {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.15, levels: None };
    let plan = Draft {
        experiment: None,
        actions: vec![input("action")],
        contexts: vec![input("context")],
        reward: Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: 0.1 },
        kernel: Shape { family, form: Form::Joint, rank: 12 },
    };
    plan.try_into().ok()
}

/// The first person, and another whom an attacker knows.
fn log(first: &Person) -> Records {
    let mut records = Records::new(2);
    records.push(&[ACTION, first.context], first.reward);
    records.push(&[0.8, 0.7], 0.5);
    records
}

const PEOPLE: u64 = 2;

/// Neighbours: another reward, another context, and values beyond what was declared.
fn people() -> Vec<(String, Person)> {
    let person = |context, reward| Person { context, reward };
    let people = [
        ("with the best reward", person(ASKED, 1.0)),
        ("with the worst reward", person(ASKED, -1.0)),
        ("elsewhere, with the best reward", person(0.95, 1.0)),
        ("beyond all ranges", person(f64::INFINITY, -1e300)),
    ];
    people.map(|(what, person)| (format!("first person {what}"), person)).into()
}

/// Actions to choose from.
fn candidates() -> Points {
    let mut points = Points::new(1);
    for action in [ACTION, 0.9] {
        points.push(&[action]);
    }
    points
}

fn read(entry: &dyn Entry, input: &Value) -> Result<Person, CatalogueError> {
    Person::deserialize(input).map_err(|_| super::misfit(entry, "it has another form"))
}

fn cannot(name: &'static str) -> CatalogueError {
    CatalogueError::Parameter { name, problem: "no noise that is large enough can be drawn".into() }
}
