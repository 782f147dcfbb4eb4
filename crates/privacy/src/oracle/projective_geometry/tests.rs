//! The geometry is what the proof says, and the two decoders agree.

use super::*;
use crate::oracle::tests::{domain, epsilon};
use proptest::prelude::*;

const SPACES: [(u32, u32); 9] = [(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (3, 4), (5, 3), (7, 2), (7, 3)];

/// The space with as many symbols as points.
fn full(q: u32, t: u32) -> Space {
    let design = Design { q, t };
    Space::new(design, design.points(t) as u32)
}

#[test]
fn hyperplanes_have_c_points_and_meet_in_lambda() {
    for (q, t) in SPACES {
        let space = full(q, t);
        let all = space.points as u32;
        let planes: Vec<Vec<bool>> =
            (0..all).map(|place| (0..all).map(|point| space.incident(place, point)).collect()).collect();
        for (place, plane) in planes.iter().enumerate() {
            assert_eq!(plane.iter().filter(|&&on| on).count() as u64, space.each, "q = {q}, t = {t}");
            for other in &planes[..place] {
                let common = plane.iter().zip(other).filter(|&(&a, &b)| a && b).count() as u64;
                assert_eq!(common, space.both, "q = {q}, t = {t}");
            }
        }
    }
}

#[test]
fn answers_are_a_bijection_onto_each_group() {
    for (q, t) in SPACES {
        let space = full(q, t);
        for place in 0..space.points as u32 {
            for (inside, group) in [(true, space.each), (false, space.points - space.each)] {
                let mut answers: Vec<u32> = (0..group).map(|v| space.respond(place, inside, v)).collect();
                answers.sort_unstable();
                let points = (0..space.points as u32).filter(|&point| space.incident(place, point) == inside);
                assert_eq!(answers, points.collect::<Vec<_>>(), "q = {q}, t = {t}, symbol {place}, {inside}");
            }
        }
    }
}

/// By enumeration of each hyperplane.
fn plain_supports(space: &Space, counts: &[u64], symbols: u32) -> Vec<u64> {
    let sum = |place| (0..space.each).map(|v| counts[space.respond(place, true, v) as usize]).sum();
    (0..symbols).map(sum).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn both_decoders_agree(
        space in prop::sample::select(&[(2, 2), (2, 7), (3, 5), (5, 4), (7, 3), (11, 3), (101, 2)][..]),
        share in 0.0_f64..=1.0,
        seed in prop::collection::vec(0_u64..1_000_000, 7),
    ) {
        let design = Design { q: space.0, t: space.1 };
        let points = design.points(design.t);
        let symbols = (share * points as f64) as u32 + u32::from(share < 1.0);
        let counts: Vec<u64> = (0..points).map(|i| seed[(i * i % 7) as usize] ^ i).collect();
        let plain = plain_supports(&Space::new(design, symbols), &counts, symbols);
        prop_assert_eq!(decode::supports(design, &counts, symbols), plain);
    }
}

/// Symbols and points of the largest spaces: no overflow, and each answer on the side it should be.
#[test]
fn large_spaces_answer_correctly() {
    for loss in [1e-6, 0.3, 1.0, 3.0, 7.0, 50.0] {
        let oracle = ProjectiveGeometry::new(domain(Domain::MAX), epsilon(loss));
        let space = &oracle.space;
        for place in [0, 1, 77_777, Domain::MAX / 2, Domain::MAX - 2, Domain::MAX - 1] {
            for (inside, group) in [(true, space.each), (false, space.points - space.each)] {
                for v in [0, group / 3, group / 2, group - 1] {
                    let point = space.respond(place, inside, v);
                    assert!(u64::from(point) < space.points);
                    assert_eq!(space.incident(place, point), inside, "{:?} {place} {v}", space.design);
                }
            }
        }
    }
}

#[test]
fn the_rounded_variance_is_within_a_tenth_of_the_optimum() {
    for size in [16, 17, 41, 64, 122, 257, 1000, 1024, 2048, 4096] {
        for loss in [0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0] {
            let e = libm::exp(loss);
            let optimum = 4.0 * e / ((e - 1.0) * (e - 1.0));
            let ratio = ProjectiveGeometry::new(domain(size), epsilon(loss)).variance(0.0, 1) / optimum;
            assert!(ratio < 1.1, "{size} at {loss}: {ratio}");
        }
    }
}
