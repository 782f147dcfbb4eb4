//! The frequency oracles, as entries.

mod signed;

use reticent_audit::{Audit, Claim, Finding, FiniteMechanism, Observation, Weight};
use reticent_privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleKind, Report, Shape, Symbol};
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng};
use serde::Deserialize;
use serde_json::json;

use super::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};

/// One oracle as an entry.
struct OracleEntry(OracleKind);

/// The domain if none is asked for, and the one that is sampled.
const DOMAIN: u32 = 16;
/// A larger domain, sampled too where a report is one number.
const LARGE: u32 = 1000;
/// Domains to list every report of, the first that has few enough: sets of 256 symbols have too many.
const LISTED: [u32; 2] = [256, 8];

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    let kinds = OracleKind::ALL.into_iter().map(|kind| Box::new(OracleEntry(kind)) as Box<dyn Entry>);
    kinds.chain([Box::new(signed::SignedEntry) as Box<dyn Entry>]).collect()
}

struct Running(FrequencyOracle);

impl Subject for Running {
    type Input = Symbol;
    fn observe<G: Generator>(&self, symbol: &Symbol, rng: &mut G) -> Observation {
        let report = self.0.randomise(*symbol, rng);
        // What a server sees are bytes: through them and back.
        match self.0.decode(&self.0.encode(&report)) {
            Ok(Report::Index(index)) => index.into(),
            Ok(Report::Set(words)) => {
                members(&words, self.0.domain()).map(Into::into).collect::<Vec<f64>>().into()
            }
            Err(_) => Observation::silence(),
        }
    }
}

/// Whether each symbol is in the set, as 0 or 1.
fn members(words: &[u64], domain: Domain) -> impl Iterator<Item = u8> {
    (0..domain.size()).map(move |i| {
        let word = words.get(i as usize / 64).copied().unwrap_or(0);
        (word >> (i % 64)) as u8 & 1
    })
}

impl OracleEntry {
    fn make(&self, size: u32, epsilon: Epsilon) -> Result<FrequencyOracle, CatalogueError> {
        let domain = Domain::new(size).map_err(|e| super::misfit(self, e.to_string()))?;
        Ok(FrequencyOracle::new(self.0, domain, epsilon))
    }

    fn label(&self, size: u32) -> String {
        format!("{} of {size} symbols", self.name())
    }

    /// From reports of some symbols, the first and the last among them.
    fn sampled(&self, size: u32, epsilon: Epsilon, effort: &Effort) -> Result<Finding, CatalogueError> {
        let oracle = self.make(size, epsilon)?;
        let chosen =
            |symbol: &Symbol| size == DOMAIN || [0, 1, 2, size / 2, size - 1].contains(&symbol.index());
        let symbols = oracle.domain().symbols().filter(chosen);
        let symbols = symbols.map(|symbol| (format!("symbol {} of {size}", symbol.index()), symbol));
        let audit = Audit::new(self.label(size), Claim::pure(epsilon)).labelled(symbols);
        Ok(effort.measure(audit, &Running(oracle))?)
    }

    /// From the law of every symbol of a small domain.
    fn exact(&self, size: u32, epsilon: Epsilon) -> Result<Option<Finding>, CatalogueError> {
        let oracle = self.make(size, epsilon)?;
        let weights = |symbol| -> Option<Vec<Weight>> {
            Some(oracle.law(symbol)?.into_iter().map(|(_, weight)| Weight::exact(weight)).collect())
        };
        let laws: Option<Vec<_>> = oracle.domain().symbols().map(weights).collect();
        let Some(laws) = laws else { return Ok(None) };
        let labels = (0..size).map(|symbol| format!("symbol {symbol} of {size}"));
        Ok(Some(FiniteMechanism::new(laws)?.labels(labels).audit(&self.label(size), Claim::pure(epsilon))))
    }
}

impl Entry for OracleEntry {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn group(&self) -> Group {
        Group::FrequencyOracle
    }

    fn summary(&self) -> &'static str {
        match self.0 {
            OracleKind::KaryResponse => "the symbol itself or another: best for few symbols",
            OracleKind::UnaryEncoding => "a noisy bit for each symbol (optimised unary encoding)",
            OracleKind::SubsetSelection => "a random set that likely has the symbol in it",
            OracleKind::HadamardResponse => "a row of a Hadamard matrix: short reports, fast decoder",
            OracleKind::ProjectiveGeometry => "a point of a projective space: least variance, short reports",
        }
    }

    fn example(&self) -> &'static str {
        r#"{"symbol":3,"domain":16}"#
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok(self.make(DOMAIN, epsilon)?.guarantee())
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let mut findings = Vec::new();
        for size in LISTED {
            if let Some(finding) = self.exact(size, epsilon)? {
                findings.push(finding);
                break;
            }
        }
        findings.push(self.sampled(DOMAIN, epsilon, effort)?);
        if matches!(self.make(LARGE, epsilon)?.shape(), Shape::Index { .. }) {
            findings.push(self.sampled(LARGE, epsilon, effort)?);
        }
        Ok(findings)
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let input = Input::deserialize(input).map_err(|_| super::misfit(self, "it has another form"))?;
        let (symbol, size) = match input {
            Input::Symbol(symbol) => (symbol, DOMAIN),
            Input::Of { symbol, domain } => (symbol, domain),
        };
        let oracle = self.make(size, epsilon)?;
        let symbol = oracle.domain().symbol(symbol).map_err(|e| super::misfit(self, e.to_string()))?;
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            out(&match oracle.randomise(symbol, &mut rng) {
                Report::Index(index) => json!(index),
                Report::Set(words) => {
                    let set = members(&words, oracle.domain()).enumerate().filter(|(_, member)| *member == 1);
                    json!(set.map(|(symbol, _)| symbol).collect::<Vec<_>>())
                }
            })?;
        }
        Ok(())
    }
}

/// A symbol of the default domain, or of one that is named.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Input {
    Symbol(u32),
    Of { symbol: u32, domain: u32 },
}
