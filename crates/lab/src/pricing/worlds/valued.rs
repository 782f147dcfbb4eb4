//! A policy of one log, valued by others.

use reticent_learn::pricing::Policy;
use reticent_privacy::{Epsilon, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::{Exam, Key, Logs};
use crate::pricing::LessonError;
use crate::runner::{Finished, LabError, Repeated, Size, StoreKey};

/// A policy with what it truly earns from the target.
#[derive(Debug)]
pub struct Valued {
    logs: Logs,
    epsilon: Epsilon,
    policy: Policy,
    single: f64,
    value: f64,
    gain: f64,
}

/// Whether a log's intervals held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// That of the policy's value.
    pub value: bool,
    /// That of its gain over its single price.
    pub gain: bool,
    /// Estimate less truth.
    pub value_error: f64,
    /// The same of the gain.
    pub gain_error: f64,
}

/// The key of a valued policy's trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValuedKey(Key);

/// Two-sided, 95 %.
const DEVIATIONS: f64 = 1.96;
/// People over whom the truth is taken.
const PEOPLE: usize = 50_000;
/// The log that the policy is learned from is none of those that value it.
const LEARNED_FROM: u32 = u32::MAX;

impl Valued {
    /// Learns the policy.
    pub fn new(logs: Logs, epsilon: Epsilon) -> Result<Valued, LessonError> {
        let sample = logs.sample(LEARNED_FROM);
        let policy = logs.fitted(LEARNED_FROM, epsilon)?.policy_for(logs.objective()?, Some(&sample))?;
        let single = policy.choice().map_or(0.0, |choice| choice.single);
        let exam = Exam::draw(logs.world, PEOPLE, &mut SimSeed(logs.seed).stream(0, Stream::Source));
        let value = exam.value(|context| policy.quote_point(context).price);
        let gain = value - exam.value(|_| single);
        Ok(Valued { logs, epsilon, policy, single, value, gain })
    }

    /// What the results depend on.
    pub fn key(&self) -> ValuedKey {
        ValuedKey(self.logs.key())
    }

    fn held(&self, trial: u32) -> Result<Held, LessonError> {
        let fitted = self.logs.fitted(trial, self.epsilon)?;
        let sample = self.logs.sample(trial);
        let value = fitted.value(&self.policy, Some(&sample));
        let gain = fitted.gain(&self.policy, self.single, Some(&sample));
        let within = |(low, high): (f64, f64), truth: f64| low <= truth && truth <= high;
        Ok(Held {
            value: within(value.interval(DEVIATIONS), self.value),
            gain: within(gain.interval(DEVIATIONS), self.gain),
            value_error: value.mean - self.value,
            gain_error: gain.mean - self.gain,
        })
    }
}

impl Repeated for Valued {
    type Trial = Finished<Held>;

    fn size(&self) -> Size {
        self.logs.size()
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Self::Trial>, LabError> {
        if !go_on(self.logs.records) {
            return Ok(None);
        }
        Ok(Some(Finished { trial, outcome: self.held(trial)? }))
    }
}

impl StoreKey for ValuedKey {
    fn file_name(&self) -> String {
        format!("valued-{}", self.0.file_name())
    }
}
