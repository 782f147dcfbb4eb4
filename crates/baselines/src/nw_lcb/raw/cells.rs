//! Sales sorted into cells of contexts.

use std::ops::Range;

use super::ranks::{Ranks, Slabs};

/// Records in the order of their cells: `groups` grids of cells, one after the other, each with its last axis fastest.
#[derive(Debug)]
pub(super) struct Cells {
    axes: Vec<Slabs>,
    /// Where each cell's records start, in records, and where the last end.
    starts: Vec<u32>,
    /// Each record's ranks of context, then its tail.
    data: Vec<u32>,
    dims: usize,
}

/// What a record has after its context: first and last near candidate, price bin, reward in steps.
pub(super) const TAIL: usize = 4;
/// A record's numbers after its context.
pub(super) type Tail = [u32; TAIL];

/// A context's neighbourhood in one arrangement of cells.
#[derive(Debug)]
pub(super) struct Window {
    /// For each dimension, the ranks that are near.
    pub(super) ranks: Vec<Range<u32>>,
    /// For each axis of the cells, the slabs that may have near records.
    pub(super) outer: Vec<Range<usize>>,
    /// For each axis, the slabs all of whose records are near on this axis.
    pub(super) inner: Vec<Range<usize>>,
    /// Whether a cell that is in `inner` on all axes has near records only.
    pub(super) solid: bool,
}

impl Cells {
    /// `record` gives the i-th record's context ranks and tail; `group` its grid.
    pub(super) fn new(
        axes: Vec<Slabs>,
        groups: usize,
        ranks: &[Vec<u32>],
        tails: &[Tail],
        group: impl Fn(&Tail) -> usize,
    ) -> Cells {
        let grid: usize = axes.iter().map(Slabs::len).product();
        let cell = |i: usize| {
            let within =
                axes.iter().zip(ranks).fold(0, |cell, (axis, ranks)| cell * axis.len() + axis.of(ranks[i]));
            group(&tails[i]) * grid + within
        };
        let cells: Vec<u32> = (0..tails.len()).map(|i| cell(i) as u32).collect();
        let mut starts = vec![0_u32; grid * groups + 1];
        for &cell in &cells {
            starts[cell as usize + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let (dims, stride) = (ranks.len(), ranks.len() + TAIL);
        let mut next = starts.clone();
        let mut data = vec![0; stride * tails.len()];
        for (i, &cell) in cells.iter().enumerate() {
            let place = &mut next[cell as usize];
            let record = &mut data[*place as usize * stride..][..stride];
            record.iter_mut().zip(ranks).for_each(|(to, ranks)| *to = ranks[i]);
            record[dims..].copy_from_slice(&tails[i]);
            *place += 1;
        }
        Cells { axes, starts, data, dims }
    }

    pub(super) fn axes(&self) -> &[Slabs] {
        &self.axes
    }

    /// The cells around these ranks.
    pub(super) fn window(&self, ranks: Vec<Range<u32>>, contexts: &[Ranks]) -> Window {
        let (outer, inner) = self.axes.iter().zip(&ranks).map(|(axis, ranks)| axis.around(ranks)).unzip();
        // Dimensions that are no axis do not cut the cells, so they must be near from end to end.
        let solid = (self.axes.len()..self.dims).all(|dim| ranks[dim].len() == contexts[dim].values.len());
        Window { ranks, outer, inner, solid }
    }

    /// Runs of records of a group's outer cells; without those of the inner cells if `hollow`.
    pub(super) fn runs(&self, window: &Window, group: usize, hollow: bool, runs: &mut Vec<Range<u32>>) {
        self.descend(window, 0, group, hollow && window.solid, runs);
    }

    fn descend(&self, window: &Window, axis: usize, cell: usize, inside: bool, runs: &mut Vec<Range<u32>>) {
        let (outer, inner, width) = (&window.outer[axis], &window.inner[axis], self.axes[axis].len());
        if axis + 1 < self.axes.len() {
            for slab in outer.clone() {
                self.descend(window, axis + 1, cell * width + slab, inside && inner.contains(&slab), runs);
            }
            return;
        }
        let mut push = |slabs: Range<usize>| {
            let run = self.starts[cell * width + slabs.start]..self.starts[cell * width + slabs.end];
            if !run.is_empty() {
                runs.push(run);
            }
        };
        if inside && !inner.is_empty() {
            push(outer.start..inner.start);
            push(inner.end..outer.end);
        } else {
            push(outer.clone());
        }
    }

    /// Calls `visit` with the tail of each record of the runs that is in the window.
    #[inline]
    pub(super) fn visit(&self, runs: &[Range<u32>], window: &Window, visit: impl FnMut(&Tail)) {
        match self.dims {
            1 => self.visit_known::<1, 5>(runs, window, visit),
            2 => self.visit_known::<2, 6>(runs, window, visit),
            3 => self.visit_known::<3, 7>(runs, window, visit),
            _ => self.visit_any(runs, window, visit),
        }
    }

    /// The same loop with its lengths known: several times as fast.
    #[inline]
    fn visit_known<const D: usize, const STRIDE: usize>(
        &self,
        runs: &[Range<u32>],
        window: &Window,
        mut visit: impl FnMut(&Tail),
    ) {
        let near: [(u32, u32); D] = std::array::from_fn(|dim| {
            let ranks = &window.ranks[dim];
            (ranks.start, ranks.end - ranks.start)
        });
        for run in runs {
            for record in
                self.data[run.start as usize * STRIDE..run.end as usize * STRIDE].chunks_exact(STRIDE)
            {
                // One comparison an axis, and no branch between them.
                let out = (0..D).fold(0, |out, dim| {
                    out | u32::from(record[dim].wrapping_sub(near[dim].0) >= near[dim].1)
                });
                if out == 0 {
                    visit(&[record[D], record[D + 1], record[D + 2], record[D + 3]]);
                }
            }
        }
    }

    fn visit_any(&self, runs: &[Range<u32>], window: &Window, mut visit: impl FnMut(&Tail)) {
        let (dims, stride) = (self.dims, self.dims + TAIL);
        for run in runs {
            for record in
                self.data[run.start as usize * stride..run.end as usize * stride].chunks_exact(stride)
            {
                let (context, tail) = record.split_at(dims);
                if context.iter().zip(&window.ranks).all(|(rank, near)| near.contains(rank)) {
                    visit(&[tail[0], tail[1], tail[2], tail[3]]);
                }
            }
        }
    }
}
