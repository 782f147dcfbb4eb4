//! Sums of private values per source, bin and arm, and what they say (equations (13), (14), (26) to (28)).

use std::ops::Range;

use crate::abse::{Policy, Spec};
use reticent_privacy::UnitGrid;

use super::evidence::{Estimate, Origin};
use super::{AbsorbError, radius};

/// One source's sums, in the order of a report's values.
#[derive(Debug)]
struct Source {
    epsilon_squared: f64,
    reports: u64,
    values: Vec<i64>,
    /// For each bin, how many reports its sums have: `t_s^j` of equation (9).
    people: Vec<u64>,
}

/// The target's sums first, then those of each source.
#[derive(Debug)]
pub(super) struct Sums {
    sources: Vec<Source>,
    constant: f64,
    enough: f64,
    /// The published code's silent reports: a bin's people are those who were not silent about it.
    published: bool,
}

const STEP: f64 = 1.0 / UnitGrid::STEPS as f64;

impl Sums {
    pub(super) fn new(spec: &Spec, constant: f64, published: bool, pairs: usize) -> Sums {
        let losses =
            std::iter::once(spec.epsilon()).chain(spec.sources().iter().map(|source| source.epsilon));
        let source = |epsilon: f64| Source {
            epsilon_squared: epsilon * epsilon,
            reports: 0,
            values: vec![0; 2 * pairs],
            people: vec![0],
        };
        let sources = losses.flatten().map(|epsilon| source(epsilon.value())).collect();
        Sums { sources, constant, enough: radius::enough(spec), published }
    }

    /// Adds one report's values, all or none.
    #[inline]
    pub(super) fn add(
        &mut self,
        source: usize,
        people: u64,
        values: &[i64],
        policy: &Policy,
    ) -> Result<(), AbsorbError> {
        let Source { reports, values: sums, people: counts, .. } = &mut self.sources[source];
        if values.len() != sums.len() {
            return Err(AbsorbError::WrongLength { got: values.len(), needed: sums.len() });
        }
        if *reports >= people {
            return Err(AbsorbError::Finished(people));
        }
        // An overflowed sum has a sign that neither summand has. No short circuit: the loop has no branches.
        let overflow = |(&sum, &value): (&i64, &i64)| {
            let total = sum.wrapping_add(value);
            (sum ^ total) & (value ^ total)
        };
        if sums.iter().zip(values).fold(0, |any, pair| any | overflow(pair)) < 0 {
            return Err(AbsorbError::Overflow);
        }
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value;
        }
        *reports += 1;
        for (bin, count) in counts.iter_mut().enumerate() {
            let heard =
                || values[2 * policy.start(bin)..2 * policy.start(bin + 1)].iter().any(|&value| value != 0);
            *count += u64::from(!self.published || heard());
        }
        Ok(())
    }

    /// Whether some source has log^2 n people here.
    #[inline]
    pub(super) fn is_enough(&self, bin: usize) -> bool {
        self.sources.iter().any(|source| source.people[bin] as f64 >= self.enough)
    }

    /// Whether it is clear without division or root that nothing happens in a bin: no radius is below `tau`,
    /// and no arm's mean is as large as twice its radius, without which no two intervals are apart. The
    /// margin keeps rounding from ever hiding anything.
    #[inline]
    pub(super) fn is_idle(&self, bin: usize, pairs: Range<usize>, tau: f64) -> bool {
        let [source] = &self.sources[..] else { return false };
        let noise = source.people[bin] as f64 / source.epsilon_squared;
        let constant = self.constant * (1.0 - 1e-9);
        source.values[2 * pairs.start..2 * pairs.end].chunks_exact(2).all(|sums| {
            let (v, u) = (sums[0] as f64 * STEP, sums[1] as f64 * STEP);
            let spread = constant * noise.max(u);
            spread > tau * tau * u * u && 4.0 * spread > v * v
        })
    }

    /// Equations (26) and (28); with one source its weight (27) cancels, and they are (13) and (14).
    #[inline]
    pub(super) fn estimate(&self, bin: usize, pair: usize) -> Option<Estimate> {
        let (mut numerator, mut denominator, mut spread) = (0.0, 0.0, 0.0);
        for source in &self.sources {
            let people = source.people[bin] as f64;
            if people < self.enough {
                continue;
            }
            let (v, u) = (source.values[2 * pair] as f64 * STEP, source.values[2 * pair + 1] as f64 * STEP);
            let noise = people / source.epsilon_squared;
            let weight = (u / noise).abs().min(1.0);
            numerator += weight * v;
            denominator += weight * u;
            spread += weight * weight * noise.max(u);
        }
        if denominator == 0.0 {
            return None;
        }
        let inverse = 1.0 / denominator;
        Some(Estimate { mean: numerator * inverse, radius: (self.constant * spread).sqrt() * inverse.abs() })
    }

    /// Halves start from zero (`a_{i,s}` in equation (9)); kept bins keep the sums of the arms that stay.
    pub(super) fn rebuild(&mut self, old: &Policy, next: &Policy, origins: &[Origin]) {
        for source in &mut self.sources {
            let mut values = vec![0; 2 * next.pairs()];
            let mut people = vec![0; origins.len()];
            for (bin, origin) in origins.iter().enumerate() {
                let Origin::Kept(from) = *origin else { continue };
                people[bin] = source.people[from];
                for (place, &arm) in next.bins()[bin].arms.iter().enumerate() {
                    let Some(pair) = old.pair(from, arm) else { continue };
                    let to = 2 * (next.start(bin) + place);
                    values[to..to + 2].copy_from_slice(&source.values[2 * pair..2 * pair + 2]);
                }
            }
            (source.values, source.people) = (values, people);
        }
    }
}
