//! What is known of one kind of people.

use reticent_privacy::{Epsilon, Generator};

use super::lap_plus::{LapPlus, nearest};
use super::noise::with_noise;
use super::schedule::Schedule;

/// `S_j`: the arms that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surviving {
    /// Neither was removed.
    Both,
    /// This one; the other was removed.
    Only(u32),
}

/// Rewards of one arm. Without any its mean is 0, as it was initialised.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    pulls: u64,
}

impl Mean {
    fn value(self) -> f64 {
        if self.pulls == 0 { 0.0 } else { self.sum / self.pulls as f64 }
    }
}

/// What the rules need to know of the whole trial.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) people: u64,
    pub(super) epsilon: Option<Epsilon>,
}

/// The state of one feature. Not `Debug`: it is made of people's rewards.
#[derive(Clone)]
pub(super) struct Feature {
    pub(super) surviving: Surviving,
    pub(super) epoch: u32,
    /// `R^j_e` (`R_e` in Algorithm 1), in people.
    pub(super) batch: u64,
    /// `r_j`: people of this batch so far.
    in_batch: u64,
    /// `n_j`: people of this half so far.
    pub(super) seen: u64,
    /// `T_j`, once drawn.
    pub(super) length: Option<u64>,
    pub(super) estimate: Option<f64>,
    means: [Mean; 2],
}

impl Feature {
    pub(super) fn new() -> Feature {
        Feature {
            surviving: Surviving::Both,
            epoch: 0,
            // Our reading: the sequences start with epoch 1, so there is no R_0; epoch 0 ends at its first
            // person, whose reward is dropped with it.
            batch: 1,
            in_batch: 0,
            seen: 0,
            length: None,
            estimate: None,
            means: [Mean::default(); 2],
        }
    }

    /// Whether the next person of this feature gets a coin's arm: lines 6 and 31 (33 in Algorithm 2).
    pub(super) fn randomises(&self) -> bool {
        match self.length {
            None => self.surviving == Surviving::Both,
            Some(length) => self.seen < length,
        }
    }

    /// A randomised person's reward.
    pub(super) fn learn(&mut self, arm: u32, reward: f64) {
        let mean = &mut self.means[arm as usize & 1];
        mean.sum += reward;
        mean.pulls += 1;
        self.in_batch += 1;
    }

    /// Lines 9 to 16: at the end of a batch, perhaps remove an arm; then the next batch.
    pub(super) fn close_batch<G: Generator>(&mut self, terms: Terms, rng: &mut G) {
        if self.in_batch < self.batch {
            return;
        }
        if self.epoch >= 1 {
            self.eliminate(terms, rng);
        }
        self.epoch += 1;
        self.in_batch = 0;
        self.means = [Mean::default(); 2];
        let batch = Schedule::of(self.epoch, terms.people, terms.epsilon).batch;
        self.batch = match terms.epsilon {
            None => libm::ceil(batch) as u64,
            // Our reading: R^j_e is never defined; (iii) of the proof, R_e <= R^j_e <= 3 R_e, suggests Lap+(2 R_e).
            Some(epsilon) => LapPlus::new(epsilon).sample(2.0 * batch, rng),
        };
    }

    fn eliminate<G: Generator>(&mut self, terms: Terms, rng: &mut G) {
        let schedule = Schedule::of(self.epoch, terms.people, terms.epsilon);
        let means = self.means.map(|mean| match terms.epsilon {
            None => mean.value(),
            Some(epsilon) => with_noise(mean.value(), epsilon, nearest(schedule.batch), rng),
        });
        let best = means[0].max(means[1]);
        for (arm, mean) in (0..).zip(means) {
            if best - mean > schedule.threshold() {
                self.surviving = Surviving::Only(1 - arm);
            }
        }
    }

    /// The second half begins, with `T_j` people to randomise. Our reading: the means start at zero, so that
    /// the estimate is the randomised trial's alone; the paper does not say that those of an unfinished batch
    /// are dropped.
    pub(super) fn begin_trial(&mut self, length: u64) {
        self.length = Some(length);
        self.seen = 0;
        self.means = [Mean::default(); 2];
    }

    /// Lines 33 and 34 (35 and 36): the estimate, once `T_j` people were seen.
    pub(super) fn close_trial<G: Generator>(&mut self, terms: Terms, rng: &mut G) {
        if self.length == Some(self.seen) {
            let effect = self.means[1].value() - self.means[0].value();
            self.estimate = Some(match terms.epsilon {
                None => effect,
                Some(epsilon) => with_noise(effect, epsilon, self.seen, rng),
            });
        }
    }
}
