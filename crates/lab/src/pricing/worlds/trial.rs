//! One log of a world: what our policy and raw predictors make of it.

use reticent_baselines::regression::{Boosting, Logistic, Predictor, Records};
use reticent_device::pricing::Device;
use reticent_learn::pricing::{Earns, Fitted, Objective, Policy, Tally, fit};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Spec};
use serde::{Deserialize, Serialize};

use super::{Exam, World};
use crate::pricing::LessonError;
use crate::runner::{Finished, LabError, Repeated, Size, StoreKey};

/// Logs of a world, of so many records each.
#[derive(Debug, Clone, Copy)]
pub struct Logs {
    /// The world.
    pub world: &'static World,
    /// Records of a log.
    pub records: u64,
    /// The loss of a report; raw records if none.
    pub epsilon: Option<Epsilon>,
    /// How many logs.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// What was earned as a share of the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shares {
    /// From reports.
    Private {
        /// The policy's.
        policy: f64,
        /// Its own single price's.
        single: f64,
        /// The share of people to whom it quotes another price than that.
        others: f64,
    },
    /// From raw records.
    Raw {
        /// Logistic regression's.
        logistic: f64,
        /// Gradient boosting's.
        boosting: f64,
    },
}

/// What the numbers depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    series: u32,
    world: String,
    records: u64,
    epsilon: Option<Epsilon>,
    seed: u64,
}

const SERIES: u32 = 3;
/// People of an exam, and of the sample of the target that the method is given.
const EXAMINED: usize = 4000;
const SAMPLED: usize = 1000;
/// Prices among which raw predictors choose in a range.
const OFFERS: usize = 49;

impl Logs {
    /// What the results depend on.
    pub fn key(&self) -> Key {
        let Logs { world, records, epsilon, seed, .. } = *self;
        Key { series: SERIES, world: world.name.to_string(), records, epsilon, seed }
    }

    /// People of the target, the same in each trial.
    pub fn exam(&self) -> Exam {
        Exam::draw(self.world, EXAMINED, &mut SimSeed(self.seed).stream(0, Stream::Source))
    }

    /// A sample of the target that a method is given.
    pub fn sample(&self, trial: u32) -> Vec<Vec<f64>> {
        let mut rng = SimSeed(self.seed).stream(u64::from(trial), Stream::Agent);
        let person = |_| {
            let mut context = vec![0.0; self.world.dims];
            self.world.draw_target(&mut rng, &mut context);
            context
        };
        (0..SAMPLED).map(person).collect()
    }

    /// What prices are for.
    pub fn objective(&self) -> Result<Objective, LessonError> {
        Ok(Objective::new(&self.world.terms()?, Earns::Margin { cost: self.world.cost }))
    }

    /// Learns from a log's reports, made by the devices' own code.
    pub fn fitted(&self, trial: u32, epsilon: Epsilon) -> Result<Fitted, LessonError> {
        let spec = Spec::designed(self.world.terms()?, epsilon, self.records)?;
        let mut device = Device::simulated(&spec, epsilon, self.stream(trial, Stream::Noise));
        let mut tally = Tally::new(&spec);
        self.log(trial, |context, price, outcome| -> Result<(), LessonError> {
            device.next_person(epsilon);
            let record = device.record_numbers(context, price)?;
            tally.absorb(&device.answer(record, outcome)?)?;
            Ok(())
        })?;
        Ok(fit(&[tally])?)
    }

    fn private(&self, trial: u32, epsilon: Epsilon) -> Result<Shares, LessonError> {
        let fitted = self.fitted(trial, epsilon)?;
        let policy: Policy = fitted.policy_for(self.objective()?, Some(&self.sample(trial)))?;
        let exam = self.exam();
        let (single, others) = policy.choice().map_or((0.0, 0.0), |choice| (choice.single, choice.others));
        let quoted = exam.share(|context| policy.quote_point(context).price);
        Ok(Shares::Private { policy: quoted, single: exam.share(|_| single), others })
    }

    fn raw(&self, trial: u32) -> Result<Shares, LessonError> {
        let width = self.world.dims + 1;
        let (mut features, mut outcomes) = (Vec::new(), Vec::new());
        self.log(trial, |context, price, outcome| -> Result<(), LessonError> {
            features.extend_from_slice(context);
            features.push(price);
            outcomes.push(outcome / self.world.most);
            Ok(())
        })?;
        let records = Records { width, features: &features, outcomes: &outcomes };
        let exam = self.exam();
        Ok(Shares::Raw {
            logistic: exam.share(self.greedy(&Logistic::fit(&records))?),
            boosting: exam.share(self.greedy(&Boosting::fit(&records))?),
        })
    }

    /// The price with the highest predicted earnings.
    fn greedy<'a>(&'a self, model: &'a impl Predictor) -> Result<impl Fn(&[f64]) -> f64 + 'a, LessonError> {
        let offers = match self.world.terms()?.prices() {
            Prices::Points(list) => list.clone(),
            Prices::Range(..) => (0..OFFERS).map(|i| i as f64 / (OFFERS - 1) as f64).collect(),
        };
        Ok(move |context: &[f64]| {
            let mut best = (f64::NEG_INFINITY, offers[0]);
            for &price in &offers {
                let earned = (price - self.world.cost) * model.mean(&[context, &[price]].concat());
                if earned > best.0 {
                    best = (earned, price);
                }
            }
            best.1
        })
    }

    /// Gives each record of a log to `each`: the same log to all methods.
    fn log<E>(&self, trial: u32, mut each: impl FnMut(&[f64], f64, f64) -> Result<(), E>) -> Result<(), E> {
        let mut rng = self.stream(trial, Stream::Environment);
        let mut context = vec![0.0; self.world.dims];
        for _ in 0..self.records {
            let logged = self.world.draw(&mut rng, &mut context);
            each(&context, logged.price, logged.outcome)?;
        }
        Ok(())
    }

    fn stream(&self, trial: u32, purpose: Stream) -> SimRng {
        SimSeed(self.seed).stream(u64::from(trial), purpose)
    }
}

impl Repeated for Logs {
    type Trial = Finished<Shares>;

    fn size(&self) -> Size {
        Size { people: self.records, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Self::Trial>, LabError> {
        if !go_on(self.records) {
            return Ok(None);
        }
        let outcome = match self.epsilon {
            Some(epsilon) => self.private(trial, epsilon)?,
            None => self.raw(trial)?,
        };
        Ok(Some(Finished { trial, outcome }))
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let Key { world, records, epsilon, seed, .. } = self;
        let method = epsilon.map_or_else(|| "raw".to_string(), |epsilon| format!("eps{epsilon}"));
        format!("world-{world}-{method}-n{records}-seed{seed}.jsonl")
    }
}
