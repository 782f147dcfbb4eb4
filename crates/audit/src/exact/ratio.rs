//! Pure loss: the largest ratio of two neighbours' probabilities of one output.

use num_bigint::BigUint;

use super::log::{log_down, log_up};
use super::{ExactLoss, FiniteMechanism, Standing, Weight};
use reticent_privacy::Epsilon;
use reticent_privacy::exact::exp::{exp_lower, exp_upper, one};

/// One ratio, with where it was found.
struct Spot<'a> {
    numerator: &'a BigUint,
    denominator: &'a BigUint,
    pair: (usize, usize),
    output: usize,
}

/// Which end of a weight.
type End = fn(&Weight) -> &BigUint;

fn low(weight: &Weight) -> &BigUint {
    &weight.low
}

fn high(weight: &Weight) -> &BigUint {
    &weight.high
}

pub(super) fn loss(mechanism: &FiniteMechanism, claim: Epsilon) -> ExactLoss {
    // At least one ratio is left: the total is positive.
    let (certain, possible) = (worst(mechanism, low, high), worst(mechanism, high, low));
    let standing = match (&certain, &possible) {
        (Some(s), _) if s.numerator * one() > s.denominator * exp_upper(claim.nano()) => Standing::Exceeds,
        (_, Some(s)) if s.numerator * one() > s.denominator * exp_lower(claim.nano()) => Standing::Undecided,
        _ => Standing::Certified,
    };
    ExactLoss {
        low: certain.as_ref().map_or(0.0, |s| log_down(s.numerator, s.denominator)),
        high: possible.as_ref().map_or(0.0, |s| log_up(s.numerator, s.denominator)),
        pair: certain.as_ref().map_or((0, 1), |s| s.pair),
        output: certain.as_ref().map_or(0, |s| s.output),
        standing,
    }
}

/// The largest ratio of one end to the other over outputs and ordered pairs; none if all numerators are zero.
fn worst(mechanism: &FiniteMechanism, numerator: End, denominator: End) -> Option<Spot<'_>> {
    let at = |a: usize, b: usize, output: usize| Spot {
        numerator: numerator(&mechanism.laws[a][output]),
        denominator: denominator(&mechanism.laws[b][output]),
        pair: (a, b),
        output,
    };
    let outputs = 0..mechanism.laws[0].len();
    match &mechanism.pairs {
        None => outputs
            .map(|output| {
                let (a, b) = extremes(mechanism, output, numerator, denominator);
                at(a, b, output)
            })
            .fold(None, larger),
        Some(pairs) => outputs
            .flat_map(|output| pairs.iter().flat_map(move |&(a, b)| [(a, b, output), (b, a, output)]))
            .map(|(a, b, output)| at(a, b, output))
            .fold(None, larger),
    }
}

/// The inputs with the largest numerator and the smallest denominator. They may be one input, whose ratio to itself is
/// at most 1 from below and a valid, if needless, bound from above.
fn extremes(mechanism: &FiniteMechanism, output: usize, numerator: End, denominator: End) -> (usize, usize) {
    let (mut a, mut b) = (0, 0);
    for (input, law) in mechanism.laws.iter().enumerate().skip(1) {
        if numerator(&law[output]) > numerator(&mechanism.laws[a][output]) {
            a = input;
        }
        if denominator(&law[output]) < denominator(&mechanism.laws[b][output]) {
            b = input;
        }
    }
    (a, b)
}

/// The larger of two ratios by cross-multiplication; x/0 is infinite, and 0/0 never wins.
fn larger<'a>(best: Option<Spot<'a>>, next: Spot<'a>) -> Option<Spot<'a>> {
    let zero = BigUint::default();
    match best {
        _ if next.numerator == &zero => best,
        Some(best) if best.numerator * next.denominator >= next.numerator * best.denominator => Some(best),
        _ => Some(next),
    }
}
