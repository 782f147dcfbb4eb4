//! Blocks, rows and answers are what the proof says.

use super::*;
use crate::oracle::tests::{domain, epsilon};

#[test]
fn answers_are_a_bijection_onto_each_group() {
    for (size, bits) in [(1, 1), (2, 1), (5, 1), (3, 2), (7, 3), (8, 3), (20, 3), (20, 5)] {
        let oracle = HadamardResponse::with_blocks(domain(size), epsilon(1.0), bits);
        let half = 1_u32 << (bits - 1);
        let outputs = oracle.blocks << bits;
        for place in 0..size {
            let (block, row) = oracle.row(place);
            assert!(block < oracle.blocks && row > 0 && row < 2 * half);
            let belongs =
                |y: u32| y >> bits == block && (y & (2 * half - 1) & row).count_ones().is_multiple_of(2);
            for (inside, group) in [(true, half), (false, outputs - half)] {
                let mut answers: Vec<u32> =
                    (0..u64::from(group)).map(|v| oracle.respond(place, inside, v)).collect();
                answers.sort_unstable();
                let expected: Vec<u32> = (0..outputs).filter(|&y| belongs(y) == inside).collect();
                assert_eq!(answers, expected, "{size} symbols, blocks of {}, symbol {place}", 2 * half);
            }
        }
    }
}

#[test]
fn the_block_size_follows_the_loss() {
    let blocks = |loss| HadamardResponse::new(domain(1000), epsilon(loss)).blocks();
    assert_eq!(blocks(0.5), (1, 1024));
    assert_eq!(blocks(3.0).0, 8);
    assert_eq!(blocks(20.0), (1000, 2));
    // A small loss: the optimum (e^epsilon + 1)^2/(e^epsilon - 1)^2 of one block.
    let e = libm::exp(0.5);
    let known = (e + 1.0) * (e + 1.0) / ((e - 1.0) * (e - 1.0));
    let variance = HadamardResponse::new(domain(1000), epsilon(0.5)).variance(0.0, 1);
    assert!((variance / known - 1.0).abs() < 1e-9);
}
