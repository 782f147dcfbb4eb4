//! One made-up person after the other, each with a device and a budget of their own.

use std::sync::Arc;

use reticent_device::{contextual, mab, pricing};
use reticent_privacy::{Epsilon, Ledger, NoiseRng, SimRng};
use reticent_protocol::contextual::Plan;
use reticent_protocol::{Report, contextual as wire_contextual, mab as wire_mab};

use super::PlayError;
use super::world::{World, demand, flip, somebody};

/// What became of a visit: known here because the world is made up, and never sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The reward or the outcome.
    pub reward: f64,
    /// Whether the person got the arm that is best for them; none where prices are only collected.
    pub best: Option<bool>,
}

/// Devices that follow one policy after the other.
pub(super) struct Visitor<'a> {
    world: &'a World,
    noise: NoiseRng,
    people: SimRng,
    follows: Follows,
}

enum Follows {
    Nothing,
    Bandit(wire_mab::Policy),
    Contextual(Arc<Plan>),
}

impl<'a> Visitor<'a> {
    pub(super) fn new(world: &'a World, people: SimRng) -> Result<Visitor<'a>, PlayError> {
        Ok(Visitor { world, noise: NoiseRng::from_os()?, people, follows: Follows::Nothing })
    }

    /// Whether devices of this experiment follow policies.
    pub(super) fn follows_policies(&self) -> bool {
        !matches!(self.world, World::Pricing { .. })
    }

    /// From now on people follow this policy.
    pub(super) fn follow(&mut self, bytes: &[u8]) -> Result<(), PlayError> {
        self.follows = match self.world {
            World::Bandit { .. } => Follows::Bandit(wire_mab::Policy::decode(bytes)?),
            World::Contextual { spec } => {
                let plan = Plan::new(spec, wire_contextual::Policy::decode(bytes)?);
                Follows::Contextual(Arc::new(plan.map_err(reticent_device::DeviceError::from)?))
            }
            World::Pricing { .. } => Follows::Nothing,
        };
        Ok(())
    }

    /// The next person: a fresh budget that covers one report, a choice, an outcome, a report.
    pub(super) fn visit(&mut self) -> Result<(Report, Visit), PlayError> {
        let world = self.world;
        let Visitor { noise, people, follows, .. } = self;
        match (world, follows) {
            (World::Bandit { spec, .. }, Follows::Bandit(policy)) => {
                let mut device = mab::Device::with_noise(spec, Ledger::new(spec.epsilon()), noise);
                let choice = device.choose(policy)?;
                let (arm, best) = (choice.arm(), world.best_arm(0.0));
                let reward = flip(spec.reward(), world.chance(arm, 0.0), people);
                Ok((device.answer(choice, reward)?, Visit { reward, best: Some(Some(arm) == best) }))
            }
            (World::Contextual { spec }, Follows::Contextual(plan)) => {
                let lifetime =
                    Ledger::of_nano(spec.epsilon().nano() + spec.arm_epsilon().map_or(0, Epsilon::nano));
                let mut device = contextual::Device::with_noise(spec, lifetime, noise);
                let (values, place) = somebody(spec.encoding(), people);
                let context = device.encode(&values)?;
                let choice = device.choose(plan, &context)?;
                let (arm, best) = (choice.arm(), world.best_arm(place));
                let reward = flip(spec.reward(), world.chance(arm, place), people);
                Ok((device.answer(choice, reward)?, Visit { reward, best: Some(Some(arm) == best) }))
            }
            (World::Pricing { spec }, _) => {
                let mut device = pricing::Device::with_noise(spec, Ledger::new(spec.epsilon()), noise);
                let (terms, draw) = (spec.terms(), people.uniform());
                let (values, place) = somebody(terms.context(), people);
                let price = terms.prices().low() + draw * (terms.prices().high() - terms.prices().low());
                let reward = flip(terms.outcome(), demand(place, draw), people);
                let record = device.record(&values, price)?;
                Ok((device.answer(record, reward)?, Visit { reward, best: None }))
            }
            _ => Err(PlayError::Device(reticent_device::DeviceError::OtherPlan)),
        }
    }
}
