//! Bandits that see raw records: what is lost to privacy is measured against them.

use reticent_baselines::raw::{FourierThompson, LinUcb, NearestThompson, RawBandit};
use reticent_privacy::SimRng;
use reticent_schema::Field;

use super::{Player, PlayerError};
use crate::contextual::env::{Person, Record, World};
use crate::contextual::{AgentName, Experiment};

/// The bandit, and how contexts become its points.
#[derive(Debug)]
pub(in crate::contextual) struct Raw {
    bandit: Box<dyn RawBandit>,
    points: Points,
}

/// Numbers scaled to [0, 1], and one coordinate for each level of a category.
#[derive(Debug)]
struct Points {
    fields: Vec<Field>,
    point: Vec<f64>,
}

/// Two different levels are as far apart as the ends of a number's range.
const LEVEL: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl Points {
    fn new(world: &World) -> Points {
        Points { fields: world.fields(), point: Vec::new() }
    }

    fn dims(&self) -> usize {
        self.fields
            .iter()
            .map(|f| if let Field::Category { levels, .. } = f { levels.len() } else { 1 })
            .sum()
    }

    fn set(&mut self, context: &[f64]) -> &[f64] {
        self.point.clear();
        for (field, &x) in self.fields.iter().zip(context) {
            match field {
                Field::Numeric { low, high, .. } => {
                    let unit = ((x - low) / (high - low)).clamp(0.0, 1.0);
                    self.point.push(if unit.is_nan() { 0.5 } else { unit });
                }
                Field::Category { levels, .. } => {
                    let place = x as usize;
                    let one = |level: usize| if level == place { LEVEL } else { 0.0 };
                    self.point.extend((0..levels.len()).map(one));
                }
            }
        }
        &self.point
    }
}

impl Raw {
    /// A new bandit that knows nothing.
    pub(in crate::contextual) fn new(experiment: &Experiment, choices: SimRng) -> Raw {
        let points = Points::new(&experiment.world);
        let (arms, dims) = (experiment.world.arms(), points.dims());
        let bandit: Box<dyn RawBandit> = match experiment.agent {
            AgentName::LinUcb => Box::new(LinUcb::new(arms, dims)),
            AgentName::FourierThompson => Box::new(FourierThompson::new(arms, dims, choices)),
            _ => Box::new(NearestThompson::new(arms, dims, choices)),
        };
        Raw { bandit, points }
    }
}

impl Player for Raw {
    fn aid(&mut self, _source: u32, record: &Record) -> Result<(), PlayerError> {
        self.bandit.learn(self.points.set(&record.context), record.arm, record.reward);
        Ok(())
    }

    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError> {
        let point = self.points.set(person.context());
        let arm = self.bandit.choose(point);
        let reward = person.reward(arm, world);
        self.bandit.learn(point, arm, reward);
        Ok((arm, reward))
    }
}
