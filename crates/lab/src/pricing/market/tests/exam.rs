//! What policies lose.

use super::*;

fn note() -> Market {
    curve(CurveSpec { target: Target::Beta, ..CurveSpec::default() })
}

/// 0.577: the same mean over a fine grid of prices and other contexts than the exam's.
#[test]
fn the_optimum_is_known() {
    let (market, exam) = (note(), Exam::draw(&note(), 0, &mut rng(400)));
    let prices: Vec<f64> = (0..=2000).map(|i| f64::from(i) / 2000.0).collect();
    let brute = midpoints(777, 1).map(|context| {
        let best = market.best_of(&context, &prices).unwrap();
        market.target_density(&context) * best.revenue / 777.0
    });
    assert!((exam.optimum() - brute.sum::<f64>()).abs() < 2e-6);
    assert!((exam.optimum() - 0.5770).abs() < 1e-5, "{}", exam.optimum());
}

#[test]
fn a_quadrature_does_not_depend_on_the_seed_and_is_exact() {
    for market in [
        note(),
        hard(LowerBoundSpec::default()),
        hard(LowerBoundSpec { radius: 0.037, beta: 0.5, ..LowerBoundSpec::default() }),
    ] {
        let exam = Exam::draw(&market, 10, &mut rng(401));
        let other = Exam::draw(&market, 20, &mut rng(402));
        assert_eq!(exam.optimum(), other.optimum());
        // Against a much finer one, with corners of the lower bound where they fall.
        let (mut earned, mut mass) = (0.0, 0.0);
        for context in midpoints(400_000, 1) {
            let density = market.target_density(&context);
            earned += density * market.best(&context).revenue;
            mass += density;
        }
        assert!(
            (exam.optimum() - earned / mass).abs() < 1e-6,
            "{market:?} {} {}",
            exam.optimum(),
            earned / mass
        );
    }
}

#[test]
fn a_policy_loses_what_it_does_not_earn() {
    for (number, market) in markets().into_iter().enumerate() {
        let exam = Exam::draw(&market, Exam::CONTEXTS, &mut rng(410 + number as u64));
        assert!(exam.suboptimality(|context| market.best(context).price).abs() < 1e-9);
        let (value, lost) = (exam.value(|_| 0.6), exam.suboptimality(|_| 0.6));
        assert!((value + lost - exam.optimum()).abs() < 1e-9, "{market:?}");
        assert!(lost >= 0.0);
        let prices: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).collect();
        let coarse = exam.optimum_of(&prices).unwrap();
        assert!(coarse <= exam.optimum() + 1e-12 && coarse >= value - 1e-12);
        assert_eq!(exam.optimum_of(&[]), None);
    }
}

#[test]
fn drawn_contexts_are_of_the_target_market() {
    const CONTEXTS: usize = 100_000;
    let market = curve(CurveSpec { dims: 2, target: Target::Beta, ..CurveSpec::default() });
    let exam = Exam::draw(&market, CONTEXTS, &mut rng(440));
    assert_eq!(exam.contexts().count(), CONTEXTS);
    let mean: f64 = midpoints(400, 2)
        .map(|context| market.target_density(&context) * market.best(&context).revenue / 160_000.0)
        .sum();
    assert!((exam.optimum() - mean).abs() < hoeffding(CONTEXTS), "{} {mean}", exam.optimum());
    // The uniform market would be seen.
    let uniform = Exam::draw(&curve(CurveSpec { dims: 2, ..CurveSpec::default() }), CONTEXTS, &mut rng(441));
    assert!((uniform.optimum() - mean).abs() > hoeffding(CONTEXTS));
}
