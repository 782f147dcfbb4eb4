//! Kernel bandits: how fast a function is released and read, and how far the long sums are from what the
//! processor's multipliers can do.

#![allow(missing_docs, reason = "benchmarks have no readers of their documentation")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use reticent_baselines::kernel::{Usca, UscaSpec};
use reticent_curate::kernel::{
    Collector, Draft, Family, FeatureMap, Form, Input, KernelSpec, Points, Population, Records, Release,
    ReleaseLoss, Reward, Shape, Surface,
};
use reticent_lab::kernel::Target;
use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};

fn main() {
    divan::main();
}

const THREADS: usize = 2;

/// The setting of the note: Matérn 5/2, length 0.3, noise 0.1, rewards clipped to 1.3.
fn setting(rank: usize) -> KernelSpec {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.3, levels: None };
    let plan = Draft {
        experiment: None,
        actions: vec![input("action")],
        contexts: vec![input("context")],
        reward: Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: 0.1 / 1.3 },
        kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank },
    };
    plan.try_into().unwrap()
}

fn records(people: usize) -> Records {
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    Target::rkhs(setting(1).kernel(), 1, 30, &mut rng).records(people, 0.1, 1.3, &mut rng)
}

fn budget() -> ReleaseLoss {
    ReleaseLoss::new(Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap()
}

fn release(records: &Records) -> Release {
    let people = records.len() as u64;
    let mut collector =
        Collector::new(&setting(256), &Population::Uniform, people, budget(), THREADS).unwrap();
    collector.add(records).unwrap();
    collector.release_with(&mut SimSeed(2).stream(0, Stream::Noise)).unwrap()
}

/// From records to a surface that can be asked.
#[divan::bench(args = [10_000, 100_000], sample_count = 3)]
fn private_kernel(bencher: Bencher<'_, '_>, people: usize) {
    let records = records(people);
    bencher
        .counter(ItemsCount::new(people))
        .bench_local(|| Surface::read(&release(&records), THREADS).unwrap());
}

/// The mean at one point, after the function is read.
#[divan::bench]
fn mean_at_a_point(bencher: Bencher<'_, '_>) {
    let surface = Surface::read(&release(&records(10_000)), THREADS).unwrap();
    let point = Points::halton(0..1, 2);
    bencher.bench_local(|| surface.means(black_box(&point)));
}

/// The mean and the band at one point.
#[divan::bench]
fn band_at_a_point(bencher: Bencher<'_, '_>) {
    let surface = Surface::read(&release(&records(10_000)), THREADS).unwrap();
    let point = Points::halton(0..1, 2);
    bencher.bench_local(|| surface.at(black_box(&point)));
}

/// The best action for one context.
#[divan::bench]
fn best_action(bencher: Bencher<'_, '_>) {
    let surface = Surface::read(&release(&records(10_000)), THREADS).unwrap();
    bencher.bench_local(|| surface.best(black_box(&[0.4])));
}

/// `usca` for 100,000 people with this many points of its approximating set; the last is what the paper wants, T K.
#[divan::bench(args = [1 << 17, 1 << 20, 28_000_000], sample_count = 1)]
fn usca_approximating_set(bencher: Bencher<'_, '_>, points: usize) {
    let setting = setting(200);
    let spec = || UscaSpec {
        tau: 0.1,
        epsilon: Epsilon::new(1.0).unwrap(),
        candidates: Points::candidates(1),
        most_approximating: points,
    };
    let counter = ItemsCount::new(points);
    bencher.counter(counter).bench_local(|| {
        Usca::new(&setting, &Population::Uniform, 100_000, spec(), SimSeed(1), THREADS).unwrap()
    });
}

/// Multiplications and additions of a product of square matrices on one thread: what the processor can do.
#[divan::bench(args = [200, 512, 1024])]
fn matrix_product_flops(bencher: Bencher<'_, '_>, size: usize) {
    let a = Mat::from_fn(size, size, |i, j| (i * 7 + j) as f64);
    let b = Mat::from_fn(size, size, |i, j| (i + j * 3) as f64);
    let mut out = Mat::<f64>::zeros(size, size);
    bencher.counter(ItemsCount::new(2 * size * size * size)).bench_local(|| {
        matmul(out.as_mut(), Accum::Replace, a.as_ref(), b.as_ref(), 1.0, Par::Seq);
    });
}

/// Kernels between points and a map's points, on one thread.
#[divan::bench(args = [Family::MaternHalf, Family::MaternFiveHalves, Family::SquaredExponential])]
fn kernels(bencher: Bencher<'_, '_>, family: Family) {
    let mut plan = setting(200).draft().clone();
    plan.kernel.family = family;
    let setting = KernelSpec::try_from(plan).unwrap();
    let map = FeatureMap::pivoted(setting.kernel(), &Points::halton(0..2000, 2), 200, 1e-9);
    let points = Points::halton(0..512, 2);
    bencher
        .counter(ItemsCount::new(512 * map.rank()))
        .bench_local(|| setting.kernel().between(black_box(&points), map.points()));
}
