//! `gp-ucb`: play what could be best (Srinivas et al. 2010), for each context (Krause and Ong 2011).

use faer::Mat;
use reticent_privacy::Guarantee;

use super::ridge::{Ridge, Sums};
use reticent_curate::kernel::algebra::{self, Singular};
use reticent_curate::kernel::{FeatureMap, Points, Records};

/// Up to here the posterior is computed anew after each record.
const EVERY: usize = 50;

/// The parameters of `gp-ucb`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UcbSpec {
    /// The variance of the rewards' noise.
    pub tau: f64,
    /// The probability that a bound fails at some time, in `beta_t`.
    pub delta: f64,
    /// What `beta_t` is multiplied by: 1 is Theorem 1 of Srinivas et al.; they play a fifth of it.
    pub factor: f64,
}

/// Why there is no such bandit.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UcbError {
    /// Nothing to choose from.
    #[error("there are no candidate actions; give at least one")]
    NoCandidates,
    /// Actions of more inputs than the map has.
    #[error("candidates have {got} inputs and the feature map {most}, actions and context together")]
    Inputs {
        /// The candidates' inputs.
        got: usize,
        /// The map's.
        most: usize,
    },
    /// An invalid variance.
    #[error("tau is {got}; it must be a positive variance")]
    Tau {
        /// What it was.
        got: f64,
    },
    /// An invalid probability.
    #[error("delta is {got}; it must be between 0 and 1")]
    Delta {
        /// What it was.
        got: f64,
    },
    /// An invalid factor.
    #[error("the factor of beta is {got}; it must be a number from 0 on")]
    Factor {
        /// What it was.
        got: f64,
    },
}

/// Chooses the candidate with the largest `mean + sqrt(beta_t) sd` in the space of a feature map, where the
/// variance is tau phi' (Phi' Phi + tau I)^-1 phi. Not private.
///
/// A new posterior costs some rank^3 operations, a choice rank^2 for each candidate. So the posterior is made
/// anew after each of the first 50 records, and then each time the records have grown by two per cent: some
/// 400 times in 10^5 records, and in between no bound is off by more than about a hundredth.
pub struct GpUcb {
    map: FeatureMap,
    candidates: Points,
    spec: UcbSpec,
    sums: Sums,
    /// Records that are not in `sums` yet.
    pending: Records,
    seen: usize,
    refreshed: usize,
    ridge: Ridge,
    /// L'^-1 of the posterior's factor, and theta as the last column, ready for rows of kernels.
    combined: Mat<f64>,
}

impl GpUcb {
    /// A bandit for points of which the first inputs are those of `candidates` and the others the context.
    pub fn new(map: &FeatureMap, candidates: &Points, spec: UcbSpec) -> Result<GpUcb, UcbError> {
        let most = map.kernel().inputs();
        if candidates.is_empty() {
            return Err(UcbError::NoCandidates);
        }
        if candidates.dimensions() > most {
            return Err(UcbError::Inputs { got: candidates.dimensions(), most });
        }
        // Each also refuses what is not a number.
        if !(spec.tau > 0.0 && spec.tau.is_finite()) {
            return Err(UcbError::Tau { got: spec.tau });
        }
        if !(spec.delta > 0.0 && spec.delta < 1.0) {
            return Err(UcbError::Delta { got: spec.delta });
        }
        if !(0.0..f64::INFINITY).contains(&spec.factor) {
            return Err(UcbError::Factor { got: spec.factor });
        }
        let sums = Sums::new(map.rank());
        let ridge = Ridge::new(&sums, spec.tau).map_err(|_| UcbError::Tau { got: spec.tau })?;
        let combined = combine(map, &ridge);
        Ok(GpUcb {
            map: map.clone(),
            candidates: candidates.clone(),
            spec,
            sums,
            pending: Records::new(most),
            seen: 0,
            refreshed: 0,
            ridge,
            combined,
        })
    }

    /// `gp-ucb`.
    pub fn name(&self) -> &'static str {
        "gp-ucb"
    }

    /// None.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::none("one person's context and reward")
    }

    /// `beta_t = 2 ln(candidates t^2 pi^2 / (6 delta))`, times the factor, for the next record.
    pub fn beta(&self) -> f64 {
        let (count, t) = (self.candidates.len() as f64, (self.seen + 1) as f64);
        let tail = count * t * t * std::f64::consts::PI.powi(2) / (6.0 * self.spec.delta);
        self.spec.factor * 2.0 * libm::log(tail).max(0.0)
    }

    /// The number of the candidate for this context; the first of equals.
    pub fn choose(&mut self, context: &[f64]) -> usize {
        let points = beside_context(&self.candidates, context, self.map.kernel().inputs());
        let rank = self.map.rank();
        let rows = self.map.mapped(&points, self.combined.as_ref());
        let root = (self.beta() * self.spec.tau).sqrt();
        let bound = |i: usize| rows[(i, rank)] + root * rows.row(i).get(..rank).norm_l2();
        first_largest((0..points.len()).map(bound))
    }

    /// What came of a point, action inputs first.
    pub fn observe(&mut self, point: &[f64], reward: f64) -> Result<(), Singular> {
        self.pending.push(point, reward);
        self.seen += 1;
        // Whole numbers: 50 seen >= 51 refreshed is growth by two per cent.
        let due = self.seen <= EVERY || 50 * self.seen >= 51 * self.refreshed;
        if due { self.refresh() } else { Ok(()) }
    }

    /// The posterior mean at each point, from all records.
    pub fn values(&mut self, points: &Points) -> Result<Vec<f64>, Singular> {
        if !self.pending.is_empty() {
            self.refresh()?;
        }
        Ok(self.ridge.values(self.map.rows(points).as_ref()))
    }

    fn refresh(&mut self) -> Result<(), Singular> {
        let rows = self.map.rows(self.pending.points());
        self.sums.add(rows.as_ref(), self.pending.rewards());
        self.pending = Records::new(self.map.kernel().inputs());
        self.ridge = Ridge::new(&self.sums, self.spec.tau)?;
        self.combined = combine(&self.map, &self.ridge);
        self.refreshed = self.seen;
        Ok(())
    }
}

/// The matrix that makes a row of kernels into L^-1 phi and theta' phi.
fn combine(map: &FeatureMap, ridge: &Ridge) -> Mat<f64> {
    let rank = map.rank();
    let inverse = algebra::invert_lower(ridge.factor.as_ref());
    let both =
        Mat::from_fn(rank, rank + 1, |i, j| if j < rank { inverse[(j, i)] } else { ridge.theta[(i, 0)] });
    map.then(both.as_ref())
}

/// Each action with this context, clipped or filled up with zeros to `inputs` inputs.
pub(super) fn beside_context(actions: &Points, context: &[f64], inputs: usize) -> Points {
    let mut one = Points::new(inputs - actions.dimensions());
    one.push(context);
    if one.dimensions() == 0 { actions.clone() } else { actions.beside(&one.select(&vec![0; actions.len()])) }
}

/// The place of the first largest number.
pub(super) fn first_largest(values: impl Iterator<Item = f64>) -> usize {
    values.enumerate().fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best }).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_curate::kernel::{Family, Kernel};

    #[test]
    fn the_posterior_is_new_at_first_and_then_never_two_per_cent_old() {
        let kernel = Kernel::joint(Family::MaternThreeHalves, &[0.3]).unwrap();
        let map = FeatureMap::pivoted(&kernel, &Points::halton(0..30, 1), 8, 1e-6);
        let spec = UcbSpec { tau: 0.1, delta: 0.1, factor: 1.0 };
        let mut bandit = GpUcb::new(&map, &Points::halton(0..5, 1), spec).unwrap();
        let mut refreshes = 0;
        for t in 1..=3000 {
            let before = bandit.refreshed;
            bandit.observe(&[0.5], 0.3).unwrap();
            refreshes += usize::from(bandit.refreshed != before);
            let late = t - bandit.refreshed;
            assert!(if t <= EVERY { late == 0 } else { 50 * late <= bandit.refreshed }, "{t} {late}");
        }
        // 50 and then about log(3000/50)/log(1.02) = 207, fewer for whole numbers.
        assert!((200..=257).contains(&refreshes), "{refreshes}");
    }
}
