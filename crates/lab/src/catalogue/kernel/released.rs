//! `private-kernel`: the released numbers, from which all else is computed.

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_curate::kernel::{Collector, Family, Population, Release, ReleaseLoss, Sketch, promise};
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng, SimSeed, Stream, VectorSum};
use serde_json::json;

use super::{Person, delta, log, people, setting};
use crate::catalogue::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};
use crate::kernel::MethodName;
use crate::named::Named;

pub(super) struct PrivateKernel;

const NAME: &str = "private-kernel";

/// A sketch for a budget, and the direction in which two neighbours differ most.
struct Whole {
    sketch: Sketch,
    budget: ReleaseLoss,
    direction: Vec<f64>,
}

impl Whole {
    fn new(epsilon: Epsilon) -> Result<Whole, CatalogueError> {
        let none = || super::cannot(NAME);
        let budget = ReleaseLoss::new(epsilon, delta()).map_err(|_| none())?;
        let setting = setting(Family::MaternFiveHalves).ok_or_else(none)?;
        let sketch = Sketch::new(&setting, &Population::Uniform, super::PEOPLE, budget.sigma());
        let mut whole = Whole { sketch, budget, direction: Vec::new() };
        whole.direction = whole.difference().ok_or_else(none)?;
        Ok(whole)
    }

    fn release<G: Generator>(&self, first: &Person, budget: ReleaseLoss, rng: &mut G) -> Option<Release> {
        let mut collector = Collector::of_sketch(self.sketch.clone(), budget, 1);
        collector.add(&log(first)).ok()?;
        collector.release_with(rng).ok()
    }

    /// From releases with hardly any noise: what the best test between the first two people looks at (Neyman
    /// and Pearson).
    fn difference(&self) -> Option<Vec<f64>> {
        let clear = ReleaseLoss::new(Epsilon::MAX, delta()).ok()?;
        let mut rng = SimSeed(0).stream(0, Stream::Noise);
        let people = people();
        let [one, other] = [0, 1].map(|i| self.release(&people[i].1, clear, &mut rng));
        let (one, other) = (one?, other?);
        let pairs = one.noisy().iter().zip(other.noisy());
        Some(pairs.map(|(a, b)| (a - b) as f64 / f64::from(VectorSum::RADIUS)).collect())
    }
}

impl Subject for Whole {
    type Input = Person;
    fn observe<G: Generator>(&self, first: &Person, rng: &mut G) -> Observation {
        let Some(release) = self.release(first, self.budget, rng) else { return Observation::silence() };
        let along =
            release.noisy().iter().zip(&self.direction).map(|(&step, x)| step as f64 * x).sum::<f64>();
        (along, release.noisy().to_vec()).into()
    }
}

impl Entry for PrivateKernel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        MethodName::PrivateKernel.summary()
    }

    fn example(&self) -> &'static str {
        super::EXAMPLE
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok(promise(epsilon, delta()))
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let audit = Audit::new(NAME, Claim::approximate(epsilon, delta())).labelled(people());
        Ok(vec![effort.measure(audit, &Whole::new(epsilon)?)?])
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let (first, whole) = (super::read(self, input)?, Whole::new(epsilon)?);
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            let release = whole.release(&first, whole.budget, &mut rng);
            out(&json!(release.ok_or_else(|| super::cannot(NAME))?.noisy()))?;
        }
        Ok(())
    }
}
