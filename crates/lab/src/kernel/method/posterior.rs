//! The posterior mean without privacy, in the space of a finite feature map.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Accum, Col, Mat, Par, Side};
use reticent_curate::kernel::{FeatureMap, Points, Records, Singular};

use super::{Lesson, Method, Outcome};
use crate::kernel::gain::features;
use crate::simulate::LabError;

/// The paper's (2): (Phi' Phi + tau)^-1 Phi' y, and the best candidate by it.
#[derive(Debug, Clone, Copy)]
pub struct PosteriorMean;

/// Records at a time.
const BLOCK: usize = 1024;

impl Method for PosteriorMean {
    fn name(&self) -> &'static str {
        "gp-mean"
    }

    fn is_private(&self) -> bool {
        false
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, LabError> {
        let map = features(&lesson.setting.kernel, lesson.setting.rank);
        let weights = fit(&map, &lesson.records(), lesson.setting.tau)?;
        Ok(lesson.judge_surface(|points: &Points| {
            (map.kernel().between(points, map.points()) * &weights).iter().copied().collect()
        }))
    }
}

/// Weights of the kernel functions at the map's points.
pub(in crate::kernel) fn fit(map: &FeatureMap, records: &Records, tau: f64) -> Result<Col<f64>, Singular> {
    let rank = map.rank();
    let (mut gram, mut sum) = (Mat::<f64>::identity(rank, rank) * faer::Scale(tau), Col::<f64>::zeros(rank));
    for start in (0..records.len()).step_by(BLOCK) {
        let block = start..records.len().min(start + BLOCK);
        let rows = map.rows(&records.points().range(block.clone()));
        let rewards = Col::from_fn(block.len(), |i| records.rewards()[start + i]);
        matmul(gram.as_mut(), Accum::Add, rows.transpose(), &rows, 1.0, Par::Seq);
        sum += rows.transpose() * &rewards;
    }
    let mut weights = gram.llt(Side::Lower).map_err(|_| Singular)?.solve(&sum).as_mat().to_owned();
    // Features are kernels times L'^-1, and the features of the map's own points are L.
    let lower = map.rows(map.points());
    solve_upper_triangular_in_place(lower.transpose(), weights.as_mut(), Par::Seq);
    Ok(weights.col(0).to_owned())
}
