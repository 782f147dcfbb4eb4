//! The formulas against the channels themselves.

use super::*;
use crate::mechanism::Mechanism;
use crate::oracle::{Domain, FrequencyOracle, OracleKind};

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

#[test]
fn a_bit_has_the_stated_influence() {
    for value in [0.5, 1.0, 4.0] {
        let (e, bit) = (libm::exp(value), Influence::of_bit(epsilon(value)));
        assert!((bit.width() - (e + 1.0) / (e - 1.0)).abs() < 1e-9, "{value}");
        assert!((bit.highest + bit.lowest - 1.0).abs() < 1e-9);
    }
    let one = Influence::of_bit(epsilon(1.0));
    assert!((one.most(0.05) - 0.0791).abs() < 1e-4 && (one.overturned_by(0.1) - 0.0462).abs() < 1e-4);
    assert_eq!(one.overturned_by(-0.1), one.overturned_by(0.1));
}

/// The estimate from honest bits and forged ones moves as far as is said and no further: 200,000 bits, of which the
/// mean is off by more than 6 deviations (0.0145) once in a thousand million such tests.
#[test]
fn forged_bits_move_an_estimate_as_stated() {
    let (channel, influence) = (RandomisedResponse::new(epsilon(1.0)), Influence::of_bit(epsilon(1.0)));
    let mut rng = SimSeed(4).stream(0, Stream::Noise);
    let (people, share, mean) = (200_000, 0.05, 0.3);
    let estimate = |forge: Option<bool>, rng: &mut crate::SimRng| {
        let values = (0..people).map(|_| {
            let truth = rng.uniform() < mean;
            let forged = forge.filter(|_| rng.uniform() < share);
            let bit = forged.unwrap_or_else(|| channel.release_with(truth, rng));
            if bit { influence.highest } else { influence.lowest }
        });
        values.sum::<f64>() / f64::from(people)
    };
    let [down, up] = influence.shift(share, mean);
    assert!((estimate(None, &mut rng) - mean).abs() < 0.0145);
    assert!((estimate(Some(true), &mut rng) - mean - up).abs() < 0.0145);
    assert!((mean - estimate(Some(false), &mut rng) - down).abs() < 0.0145);
    assert!(up > 4.0 * 0.0145, "the test could not tell {up} from nothing");
}

#[test]
fn a_symbol_has_the_influence_of_its_oracle() {
    // k-ary response: a report is one symbol, and stands for (1 - q) / (p - q) of it or for -q / (p - q).
    let (e, k) = (libm::exp(1.0), 16.0);
    let domain = Domain::new(16).unwrap();
    let k_rr = Influence::of_symbol(&FrequencyOracle::new(OracleKind::KaryResponse, domain, epsilon(1.0)));
    assert!((k_rr.highest - (e + k - 2.0) / (e - 1.0)).abs() < 1e-9, "{k_rr:?}");
    assert!((k_rr.lowest + 1.0 / (e - 1.0)).abs() < 1e-9);
    for kind in OracleKind::ALL {
        let one = Influence::of_symbol(&FrequencyOracle::new(kind, domain, epsilon(1.0)));
        // No channel of this loss has less influence than a bit.
        assert!(one.width() >= Influence::of_bit(epsilon(1.0)).width() - 1e-9, "{kind:?} {one:?}");
        assert!(one.highest > 1.0 && one.lowest < 0.0);
    }
}

/// The construction of the proof: two worlds with means so far apart give bits of one law.
#[test]
fn what_no_server_can_tell_apart() {
    for (value, share) in [(0.5, 0.1), (1.0, 0.05), (4.0, 0.2)] {
        let apart = undecidable(epsilon(value), share);
        let keep = RandomisedResponse::new(epsilon(value)).keep_probability();
        let law = |mean: f64, forged: f64| {
            (1.0 - share) * (1.0 - keep + mean * (2.0 * keep - 1.0)) + share * forged
        };
        assert!((law(0.0, 1.0) - law(apart, 0.0)).abs() < 1e-9, "{value} {share}");
    }
    assert_eq!((undecidable(epsilon(0.5), 0.5), undecidable(epsilon(1.0), 1.0)), (1.0, 1.0));
}
