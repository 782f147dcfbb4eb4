//! What is refused, what is said, and the law of the noise.

use super::*;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};

const STEPS: f64 = UnitGrid::STEPS as f64;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// Two cells a side on a line of contexts: four cells.
fn randomiser(loss: f64, trial: u64) -> Randomiser<SimRng> {
    let spec = Spec::new(1, 2, epsilon(loss)).unwrap();
    Randomiser::new(&spec, SimSeed(20_261_116).stream(trial, Stream::Noise))
}

#[test]
fn what_is_wrong_is_refused_and_says_nothing() {
    let mut people = randomiser(1.0, 0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (context, price, reward) in [(bad, 0.25, 0.75), (0.25, bad, 0.75), (0.25, 0.25, bad)] {
            let error = people.report(&[context], price, reward).unwrap_err();
            assert!(matches!(error, Refusal::NotFinite(_)));
            assert!(!error.to_string().contains("0.25") && !error.to_string().contains("0.75"));
        }
    }
    for context in [&[][..], &[0.1, 0.2]] {
        assert!(matches!(people.report(context, 0.5, 0.5), Err(Refusal::WrongContext(1))));
    }
}

/// With hardly any noise the values are W and YW: the l1 sensitivity is 4.
#[test]
fn only_the_persons_own_cell_is_not_zero_and_all_is_clipped() {
    let mut people = randomiser(1024.0, 2);
    for (context, price, reward, own, kept) in [
        (0.1, 0.1, 0.75, 0, 0.75),
        (0.1, 0.5, 0.75, 1, 0.75),
        (0.9, 0.49, 0.0, 2, 0.0),
        (1.0, 1.0, 1.0, 3, 1.0),
        (-7.0, 7.0, 7.0, 1, 1.0),
        (7.0, -7.0, -7.0, 2, 0.0),
    ] {
        let report = people.report(&[context], price, reward).unwrap();
        assert_eq!(report.values.len(), 8);
        for (place, &value) in report.values.iter().enumerate() {
            let expected = match place {
                _ if place / 2 != own => 0.0,
                _ if place % 2 == 0 => 1.0,
                _ => kept,
            };
            // Noise of scale 5.66/1024: beyond 0.2 with probability e^-36.
            assert!((value as f64 / STEPS - expected).abs() < 0.2, "{context} {price} {place}");
        }
    }
}

/// A chi-square of 7 degrees of freedom exceeds this with probability 10^-6 / 24, the number of statistics below.
const CHI_SQUARE_7: f64 = 47.7;
const DRAWS: usize = 30_000;

/// Pearson's statistic of the octiles of Laplace(scale) around `centres`, for each coordinate.
fn octiles(reports: &[Report], centres: [f64; 8], scale: f64) -> [f64; 8] {
    std::array::from_fn(|i| {
        let mut counts = [0.0; 8];
        for report in reports {
            let z = (report.values[i] as f64 / STEPS - centres[i]) / scale;
            let cdf = if z < 0.0 { libm::exp(z) / 2.0 } else { 1.0 - libm::exp(-z) / 2.0 };
            counts[((cdf * 8.0) as usize).min(7)] += 1.0;
        }
        let expected = reports.len() as f64 / 8.0;
        counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum()
    })
}

#[test]
fn every_coordinate_has_noise_of_the_published_scale() {
    for (trial, loss) in [0.5, 1.0, 8.0].into_iter().enumerate() {
        let mut people = randomiser(loss, 10 + trial as u64);
        let reports: Vec<Report> = (0..DRAWS).map(|_| people.report(&[0.8], 0.1, 0.25).unwrap()).collect();
        let centres = [0.0, 0.0, 0.0, 0.0, 1.0, 0.25, 0.0, 0.0];
        let scale = 4.0 * 2.0_f64.sqrt() / loss;
        let right = octiles(&reports, centres, scale);
        assert!(right.iter().all(|&statistic| statistic < CHI_SQUARE_7), "{loss}: {right:?}");
        // Power: a scale off by a tenth is seen in each coordinate.
        let wrong = octiles(&reports, centres, 0.9 * scale);
        assert!(wrong.iter().all(|&statistic| statistic > CHI_SQUARE_7), "{loss}: {wrong:?}");
    }
}
