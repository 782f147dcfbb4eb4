//! `dubey`: what its one release shows at points around the first person.

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_baselines::kernel::dubey::{DubeySpec, once};
use reticent_curate::kernel::{Family, Points};
use reticent_privacy::{Epsilon, Generator, Guarantee, Loss, NoiseRng};
use serde_json::json;

use super::{ACTION, ASKED, PEOPLE, Person, delta, log, people, setting};
use crate::catalogue::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};
use crate::kernel::MethodName;
use crate::named::Named;

pub(super) struct Dubey;

const NAME: &str = "dubey";

/// A run takes more than half a millisecond: a share of the runs is enough for a baseline.
const SHARE: usize = 64;

struct Once(DubeySpec);

impl Once {
    fn new(epsilon: Epsilon) -> Result<Once, CatalogueError> {
        let setting = setting(Family::SquaredExponential).ok_or_else(|| super::cannot(NAME))?;
        let loss = Loss::Approximate { epsilon, delta: delta() };
        let spec = DubeySpec::new(setting.kernel().clone(), 2, PEOPLE as usize, loss, 0.1);
        Ok(Once(DubeySpec { batches: 1, ..spec }))
    }

    fn values<G: Generator>(&self, first: &Person, rng: &mut G) -> Option<Vec<f64>> {
        let estimate = once(&self.0, &log(first), 1, rng).ok()?;
        let mut points = Points::new(2);
        for point in [[ACTION, ASKED], [ACTION, 0.95], [0.9, ASKED]] {
            points.push(&point);
        }
        Some([estimate.values(&points), estimate.bounds(&points)].concat())
    }
}

impl Subject for Once {
    type Input = Person;
    fn observe<G: Generator>(&self, first: &Person, rng: &mut G) -> Observation {
        self.values(first, rng).map_or_else(Observation::silence, Observation::from)
    }
}

impl Entry for Dubey {
    fn name(&self) -> &'static str {
        NAME
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        MethodName::Dubey.summary()
    }

    fn example(&self) -> &'static str {
        super::EXAMPLE
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        let spec = Once::new(epsilon)?.0;
        let none = |_| super::cannot(NAME);
        Ok(reticent_baselines::kernel::dubey::Dubey::new(spec, &super::candidates())
            .map_err(none)?
            .guarantee())
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let audit = Audit::new(NAME, Claim::approximate(epsilon, delta())).labelled(people());
        let effort = Effort { samples: (effort.samples / SHARE).max(1000), ..*effort };
        Ok(vec![effort.measure(audit, &Once::new(epsilon)?)?])
    }

    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let (first, once) = (super::read(self, input)?, Once::new(epsilon)?);
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            let values = once.values(&first, &mut rng).ok_or_else(|| super::cannot(NAME))?;
            out(&json!(values))?;
        }
        Ok(())
    }
}
