//! The construction is what its documentation says.

use super::*;

const BETAS: [f64; 5] = [0.05, 0.2, 0.387, 0.7, 1.0];

/// The largest |f(a) - f(b)| / |a - b|^beta that random pairs find, many of them close to the bumps' price.
fn steepest(spec: LowerBoundSpec, trial: u64) -> f64 {
    let (market, mut rng) = (hard(spec), rng(trial));
    let peak = (0..10_000).map(|i| f64::from(i) / 10_000.0);
    let rare: Vec<f64> = peak.filter(|&t| market.logging_density(&vec![0.5; spec.dims], t) < 1.0).collect();
    let (low, high) = (rare[0], rare[rare.len() - 1]);
    let mut most = 0.0_f64;
    for _ in 0..200_000 {
        let step = libm::pow(10.0, -4.0 * rng.uniform());
        let mut apart = 0.0_f64;
        let mut other = |x: f64, rng: &mut SimRng| {
            let y: f64 = (x + step * (2.0 * rng.uniform() - 1.0)).clamp(0.0, 1.0);
            apart = apart.max((x - y).abs());
            y
        };
        let a: Vec<f64> = (0..spec.dims).map(|_| rng.uniform()).collect();
        let b: Vec<f64> = a.iter().map(|&x| other(x, &mut rng)).collect();
        let t = low + (high - low) * rng.uniform();
        let u = if rng.uniform() < 0.5 { t } else { other(t, &mut rng) };
        let difference = (market.revenue(&a, t) - market.revenue(&b, u)).abs();
        // Closer pairs show rounding.
        if apart > 1e-6 {
            most = most.max(difference / libm::pow(apart, spec.beta));
        }
    }
    most
}

#[test]
fn the_reward_is_as_smooth_as_it_is_said_to_be_and_no_smoother() {
    for (number, beta) in BETAS.into_iter().enumerate() {
        for dims in [1, 2] {
            // Low enough that no bump is cut off at 1/4.
            let spec = LowerBoundSpec { dims, beta, zeta: 0.5, holder: 0.25, ..LowerBoundSpec::default() };
            let found = steepest(spec, 600 + number as u64) / spec.holder;
            assert!(found <= 1.0 + 1e-8, "{beta} {dims} {found}");
            assert!(found > 0.85, "{beta} {dims} {found}");
            // Divided by 4^beta as in (26), bumps would be too steep for a small beta.
            let steepness = libm::pow(4.0, beta).max(2.0 / libm::pow(1.5, beta));
            assert_eq!(
                found * steepness / libm::pow(4.0, beta) > 1.0 + 1e-6,
                beta < 0.3,
                "{beta} {dims} {found}"
            );
        }
    }
}

#[test]
fn rewards_are_chances() {
    for beta in BETAS {
        for holder in [0.5, 1.0, 100.0] {
            let market = hard(LowerBoundSpec { beta, holder, ..LowerBoundSpec::default() });
            let mut seen = Vec::new();
            for point in midpoints(400, 2) {
                seen.push(market.revenue(&point[..1], point[1]));
            }
            let (low, high) =
                seen.iter().fold((1.0_f64, 0.0_f64), |(low, high), &f| (low.min(f), high.max(f)));
            assert!(low >= 0.25 && high <= 0.75, "{beta} {holder} {low} {high}");
            assert!(low < 0.5 || high > 0.5);
        }
    }
}

#[test]
fn seeds_draw_signs_and_prices() {
    let of = |seed| hard(LowerBoundSpec { radius: 0.02, seed, ..LowerBoundSpec::default() });
    assert_eq!(of(1), of(1));
    let ups = |market: &Market| -> Vec<bool> {
        (0..22).map(|cell| market.best(&[0.02 * f64::from(2 * cell + 1)]).revenue > 0.5).collect()
    };
    let price = |market: &Market| {
        let up = ups(market).iter().position(|&up| up).unwrap();
        market.best(&[0.02 * (2 * up + 1) as f64]).price + 0.005
    };
    let (one, two) = (of(1), of(2));
    assert!(ups(&one) != ups(&two) && price(&one) != price(&two));
    for market in [one, two] {
        // An odd number of halves of r: in the grid (17).
        let place = price(&market) / 0.02 - 0.5;
        assert!((place - place.round()).abs() < 1e-9, "{place}");
        let count = ups(&market).iter().filter(|&&up| up).count();
        // 22 fair coins leave this range with probability 1e-6.
        assert!((1..=21).contains(&count));
    }
}

#[test]
fn the_hardest_radius_is_the_papers() {
    let spec = LowerBoundSpec { dims: 2, beta: 0.5, alpha: 1.0, zeta: 0.25, ..LowerBoundSpec::default() };
    // (10^5)^(-1/5).
    assert!((spec.hardest(400_000).radius - 0.1).abs() < 1e-12);
    assert!(Market::new(spec.hardest(3)).is_err());
}

#[test]
fn what_cannot_be_built_is_refused() {
    let good = LowerBoundSpec::default();
    let refused = |spec: LowerBoundSpec| Market::new(spec).unwrap_err().to_string();
    assert!(refused(LowerBoundSpec { transfer: 1.5, ..good }).contains("negative"));
    assert!(refused(LowerBoundSpec { radius: 0.46, ..good }).contains("no bump"));
    assert!(refused(LowerBoundSpec { dims: 16, ..good }).contains("bumps"));
    for spec in [
        LowerBoundSpec { dims: 0, ..good },
        LowerBoundSpec { dims: 17, ..good },
        LowerBoundSpec { radius: 0.0, ..good },
        LowerBoundSpec { radius: f64::NAN, ..good },
        LowerBoundSpec { radius: 1e-300, ..good },
        LowerBoundSpec { beta: 0.0, ..good },
        LowerBoundSpec { beta: 1.1, ..good },
        LowerBoundSpec { holder: 0.0, ..good },
        LowerBoundSpec { holder: f64::INFINITY, ..good },
        LowerBoundSpec { alpha: -0.1, ..good },
        LowerBoundSpec { transfer: 0.0, ..good },
        LowerBoundSpec { zeta: 1.1, ..good },
    ] {
        assert!(Market::new(spec).is_err(), "{spec:?}");
    }
    assert!(Market::new(LowerBoundSpec { radius: 0.45, ..good }).is_ok());
}
