//! The best of neighbouring candidates, by going through the sales that come near or leave among them.

use std::ops::Range;

use super::best::Best;
use super::cells::Tail;
use super::objective::{Objective, Tally};

/// Sales that come near or leave within a run of candidates.
#[derive(Debug)]
pub(super) struct Sweep {
    candidates: Range<u32>,
    /// What is near to the first candidate.
    near: Tally,
    /// The candidate, whether the sale leaves, and its reward, in one number that sorts by candidate.
    events: Vec<u64>,
    buckets: Vec<Bucket>,
}

/// Neighbouring candidates, as many as a power of two.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    enters: Tally,
    leaves: Tally,
    /// What is near when the bucket starts.
    near: Tally,
    /// Whether the best candidate may be in it.
    open: bool,
}

const LEAVES: u64 = 1 << 31;
/// Events that share a bucket, on average; fewer buckets than two are not worth it.
const EVENTS_A_BUCKET: usize = 8;

fn at(event: u64) -> u32 {
    (event >> 32) as u32
}

impl Tally {
    #[inline]
    fn plus(self, other: Tally) -> Tally {
        Tally { count: self.count + other.count, steps: self.steps + other.steps }
    }

    /// No more than what is left; nothing if more would leave than there is.
    #[inline]
    fn at_least_without(self, other: Tally) -> Tally {
        match (self.count.checked_sub(other.count), self.steps.checked_sub(other.steps)) {
            (Some(count), Some(steps)) => Tally { count, steps },
            _ => Tally::default(),
        }
    }

    #[inline]
    fn after(self, event: u64) -> Tally {
        let one = Tally { count: 1, steps: event & (LEAVES - 1) };
        if event & LEAVES == 0 {
            self.plus(one)
        } else {
            Tally { count: self.count - one.count, steps: self.steps - one.steps }
        }
    }
}

impl Sweep {
    /// Nothing yet; [`start`](Self::start) comes first.
    pub(super) fn new() -> Sweep {
        Sweep { candidates: 0..0, near: Tally::default(), events: Vec::new(), buckets: Vec::new() }
    }

    /// Begins with new candidates; `near` are sales that are near to all of them.
    pub(super) fn start(&mut self, candidates: Range<u32>, near: Tally) {
        self.candidates = candidates;
        self.near = near;
        self.events.clear();
    }

    /// A sale that is near to some of the candidates, or to none.
    #[inline]
    pub(super) fn add(&mut self, &[first, last, _, reward]: &Tail) {
        let Range { start, end } = self.candidates;
        if last < start || first >= end {
            return;
        }
        if first <= start {
            self.near.count += 1;
            self.near.steps += u64::from(reward);
        } else {
            self.events.push(u64::from(first) << 32 | u64::from(reward));
        }
        if last + 1 < end {
            self.events.push(u64::from(last + 1) << 32 | LEAVES | u64::from(reward));
        }
    }

    /// Offers all candidates that may win.
    pub(super) fn run(&mut self, objective: &Objective, best: &mut Best) {
        let (start, length) = (self.candidates.start, self.candidates.len());
        let shift = (length * EVENTS_A_BUCKET / self.events.len().max(1)).max(1).ilog2();
        self.fill_buckets(shift, length.div_ceil(1 << shift));
        self.close_buckets(shift, objective, best);
        let buckets = &self.buckets;
        self.events.retain(|&event| buckets[(at(event) - start) as usize >> shift].open);
        self.events.sort_unstable();
        let mut events = &self.events[..];
        for (place, bucket) in self.buckets.iter().enumerate().filter(|(_, bucket)| bucket.open) {
            let end = start as usize + ((place + 1) << shift);
            let (here, rest) = events.split_at(events.partition_point(|&event| (at(event) as usize) < end));
            go_through(here, bucket.near, start + (place << shift) as u32, objective, best);
            events = rest;
        }
    }

    /// What comes and leaves in each bucket.
    fn fill_buckets(&mut self, shift: u32, count: usize) {
        self.buckets.clear();
        self.buckets.resize(count, Bucket::default());
        for &event in &self.events {
            let bucket = &mut self.buckets[(at(event) - self.candidates.start) as usize >> shift];
            let side = if event & LEAVES == 0 { &mut bucket.enters } else { &mut bucket.leaves };
            side.count += 1;
            side.steps += event & (LEAVES - 1);
        }
    }

    /// Closes the buckets whose bound is below the best. A sale that comes and leaves in one bucket makes
    /// `inner` smaller than need be, which only loosens the bound.
    fn close_buckets(&mut self, shift: u32, objective: &Objective, best: &Best) {
        let mut near = self.near;
        for (place, bucket) in self.buckets.iter_mut().enumerate() {
            let (inner, outer) = (near.at_least_without(bucket.leaves), near.plus(bucket.enters));
            let first = self.candidates.start + (place << shift) as u32;
            bucket.near = near;
            bucket.open = best.may_lose(objective.bound(inner, outer), inner, first);
            near = outer.at_least_without(bucket.leaves);
        }
    }
}

/// Offers the first candidate of each stretch with the same sales near.
fn go_through(events: &[u64], mut near: Tally, mut candidate: u32, objective: &Objective, best: &mut Best) {
    for &event in events {
        if at(event) != candidate {
            best.offer(objective, near, candidate);
            candidate = at(event);
        }
        near = near.after(event);
    }
    best.offer(objective, near, candidate);
}
