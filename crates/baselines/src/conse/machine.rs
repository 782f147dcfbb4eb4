//! The two algorithms, person by person.

use std::fmt;

use reticent_privacy::{Delta, Epsilon, Generator, Guarantee};

use super::feature::{Feature, Surviving, Terms};
use super::lap_plus::{LapPlus, nearest};
use super::{ConseError, Design};

/// Where a trial is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The first half: eliminate the worse arm of each feature.
    Elimination,
    /// The second half: randomise `T_j` people of each feature, then play what survived.
    Trial,
    /// Everybody was served.
    Finished,
}

/// Algorithm 1 or 2 in the middle of a trial.
///
/// ```
/// use reticent_baselines::conse::{Conse, Design};
/// use reticent_privacy::{SimSeed, Stream};
/// let mut rng = SimSeed(1).stream(0, Stream::Agent);
/// let mut trial = Conse::new(Design { people: 100, features: 1, alpha: 0.5 })?;
/// for _ in 0..100 {
///     let arm = trial.choose(0, &mut rng)?;
///     trial.record(if arm == 1 { 0.9 } else { 0.2 }, &mut rng)?;
/// }
/// assert!((trial.estimates()[0].unwrap() - 0.7).abs() < 1e-9);
/// # Ok::<(), reticent_baselines::conse::ConseError>(())
/// ```
pub struct Conse {
    design: Design,
    epsilon: Option<Epsilon>,
    served: u64,
    features: Vec<Feature>,
    least_length: Option<f64>,
    awaited: Option<Awaited>,
}

/// A person who has an arm and no reward yet.
struct Awaited {
    feature: usize,
    arm: u32,
    randomised: bool,
}

impl Conse {
    /// `conse`: Algorithm 1, without privacy.
    pub fn new(design: Design) -> Result<Conse, ConseError> {
        Self::with(design, None)
    }

    /// `dp-conse`: Algorithm 2. What it claims is in [`claimed`](Conse::claimed), and is not true.
    pub fn private(design: Design, epsilon: Epsilon) -> Result<Conse, ConseError> {
        Self::with(design, Some(epsilon))
    }

    fn with(design: Design, epsilon: Option<Epsilon>) -> Result<Conse, ConseError> {
        design.check()?;
        let features = vec![Feature::new(); design.features];
        Ok(Conse { design, epsilon, served: 0, features, least_length: None, awaited: None })
    }

    /// `conse` or `dp-conse`.
    pub fn name(&self) -> &'static str {
        if self.epsilon.is_some() { "dp-conse" } else { "conse" }
    }

    /// The arm, 0 or 1, of the next person, who has this feature.
    pub fn choose<G: Generator>(&mut self, feature: usize, rng: &mut G) -> Result<u32, ConseError> {
        if self.awaited.is_some() {
            return Err(ConseError::RewardAwaited);
        }
        if self.phase() == Phase::Finished {
            return Err(ConseError::Finished);
        }
        let last = self.features.len() - 1;
        let state = self.features.get(feature).ok_or(ConseError::UnknownFeature { last })?;
        let randomised = state.randomises();
        let arm = match state.surviving {
            _ if randomised => rng.next_u32() >> 31,
            Surviving::Only(arm) => arm,
            // "Pull any arm" (line 37; 39 in Algorithm 2). Our reading: arm 0.
            Surviving::Both => 0,
        };
        self.awaited = Some(Awaited { feature, arm, randomised });
        Ok(arm)
    }

    /// That person's reward. Draws noise where a batch or a feature's trial ends with it.
    pub fn record<G: Generator>(&mut self, reward: f64, rng: &mut G) -> Result<(), ConseError> {
        // Also refuses NaN.
        if !(0.0..=1.0).contains(&reward) {
            return Err(ConseError::Reward);
        }
        let Some(Awaited { feature, arm, randomised }) = self.awaited.take() else {
            return Err(ConseError::NobodyAwaited);
        };
        let (terms, phase) = (Terms { people: self.design.people, epsilon: self.epsilon }, self.phase());
        let state = &mut self.features[feature];
        state.seen += 1;
        if randomised {
            state.learn(arm, reward);
            match phase {
                Phase::Elimination => state.close_batch(terms, rng),
                _ => state.close_trial(terms, rng),
            }
        }
        self.served += 1;
        if self.served == self.design.half() {
            self.begin_trial(rng);
        }
        Ok(())
    }

    /// Lines 20 to 27: `T_min` from the first half's counts, and `T_j` from `T_min`, for each feature anew:
    /// `guarantee.md`, point 3.
    fn begin_trial<G: Generator>(&mut self, rng: &mut G) {
        let least = self.design.least_length(self.features.iter().map(|feature| feature.seen));
        self.least_length = Some(least);
        for feature in &mut self.features {
            feature.begin_trial(match self.epsilon {
                // Our reading: T_min is no integer and line 33 asks for equality, so it is rounded as Lap+ rounds it.
                None => nearest(least),
                Some(epsilon) => LapPlus::new(epsilon).sample(least, rng),
            });
        }
    }

    /// Where the trial is.
    pub fn phase(&self) -> Phase {
        match self.served {
            served if served < self.design.half() => Phase::Elimination,
            served if served < self.design.people => Phase::Trial,
            _ => Phase::Finished,
        }
    }

    /// The design.
    pub fn design(&self) -> Design {
        self.design
    }

    /// People served.
    pub fn served(&self) -> u64 {
        self.served
    }

    /// `S_j`: which arms of each feature are left.
    pub fn surviving(&self) -> Vec<Surviving> {
        self.features.iter().map(|feature| feature.surviving).collect()
    }

    /// The epoch that each feature is in.
    pub fn epochs(&self) -> Vec<u32> {
        self.features.iter().map(|feature| feature.epoch).collect()
    }

    /// `R^j_e`: the length of each feature's batch, in people.
    pub fn batches(&self) -> Vec<u64> {
        self.features.iter().map(|feature| feature.batch).collect()
    }

    /// `T_min`, once the first half is over. Not private.
    pub fn least_length(&self) -> Option<f64> {
        self.least_length
    }

    /// `T_j`: how many people of each feature are randomised in the second half, once the first is over.
    pub fn lengths(&self) -> Option<Vec<u64>> {
        self.features.iter().map(|feature| feature.length).collect()
    }

    /// The estimated effect of arm 1 against arm 0 for each feature; none where `T_j` people were not seen.
    pub fn estimates(&self) -> Vec<Option<f64>> {
        self.features.iter().map(|feature| feature.estimate).collect()
    }

    /// What it promises each person: nothing, for either algorithm.
    pub fn guarantee(&self) -> Guarantee {
        match self.epsilon {
            None => Guarantee::none("one person of the trial"),
            Some(_) => Guarantee {
                proof: "the paper's claim is refuted in crates/baselines/src/conse/guarantee.md".into(),
                ..Guarantee::none("one person of the trial")
            },
        }
    }

    /// What Theorem 3.5 says that `dp-conse` is: (epsilon, 1/n)-private. **Refuted**: `guarantee.md` beside this file.
    pub fn claimed(&self) -> Option<(Epsilon, Delta)> {
        self.epsilon.zip(Delta::new(1.0 / self.design.people as f64).ok())
    }
}

/// Without anything that people's rewards and features made.
impl fmt::Debug for Conse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conse")
            .field("name", &self.name())
            .field("design", &self.design)
            .field("served", &self.served)
            .finish_non_exhaustive()
    }
}
