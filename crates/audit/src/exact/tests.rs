use super::*;
use reticent_privacy::mechanism::RandomisedResponse;
use reticent_privacy::{Delta, Epsilon};

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn two_to_64() -> BigUint {
    BigUint::from(1_u32) << 64_u32
}

fn response(keep: u64) -> FiniteMechanism {
    let (keep, flip) = (Weight::exact(keep), Weight::exact(two_to_64() - keep));
    FiniteMechanism::new(vec![vec![keep.clone(), flip.clone()], vec![flip, keep]]).unwrap()
}

#[test]
fn randomised_response_is_certified_and_tight_and_one_step_more_is_seen() {
    for value in [1e-6, 0.1, 0.5, 1.0, 4.0, 20.0] {
        let channel = RandomisedResponse::new(epsilon(value));
        let claim = Claim::pure(epsilon(value));
        let loss = response(channel.keep_of_two_to_64()).loss(claim);
        assert_eq!(loss.standing, Standing::Certified, "{value}");
        let finding = response(channel.keep_of_two_to_64()).audit("response", claim);
        assert!(finding.passes() && finding.tightness > 0.999_999 && finding.tightness <= 1.0, "{finding}");
        // Power: 2^-64 more of probability is too much.
        let off = response(channel.keep_of_two_to_64() + 1);
        assert_eq!(off.loss(claim).standing, Standing::Exceeds, "{value}");
        assert!(!off.audit("response", claim).passes());
    }
}

#[test]
fn rounded_weights_leave_a_claim_within_the_rounding_undecided() {
    let wide = || Weight::between(299_u32, 301_u32);
    let mechanism = FiniteMechanism::new(vec![
        vec![wide(), Weight::exact(100_u32)],
        vec![Weight::exact(100_u32), wide()],
    ])
    .unwrap();
    let standing = |claim: f64| mechanism.loss(Claim::pure(epsilon(claim))).standing;
    assert_eq!(standing(libm::log(3.02)), Standing::Certified);
    assert_eq!(standing(libm::log(3.0)), Standing::Undecided);
    assert_eq!(standing(libm::log(2.98)), Standing::Exceeds);
    // What cannot be told is no pass.
    let verdict = |claim: f64| mechanism.audit("wide", Claim::pure(epsilon(claim))).verdict;
    assert_eq!(verdict(libm::log(3.02)), Verdict::Passes);
    assert_eq!(verdict(libm::log(3.0)), Verdict::Undecided);
    assert_eq!(verdict(libm::log(2.98)), Verdict::Leaks);
    let loss = mechanism.loss(Claim::pure(epsilon(1.0)));
    assert!(loss.low < libm::log(2.99) && libm::log(3.01) < loss.high);
}

#[test]
fn an_output_of_one_input_alone_is_an_infinite_loss() {
    let law = |a: u32, b: u32, c: u32| vec![Weight::exact(a), Weight::exact(b), Weight::exact(c)];
    let mechanism = FiniteMechanism::new(vec![law(5, 5, 0), law(5, 4, 1), law(5, 5, 0)]).unwrap();
    let finding = mechanism.clone().labels(["on", "off"]).audit("silence", Claim::pure(Epsilon::MAX));
    assert!(!finding.passes() && finding.measured.is_infinite());
    assert_eq!(finding.neighbours, "off against on");
    assert_eq!(finding.event, "output 2, which only the first can have");
    let json = serde_json::to_value(&finding).unwrap();
    assert!(json["measured"].is_null() && json["verdict"] == "leaks" && json["method"] == "exact");
    assert_eq!(serde_json::from_value::<Finding>(json).unwrap(), finding);
    // Those two that never give it are alike.
    let alike = mechanism.pairs([(0, 2)]).unwrap();
    assert_eq!(alike.loss(Claim::pure(epsilon(0.1))).high, 0.0);
}

#[test]
fn delta_forgives_exactly_its_own_mass() {
    // One run in 1000 shows the input; otherwise odds of 3.
    let law = |a: u32, b: u32, c: u32, d: u32| [a, b, c, d].map(Weight::exact).to_vec();
    let mechanism = FiniteMechanism::new(vec![law(2997, 999, 4, 0), law(999, 2997, 0, 4)]).unwrap();
    let claim = |e: f64, d: f64| Claim::approximate(epsilon(e), Delta::new(d).unwrap());
    let loss = mechanism.loss(claim(1.098_612_289, 0.001));
    assert_eq!(loss.standing, Standing::Certified);
    assert!(
        (loss.low - libm::log(3.0)).abs() < 1e-8 && (loss.high - libm::log(3.0)).abs() < 1e-8,
        "{loss:?}"
    );
    assert_eq!(mechanism.loss(claim(1.098_612_288, 0.001)).standing, Standing::Exceeds);
    assert_eq!(mechanism.loss(claim(1.2, 0.000_999)).standing, Standing::Exceeds);
    assert!(!mechanism.audit("rare", claim(2.0, 0.000_999)).passes());
}

#[test]
fn a_thousand_inputs_and_outputs() {
    let peak =
        |input: usize| (0..1093).map(|o| Weight::exact(if o == input { 100_u32 } else { 10 })).collect();
    let mechanism = FiniteMechanism::new((0..1024).map(peak).collect()).unwrap();
    let loss = mechanism.loss(Claim::pure(epsilon(libm::log(10.0))));
    assert_eq!(loss.standing, Standing::Certified);
    assert!((loss.low - libm::log(10.0)).abs() < 1e-12);
}

#[test]
fn nonsense_is_refused() {
    let w = |value: u32| Weight::exact(value);
    assert!(matches!(FiniteMechanism::new(vec![vec![w(1)]]), Err(AuditError::TooFewInputs { .. })));
    let ragged = FiniteMechanism::new(vec![vec![w(1)], vec![w(1), w(0)]]);
    assert!(matches!(ragged, Err(AuditError::DifferentOutputs { input: 1, .. })));
    assert!(matches!(FiniteMechanism::new(vec![vec![w(1)], vec![w(2)]]), Err(AuditError::DifferentTotals)));
    let crossed = FiniteMechanism::new(vec![vec![Weight::between(2_u32, 1_u32)], vec![w(1)]]);
    assert!(matches!(crossed, Err(AuditError::BoundsCrossed { input: 0, output: 0 })));
    assert!(response(1 << 63).pairs([(0, 2)]).is_err());
    assert!(response(1 << 63).pairs([]).is_err());
}
