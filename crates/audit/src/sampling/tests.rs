//! Sound mechanisms pass and are measured tightly; each classic mistake is caught with a claim of 1.

use rand_core::Rng;

use super::*;
use crate::testing::seed;
use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism, RandomisedResponse};
use reticent_privacy::{Epsilon, UnitGrid};

fn claim(epsilon: f64) -> Claim {
    Claim::pure(Epsilon::new(epsilon).unwrap())
}

fn grid(value: f64) -> UnitGrid {
    UnitGrid::clip(value).unwrap()
}

fn tight(finding: &Finding) {
    assert!(finding.passes() && finding.tightness >= 0.9, "{finding}");
}

#[test]
fn sound_mechanisms_pass_and_are_measured_tightly() {
    for value in [0.5, 1.0, 4.0] {
        let epsilon = Epsilon::new(value).unwrap();
        let response = RandomisedResponse::new(epsilon);
        let bits = Audit::new("randomised response", Claim::try_from(&response.guarantee()).unwrap());
        let bits = bits.samples(400_000).neighbours([false, true]);
        tight(&bits.run_seeded(seed(), |&bit, rng| response.release_with(bit, rng)).unwrap());
        let rewards =
            || Audit::new("curator", claim(value)).samples(400_000).neighbours([grid(0.0), grid(1.0)]);
        let bernoulli = BernoulliResponse::new(epsilon);
        tight(&rewards().run_seeded(seed(), |&reward, rng| bernoulli.release_with(reward, rng)).unwrap());
        let laplace = LaplaceResponse::new(epsilon);
        tight(&rewards().run_seeded(seed(), |&reward, rng| laplace.release_with(reward, rng)).unwrap());
    }
}

/// Laplace noise of scale 1 as textbooks draw it.
fn float_laplace(rng: &mut SimRng) -> f64 {
    let u = rng.uniform() - 0.5;
    -u.signum() * libm::log(1.0 - 2.0 * u.abs())
}

fn caught<T, O, F>(inputs: [T; 2], release: F) -> Finding
where
    T: Debug + Sync,
    O: Into<Observation>,
    F: Fn(&T, &mut SimRng) -> O + Sync,
{
    let finding = Audit::new("broken", claim(1.0)).neighbours(inputs).run_seeded(seed(), release).unwrap();
    assert!(!finding.passes(), "{finding}");
    finding
}

fn exact_laplace(rng: &mut SimRng, epsilon: f64, reward: f64) -> f64 {
    let curator = LaplaceResponse::new(Epsilon::new(epsilon).unwrap());
    curator.release_with(grid(reward), rng) as f64 / f64::from(UnitGrid::STEPS)
}

#[test]
fn half_the_noise_is_caught() {
    let finding = caught([0.0, 1.0], |&x, rng| exact_laplace(rng, 2.0, x));
    assert!(finding.measured > 1.5 && finding.measured < 2.0, "{finding}");
}

#[test]
fn porous_floats_are_caught() {
    for inputs in [[0.0, 1.0], [0.1, 0.7]] {
        let finding = caught(inputs, |&x, rng| x + float_laplace(rng));
        assert!(finding.event.contains("lowest set bit") && finding.measured > 3.0, "{finding}");
    }
}

#[test]
fn a_repeated_stream_is_caught() {
    // Two questions, one of which each person answers with yes; both answers get the same noise.
    let finding = caught([[0.0, 1.0], [1.0, 0.0]], |&[a, b], rng| {
        let noise = exact_laplace(rng, 0.5, 0.0);
        [a + noise, b + noise]
    });
    assert!(finding.event.contains("minus"), "{finding}");
}

#[test]
fn silence_is_caught() {
    // Says nothing to most of those with a low value; what it says is noise alone.
    let finding = caught([0.0, 1.0], |&x, rng| (x > 0.5 || rng.uniform() < 0.2).then(|| rng.uniform()));
    assert_eq!(finding.neighbours, "0.0 against 1.0");
    assert!(finding.event.contains("number of values"), "{finding}");
    // Showing nothing at all is no leak.
    let audit = Audit::new("mute", claim(1.0)).neighbours([0.0, 1.0]);
    let mute = audit.run_seeded(seed(), |_, _| Observation::silence()).unwrap();
    assert!(mute.passes() && mute.measured == 0.0, "{mute}");
}

#[test]
fn five_full_releases_are_caught() {
    let finding = caught([0.0, 1.0], |&x, rng| [(); 5].map(|()| exact_laplace(rng, 1.0, x)));
    assert!(finding.measured > 2.0 && finding.measured < 5.0, "{finding}");
}

#[test]
fn a_scale_that_depends_on_the_data_is_caught() {
    // The noise of a mean over two people and over ten.
    let finding = caught([2.0, 10.0], |&people, rng| exact_laplace(rng, 1.0, 0.0) / people);
    assert!(finding.measured > 1.2, "{finding}");
}

#[test]
fn the_worst_of_many_pairs_is_found() {
    // All alike but one.
    let response = RandomisedResponse::new(Epsilon::new(2.0).unwrap());
    let audit = Audit::new("one of twelve", claim(1.0)).samples(20_000).neighbours(0..12);
    let finding = audit.run_seeded(seed(), |&x, rng| response.release_with(x == 7, rng)).unwrap();
    assert!(!finding.passes() && finding.measured > 1.8, "{finding}");
    assert!(finding.neighbours.contains('7'), "{finding}");
    // Nobody who is a neighbour differs.
    let audit = audit.pairs([(0, 1), (5, 6), (8, 11)]);
    assert!(audit.run_seeded(seed(), |&x, rng| response.release_with(x == 7, rng)).unwrap().measured < 0.1);
}

#[test]
fn of_too_many_pairs_to_look_at_the_worst_is_reached_through_its_inputs() {
    // 1225 pairs, one of which leaks twice as much as any other.
    let keep = |x: &i32| match x {
        11 => -1.0,
        30 => 1.0,
        _ => 0.0,
    };
    let audit = Audit::new("two of fifty", claim(1.0)).samples(20_000).neighbours(0..50);
    let finding = audit.run_seeded(seed(), |x, rng| rng.uniform() < 0.5 + 0.3 * keep(x)).unwrap();
    assert!(
        !finding.passes() && finding.neighbours.contains("11") && finding.neighbours.contains("30"),
        "{finding}"
    );
}

#[test]
fn wide_observations_are_audited() {
    // 64 coordinates that share a loss of 8 evenly.
    let share = RandomisedResponse::new(Epsilon::new(0.125).unwrap());
    let audit = Audit::new("wide", claim(8.0)).samples(20_000).neighbours([false, true]);
    let finding =
        audit.run_seeded(seed(), |&bit, rng| [(); 64].map(|()| share.release_with(bit, rng))).unwrap();
    assert!(finding.passes() && finding.measured > 1.5, "{finding}");
}

#[test]
fn a_raw_bit_far_to_the_right_is_caught() {
    let finding = caught([false, true], |&bit, rng| {
        let mut coins: [bool; 100] = std::array::from_fn(|_| rng.next_u32() & 1 == 1);
        coins[70] = bit;
        coins
    });
    assert!(finding.event.contains("coordinate 70") && finding.unseen.is_empty(), "{finding}");
}

#[test]
fn pieces_that_say_nothing_one_by_one_are_caught_together() {
    let pads = |secret: bool, rng: &mut SimRng, pieces: [usize; 3]| {
        let mut shown: [bool; 30] = std::array::from_fn(|_| rng.next_u32() & 1 == 1);
        shown[pieces[2]] = shown[pieces[0]] ^ shown[pieces[1]] ^ secret;
        shown
    };
    let two = caught([false, true], |&bit, rng| {
        let mut shown: [bool; 30] = std::array::from_fn(|_| rng.next_u32() & 1 == 1);
        shown[10] = shown[9] ^ bit;
        shown
    });
    assert!(two.event.contains('9') && two.event.contains("10"), "{two}");
    let three = caught([false, true], |&bit, rng| pads(bit, rng, [4, 17, 25]));
    assert!(three.event.contains("parity") && three.event.contains("25"), "{three}");
}

#[test]
fn low_bits_of_large_integers_are_seen() {
    let finding = caught([0_u64, 1], |&bit, rng| (rng.next_u64() | 1 << 63) & !1 | bit);
    assert!(finding.measured > 2.0, "{finding}");
}

#[test]
fn runs_elsewhere_are_audited_alike() {
    let audit = Audit::new("elsewhere", claim(1.0)).samples(20_000).neighbours([false, true]);
    let run = |&bit: &bool, runs: usize| -> Result<Vec<Observation>, std::fmt::Error> {
        let mut rng = NoiseRng::from_os().map_err(|_| std::fmt::Error)?;
        Ok((0..runs).map(|_| (bit ^ rng.next_u32().is_multiple_of(8)).into()).collect())
    };
    assert!(!audit.run_batches(run).unwrap().passes());
    let short = audit.run_batches(|_, runs| -> Result<_, std::fmt::Error> { Ok(vec![1.0.into(); runs - 1]) });
    assert!(matches!(short, Err(AuditError::OtherCount { .. })));
}

#[test]
fn delta_is_taken_off() {
    // One run in ten shows the input.
    let show = |&x: &bool, rng: &mut SimRng| rng.uniform() < 0.1 && x;
    let delta = |value: f64| {
        Claim::approximate(Epsilon::new(1.0).unwrap(), reticent_privacy::Delta::new(value).unwrap())
    };
    let measured = |claim| {
        let audit = Audit::new("show", claim).neighbours([false, true]);
        audit.run_seeded(seed(), show).unwrap()
    };
    assert!(measured(delta(0.1)).passes());
    assert!(!measured(delta(0.09)).passes());
}

#[test]
fn a_seed_gives_the_same_finding_with_any_number_of_threads() {
    let laplace = LaplaceResponse::new(Epsilon::new(1.0).unwrap());
    let run = |threads| {
        let audit = Audit::new("curator", claim(1.0)).samples(30_000).threads(threads);
        let audit = audit.neighbours([0.0, 0.5, 1.0].map(grid));
        audit.run_seeded(seed(), |&reward, rng| [laplace.release_with(reward, rng); 2]).unwrap()
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(7));
}

#[test]
fn production_noise_is_audited_as_it_is() {
    let response = RandomisedResponse::new(Epsilon::new(1.0).unwrap());
    let audit = Audit::new("response", claim(1.0)).samples(50_000).labelled([("no", false), ("yes", true)]);
    let finding = audit.run(|&bit, rng| response.release_with(bit, rng)).unwrap();
    assert!(finding.passes() && finding.tightness > 0.8, "{finding}");
    let broken = audit.run(|&bit, rng| bit ^ (rng.next_u32().is_multiple_of(8))).unwrap();
    assert!(!broken.passes(), "{broken}");
    let json = serde_json::to_value(&broken).unwrap();
    assert_eq!((json["verdict"].as_str(), json["method"].as_str()), (Some("leaks"), Some("sampling")));
    assert_eq!(json["claimed"]["epsilon"].as_f64(), Some(1.0));
    assert_eq!(serde_json::from_value::<Finding>(json).unwrap(), broken);
}

#[test]
fn nonsense_is_refused() {
    let audit = || Audit::new("nothing", claim(1.0)).neighbours([0.0, 1.0]);
    let run = |audit: Audit<f64>| audit.run_seeded(seed(), |&x, _| x);
    assert!(matches!(run(audit().neighbours([0.0])), Err(AuditError::TooFewInputs { got: 1 })));
    assert!(matches!(run(audit().samples(3)), Err(AuditError::TooFewSamples { got: 3, .. })));
    assert!(matches!(run(audit().beta(f64::NAN)), Err(AuditError::BadBeta { .. })));
    assert!(matches!(run(audit().pairs([(0, 0)])), Err(AuditError::BadPair(0, 0, 2))));
    assert!(matches!(run(audit().pairs([])), Err(AuditError::NoPairs)));
    let promise = reticent_privacy::Guarantee::none("one reward");
    assert!(matches!(Claim::try_from(&promise), Err(AuditError::NothingClaimed)));
}
