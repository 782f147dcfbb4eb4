//! The confidence radius's constant `C_n`, and tau. The derivation is in `radius.md` beside this file.

use crate::abse::Spec;
use reticent_privacy::Epsilon;
use serde::{Deserialize, Serialize};

/// Which `C_n` is in the radius (14) and (28).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Radius {
    /// A constant with which Proposition 2.7 is proved, see `radius.md`: `ldp-abse`.
    Proof,
    /// The published code's factor sqrt(2 log2 n) in place of `sqrt(C_n)`: `ldp-abse-tuned`. It is a radius
    /// of nothing at any stated probability. That code also has tau = 2^(-s/d) where the paper has 2 sqrt(d)
    /// times that; tau here is the paper's.
    Authors,
    /// The published code's factor and the published code's tau.
    Code,
}

impl Radius {
    /// `C_n` for an experiment.
    pub fn constant(self, spec: &Spec) -> f64 {
        let n = spec.largest_sample() as f64;
        match self {
            Radius::Authors | Radius::Code => 2.0 * libm::log2(n),
            Radius::Proof => {
                let sources = spec.sources().len() as f64 + 1.0;
                let losses = spec.sources().iter().filter_map(|source| source.epsilon);
                let largest = losses.chain(spec.epsilon()).max();
                proof(n, f64::from(spec.arms()), sources, largest)
            }
        }
    }

    /// Tau over the bin's edge: 2 sqrt(d) in equation (17).
    pub(super) fn tau_factor(self, dims: u32) -> f64 {
        match self {
            Radius::Proof | Radius::Authors => 2.0 * f64::from(dims).sqrt(),
            Radius::Code => 1.0,
        }
    }
}

/// `C_n` of `radius.md`; the channel is open if there is no loss.
fn proof(n: f64, arms: f64, sources: f64, loss: Option<Epsilon>) -> f64 {
    let events = if loss.is_some() { 8.0 } else { 2.0 };
    let level = 4.0 * libm::log(n) + libm::log(events * arms * sources);
    let Some(loss) = loss else { return level / 2.0 };
    // Scale of the noise times epsilon: 4, and a little more where a quarter was rounded down.
    let scale = loss.nano() as f64 / (loss.nano() / 4) as f64;
    let ell = libm::log(n);
    let z = laplace_sum(level, 1.0, ell * ell);
    let y = laplace_sum(level, 2.0, ell * ell);
    // Where N = level / 2, below which |G| <= N is the better bound.
    let half = scale * z / 2.0;
    let crossing = (half * half + level / 2.0).sqrt() - half;
    let least = crossing.max(ell / loss.value());
    let martingale = ((1.0 + scale * z / least) * level / 2.0).sqrt();
    let root = martingale + scale * y;
    sources * root * root
}

/// A bound on |sum of `copies` T standard Laplace numbers| / sqrt(T) for all T >= `least`, one T at a time,
/// with probability 1 - 2 exp(-level): the least over a grid of Chernoff's (level - copies T ln(1 - m^2 / T))
/// / m.
fn laplace_sum(level: f64, copies: f64, least: f64) -> f64 {
    let least = least.max(1.0);
    let bound = |i: u32| {
        let lambda = f64::from(i) / 1000.0;
        (level - copies * least * libm::log1p(-lambda * lambda)) / (lambda * least.sqrt())
    };
    (1..1000).map(bound).fold(f64::INFINITY, f64::min)
}

/// 2^(-s/d), the edge of a bin of depth s.
pub(super) fn edge(dims: u32, depth: u32) -> f64 {
    libm::exp2(-f64::from(depth) / f64::from(dims))
}

/// Bins of this depth are not refined: there are fewer than n bins down to it.
pub(super) fn deepest(spec: &Spec) -> u32 {
    spec.largest_sample().ilog2().saturating_sub(1).min(MAX_DEPTH)
}

/// Reports of more than 2^16 bins are too long to send.
const MAX_DEPTH: u32 = 16;

/// Arms are compared and bins refined from log^2 n people on.
pub(super) fn enough(spec: &Spec) -> f64 {
    let log = libm::log(spec.largest_sample() as f64);
    log * log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tau_by_hand() {
        assert_eq!(Radius::Proof.tau_factor(4) * edge(4, 4), 2.0);
        assert_eq!(Radius::Authors.tau_factor(1) * edge(1, 3), 0.25);
        assert_eq!(Radius::Code.tau_factor(4) * edge(4, 8), 0.25);
    }

    #[test]
    fn the_sum_bound_tends_to_the_gaussian_one() {
        // For many people the bound on a sum of variance 2T is sqrt(2 * 2T * level).
        let level = 40.0;
        assert!((laplace_sum(level, 1.0, 1e4) / (4.0 * level).sqrt() - 1.0).abs() < 2e-3);
        assert!((laplace_sum(level, 2.0, 1e4) / (8.0 * level).sqrt() - 1.0).abs() < 2e-3);
        assert!(laplace_sum(level, 1.0, 100.0) > (4.0 * level).sqrt());
    }

    #[test]
    fn constants_of_an_experiment() {
        let spec = |loss| Spec::new(2, 3, loss, 80_000, vec![]).unwrap();
        let one = spec(Some(Epsilon::new(1.0).unwrap()));
        assert!((Radius::Authors.constant(&one) - 2.0 * libm::log2(80_000.0)).abs() < 1e-12);
        let log = libm::log(80_000.0);
        assert!((Radius::Proof.constant(&spec(None)) - 0.5 * libm::log(6.0) - 2.0 * log).abs() < 1e-12);
        // C_n is c log n: doubling log n may not do much more than double it.
        let square = Spec::new(2, 3, Some(Epsilon::new(1.0).unwrap()), 6_400_000_000, vec![]).unwrap();
        let ratio = Radius::Proof.constant(&square) / Radius::Proof.constant(&one);
        assert!((1.5..2.1).contains(&ratio), "{ratio}");
        // An absolute constant: no epsilon makes it much larger.
        let none = spec(Some(Epsilon::MAX));
        assert!(Radius::Proof.constant(&none) < 3.0 * Radius::Proof.constant(&one));
    }
}
