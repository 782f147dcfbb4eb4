//! Agents of which others see one chosen action: `private-kernel-once` and `usca`.

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_baselines::kernel::{Usca, UscaSpec};
use reticent_curate::kernel::{Chooser, Family, Population, one_choice};
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng, SimSeed};
use serde_json::json;

use super::{ASKED, PEOPLE, Person, candidates, log, people, setting};
use crate::catalogue::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};
use crate::kernel::MethodName;
use crate::named::Named;

pub(super) fn once() -> Box<dyn Entry> {
    Box::new(Chosen::<Chooser> {
        kind: MethodName::PrivateKernelOnce,
        make: |epsilon| {
            let setting = setting(Family::MaternFiveHalves)?;
            Chooser::new(&setting, &Population::Uniform, PEOPLE, epsilon, candidates(), 1).ok()
        },
        promise: |epsilon| one_choice(epsilon, 1),
    })
}

pub(super) fn usca() -> Box<dyn Entry> {
    Box::new(Chosen::<Usca> {
        kind: MethodName::Usca,
        make: |epsilon| made(epsilon),
        promise: |epsilon| {
            made(epsilon).map_or_else(|| Guarantee::none("one person"), |usca| usca.guarantee())
        },
    })
}

fn made(epsilon: Epsilon) -> Option<Usca> {
    let setting = setting(Family::MaternFiveHalves)?;
    let spec = UscaSpec { tau: 0.1, epsilon, candidates: candidates(), most_approximating: usize::MAX };
    Usca::new(&setting, &Population::Uniform, PEOPLE as usize, spec, SimSeed(1), 1).ok()
}

/// What both can do: begin anew, add two people, and choose.
trait Agent: Sync {
    fn fresh(&self) -> Self;
    fn choose<G: Generator>(self, first: &Person, rng: &mut G) -> Option<f64>;
}

impl Agent for Chooser {
    fn fresh(&self) -> Chooser {
        Chooser::fresh(self)
    }

    fn choose<G: Generator>(mut self, first: &Person, rng: &mut G) -> Option<f64> {
        self.add(&log(first)).ok()?;
        Some(Chooser::choose(&mut self, &[ASKED], rng).ok()?[0])
    }
}

impl Agent for Usca {
    fn fresh(&self) -> Usca {
        self.clone()
    }

    fn choose<G: Generator>(mut self, first: &Person, rng: &mut G) -> Option<f64> {
        self.add(&log(first)).ok()?;
        Some(self.predict(&[ASKED], rng).ok()?[0])
    }
}

struct Chosen<A> {
    kind: MethodName,
    make: fn(Epsilon) -> Option<A>,
    promise: fn(Epsilon) -> Guarantee,
}

struct Running<A>(A);

impl<A: Agent> Subject for Running<A> {
    type Input = Person;
    fn observe<G: Generator>(&self, first: &Person, rng: &mut G) -> Observation {
        self.0.fresh().choose(first, rng).into()
    }
}

impl<A: Agent> Chosen<A> {
    fn made(&self, epsilon: Epsilon) -> Result<A, CatalogueError> {
        (self.make)(epsilon).ok_or_else(|| super::cannot(self.kind.name()))
    }
}

impl<A: Agent> Entry for Chosen<A> {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        self.kind.summary()
    }

    fn example(&self) -> &'static str {
        super::EXAMPLE
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok((self.promise)(epsilon))
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let audit = Audit::new(self.kind.name(), Claim::pure(epsilon)).labelled(people());
        Ok(vec![effort.measure(audit, &Running(self.made(epsilon)?))?])
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let (first, agent) = (super::read(self, input)?, self.made(epsilon)?);
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            out(&json!(agent.fresh().choose(&first, &mut rng)))?;
        }
        Ok(())
    }
}
