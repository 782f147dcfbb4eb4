//! Methods on known targets.

use reticent_curate::kernel::{Family, Kernel, Points};
use reticent_jobs::Silent;
use reticent_privacy::{Delta, SimSeed, Stream};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::*;
use crate::runner::{Repeated, Store, StoreKey};

const LEVEL: f64 = 1e-6;

fn setting(people: u64) -> Setting {
    let kernel = Kernel::product(Family::MaternFiveHalves, &[0.3, 0.3]).unwrap();
    Setting {
        source: TargetSpec::Rkhs { kernel: kernel.clone(), actions: 1, centres: 30 },
        kernel,
        tau: 0.1,
        rank: 120,
        noise: 0.1,
        bound: 1.3,
        people,
        epsilon: None,
        delta: Delta::ZERO,
    }
}

fn run(method: &'static dyn Method, people: u64, trials: u32, threads: usize) -> Measured {
    let experiment = Experiment { method, setting: setting(people), trials, seed: 1 };
    measure(&experiment, threads, &mut Store::in_memory(), &Silent).unwrap()
}

/// Half of Student's interval of the mean that misses with probability `LEVEL`.
fn half_width(measured: &Measured) -> f64 {
    let others = measured.per_trial.len() as f64 - 1.0;
    StudentsT::new(0.0, 1.0, others).unwrap().inverse_cdf(1.0 - LEVEL / 2.0)
        * measured.standard_error.unwrap()
}

/// Measured apart from this code, over 300 functions of the same law on a grid: 0.360 with a standard error of 0.007.
const LOST_BY_CHANCE: f64 = 0.36;

/// By the power check the interval is short enough to tell chance from learning, and from a loss that is
/// counted wrongly.
#[test]
fn uniform_actions_lose_what_they_should() {
    let uniform = run(&Uniform, 1, 60, 2);
    let half = half_width(&uniform);
    assert!((uniform.error.mean - LOST_BY_CHANCE).abs() < half, "{} ± {half}", uniform.error.mean);
    assert!(half < 0.15);
}

#[test]
fn the_posterior_mean_learns() {
    let [few, many] = [300, 3000].map(|people| run(&PosteriorMean, people, 8, 2));
    assert!(few.error.mean < 0.2 && many.error.mean < 0.5 * few.error.mean, "{few:?} {many:?}");
    assert!(many.rms.unwrap().mean < few.rms.unwrap().mean);
}

#[test]
fn trials_depend_on_the_seed_alone() {
    let [one, two] = [1, 2].map(|threads| run(&PosteriorMean, 200, 4, threads).per_trial);
    assert_eq!(one, two);
    let other = Experiment { method: &PosteriorMean, setting: setting(200), trials: 4, seed: 2 };
    let other = other.run(0, &|_| true).unwrap().unwrap();
    assert!((other.outcome.error - one[0]).abs() > 1e-12);
}

#[test]
fn settings_that_differ_are_kept_apart() {
    let key = |setting| Experiment { method: &Uniform, setting, trials: 1, seed: 1 }.key();
    let (a, b) = (key(setting(10)), key(Setting { noise: 0.2, ..setting(10) }));
    assert!(a.file_name() != b.file_name() && a.file_name().starts_with("uniform-rkhs-n10-seed1-"));
}

#[test]
fn nothing_beats_the_best_action() {
    let target = Target::branin();
    let exam = Exam::draw(target.clone(), 50, &mut SimSeed(1).stream(0, Stream::Source));
    let (error, off) = (exam.error_of(|points| target.values(points)), exam.error(|_| vec![0.0]));
    assert!((0.0..2e-3).contains(&error) && off > 0.1, "{error} {off}");
    assert!(exam.rms(|points| target.values(points)) < 1e-12);
    let wrong =
        |points: &Points| -> Vec<f64> { target.values(points).iter().map(|value| value + 0.5).collect() };
    assert!((exam.rms(wrong) - 0.5).abs() < 1e-12);
}

#[test]
fn the_highest_candidate_is_taken() {
    let peak = |points: &Points| -> Vec<f64> {
        let off =
            |i: usize| (points.input(0)[i] - 0.25).abs() + (points.input(1)[i] - points.input(2)[i]).abs();
        (0..points.len()).map(|i| -off(i)).collect()
    };
    assert_eq!(best_on(&Points::candidates(2), peak, &[0.75]), vec![0.25, 0.75]);
    assert_eq!([1, 2, 3].map(|actions| Points::candidates(actions).len()), [101, 1089, 1089]);
}

#[test]
fn a_power_law_has_its_exponent() {
    let law: Vec<(f64, f64)> = [1e3, 1e4, 1e5].map(|x: f64| (x, 3.0 / x.sqrt())).to_vec();
    let fit = slope(&law).unwrap();
    assert!((fit.value + 0.5).abs() < 1e-12 && fit.standard_error.unwrap() < 1e-7);
    assert_eq!(slope(&law[..2]).unwrap().standard_error, None);
    assert_eq!(slope(&[(1.0, 1.0), (1.0, 2.0), (2.0, 0.0)]), None);
    // Logarithms (0, 0), (1, 0), (2, 3) have slope 3/2, residuals 1/2, -1, 1/2, and so a standard error of
    // sqrt(1.5 / 2).
    let e = std::f64::consts::E;
    let bent = slope(&[(1.0, 1.0), (e, 1.0), (e * e, e * e * e)]).unwrap();
    assert!(
        (bent.value - 1.5).abs() < 1e-12 && (bent.standard_error.unwrap() - 0.75_f64.sqrt()).abs() < 1e-12
    );
}

/// The gain of evenly scattered points is 1/2 ln det(I + K/tau), which the eigenvalues under the uniform law approach.
#[test]
fn the_gain_is_that_of_uniform_points() {
    let Setting { kernel, tau, .. } = setting(1);
    let points = Points::halton(0..600, 2);
    let mut matrix = kernel.between(&points, &points) * faer::Scale(1.0 / tau);
    for i in 0..600 {
        matrix[(i, i)] += 1.0;
    }
    let factor = matrix.llt(faer::Side::Lower).unwrap();
    let exact: f64 = (0..600).map(|i| libm::log(factor.L()[(i, i)])).sum();
    let gain = Spectrum::of(&kernel, 200).unwrap().gain(600.0, tau);
    assert!((gain / exact - 1.0).abs() < 0.02, "{gain} {exact}");
}
