//! Averaged stochastic gradient descent on privatised gradients.

use crate::gradient::{Channel, Draw, Model, Policy, Report, Response, Spec};
use reticent_privacy::{Guarantee, SimRng};

use super::AbsorbError;
use super::steps::{Pace, Source};

/// The server's side of `ldp-glm` and `ldp-nn`.
///
/// Report t, of weight `w_t` = 1 / (mean square of a coordinate of its estimate), moves a point by its
/// gradient estimate times `w_t / (2 sqrt(1 + w_1 + ... + w_t))`; devices play, and take gradients, at the
/// average of these points, in which late ones count more. So auxiliary people with a larger loss count for
/// more, and need no tuning of their own. Han et al. move by 5 K / t and play the last point, after a warm-up
/// in turns; with steps of that kind the logistic model measured no better at a loss of 1 and worse at 8. In
/// place of the warm-up devices explore by lot, ever less often.
#[derive(Debug)]
pub struct Descent {
    spec: Spec,
    target: Source,
    sources: Vec<Source>,
    pace: Pace,
    /// The point that gradients move; the policy's parameters are its weighted average.
    moving: Vec<Vec<f64>>,
    policy: Policy,
}

/// Each arm's moving point is projected into the ball of this radius.
pub(super) const RADIUS: f64 = 10.0;

impl Descent {
    /// Starts at 0 for the logistic model, and at small random weights drawn from `rng` for a hidden layer.
    /// They are public.
    pub fn new(spec: Spec, mut rng: SimRng) -> Descent {
        let source = |epsilon| Source::new(Channel::best(epsilon, spec.parameters()), &spec);
        let target = source(spec.target_epsilon());
        let sources = spec.sources().iter().map(|&epsilon| source(epsilon)).collect();
        let moving: Vec<Vec<f64>> = (0..spec.arms()).map(|_| start(&spec, &mut rng)).collect();
        let policy = Policy { version: 0, parameters: moving.clone(), exploration: 1.0 };
        Descent { target, sources, pace: Pace::new(&spec), moving, policy, spec }
    }

    /// The public policy for the next person.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The experiment that this agent was made for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What the agent promises each person of the target: it sees reports alone, so whatever it does is
    /// post-processing.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// Learns from one report and publishes the next policy; a report that does not fit is refused and changes nothing.
    ///
    /// A report to an older policy is accepted: its gradient was taken at a nearby point, as when many people
    /// answer at once.
    #[inline]
    pub fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let source = self.check(report)?;
        let (step, share) = self.pace.advance(source.weight);
        let step = step * source.worth;
        match &report.response {
            Response::Signs(draws) => draws.iter().for_each(|draw| self.move_by_signs(*draw, step)),
            Response::Steps(steps) => {
                let parameters = self.spec.parameters() as usize;
                for (arm, block) in self.moving.iter_mut().zip(steps.chunks_exact(parameters)) {
                    arm.iter_mut().zip(block).for_each(|(at, &steps)| *at -= step * steps as f64);
                }
            }
        }
        for (arm, average) in self.moving.iter_mut().zip(&mut self.policy.parameters) {
            project(arm);
            average.iter_mut().zip(arm).for_each(|(mean, at)| *mean += share * (*at - *mean));
        }
        self.policy.exploration = self.pace.exploration();
        self.policy.version += 1;
        Ok(())
    }

    #[inline]
    fn move_by_signs(&mut self, draw: Draw, step: f64) {
        for (k, arm) in self.moving.iter_mut().enumerate() {
            let plus = draw.signs >> k & 1 == 1;
            arm[draw.coordinate as usize] -= if plus { step } else { -step };
        }
    }

    #[inline]
    fn check(&self, report: &Report) -> Result<Source, AbsorbError> {
        let now = self.policy.version;
        if report.version > now {
            return Err(AbsorbError::Version { got: report.version, now });
        }
        let source = match report.source {
            None => &self.target,
            Some(number) => self.sources.get(number as usize).ok_or(AbsorbError::UnknownSource)?,
        };
        let (arms, parameters) = (self.spec.arms(), self.spec.parameters());
        let shaped = match (&report.response, source.channel) {
            (Response::Signs(draws), Channel::Signs { coordinates, .. }) => {
                let fits = |draw: &Draw| {
                    draw.coordinate < parameters && draw.signs <= u64::MAX >> (u64::BITS - arms)
                };
                draws.len() == coordinates as usize
                    && draws.iter().all(fits)
                    && draws.is_sorted_by(|a, b| a.coordinate < b.coordinate)
            }
            (Response::Steps(steps), Channel::Laplace { .. }) => {
                steps.len() == arms as usize * parameters as usize
            }
            _ => return Err(AbsorbError::WrongKind),
        };
        if shaped { Ok(*source) } else { Err(AbsorbError::Shape) }
    }
}

/// One arm's first parameters.
fn start(spec: &Spec, rng: &mut SimRng) -> Vec<f64> {
    let mut parameters = vec![0.0; spec.parameters() as usize];
    if let Model::Hidden { units } = spec.model() {
        let layer = (units * (spec.dims() + 1)) as usize;
        let spread = 1.0 / f64::from(spec.dims() + 1).sqrt();
        parameters[..layer].iter_mut().for_each(|weight| *weight = spread * rng.normal());
        // The output's intercept starts at 0: no arm is better than another before anybody has answered.
        let spread = 0.5 / f64::from(units).sqrt();
        parameters[layer + 1..].iter_mut().for_each(|weight| *weight = spread * rng.normal());
    }
    parameters
}

#[inline]
fn project(arm: &mut [f64]) {
    let square: f64 = arm.iter().map(|value| value * value).sum();
    if square > RADIUS * RADIUS {
        let shrink = RADIUS / square.sqrt();
        for value in arm {
            *value *= shrink;
        }
    }
}
