//! The stated law is private, and it is the law that reports have.

use std::collections::BTreeMap;

use super::*;
use crate::exact::exp::{exp_lower, one};
use crate::testing::{LEVEL, chi_square_p};

type Law = BTreeMap<Report, BigUint>;

fn law(oracle: &FrequencyOracle, index: u32) -> Law {
    oracle.law(oracle.domain().symbol(index).unwrap()).unwrap().into_iter().collect()
}

/// For all pairs of symbols and all reports, in integers: P(report | a) <= e^epsilon P(report | b).
#[test]
fn no_ratio_exceeds_e_to_the_epsilon() {
    for size in [1, 2, 3, 4, 7, 10, 13, 16] {
        for loss in [1e-6, 0.5, 1.0, 2.5, 5.0, 50.0] {
            for oracle in oracles(size, loss) {
                let bound = exp_lower(oracle.epsilon().nano());
                let laws: Vec<Law> = (0..size.min(11)).map(|index| law(&oracle, index)).collect();
                let totals: Vec<BigUint> = laws.iter().map(|law| law.values().sum()).collect();
                assert!(
                    totals.windows(2).all(|pair| pair[0] == pair[1]),
                    "one denominator: {}",
                    oracle.kind()
                );
                // Reports of largest and smallest weight over the symbols bound all pairs at once.
                for report in laws[0].keys() {
                    oracle.shape().check(report).unwrap();
                    let weights = || laws.iter().map(|law| &law[report]);
                    let (largest, smallest) = (weights().max().unwrap(), weights().min().unwrap());
                    assert!(largest * one() <= smallest * &bound, "{} of {size} at {loss}", oracle.kind());
                }
            }
        }
    }
}

#[test]
fn large_laws_are_not_listed() {
    for oracle in oracles(1 << 18, 1.0) {
        assert_eq!(oracle.law(oracle.domain().symbol(0).unwrap()), None, "{}", oracle.kind());
    }
    for oracle in oracles(60, 1.0) {
        let index = matches!(oracle.shape(), Shape::Index { .. });
        assert_eq!(oracle.law(oracle.domain().symbol(0).unwrap()).is_some(), index, "{}", oracle.kind());
    }
}

/// The p-value of `counts` under a law, reports with few expected counts taken together.
fn fit(counts: &BTreeMap<Report, u64>, law: &Law) -> f64 {
    let draws: u64 = counts.values().sum();
    let total: BigUint = law.values().sum();
    assert!(counts.keys().all(|report| law.contains_key(report)), "a report that the law does not have");
    let mut cells: Vec<(u64, f64)> = Vec::new();
    let mut rare = (0, 0.0);
    for (report, weight) in law {
        let count = counts.get(report).copied().unwrap_or(0);
        // 60 binary places of weight / total.
        let p = u64::try_from((weight << 60_u32) / &total).unwrap() as f64 / (1_u64 << 60) as f64;
        if p * draws as f64 >= 20.0 {
            cells.push((count, p));
        } else {
            rare = (rare.0 + count, rare.1 + p);
        }
    }
    if rare.1 * draws as f64 >= 20.0 {
        cells.push(rare);
    } else {
        cells[0] = (cells[0].0 + rare.0, cells[0].1 + rare.1);
    }
    let (counts, probabilities): (Vec<u64>, Vec<f64>) = cells.into_iter().unzip();
    chi_square_p(&counts, &probabilities)
}

fn draw(oracle: &FrequencyOracle, index: u32, draws: u32) -> BTreeMap<Report, u64> {
    let symbol = oracle.domain().symbol(index).unwrap();
    let mut source = rng(10 + u64::from(index));
    let mut counts = BTreeMap::new();
    for _ in 0..draws {
        *counts.entry(oracle.randomise(symbol, &mut source)).or_default() += 1;
    }
    counts
}

#[test]
fn reports_have_the_stated_law_and_the_test_has_power() {
    const DRAWS: u32 = 100_000;
    for (size, loss) in [(2, 0.5), (3, 1.0), (5, 1.0), (9, 2.0), (11, 0.7), (14, 1.5)] {
        for oracle in oracles(size, loss) {
            for index in [0, size / 2, size - 1] {
                let what = format!("{} of {size} at {loss}, symbol {index}", oracle.kind());
                let counts = draw(&oracle, index, DRAWS);
                assert!(fit(&counts, &law(&oracle, index)) > LEVEL, "{what}");
                // Power: the law of the next symbol must be rejected.
                assert!(fit(&counts, &law(&oracle, (index + 1) % size)) < LEVEL, "{what}");
            }
        }
    }
}

#[test]
fn a_loss_that_is_off_is_seen() {
    for (right, wrong) in oracles(8, 1.0).iter().zip(oracles(8, 1.04)) {
        let counts = draw(right, 3, 1_000_000);
        assert!(fit(&counts, &law(right, 3)) > LEVEL, "{}", right.kind());
        if right.shape() == wrong.shape() {
            assert!(fit(&counts, &law(&wrong, 3)) < LEVEL, "{}", right.kind());
        }
    }
}
