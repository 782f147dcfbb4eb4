//! What a record adds to the sums, as one vector of length at most one, and back.

use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use faer::RowRef;

use super::super::ridge::Sums;

/// How many numbers the upper triangle of phi phi' and phi y have.
pub(super) fn dimensions(rank: usize) -> usize {
    rank * (rank + 1) / 2 + rank
}

/// [phi phi', phi y] / sqrt 2, of phi phi' the upper triangle with sqrt 2 on what is off the diagonal: its length is
/// sqrt((|phi|^4 + |phi|^2 y^2) / 2) <= 1 for |phi| <= 1 and |y| <= 1.
pub(super) fn fill(vector: &mut Vec<f64>, phi: RowRef<'_, f64>, reward: f64) {
    vector.clear();
    for j in 0..phi.ncols() {
        vector.extend((0..j).map(|i| phi[i] * phi[j]));
        vector.push(FRAC_1_SQRT_2 * phi[j] * phi[j]);
    }
    vector.extend(phi.iter().map(|feature| FRAC_1_SQRT_2 * feature * reward));
}

/// The sums of which `vector` is the vector.
pub(super) fn sums(vector: &[f64], rank: usize) -> Sums {
    let mut out = Sums::new(rank);
    let mut entries = vector.iter();
    for j in 0..rank {
        for (i, entry) in entries.by_ref().take(j + 1).enumerate() {
            out.gram[(j, i)] = if i == j { SQRT_2 * entry } else { *entry };
        }
    }
    for (j, entry) in entries.enumerate() {
        out.moment[(j, 0)] = SQRT_2 * entry;
    }
    out
}
