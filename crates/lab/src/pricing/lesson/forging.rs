//! Forgers among the people of a log.

use std::collections::BTreeMap;

use reticent_privacy::SimRng;
use reticent_privacy::oracle::{self, Oracle};
use reticent_protocol::Report;
use reticent_protocol::pricing::Spec;

use crate::forged::{Forgers, Strategy};

/// Those who forge, and what they know.
pub(super) struct Forging {
    forgers: Forgers,
    rng: SimRng,
    /// The best price, above which careful ones report sales.
    best: f64,
    /// For each question and symbol, the reports that speak for it.
    loudest: BTreeMap<(usize, u32), Vec<u32>>,
}

/// What a person of the log sends.
pub(super) enum Sent {
    /// What they did, by their device.
    Honest,
    /// This price and a sale, by their device.
    Lie(f64),
    /// A report that no noise went into.
    Forged(Report),
}

impl Forging {
    pub(super) fn new(forgers: Forgers, best: f64, rng: SimRng) -> Forging {
        Forging { forgers, rng, best, loudest: BTreeMap::new() }
    }

    /// What the next person, in this context, sends.
    pub(super) fn next(&mut self, spec: &Spec, context: &[f64]) -> Sent {
        if self.rng.uniform() >= self.forgers.share {
            return Sent::Honest;
        }
        match self.forgers.strategy {
            Strategy::Lie => Sent::Lie(1.0),
            Strategy::Vote | Strategy::Outright => Sent::Forged(self.loud(spec, context, 1.0)),
            Strategy::Careful => {
                let price = self.best + (1.0 - self.best) * self.rng.uniform();
                Sent::Forged(self.loud(spec, context, price))
            }
        }
    }

    /// A report that speaks for a sale at a price, to a question drawn as devices draw it.
    fn loud(&mut self, spec: &Spec, context: &[f64], price: f64) -> Report {
        let question = (self.rng.uniform() * spec.channels().len() as f64) as usize;
        let channel = &spec.channels()[question];
        let symbol = 2 * channel.cell(&[context, &[price]].concat()) + 1;
        let outputs =
            self.loudest.entry((question, symbol)).or_insert_with(|| speaking(channel.oracle(), symbol));
        let at = (self.rng.uniform() * outputs.len() as f64) as usize;
        let answer = oracle::Report::Index(outputs.get(at).copied().unwrap_or(0)).into();
        Report { experiment: spec.prefix(), policy: 0, source: None, question: question as u32, answer }
    }
}

/// The reports that are likeliest for a symbol.
fn speaking(oracle: &impl Oracle, symbol: u32) -> Vec<u32> {
    let law = oracle.law(oracle.domain().clip(symbol)).unwrap_or_default();
    let Some(heaviest) = law.iter().map(|(_, weight)| weight).max() else { return Vec::new() };
    let index = |report: &oracle::Report| match report {
        oracle::Report::Index(index) => Some(*index),
        oracle::Report::Set(_) => None,
    };
    law.iter().filter(|(_, weight)| weight == heaviest).filter_map(|(report, _)| index(report)).collect()
}
