//! Frequency oracles at epsilon 1: `cargo bench -p reticent-privacy --bench oracles`.

use divan::{Bencher, counter::ItemsCount};
use reticent_privacy::oracle::{
    Aggregate, Domain, FrequencyOracle, Oracle, OracleKind, ProjectiveGeometry, Report, Symbol,
};
use reticent_privacy::{Epsilon, NoiseRng, exact};

const REPORTS: u32 = 4_096;
const LARGE: u32 = Domain::MAX;

fn main() {
    divan::main();
}

fn rng() -> NoiseRng {
    NoiseRng::from_os().expect("entropy")
}

fn oracle(kind: OracleKind, size: u32) -> FrequencyOracle {
    FrequencyOracle::new(kind, domain(size), epsilon())
}

fn domain(size: u32) -> Domain {
    Domain::new(size).expect("a valid size")
}

fn epsilon() -> Epsilon {
    Epsilon::new(1.0).expect("a valid epsilon")
}

/// Symbols in an order that no predictor knows.
fn symbols(domain: Domain) -> Vec<Symbol> {
    let spread =
        |person: u32| domain.symbol((u64::from(person) * 2_654_435_761 % u64::from(domain.size())) as u32);
    (0..REPORTS).map(|person| spread(person).expect("within the domain")).collect()
}

fn reports(oracle: &FrequencyOracle) -> Vec<Report> {
    let mut rng = rng();
    symbols(oracle.domain()).into_iter().map(|symbol| oracle.randomise(symbol, &mut rng)).collect()
}

#[divan::bench(args = OracleKind::ALL)]
fn randomise_1024(bencher: Bencher<'_, '_>, kind: OracleKind) {
    let (oracle, mut rng) = (oracle(kind, 1024), rng());
    let symbols = symbols(oracle.domain());
    bencher.counter(ItemsCount::new(REPORTS)).bench_local(|| {
        for &symbol in &symbols {
            divan::black_box(oracle.randomise(symbol, &mut rng));
        }
    });
}

/// Without the choice of the oracle when running.
#[divan::bench(args = [16, 1024, LARGE])]
fn randomise_projective_index(bencher: Bencher<'_, '_>, size: u32) {
    let (oracle, mut rng) = (ProjectiveGeometry::new(domain(size), epsilon()), rng());
    let symbols = symbols(oracle.domain());
    bencher.counter(ItemsCount::new(REPORTS)).bench_local(|| {
        for &symbol in &symbols {
            divan::black_box(oracle.randomise_index(symbol, &mut rng));
        }
    });
}

#[divan::bench(args = OracleKind::ALL)]
fn aggregate_reports_1024(bencher: Bencher<'_, '_>, kind: OracleKind) {
    let oracle = oracle(kind, 1024);
    let reports = reports(&oracle);
    let mut aggregate = Aggregate::new(&oracle);
    bencher.counter(ItemsCount::new(REPORTS)).bench_local(|| {
        for report in &reports {
            aggregate.add(&oracle, report).expect("a report of this oracle");
        }
    });
}

#[divan::bench(args = OracleKind::ALL)]
fn aggregate_bytes_1024(bencher: Bencher<'_, '_>, kind: OracleKind) {
    let oracle = oracle(kind, 1024);
    let bytes: Vec<u8> = reports(&oracle).iter().flat_map(|report| oracle.encode(report)).collect();
    let mut aggregate = Aggregate::new(&oracle);
    bencher.counter(ItemsCount::new(REPORTS)).bench_local(|| {
        for report in bytes.chunks_exact(oracle.report_bytes()) {
            let report = oracle.decode(report).expect("a report of this oracle");
            aggregate.add(&oracle, &report).expect("a report of this oracle");
        }
    });
}

#[divan::bench(args = OracleKind::ALL)]
fn estimate_1024(bencher: Bencher<'_, '_>, kind: OracleKind) {
    estimate(bencher, &oracle(kind, 1024), REPORTS as usize);
}

#[divan::bench(args = OracleKind::ALL, sample_count = 10)]
fn estimate_two_to_20(bencher: Bencher<'_, '_>, kind: OracleKind) {
    // Sets of a million symbols are slow to draw, and the counts do not change the time.
    estimate(bencher, &oracle(kind, LARGE), 4);
}

fn estimate(bencher: Bencher<'_, '_>, oracle: &FrequencyOracle, people: usize) {
    let (mut aggregate, mut rng) = (Aggregate::new(oracle), rng());
    for symbol in symbols(oracle.domain()).into_iter().take(people) {
        aggregate.add(oracle, &oracle.randomise(symbol, &mut rng)).expect("a report of this oracle");
    }
    bencher.bench_local(|| oracle.estimate(&aggregate).expect("counts of this oracle"));
}

#[divan::bench(args = [1024, LARGE])]
fn design_projective(bencher: Bencher<'_, '_>, size: u32) {
    bencher.bench_local(|| ProjectiveGeometry::new(domain(size), epsilon()));
}

/// Items are bits, of probability 1/(e + 1).
#[divan::bench]
fn coins64(bencher: Bencher<'_, '_>) {
    let mut rng = rng();
    let threshold = 4_961_093_570_831_980_854;
    bencher.counter(ItemsCount::new(64 * 1_000_usize)).bench_local(|| {
        for _ in 0..1_000 {
            divan::black_box(exact::coins64(threshold, &mut rng));
        }
    });
}
