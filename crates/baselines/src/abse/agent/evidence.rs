//! What the server knows: sums of private values, or for the baseline raw records.

use crate::abse::{Answer, Policy, Report, Spec};
use std::ops::Range;

use super::AbsorbError;
use super::open::Open;
use super::sums::Sums;

/// An arm's mean reward in a bin, and its confidence radius, which is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) radius: f64,
}

/// Where a bin of the next policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The same bin, possibly with fewer arms.
    Kept(usize),
    /// A half of this bin.
    Child(usize),
}

#[derive(Debug)]
pub(super) enum Evidence {
    Private(Sums),
    Open(Open),
}

impl Evidence {
    pub(super) fn new(spec: &Spec, constant: f64, published: bool, pairs: usize) -> Evidence {
        if spec.epsilon().is_some() {
            Evidence::Private(Sums::new(spec, constant, published, pairs))
        } else {
            Evidence::Open(Open::new(spec, constant, pairs))
        }
    }

    /// Adds one report, and says about which bins more is known now.
    #[inline]
    pub(super) fn add(
        &mut self,
        report: &Report,
        policy: &Policy,
        spec: &Spec,
    ) -> Result<Range<usize>, AbsorbError> {
        let source = report.source.map_or(0, |source| source as usize + 1);
        let people = match report.source {
            None => spec.horizon(),
            Some(index) => spec.sources().get(source - 1).ok_or(AbsorbError::WrongSource(index))?.people,
        };
        match (self, &report.answer) {
            (Evidence::Private(sums), Answer::Values(values)) => {
                sums.add(source, people, values, policy)?;
                Ok(0..policy.bins().len())
            }
            (Evidence::Open(open), Answer::Open(record)) => {
                let bin = open.add(source, people, record, policy, spec)?;
                Ok(bin..bin + 1)
            }
            _ => Err(AbsorbError::WrongKind),
        }
    }

    /// Whether arms may be compared in this bin yet.
    #[inline]
    pub(super) fn is_enough(&self, bin: usize) -> bool {
        match self {
            Evidence::Private(sums) => sums.is_enough(bin),
            Evidence::Open(_) => true,
        }
    }

    /// Whether it is clear at little cost that nothing happens in this bin; see [`Sums::is_idle`].
    #[inline]
    pub(super) fn is_idle(&self, bin: usize, pairs: Range<usize>, tau: f64) -> bool {
        match self {
            Evidence::Private(sums) => sums.is_idle(bin, pairs, tau),
            Evidence::Open(_) => false,
        }
    }

    /// The estimate of a pair of bin and arm; none where it would be 0/0.
    #[inline]
    pub(super) fn estimate(&self, bin: usize, pair: usize) -> Option<Estimate> {
        match self {
            Evidence::Private(sums) => sums.estimate(bin, pair),
            Evidence::Open(open) => open.estimate(pair),
        }
    }

    pub(super) fn rebuild(&mut self, old: &Policy, next: &Policy, origins: &[Origin]) {
        match self {
            Evidence::Private(sums) => sums.rebuild(old, next, origins),
            Evidence::Open(open) => open.rebuild(next, origins),
        }
    }
}
