//! What makes a quote fast. Nothing here changes a quote.

use std::ops::Range;

use super::Smoothness;
use super::best::Best;
use super::candidates::Candidates;
use super::cells::{Cells, Tail, Window};
use super::objective::{Objective, Tally};
use super::pieces::{Below, Piece};
use super::ranks::{Ranks, Slabs};
use super::sales::Sales;
use super::search::Search;
use super::sweep::Sweep;
use super::table::Table;

/// How finely the index is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Bins of logged prices.
    pub(super) bins: usize,
    /// Slabs of contexts an axis, for sums over boxes.
    pub(super) slabs: usize,
    /// Slabs of contexts an axis within a price bin.
    pub(super) bin_slabs: usize,
    /// A context with no more sales near than this is swept from end to end.
    pub(super) few: u32,
    /// At most this many pieces are swept at once.
    pub(super) joined: usize,
}

/// More axes make more corners than they save records.
const MAX_AXES: usize = 4;

impl Shape {
    /// About eight numbers of the table for each sale, and as many sales in a price bin as there are bins.
    pub(super) fn of(sales: usize, dims: usize) -> Shape {
        let root = |x: f64| libm::pow(x, 1.0 / dims.min(MAX_AXES) as f64) as usize;
        let bins = sales.isqrt().clamp(1, 4096);
        let slabs = root(8.0 * sales as f64 / bins as f64).clamp(1, 1024);
        let bin_slabs = root(sales as f64 / bins as f64 / 8.0).clamp(1, 256);
        Shape { bins, slabs, bin_slabs, few: 500, joined: 8 }
    }
}

#[derive(Debug)]
pub(super) struct Index {
    pub(super) shape: Shape,
    bins: usize,
    bandwidth: f64,
    pub(super) contexts: Vec<Ranks>,
    pub(super) candidates: Candidates,
    pub(super) objective: Objective,
    /// All sales by context.
    cells: Cells,
    table: Table,
    /// All sales by price bin, then context.
    pub(super) by_price: Cells,
    pub(super) pieces: Vec<Piece>,
}

impl Index {
    pub(super) fn new(sales: &Sales<'_>, smoothness: Smoothness, shape: Shape) -> Index {
        let dims = sales.dims;
        let column = |dim: usize| Ranks::of(sales.contexts.iter().skip(dim).step_by(dims).copied());
        let (contexts, ranks): (Vec<Ranks>, Vec<Vec<u32>>) = (0..dims).map(column).unzip();
        let (logged, price_ranks) = Ranks::of(sales.prices.iter().copied());
        let bins = Slabs::new(&price_ranks, logged.values.len(), shape.bins);
        let candidates = Candidates::new(&logged.values, smoothness.bandwidth);
        let tail = |(&rank, steps): (&u32, u32)| -> Tail {
            let (first, last) = candidates.near[rank as usize];
            [first, last, bins.of(rank) as u32, steps]
        };
        let tails: Vec<Tail> = price_ranks.iter().zip(sales.steps()).map(tail).collect();
        let axes = |count: usize| -> Vec<Slabs> {
            let slabs = contexts.iter().zip(&ranks).take(MAX_AXES);
            slabs.map(|(column, ranks)| Slabs::new(ranks, column.values.len(), count)).collect()
        };
        let cells = Cells::new(axes(shape.slabs), 1, &ranks, &tails, |_| 0);
        let by_price = Cells::new(axes(shape.bin_slabs), bins.len(), &ranks, &tails, |tail| tail[2] as usize);
        Index {
            shape,
            bins: bins.len(),
            bandwidth: smoothness.bandwidth,
            table: Table::new(cells.axes(), bins.len(), &ranks, &tails),
            pieces: Piece::all(&bins, &candidates),
            objective: Objective::new(tails.len(), smoothness),
            contexts,
            candidates,
            cells,
            by_price,
        }
    }

    /// The smallest of the best candidates for a context.
    pub(super) fn best(&self, context: &[f64]) -> Best {
        let near = || self.contexts.iter().zip(context).map(|(column, &x)| column.near(x, self.bandwidth));
        let ranks: Vec<Range<u32>> = near().collect();
        if ranks.iter().any(Range::is_empty) {
            return self.best_of_all(|_| ());
        }
        let window = self.cells.window(ranks, &self.contexts);
        let mut runs = Vec::new();
        let below = self.below(&window, &mut runs);
        if below.all().count <= self.shape.few {
            runs.clear();
            self.cells.runs(&window, 0, false, &mut runs);
            return self.best_of_all(|sweep| self.cells.visit(&runs, &window, |tail| sweep.add(tail)));
        }
        let window = self.by_price.window(window.ranks, &self.contexts);
        Search::new(self, window, below).run()
    }

    /// By going through all candidates, with the sales that `fill` adds.
    fn best_of_all(&self, fill: impl FnOnce(&mut Sweep)) -> Best {
        let (mut sweep, mut best) = (Sweep::new(), Best::NONE);
        sweep.start(0..self.candidates.prices.len() as u32, Tally::default());
        fill(&mut sweep);
        sweep.run(&self.objective, &mut best);
        best
    }

    /// The tallies of the price bins in a window: whole cells from the table, the rest by looking.
    fn below(&self, window: &Window, runs: &mut Vec<Range<u32>>) -> Below {
        let mut bins = vec![Tally::default(); self.bins];
        if window.solid {
            self.table.add(&window.inner, &mut bins);
        }
        self.cells.runs(window, 0, true, runs);
        self.cells.visit(runs, window, |&[_, _, bin, reward]| {
            bins[bin as usize].count += 1;
            bins[bin as usize].steps += u64::from(reward);
        });
        Below::new(&bins)
    }
}
