//! The best candidate by bounds: only pieces that may hold it are gone through.

use std::ops::Range;

use super::cells::Window;
use super::index::Index;
use super::pieces::{Below, Piece};
use super::sweep::{Best, Sweep};

/// Far more than the rounding of values and bounds, far less than what tells prices apart.
const MARGIN: f64 = 1e-9;

/// One quote.
#[derive(Debug)]
pub(super) struct Search<'a> {
    index: &'a Index,
    window: Window,
    below: Below,
    runs: Vec<Range<u32>>,
    events: Vec<u64>,
    best: Best,
}

impl<'a> Search<'a> {
    /// `window` is of the sales by price bin, `below` has their tallies in it.
    pub(super) fn new(index: &'a Index, window: Window, below: Below) -> Search<'a> {
        Search { index, window, below, runs: Vec::new(), events: Vec::new(), best: Best::NONE }
    }

    /// The most promising piece first, so that its value rules out most others; then these from left to right.
    pub(super) fn run(mut self) -> Best {
        let pieces = &self.index.pieces;
        let bounds: Vec<f64> = pieces.iter().map(|piece| self.bound(piece)).collect();
        let top = (0..pieces.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0);
        self.sweep(&pieces[top..=top]);
        let mut next = 0;
        while next < pieces.len() {
            let start = next;
            while next < pieces.len()
                && next - start < self.index.shape.joined
                && self.may_win(&pieces[next], bounds[next])
            {
                next += 1;
            }
            if next > start {
                self.sweep(&pieces[start..next]);
            } else {
                next += 1;
            }
        }
        self.best
    }

    fn bound(&self, piece: &Piece) -> f64 {
        self.index.objective.bound(self.below.of(&piece.inner), self.below.of(&piece.outer))
    }

    /// Whether the piece may have a better candidate, or a smaller one that is as good. Where no sale is near the value is 0.
    fn may_win(&self, piece: &Piece, bound: f64) -> bool {
        let best = &self.best;
        let unseen = best.value < 0.0 || (best.value == 0.0 && piece.candidates.start < best.candidate);
        bound + MARGIN >= best.value || (unseen && self.below.of(&piece.inner).count == 0)
    }

    /// Goes through the candidates of neighbouring pieces.
    fn sweep(&mut self, pieces: &[Piece]) {
        let Piece { candidates, inner, outer } = Piece::joined(pieces);
        let by_price = &self.index.by_price;
        self.runs.clear();
        for bin in (outer.start..outer.end).filter(|bin| !inner.contains(bin)) {
            if self.below.of(&(bin..bin + 1)).count > 0 {
                by_price.runs(&self.window, bin as usize, false, &mut self.runs);
            }
        }
        let mut sweep = Sweep::new(candidates, self.below.of(&inner), std::mem::take(&mut self.events));
        by_price.visit(&self.runs, &self.window, |tail| sweep.add(tail));
        self.events = sweep.run(&self.index.objective, &mut self.best);
    }
}
