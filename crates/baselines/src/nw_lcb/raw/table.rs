//! Sums over boxes of context cells, without looking at the cells.

use std::ops::Range;

use super::cells::Tail;
use super::objective::Tally;
use super::ranks::Slabs;

/// For each corner of the grid of cells, the tally of each price bin over all cells below the corner on all axes.
#[derive(Debug)]
pub(super) struct Table {
    /// Corners an axis: one more than slabs.
    widths: Vec<usize>,
    bins: usize,
    counts: Vec<u32>,
    steps: Vec<u64>,
}

impl Table {
    pub(super) fn new(axes: &[Slabs], bins: usize, ranks: &[Vec<u32>], tails: &[Tail]) -> Table {
        let widths: Vec<usize> = axes.iter().map(|axis| axis.len() + 1).collect();
        let size = widths.iter().product::<usize>() * bins;
        let mut table = Table { widths, bins, counts: vec![0; size], steps: vec![0; size] };
        for (i, &[_, _, bin, reward]) in tails.iter().enumerate() {
            let corner = axes.iter().zip(ranks).map(|(axis, ranks)| axis.of(ranks[i]) + 1);
            let place = table.place(corner) + bin as usize;
            table.counts[place] += 1;
            table.steps[place] += u64::from(reward);
        }
        for axis in 0..table.widths.len() {
            let stride = table.widths[axis + 1..].iter().product::<usize>() * bins;
            for place in stride..size {
                if !(place / stride).is_multiple_of(table.widths[axis]) {
                    table.counts[place] += table.counts[place - stride];
                    table.steps[place] += table.steps[place - stride];
                }
            }
        }
        table
    }

    fn place(&self, corner: impl Iterator<Item = usize>) -> usize {
        self.widths.iter().zip(corner).fold(0, |place, (width, at)| place * width + at) * self.bins
    }

    /// Adds the tallies of all cells of the box to those of each price bin.
    pub(super) fn add(&self, slabs: &[Range<usize>], tallies: &mut [Tally]) {
        if slabs.iter().any(Range::is_empty) {
            return;
        }
        for mask in 0..1_u32 << slabs.len() {
            let upper = |axis: usize| mask >> axis & 1 == 0;
            let at =
                |(axis, slabs): (usize, &Range<usize>)| if upper(axis) { slabs.end } else { slabs.start };
            let place = self.place(slabs.iter().enumerate().map(at));
            let (counts, steps) = (&self.counts[place..][..self.bins], &self.steps[place..][..self.bins]);
            let both = tallies.iter_mut().zip(counts.iter().zip(steps));
            // Inclusion and exclusion; what goes below zero comes back.
            if mask.count_ones() % 2 == 0 {
                both.for_each(|(tally, (count, steps))| {
                    tally.count = tally.count.wrapping_add(*count);
                    tally.steps = tally.steps.wrapping_add(*steps);
                });
            } else {
                both.for_each(|(tally, (count, steps))| {
                    tally.count = tally.count.wrapping_sub(*count);
                    tally.steps = tally.steps.wrapping_sub(*steps);
                });
            }
        }
    }
}
