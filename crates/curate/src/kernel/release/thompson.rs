//! Functions drawn from what a release leaves possible: post-processing, so it is free.

use faer::Mat;

use super::Surface;
use crate::kernel::algebra;

impl Surface {
    /// A function drawn from the posterior, given as many standard normal numbers as `normals` is asked for.
    #[must_use]
    pub fn drawn(&self, mut normals: impl FnMut() -> f64) -> Surface {
        let turned = Mat::from_fn(self.factor.ncols(), 1, |_, _| normals());
        let mut out = self.clone();
        algebra::add_product(out.weights.as_mut(), self.factor.as_ref(), turned.as_ref());
        out
    }
}
