//! The binary tree mechanism over batches (Chan, Shi and Song 2011; Dwork et al. 2010).

use reticent_privacy::mechanism::{Mechanism, VectorGaussian};
use reticent_privacy::{Generator, Neighbours, Rho, VectorError, VectorSum};

use super::DubeyError;

/// Noisy sums over batches 1 to b for each b, of which each is made of as many nodes as b has ones in binary.
/// A node is the sum of 2^l batches that end at a multiple of 2^l; each is released once, and a record is in
/// one of each level.
pub(super) struct Tree {
    mechanism: VectorGaussian,
    /// The batch that is being filled.
    open: VectorSum,
    /// The true node of each level that the next prefix needs: private.
    exact: Vec<Option<VectorSum>>,
    /// The same nodes, released.
    noisy: Vec<Option<Vec<i64>>>,
    ended: usize,
}

/// How many levels there are, and so how many nodes a record is in at most.
pub(super) fn depth(batches: usize) -> u32 {
    batches.max(1).ilog2() + 1
}

impl Tree {
    /// Of so many batches of vectors, for `rho` in all.
    pub(super) fn new(dimensions: usize, batches: usize, rho: Rho) -> Result<Tree, DubeyError> {
        let levels = depth(batches);
        // Rounded down: the nodes together never cost more than rho.
        let share = Rho::from_femto(rho.femto() / u64::from(levels)).map_err(|_| DubeyError::Loss)?;
        let mechanism = VectorGaussian::new(share, Neighbours::Replace)?;
        let levels = levels as usize;
        Ok(Tree {
            mechanism,
            open: VectorSum::new(dimensions),
            exact: vec![None; levels],
            noisy: vec![None; levels],
            ended: 0,
        })
    }

    /// One record of the open batch.
    pub(super) fn add(&mut self, vector: &[f64]) -> Result<(), VectorError> {
        self.open.add(vector)
    }

    /// Many records of the open batch.
    pub(super) fn merge(&mut self, sum: &VectorSum) -> Result<(), VectorError> {
        self.open.merge(sum)
    }

    /// Ends the open batch and releases the one node that ends with it.
    pub(super) fn end_batch<G: Generator>(&mut self, rng: &mut G) -> Result<(), VectorError> {
        self.ended += 1;
        let level = self.ended.trailing_zeros() as usize;
        let empty = VectorSum::new(self.open.dimensions());
        let mut node = std::mem::replace(&mut self.open, empty);
        for below in 0..level {
            if let Some(sum) = self.exact[below].take() {
                node.merge(&sum)?;
            }
            self.noisy[below] = None;
        }
        self.exact[level] = Some(node.clone());
        self.noisy[level] = Some(self.mechanism.release_with(node, rng));
        Ok(())
    }

    /// How many nodes the released prefix is made of.
    pub(super) fn nodes(&self) -> usize {
        self.noisy.iter().flatten().count()
    }

    /// The noisy sum over all ended batches.
    pub(super) fn prefix(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.open.dimensions()];
        for node in self.noisy.iter().flatten() {
            for (total, step) in sum.iter_mut().zip(node) {
                *total += *step as f64 / f64::from(VectorSum::RADIUS);
            }
        }
        sum
    }

    /// The standard deviation of the prefix's noise on each number.
    pub(super) fn sigma(&self) -> f64 {
        self.mechanism.sigma() * (self.nodes() as f64).sqrt()
    }
}
