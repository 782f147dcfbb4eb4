//! `gp-mean`: the posterior in a finite feature space, from one pass over the records.

use super::ridge::{Ridge, Sums};
use reticent_curate::kernel::algebra::Singular;
use reticent_curate::kernel::blocks;
use reticent_curate::kernel::{FeatureMap, Points, Records};
use reticent_privacy::Guarantee;

/// The posterior mean theta' phi(w) with theta = (Phi' Phi + tau I)^-1 Phi' y, that is eq. (2) of paper 002
/// for the kernel phi' phi. Not private.
///
/// Where the map's points include those of the records it is the exact posterior.
pub struct GpMean {
    map: FeatureMap,
    ridge: Ridge,
    tau: f64,
}

impl GpMean {
    /// The posterior after `records`, whose rewards have noise of variance `tau`. The number of threads does
    /// not change the result.
    pub fn new(map: &FeatureMap, tau: f64, records: &Records, threads: usize) -> Result<GpMean, Singular> {
        // Also refuses what is not a number.
        if !(0.0..f64::INFINITY).contains(&tau) {
            return Err(Singular);
        }
        let start = || Sums::new(map.rank());
        let parts = blocks::fold(records.len(), threads, start, |sums, numbers| {
            let rows = map.rows(&records.points().range(numbers.clone()));
            sums.add(rows.as_ref(), &records.rewards()[numbers]);
        });
        let sums = parts.into_iter().reduce(|a, b| a.plus(&b)).unwrap_or_else(start);
        Ok(GpMean { map: map.clone(), ridge: Ridge::new(&sums, tau)?, tau })
    }

    /// `gp-mean`.
    pub fn name(&self) -> &'static str {
        "gp-mean"
    }

    /// None.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::none("one person's context and reward")
    }

    /// The posterior mean at each point.
    pub fn values(&self, points: &Points) -> Vec<f64> {
        self.ridge.values(self.map.rows(points).as_ref())
    }

    /// The posterior variance at each point: tau phi' (Phi' Phi + tau I)^-1 phi, plus the share of the prior
    /// variance that no feature explains.
    pub fn variances(&self, points: &Points) -> Vec<f64> {
        let rows = self.map.rows(points);
        let explained = rows.row_iter().map(|row| row.squared_norm_l2());
        let spreads = self.ridge.spreads(rows.as_ref());
        spreads
            .iter()
            .zip(explained)
            .map(|(spread, known)| self.tau * spread + (1.0 - known).max(0.0))
            .collect()
    }
}
