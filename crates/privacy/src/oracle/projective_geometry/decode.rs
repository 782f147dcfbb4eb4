//! How many reports support each symbol: sums of counts over hyperplanes, in integers.
//!
//! Feldman, Nelson, Nguyen and Talwar (2022) decode by a dynamic programme over the coordinates that takes time
//! O(K q t). This is the same programme, depth first, so that it needs memory for little more than the counts.

use super::design::Design;

/// For each of the first `symbols` symbols, the sum of the counts of the points on its hyperplane.
pub(super) fn supports(design: Design, counts: &[u64], symbols: u32) -> Vec<u64> {
    let q = design.q as usize;
    let mut sums = vec![0; symbols as usize];
    let deepest = (1..design.t.saturating_sub(1)).map(|m| design.points(m) as usize * q).sum();
    let mut scratch = vec![0; deepest];
    let (mut folded, mut known, mut start) = (counts.to_vec(), 0, 0);
    // First the symbols whose last coordinate is 1; then those with 0 there and 1 in the one before; and so on.
    for pivot in (0..design.t).rev() {
        let vectors = q.pow(pivot).min(sums.len() - start);
        let mut walk = Walk { q, sums: &mut sums[start..start + vectors] };
        walk.descend(&folded[1..], &mut scratch, known, Progression { first: 0, step: 1 });
        start += vectors;
        if start == sums.len() {
            break;
        }
        // A symbol with 0 in the last coordinate ignores it: add up over it. (0, .., 0, 1) is on the hyperplane.
        known += folded[0];
        folded = folded[1..].chunks_exact(q).map(|values| values.iter().sum()).collect();
    }
    sums
}

/// The symbols still meant: their coordinates that are fixed so far are the low digits.
#[derive(Clone, Copy)]
struct Progression {
    first: usize,
    step: usize,
}

struct Walk<'a> {
    q: usize,
    sums: &'a mut [u64],
}

impl Walk<'_> {
    /// `table[q k + w]` counts points (y, w, ..) with y of number k in m dimensions. Adds to `known`, for each vector
    /// x of the progression, the counts with <x, y> + w = 0.
    fn descend(&mut self, table: &[u64], scratch: &mut [u64], known: u64, at: Progression) {
        let q = self.q;
        if table.is_empty() {
            self.sums[at.first] = known;
            return;
        }
        // y = (0, .., 0, 1) stands alone; the others are (y', a) with y' a point in m - 1 dimensions.
        let (alone, others) = table.split_at(q);
        let (child, deeper) = scratch.split_at_mut(others.len() / q);
        for b in 0..q {
            let next = Progression { first: at.first + at.step * b, step: at.step * q };
            if next.first >= self.sums.len() {
                break;
            }
            let known = known + alone[(q - b) % q];
            if others.is_empty() {
                self.sums[next.first] = known;
                continue;
            }
            // x = (x', b): (y', a) adds a b to the product, which moves its counts from w to w + a b.
            for (sums, rows) in child.chunks_exact_mut(q).zip(others.chunks_exact(q * q)) {
                rotate_and_add(sums, rows, b);
            }
            self.descend(child, deeper, known, next);
        }
    }
}

/// The sum of the rows, row a moved up by a b, cyclically.
#[inline]
fn rotate_and_add(sums: &mut [u64], rows: &[u64], b: usize) {
    let q = sums.len();
    let (first, rest) = rows.split_at(q);
    sums.copy_from_slice(first);
    let mut shift = 0;
    for row in rest.chunks_exact(q) {
        shift += b;
        if shift >= q {
            shift -= q;
        }
        let (low, high) = row.split_at(q - shift);
        let (wrapped, straight) = sums.split_at_mut(shift);
        straight.iter_mut().zip(low).for_each(|(sum, value)| *sum += value);
        wrapped.iter_mut().zip(high).for_each(|(sum, value)| *sum += value);
    }
}
