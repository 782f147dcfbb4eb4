//! The features are the kernel's, and what records add is what the bound says.

use faer::Mat;
use proptest::prelude::*;

use super::super::super::DensePosterior;
use super::super::super::ridge::Ridge;
use super::super::{DubeyError, FourierMap, statistic};
use super::{kernel, records};
use reticent_curate::kernel::{Factor, Family, Kernel, Points};

/// The largest difference between inner products and kernels among these points.
fn error(kernel: &Kernel, map: &FourierMap, points: &Points) -> f64 {
    let (rows, exact) = (map.rows(points), kernel.between(points, points));
    let inner: Mat<f64> = &rows * rows.transpose();
    let differences = (0..points.len()).flat_map(|i| (0..points.len()).map(move |j| (i, j)));
    differences.map(|at| (inner[at] - exact[at]).abs()).fold(0.0, f64::max)
}

#[test]
fn inner_products_converge_to_the_kernel_within_the_bound() {
    let corners = Points::try_from(vec![vec![0.0, 1.0, 0.0, 1.0], vec![0.0, 0.0, 1.0, 1.0]]).unwrap();
    let points = Points::halton(0..60, 2).then(&corners);
    for lengths in [[0.5, 0.7], [0.3, 1.5]] {
        let kernel = kernel(&lengths);
        let mut last = f64::INFINITY;
        for nodes in [2, 5, 8, 12, 16, 24] {
            let map = FourierMap::new(&kernel, nodes).unwrap();
            let off = error(&kernel, &map, &points);
            assert!(off <= map.error() + 1e-13, "{nodes}: {off} beyond {}", map.error());
            assert!(off < 0.5 * last || off < 1e-12, "{nodes}: {off} after {last}");
            assert_eq!(map.rank(), nodes * nodes, "half of the frequencies, two features each");
            last = off;
        }
        assert!(last < 1e-10, "{last}");
    }
    // The bound is not idle: at opposite corners it is within a factor of a hundred.
    let map = FourierMap::new(&kernel(&[0.5, 0.7]), 5).unwrap();
    assert!(error(&kernel(&[0.5, 0.7]), &map, &points) > 0.01 * map.error());
}

#[test]
fn a_joint_kernel_is_the_product() {
    let points = Points::halton(0..30, 2);
    let joint = Kernel::joint(Family::SquaredExponential, &[0.5, 0.7]).unwrap();
    let rows = |kernel| FourierMap::new(kernel, 7).unwrap().rows(&points);
    assert_eq!(rows(&joint), rows(&kernel(&[0.5, 0.7])));
}

#[test]
fn other_families_and_too_many_features_are_refused() {
    for family in [Family::MaternHalf, Family::MaternThreeHalves, Family::MaternFiveHalves] {
        let mixed = Kernel::new(vec![
            Factor { family: Family::SquaredExponential, lengths: vec![0.3] },
            Factor { family, lengths: vec![0.3] },
        ]);
        assert_eq!(FourierMap::new(&mixed.unwrap(), 4), Err(DubeyError::Family));
    }
    let two = kernel(&[0.5, 0.5]);
    assert_eq!(FourierMap::new(&two, 32).unwrap().rank(), 1024);
    for nodes in [0, 33, usize::MAX] {
        assert_eq!(FourierMap::new(&two, nodes), Err(DubeyError::Features { nodes, inputs: 2, most: 1024 }));
    }
}

proptest! {
    #[test]
    fn a_record_adds_a_vector_of_length_at_most_one(
        x in 0.0_f64..=1.0, y in 0.0_f64..=1.0, reward in -1.0_f64..=1.0, nodes in 1_usize..9, length in 0.05_f64..3.0,
    ) {
        let map = FourierMap::new(&kernel(&[length, 0.4]), nodes).unwrap();
        let rows = map.rows(&Points::try_from(vec![vec![x], vec![y]]).unwrap());
        let mut vector = Vec::new();
        statistic::fill(&mut vector, rows.row(0), reward);
        prop_assert_eq!(vector.len(), statistic::dimensions(map.rank()));
        let square: f64 = vector.iter().map(|v| v * v).sum();
        prop_assert!((square - 0.5 * (1.0 + reward * reward)).abs() < 1e-12, "{}", square);
    }
}

#[test]
fn without_noise_the_estimate_is_the_posterior_mean() {
    let (kernel, records, tau) = (kernel(&[0.6, 0.8]), records(90, 2), 0.05);
    let map = FourierMap::new(&kernel, 16).unwrap();
    let rows = map.rows(records.points());
    let (mut total, mut vector) = (vec![0.0; statistic::dimensions(map.rank())], Vec::new());
    for (i, reward) in records.rewards().iter().enumerate() {
        statistic::fill(&mut vector, rows.row(i), *reward);
        total.iter_mut().zip(&vector).for_each(|(total, entry)| *total += entry);
    }
    let ridge = Ridge::new(&statistic::sums(&total, map.rank()), tau).unwrap();
    let at = Points::halton(500..600, 2);
    let dense = DensePosterior::new(&kernel, tau, &records).unwrap().mean_and_variance(&at);
    let (values, spreads) = (ridge.values(map.rows(&at).as_ref()), ridge.spreads(map.rows(&at).as_ref()));
    for ((mean, variance), (value, spread)) in dense.into_iter().zip(values.into_iter().zip(spreads)) {
        assert!((mean - value).abs() < 1e-8, "{mean} {value}");
        assert!((variance - tau * spread).abs() < 1e-8, "{variance}");
    }
}
