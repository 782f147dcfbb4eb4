//! What all oracles must do.

mod aggregate;
mod estimate;
mod law;
mod wire;

use super::choice::AS_GOOD;
use super::*;
use crate::testing::seed;
use crate::{SimRng, SimSeed, Stream, TrustModel};

pub(super) fn domain(size: u32) -> Domain {
    Domain::new(size).unwrap()
}

pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn rng(trial: u64) -> SimRng {
    seed().stream(1_000 + trial, Stream::Noise)
}

/// How often each symbol is in the sets of a person with symbol `own`.
pub(super) fn bit_counts(oracle: &impl Oracle, own: u32, draws: u64) -> Vec<u64> {
    let symbol = oracle.domain().symbol(own).unwrap();
    let mut source = rng(u64::from(own));
    let mut counts = vec![0; oracle.cells()];
    for _ in 0..draws {
        oracle.count(&oracle.randomise(symbol, &mut source), &mut counts).unwrap();
    }
    counts
}

fn oracles(size: u32, loss: f64) -> [FrequencyOracle; 5] {
    OracleKind::ALL.map(|kind| FrequencyOracle::new(kind, domain(size), epsilon(loss)))
}

#[test]
fn the_edges_of_loss_and_domain_work() {
    for size in [1, 2, 3, 4, 63, 64, 65, 1 << 20] {
        for loss in [1e-9, 1e-6, 1.0, 50.0, 1024.0] {
            for oracle in oracles(size, loss) {
                let what = format!("{} of {size} at {loss}", oracle.kind());
                let mut source = rng(0);
                let mut aggregate = Aggregate::new(&oracle);
                for index in [0, size / 2, size - 1] {
                    let report = oracle.randomise(oracle.domain().symbol(index).unwrap(), &mut source);
                    aggregate.add(&oracle, &report).unwrap();
                    assert_eq!(oracle.encode(&report).len(), oracle.report_bytes(), "{what}");
                }
                // A symbol of a larger domain is clipped.
                let far = domain(Domain::MAX).symbol(Domain::MAX - 1).unwrap();
                aggregate.add(&oracle, &oracle.randomise(far, &mut source)).unwrap();
                let estimate = oracle.estimate(&aggregate).unwrap();
                assert_eq!(estimate.len(), size as usize, "{what}");
                assert!(estimate.iter().all(|frequency| frequency.is_finite()), "{what}");
                let variance = oracle.variance(0.0, 4);
                assert!(variance >= 0.0 && variance.is_finite(), "{what}: {variance}");
                assert_eq!(oracle.variance(0.0, 0).is_infinite(), size > 1, "{what}");
            }
        }
    }
}

#[test]
fn a_domain_of_one_carries_nothing() {
    for oracle in oracles(1, 1.0) {
        let mut aggregate = Aggregate::new(&oracle);
        assert_eq!(oracle.estimate(&aggregate).unwrap(), [1.0]);
        let only = oracle.domain().symbol(0).unwrap();
        aggregate.add(&oracle, &oracle.randomise(only, &mut rng(1))).unwrap();
        assert_eq!(oracle.estimate(&aggregate).unwrap(), [1.0]);
        assert_eq!(oracle.variance(1.0, 1), 0.0);
        let index = matches!(oracle.shape(), Shape::Index { .. });
        assert_eq!(oracle.report_bytes(), usize::from(!index));
    }
}

#[test]
fn a_large_loss_tells_nearly_all() {
    for oracle in oracles(40, 50.0).into_iter().filter(|oracle| oracle.kind() != OracleKind::UnaryEncoding) {
        let mut aggregate = Aggregate::new(&oracle);
        for symbol in oracle.domain().symbols() {
            aggregate.add(&oracle, &oracle.randomise(symbol, &mut rng(u64::from(symbol.index())))).unwrap();
        }
        for frequency in oracle.estimate(&aggregate).unwrap() {
            assert!((frequency - 1.0 / 40.0).abs() < 1e-9, "{}: {frequency}", oracle.kind());
        }
    }
}

#[test]
fn guarantees_name_their_proofs() {
    for oracle in oracles(10, 0.5) {
        let guarantee = oracle.guarantee();
        assert_eq!(guarantee.to_string(), "0.5-DP, local model");
        assert_eq!(guarantee.trust_model, TrustModel::Local);
        assert_eq!(
            (&*guarantee.unit, &*guarantee.neighbours),
            ("one symbol of one person", "any two symbols")
        );
    }
}

#[test]
fn the_best_follows_its_rule() {
    for size in [1, 2, 3, 8, 16, 64, 300, 1024, 4096] {
        for loss in [0.1, 0.5, 1.0, 2.0, 4.0, 8.0] {
            let best = FrequencyOracle::best(domain(size), epsilon(loss));
            let smallest =
                oracles(size, loss).iter().map(|oracle| oracle.cost_at(0.0)).fold(f64::INFINITY, f64::min);
            assert!(best.cost_at(0.0) <= AS_GOOD * smallest, "{} of {size} at {loss}", best.kind());
            assert!(best.report_bytes() <= 8, "{} of {size} at {loss}", best.kind());
        }
    }
    // Memory and reports stay small where the best space would be huge.
    for loss in [6.0, 9.0, 10.5, 12.0, 50.0] {
        let best = FrequencyOracle::best(domain(Domain::MAX), epsilon(loss));
        assert!(best.report_bytes() <= 4 && best.cells() <= 16 << 20, "{} at {loss}", best.kind());
    }
    // Few symbols or a large loss: the true symbol itself. Many: a point of a projective space.
    assert_eq!(FrequencyOracle::best(domain(2), epsilon(1.0)).kind(), OracleKind::KaryResponse);
    assert_eq!(FrequencyOracle::best(domain(64), epsilon(8.0)).kind(), OracleKind::KaryResponse);
    assert_eq!(FrequencyOracle::best(domain(1024), epsilon(1.0)).kind(), OracleKind::ProjectiveGeometry);
}

/// Where a few symbols are held by all people, what counts is also the noise of those who hold them.
#[test]
fn the_best_oracle_depends_on_how_many_symbols_are_held() {
    let (domain, epsilon) = (Domain::new(160).unwrap(), Epsilon::new(4.0).unwrap());
    let [empty, held] = [0.0, 1.0 / 16.0].map(|at| FrequencyOracle::best_at(domain, epsilon, at));
    assert!(
        held.variance(1.0 / 16.0, 1) < 0.7 * empty.variance(1.0 / 16.0, 1),
        "{} {}",
        held.kind(),
        empty.kind()
    );
    assert!(empty.variance(0.0, 1) <= AS_GOOD * held.variance(0.0, 1));
}

/// Golden reports on every run: how an oracle uses its random bits is part of what a seed reproduces.
#[test]
fn golden_reports() {
    let word = |report| match report {
        Report::Index(index) => u64::from(index),
        Report::Set(words) => words[0],
    };
    let drawn = oracles(20, 1.0).map(|oracle| {
        let mut source = SimSeed(20_261_115).stream(60, Stream::Noise);
        [0, 3, 6, 9, 12, 15]
            .map(|index| word(oracle.randomise(oracle.domain().symbol(index).unwrap(), &mut source)))
    });
    assert_eq!(drawn, GOLDEN);
}
const GOLDEN: [[u64; 6]; 5] = [
    [0x0d, 0x08, 0x04, 0x10, 0x02, 0x0f],
    [0x0d_5003, 0x0e_8004, 0x04_0012, 0x02_4000, 0x01_1000, 0x00_cb41],
    [0x00_4aa0, 0x00_5406, 0x00_0487, 0x00_0744, 0x04_0c18, 0x00_a121],
    [0x15, 0x0a, 0x06, 0x18, 0x04, 0x08],
    [0x17, 0x0f, 0x07, 0x16, 0x03, 0x12],
];
