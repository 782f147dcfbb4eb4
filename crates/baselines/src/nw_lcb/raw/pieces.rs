//! Candidates in runs that almost the same price bins are near to.

use std::ops::Range;

use super::candidates::Candidates;
use super::objective::Tally;
use super::ranks::Slabs;

/// Neighbouring candidates. Bins of logged prices in `inner` are near to all of them, bins outside `outer` to none.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) candidates: Range<u32>,
    pub(super) inner: Range<u32>,
    pub(super) outer: Range<u32>,
}

impl Piece {
    /// These candidates, given the bins' ranks of logged prices.
    fn new(candidates: Range<u32>, bins: &Slabs, near: &[(u32, u32)]) -> Piece {
        let (first, last) = (candidates.start, candidates.end - 1);
        let ends = |bin: usize| {
            let ranks = bins.ranks(bin);
            (near[ranks.start as usize], near[ranks.end as usize - 1])
        };
        // Both ends ascend with the rank, so each of these holds for bins up to some bin.
        let up_to = |holds: &dyn Fn(usize) -> bool| {
            let (mut low, mut high) = (0, bins.len());
            while low < high {
                let middle = usize::midpoint(low, high);
                if holds(middle) { low = middle + 1 } else { high = middle }
            }
            low as u32
        };
        let outer = up_to(&|bin| ends(bin).1.1 < first)..up_to(&|bin| ends(bin).0.0 <= last);
        let start = up_to(&|bin| ends(bin).0.1 < last);
        let end = up_to(&|bin| ends(bin).1.0 <= first).max(start);
        Piece { candidates, inner: start..end, outer }
    }

    /// All pieces, cut where the first record of a bin comes near and where the last one leaves.
    pub(super) fn all(bins: &Slabs, candidates: &Candidates) -> Vec<Piece> {
        let near = &candidates.near;
        let mut cuts = vec![0, candidates.prices.len() as u32];
        for bin in 0..bins.len() {
            let ranks = bins.ranks(bin);
            cuts.extend([near[ranks.start as usize].0, near[ranks.end as usize - 1].1 + 1]);
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| Piece::new(cut[0]..cut[1], bins, near)).collect()
    }

    /// Several neighbouring pieces as one.
    pub(super) fn joined(pieces: &[Piece]) -> Piece {
        let (first, last) = (&pieces[0], &pieces[pieces.len() - 1]);
        let start = last.inner.start;
        Piece {
            candidates: first.candidates.start..last.candidates.end,
            inner: start..first.inner.end.max(start),
            outer: first.outer.start..last.outer.end.max(first.outer.start),
        }
    }
}

/// Tallies of all price bins below each bin.
#[derive(Debug)]
pub(super) struct Below(Vec<Tally>);

impl Below {
    pub(super) fn new(bins: &[Tally]) -> Below {
        let mut sum = Tally::default();
        let mut below = Vec::with_capacity(bins.len() + 1);
        below.push(sum);
        below.extend(bins.iter().map(|bin| {
            sum = Tally { count: sum.count + bin.count, steps: sum.steps + bin.steps };
            sum
        }));
        Below(below)
    }

    #[inline]
    pub(super) fn of(&self, bins: &Range<u32>) -> Tally {
        let (start, end) = (self.0[bins.start as usize], self.0[bins.end as usize]);
        Tally { count: end.count - start.count, steps: end.steps - start.steps }
    }

    pub(super) fn all(&self) -> Tally {
        self.0[self.0.len() - 1]
    }
}
