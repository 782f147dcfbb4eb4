//! The mechanisms of `privacy`, as entries.

mod central;
mod local;

use std::marker::PhantomData;

use reticent_audit::{Audit, Claim, Finding, FiniteMechanism, Observation, Weight};
use reticent_privacy::mechanism::Mechanism;
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};

pub(super) use central::all as central;
pub(super) use local::all as local;

/// What the catalogue needs to know about a mechanism beside what it does.
trait Described: Mechanism<Input: Clone + Sync, Output: Into<Observation> + Serialize> + Sync + Sized {
    const NAME: &'static str;
    const GROUP: Group;
    const SUMMARY: &'static str;
    const EXAMPLE: &'static str;

    fn make(epsilon: Epsilon) -> Option<Self>;
    /// The input that a JSON value stands for.
    fn read(value: &Value) -> Option<Self::Input>;
    /// Inputs to compare, with names.
    fn inputs() -> Vec<(String, Self::Input)>;
    /// Which of them are neighbours; all of each other if not said.
    fn pairs() -> Option<Vec<(usize, usize)>> {
        None
    }
    fn claim(epsilon: Epsilon) -> Option<Claim> {
        Some(Claim::pure(epsilon))
    }
    /// The law of the output, for a mechanism with few of them.
    fn law(&self, _input: &Self::Input) -> Option<Vec<Weight>> {
        None
    }
}

/// A described mechanism as an entry.
struct Of<M>(PhantomData<fn() -> M>);

struct Running<M>(M);

impl<M: Described> Subject for Running<M> {
    type Input = M::Input;
    fn observe<G: Generator>(&self, input: &M::Input, rng: &mut G) -> Observation {
        self.0.release_with(input.clone(), rng).into()
    }
}

impl<M: Described> Of<M> {
    fn boxed() -> Box<dyn Entry>
    where
        M: 'static,
    {
        Box::new(Of::<M>(PhantomData))
    }
}

fn made<M: Described>(epsilon: Epsilon) -> Result<M, CatalogueError> {
    let problem = "no noise that is large enough can be drawn".to_string();
    M::make(epsilon).ok_or(CatalogueError::Parameter { name: M::NAME, problem })
}

/// The finding from the laws themselves, if the mechanism can list them.
fn exact<M: Described>(mechanism: &M, claim: Claim) -> Result<Option<Finding>, CatalogueError> {
    let inputs = M::inputs();
    let laws: Option<Vec<_>> = inputs.iter().map(|(_, input)| mechanism.law(input)).collect();
    let Some(laws) = laws else { return Ok(None) };
    let mut finite = FiniteMechanism::new(laws)?.labels(inputs.into_iter().map(|(label, _)| label));
    if let Some(pairs) = M::pairs() {
        finite = finite.pairs(pairs)?;
    }
    Ok(Some(finite.audit(M::NAME, claim)))
}

impl<M: Described> Entry for Of<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn group(&self) -> Group {
        M::GROUP
    }

    fn summary(&self) -> &'static str {
        M::SUMMARY
    }

    fn example(&self) -> &'static str {
        M::EXAMPLE
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok(made::<M>(epsilon)?.guarantee())
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let mechanism = made::<M>(epsilon)?;
        let Some(claim) = M::claim(epsilon) else { return Ok(Vec::new()) };
        let mut findings: Vec<Finding> = exact(&mechanism, claim)?.into_iter().collect();
        let mut audit = Audit::new(M::NAME, claim).labelled(M::inputs());
        if let Some(pairs) = M::pairs() {
            audit = audit.pairs(pairs);
        }
        findings.push(effort.measure(audit, &Running(mechanism))?);
        Ok(findings)
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let mechanism = made::<M>(epsilon)?;
        let input = M::read(input).ok_or_else(|| super::misfit(self, "it has another form or range"))?;
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            out(&json!(mechanism.release_with(input.clone(), &mut rng)))?;
        }
        Ok(())
    }
}
