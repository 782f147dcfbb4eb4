//! The index against going through everything.

use super::*;
use proptest::prelude::*;
use reticent_privacy::{SimSeed, Stream, UnitGrid};

/// Algorithm 2, literally; the rule of nearness and the value's formula are those of the module's documentation.
fn by_hand(sales: &Sales<'_>, smoothness: Smoothness, x: &[f64]) -> Quote {
    let (h, n) = (smoothness.bandwidth, sales.prices.len());
    let ends = |price: f64| [(price - h).max(0.0), (price + h).min(1.0)];
    let near: Vec<usize> = (0..n)
        .filter(|i| x.iter().zip(&sales.contexts[i * sales.dims..]).all(|(x, v)| (v - x).abs() <= h))
        .collect();
    let mut best = (f64::NEG_INFINITY, Quote { price: f64::INFINITY, lower: None });
    for t in [0.0, 1.0].into_iter().chain(sales.prices.iter().flat_map(|&price| ends(price))) {
        let (mut count, mut sum) = (0_u32, 0_u64);
        for &i in &near {
            let [low, high] = ends(sales.prices[i]);
            if low <= t && t <= high {
                count += 1;
                sum += u64::from(UnitGrid::clip(sales.rewards[i]).unwrap().steps());
            }
        }
        let radius = (2.0 * libm::log(2.0 * n as f64) / f64::from(count)).sqrt();
        let mean = sum as f64 / (f64::from(count) * f64::from(UnitGrid::STEPS));
        let lower = mean - radius - smoothness.holder * libm::pow(h, smoothness.beta);
        let value = if count == 0 { 0.0 } else { lower };
        if value > best.0 || (value == best.0 && t < best.1.price) {
            best = (value, Quote { price: t, lower: (count > 0).then_some(value) });
        }
    }
    best.1
}

/// A number in [0, 1], often one of few, so that there are ties and equal prices.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..=1.0_f64, (0_u8..=10).prop_map(|tenths| f64::from(tenths) / 10.0), Just(0.0), Just(1.0)]
}

fn reward() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(0.5), 0.0..=1.0_f64]
}

#[derive(Debug, Clone)]
struct Case {
    dims: usize,
    contexts: Vec<f64>,
    prices: Vec<f64>,
    rewards: Vec<f64>,
    smoothness: Smoothness,
    asked: Vec<f64>,
    shape: Shape,
}

fn case() -> impl Strategy<Value = Case> {
    let shape = (1_usize..40, 1_usize..8, 1_usize..5, prop_oneof![Just(0_u32), 0_u32..20], 1_usize..5)
        .prop_map(|(bins, slabs, bin_slabs, few, joined)| Shape { bins, slabs, bin_slabs, few, joined });
    let smoothness =
        (prop_oneof![0.01..0.6_f64, Just(0.1), Just(0.25), Just(2.0)], 0.0..0.5_f64, 0.1..=1.0_f64)
            .prop_map(|(bandwidth, holder, beta)| Smoothness { bandwidth, holder, beta });
    let sizes = (prop_oneof![1_usize..=3, Just(5)], prop_oneof![1_usize..20, 1_usize..=300]);
    (sizes, shape, smoothness).prop_flat_map(|((dims, n), shape, smoothness)| {
        let many = |count: usize| prop::collection::vec(number(), count);
        let rewards = prop_oneof![
            prop::collection::vec(reward(), n),
            prop::collection::vec(prop_oneof![Just(0.0), Just(1.0)], n),
            // All the same: values tie wherever the counts do.
            reward().prop_map(move |reward| vec![reward; n]),
        ];
        (many(dims * n), many(n), rewards, many(dims * 4)).prop_map(
            move |(contexts, prices, rewards, asked)| Case {
                dims,
                contexts,
                prices,
                rewards,
                smoothness,
                asked,
                shape,
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn a_quote_is_what_going_through_everything_gives(case in case()) {
        let Case { dims, contexts, prices, rewards, smoothness, asked, shape } = &case;
        let sales = Sales { dims: *dims, contexts, prices, rewards };
        let policy = NwLcb { dims: *dims, index: Index::new(&sales, *smoothness, *shape) };
        for x in asked.chunks_exact(*dims).chain(contexts.chunks_exact(*dims).take(2)) {
            prop_assert_eq!(policy.quote(x).unwrap(), by_hand(&sales, *smoothness, x), "{:?}", x);
        }
    }
}

#[test]
fn by_numbers() {
    // Four sales around one context; 2 log 8 = 4.159.
    let sales =
        Sales { dims: 1, contexts: &[0.5; 4], prices: &[0.5, 0.5, 0.5, 0.9], rewards: &[1.0, 1.0, 1.0, 0.0] };
    let smoothness = Smoothness { bandwidth: 0.125, holder: 0.0, beta: 1.0 };
    let quote = |x: f64| NwLcb::new(&sales, smoothness).unwrap().quote(&[x]).unwrap();
    // Three sales: 1 - sqrt(4.159 / 3) < 0, so a price that nobody asked wins.
    assert_eq!(quote(0.5), Quote { price: 0.0, lower: None });
    assert_eq!(quote(0.7), Quote { price: 0.0, lower: None });
    let many = Sales { dims: 1, contexts: &[0.5; 100], prices: &[0.5; 100], rewards: &[0.5; 100] };
    let quote = NwLcb::new(&many, smoothness).unwrap().quote(&[0.5]).unwrap();
    assert_eq!(quote.price, 0.375);
    assert!((quote.lower.unwrap() - (0.5 - (10.596_634_733 / 100.0_f64).sqrt())).abs() < 1e-9);
}

#[test]
fn what_does_not_fit_is_refused() {
    let good = Sales { dims: 1, contexts: &[0.5; 2], prices: &[0.5; 2], rewards: &[1.0; 2] };
    let smoothness = Smoothness { bandwidth: 0.1, holder: 1.0, beta: 1.0 };
    let error = |sales: Sales<'_>| NwLcb::new(&sales, smoothness).unwrap_err();
    let empty = Sales { dims: 1, contexts: &[], prices: &[], rewards: &[] };
    assert_eq!(error(empty), PricingError::Sales(0));
    for sales in [Sales { dims: 0, ..good }, Sales { dims: 2, ..good }, Sales { rewards: &[1.0], ..good }] {
        assert!(matches!(error(sales), PricingError::Shape { .. }));
    }
    for bad in [[0.5, f64::NAN], [0.5, 1.1], [0.5, -0.1]] {
        assert_eq!(error(Sales { contexts: &bad, ..good }), PricingError::Range(1));
        assert_eq!(error(Sales { prices: &bad, ..good }), PricingError::Range(1));
        assert_eq!(error(Sales { rewards: &bad, ..good }), PricingError::Range(1));
    }
    let with = |smoothness: Smoothness| NwLcb::new(&good, smoothness).unwrap_err();
    assert_eq!(with(Smoothness { bandwidth: 0.0, ..smoothness }), PricingError::Bandwidth(0.0));
    assert_eq!(with(Smoothness { holder: -1.0, ..smoothness }), PricingError::Holder(-1.0));
    assert_eq!(with(Smoothness { beta: 1.5, ..smoothness }), PricingError::Beta(1.5));
    let policy = NwLcb::new(&good, smoothness).unwrap();
    for bad in [&[][..], &[0.5, 0.5], &[f64::NAN], &[1.5]] {
        assert_eq!(policy.quote(bad), Err(PricingError::Context(1)));
    }
}

/// With as many sales as make the index do what it is for: the shape is that of [`NwLcb::new`].
#[test]
fn many_sales_with_the_usual_shape() {
    const SALES: usize = 8_000;
    let mut rng = SimSeed(20_261_116).stream(0, Stream::Environment);
    for (dims, binary) in [(1, true), (2, false), (2, true), (3, true)] {
        let contexts: Vec<f64> = (0..dims * SALES).map(|_| rng.beta(4.0, 4.0)).collect();
        let prices: Vec<f64> = (0..SALES).map(|_| rng.uniform()).collect();
        let mean = |t: f64| 1.6 * t / (1.0 + libm::exp(8.0 * (t - 0.55)));
        let reward = |t: f64, u: f64| if binary { f64::from(u8::from(u < mean(t))) } else { u * mean(t) };
        let rewards: Vec<f64> = prices.iter().map(|&t| reward(t, rng.uniform())).collect();
        let sales = Sales { dims, contexts: &contexts, prices: &prices, rewards: &rewards };
        let smoothness = Smoothness { bandwidth: 0.13, holder: 0.1, beta: 1.0 };
        let policy = NwLcb::new(&sales, smoothness).unwrap();
        let mut looked_at = 0;
        for _ in 0..3 {
            let x: Vec<f64> = (0..dims).map(|_| rng.beta(4.0, 4.0)).collect();
            let quote = policy.quote(&x).unwrap();
            assert_eq!(quote, by_hand(&sales, smoothness, &x), "{dims} {x:?}");
            looked_at += u32::from(quote.lower.is_some());
        }
        assert!(looked_at > 0, "nothing but unexplored prices would test little");
    }
}
