//! A finished table whose effect is adjusted: both of its sums, as an attacker sees them who knows everybody else.

use reticent_audit::{Claim, Observation};
use reticent_curate::trial::{
    Adjust, Covariate, Draft, Finished, Outcome, Release, Stratum, TrialError, TrialSpec,
};
use reticent_privacy::{Epsilon, Generator};

use super::super::Subject;

/// People on each of two arms.
const ON_ARMS: [u64; 2] = [12, 12];
pub(super) const DELTA: f64 = 1e-6;

/// The first person: their outcome, if it came, and their covariate.
#[derive(Debug, Clone, Copy)]
pub(super) struct First {
    pub(super) outcome: Option<f64>,
    pub(super) covariate: f64,
}

pub(super) fn spec(epsilon: Epsilon) -> Result<TrialSpec, TrialError> {
    let plan = Draft {
        outcome: Outcome::number("outcome", 0.0, 1.0),
        ..Draft::simple("audit", ON_ARMS.iter().sum(), epsilon.value())
    };
    let covariates = vec![Covariate { column: "before".into(), low: 0.0, high: 1.0 }];
    Ok(TrialSpec::new(plan)?.finished(&ON_ARMS)?.adjusted(Adjust { delta: DELTA, covariates })?)
}

/// What is claimed: the concentrated loss, as an audit holds one to it.
pub(super) fn claim(spec: &TrialSpec) -> Option<Claim> {
    Claim::try_from(&spec.guarantee()).ok()
}

fn release<G: Generator>(spec: &TrialSpec, first: &First, rng: &mut G) -> Result<Release, TrialError> {
    let stratum = Stratum::new(spec, 0).ok_or(TrialError::NeverAssigned)?;
    let person = |number: u64| {
        let arm = usize::from(number < ON_ARMS[1]);
        let place = (number % 3) as f64 / 2.0;
        let (outcome, covariate) =
            if number == 0 { (first.outcome, first.covariate) } else { (Some(place), place) };
        (Finished { stratum, arm, outcome }, vec![covariate])
    };
    let people: Vec<(Finished, Vec<f64>)> = (0..ON_ARMS.iter().sum()).map(person).collect();
    Release::of_adjusted(spec.clone(), &people, rng)
}

pub(super) struct Seen(pub(super) Option<TrialSpec>);

impl Subject for Seen {
    type Input = First;
    fn observe<G: Generator>(&self, first: &First, rng: &mut G) -> Observation {
        let Some(spec) = &self.0 else { return Observation::silence() };
        let Ok(release) = release(spec, first, rng) else { return Observation::silence() };
        let Some(whole) = release.whole() else { return Observation::silence() };
        let numbers = [&whole.moments, &whole.sums[0], &whole.middles, &whole.missing];
        let mut seen: Vec<f64> = numbers.into_iter().flatten().map(|&sum| sum as f64).collect();
        // What an extreme row moves most, together: the first sum's products and the second's sums.
        let moments: f64 = whole.moments[1..].iter().map(|&sum| sum as f64).sum();
        seen.push(moments);
        seen.into()
    }
}
