//! The oracle for signed symbols, as an entry.

use reticent_audit::{Audit, Claim, Finding, FiniteMechanism, Observation, Weight};
use reticent_privacy::oracle::{Domain, Report, SignedHadamard, Symbol};
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng};
use serde::Deserialize;
use serde_json::json;

use super::super::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject, misfit};
use super::{DOMAIN, LARGE, LISTED};

pub(super) struct SignedEntry;

struct Running(SignedHadamard);

impl Subject for Running {
    type Input = (Symbol, bool);
    fn observe<G: Generator>(&self, &(symbol, plus): &(Symbol, bool), rng: &mut G) -> Observation {
        match self.0.randomise(symbol, plus, rng) {
            Report::Index(index) => index.into(),
            Report::Set(_) => Observation::silence(),
        }
    }
}

impl SignedEntry {
    fn make(&self, size: u32, epsilon: Epsilon) -> Result<SignedHadamard, CatalogueError> {
        let domain = Domain::new(size).map_err(|e| misfit(self, e.to_string()))?;
        Ok(SignedHadamard::new(domain, epsilon))
    }

    /// From reports of some symbols with either sign, the first and the last among them.
    fn sampled(&self, size: u32, epsilon: Epsilon, effort: &Effort) -> Result<Finding, CatalogueError> {
        let oracle = self.make(size, epsilon)?;
        let chosen = |symbol: &Symbol| [0, 1, size / 2, size - 1].contains(&symbol.index());
        let inputs = signed(oracle.domain(), chosen).map(|input| (label(input, size), input));
        let audit = Audit::new(self.label(size), Claim::pure(epsilon)).labelled(inputs);
        Ok(effort.measure(audit, &Running(oracle))?)
    }

    /// From the law of every symbol with either sign.
    fn exact(&self, size: u32, epsilon: Epsilon) -> Result<Finding, CatalogueError> {
        let oracle = self.make(size, epsilon)?;
        let weights = |(symbol, plus)| -> Vec<Weight> {
            oracle.law(symbol, plus).into_iter().map(|(_, weight)| Weight::exact(weight)).collect()
        };
        let laws = FiniteMechanism::new(signed(oracle.domain(), |_| true).map(weights).collect())?;
        let labels = signed(oracle.domain(), |_| true).map(|input| label(input, size));
        Ok(laws.labels(labels).audit(&self.label(size), Claim::pure(epsilon)))
    }

    fn label(&self, size: u32) -> String {
        format!("{} of {size} symbols", self.name())
    }
}

fn signed(domain: Domain, chosen: impl Fn(&Symbol) -> bool) -> impl Iterator<Item = (Symbol, bool)> {
    domain.symbols().filter(chosen).flat_map(|symbol| [(symbol, false), (symbol, true)])
}

fn label((symbol, plus): (Symbol, bool), size: u32) -> String {
    format!("symbol {}{} of {size}", if plus { '+' } else { '-' }, symbol.index())
}

impl Entry for SignedEntry {
    fn name(&self) -> &'static str {
        "signed-hadamard"
    }

    fn group(&self) -> Group {
        Group::FrequencyOracle
    }

    fn summary(&self) -> &'static str {
        "a symbol with a sign as one bit: for differences of two frequencies at a small epsilon"
    }

    fn example(&self) -> &'static str {
        r#"{"symbol":3,"plus":true}"#
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok(self.make(DOMAIN, epsilon)?.guarantee())
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        Ok(vec![
            self.exact(LISTED[0], epsilon)?,
            self.sampled(DOMAIN, epsilon, effort)?,
            self.sampled(LARGE, epsilon, effort)?,
        ])
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let input = Input::deserialize(input).map_err(|_| misfit(self, "it has another form"))?;
        let oracle = self.make(input.domain, epsilon)?;
        let symbol = oracle.domain().symbol(input.symbol).map_err(|e| misfit(self, e.to_string()))?;
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            if let Report::Index(index) = oracle.randomise(symbol, input.plus, &mut rng) {
                out(&json!({"row": index / 2, "plus": index % 2 == 1}))?;
            }
        }
        Ok(())
    }
}

/// A signed symbol of the default domain, or of one that is named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    symbol: u32,
    plus: bool,
    #[serde(default = "default_domain")]
    domain: u32,
}

fn default_domain() -> u32 {
    DOMAIN
}
