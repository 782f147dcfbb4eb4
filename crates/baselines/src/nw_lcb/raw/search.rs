//! The best candidate by bounds: only pieces that may hold it are gone through.

use std::ops::Range;

use super::best::Best;
use super::cells::Window;
use super::index::Index;
use super::pieces::{Below, Piece};
use super::sweep::Sweep;

/// One quote.
#[derive(Debug)]
pub(super) struct Search<'a> {
    index: &'a Index,
    window: Window,
    below: Below,
    runs: Vec<Range<u32>>,
    sweep: Sweep,
    best: Best,
}

impl<'a> Search<'a> {
    /// `window` is of the sales by price bin, `below` has their tallies in it.
    pub(super) fn new(index: &'a Index, window: Window, below: Below) -> Search<'a> {
        Search { index, window, below, runs: Vec::new(), sweep: Sweep::new(), best: Best::NONE }
    }

    /// The most promising piece first, so that its value rules out most others; then these from left to right.
    pub(super) fn run(mut self) -> Best {
        let pieces = &self.index.pieces;
        let bounds: Vec<f64> = pieces.iter().map(|piece| self.bound(piece)).collect();
        let top = (0..pieces.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0);
        self.sweep(&pieces[top..=top]);
        let mut next = 0;
        while next < pieces.len() {
            let limit = pieces.len().min(next + self.index.shape.joined);
            let open = (next..limit).take_while(|&place| self.may_win(&pieces[place], bounds[place])).count();
            if open > 0 {
                self.sweep(&pieces[next..next + open]);
            }
            next += open.max(1);
        }
        self.best
    }

    fn bound(&self, piece: &Piece) -> f64 {
        self.index.objective.bound(self.below.of(&piece.inner), self.below.of(&piece.outer))
    }

    #[inline]
    fn may_win(&self, piece: &Piece, bound: f64) -> bool {
        self.best.may_lose(bound, self.below.of(&piece.inner), piece.candidates.start)
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
        self.sweep.start(candidates, self.below.of(&inner));
        by_price.visit(&self.runs, &self.window, |tail| self.sweep.add(tail));
        self.sweep.run(&self.index.objective, &mut self.best);
    }
}
