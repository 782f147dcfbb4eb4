//! The private pricing methods: context, price and outcome of a sale are the private input, and all that
//! leaves is the output.

use std::error::Error;

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_baselines::nw_lcb as faithful;
use reticent_baselines::nw_lcb::randomiser::Randomiser;
use reticent_device::pricing;
use reticent_privacy::{Epsilon, Generator, Ledger, NoiseRng};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Encoding, Range};
use serde::Deserialize;
use serde_json::json;

use super::{Agent, Asked, CatalogueError, Effort, Entry, Sink, Subject};
use crate::named::Named;
use crate::pricing::MethodName;

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    MethodName::entries(MethodName::is_private)
}

/// One sale, as its owner knows it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sale {
    context: Vec<f64>,
    price: f64,
    outcome: f64,
}

/// Neighbours: other cells, other outcomes, and values out of range.
fn neighbours() -> [(&'static str, Sale); 5] {
    let sale = |context: f64, price: f64, outcome: f64| Sale { context: vec![context], price, outcome };
    [
        ("low corner, not sold", sale(0.0, 0.0, 0.0)),
        ("low corner, sold", sale(0.0, 0.0, 1.0)),
        ("high corner, not sold", sale(1.0, 1.0, 0.0)),
        ("high corner, half sold", sale(1.0, 1.0, 0.5)),
        ("out of range", sale(9.0, -7.0, 1e9)),
    ]
}

/// What makes reports.
enum Watched {
    Ours(Box<Spec>),
    Faithful(faithful::Spec),
}

/// Records that the questions are for: several questions of a few cells.
const RECORDS: u64 = 3_000;
/// Cells a side of the paper's method.
const SIDE: u32 = 2;

impl Watched {
    fn new(kind: MethodName, epsilon: Epsilon) -> Result<Watched, Box<dyn Error>> {
        Ok(if kind == MethodName::LdpNwLcb {
            Watched::Faithful(faithful::Spec::new(1, SIDE, epsilon)?)
        } else {
            let outcome = Range::UNIT;
            let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 1.0)?, outcome)?;
            Watched::Ours(Box::new(Spec::designed(terms, epsilon, RECORDS)?))
        })
    }

    /// All numbers of a report. Question and answer are one number too: an answer means nothing without its question.
    fn report<G: Generator>(&self, sale: &Sale, rng: &mut G) -> Result<Vec<i64>, Box<dyn Error>> {
        match self {
            Watched::Ours(spec) => {
                let mut device = pricing::Device::with_noise(spec, Ledger::new(spec.epsilon()), rng);
                let record = device.record_numbers(&sale.context, sale.price)?;
                let report = spec.received(&device.answer(record, sale.outcome)?)?;
                Ok(vec![report.question.into(), report.output.into(), spec.code(report)?.into()])
            }
            Watched::Faithful(spec) => {
                Ok(Randomiser::new(spec, rng).report(&sale.context, sale.price, sale.outcome)?.values)
            }
        }
    }
}

impl Subject for Watched {
    type Input = Sale;
    fn observe<G: Generator>(&self, sale: &Sale, rng: &mut G) -> Observation {
        let numbers = |values: Vec<i64>| values.into_iter().map(|value| value as f64).collect::<Vec<f64>>();
        // A device that refuses is silent: if that depends on the person, it is a leak like any other.
        self.report(sale, rng).map_or_else(|_| Observation::silence(), |values| numbers(values).into())
    }
}

impl MethodName {
    fn watched(self, epsilon: Epsilon) -> Result<Watched, CatalogueError> {
        Watched::new(self, epsilon).map_err(|error| self.parameter(&error.to_string()))
    }
}

impl Agent for MethodName {
    const EXAMPLE: &'static str = r#"{"context":[0.3],"price":0.5,"outcome":1.0}"#;

    fn audit(self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let audit = Audit::new(self.name(), Claim::pure(epsilon)).labelled(neighbours());
        Ok(vec![effort.measure(audit, &self.watched(epsilon)?)?])
    }

    fn report(self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let sale = Sale::deserialize(input).map_err(|_| self.misfit("it has another form"))?;
        let watched = self.watched(epsilon)?;
        let mut noise = NoiseRng::from_os()?;
        for _ in 0..count {
            let values =
                watched.report(&sale, &mut noise).map_err(|error| self.misfit(&error.to_string()))?;
            out(&match watched {
                Watched::Ours(_) => json!({ "question": values[0], "output": values[1] }),
                Watched::Faithful(_) => json!({ "values": values }),
            })?;
        }
        Ok(())
    }
}
