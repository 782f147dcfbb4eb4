use crate::kernel::{Family, FeatureMap, Kernel, Points};

fn kernel() -> Kernel {
    Kernel::joint(Family::MaternFiveHalves, &[0.3, 0.3]).unwrap()
}

fn largest_error(map: &FeatureMap, kernel: &Kernel, points: &Points) -> f64 {
    let rows = map.rows(points);
    let exact = kernel.between(points, points);
    let mut most = 0.0_f64;
    for i in 0..points.len() {
        for j in 0..points.len() {
            let product: f64 = (0..map.rank()).map(|f| rows[(i, f)] * rows[(j, f)]).sum();
            most = most.max((product - exact[(i, j)]).abs());
        }
    }
    most
}

#[test]
fn with_all_points_among_its_own_the_map_is_the_kernel() {
    let points = Points::halton(0..60, 2);
    let map = FeatureMap::pivoted(&kernel(), &points, 60, 0.0);
    assert!(largest_error(&map, &kernel(), &points) < 1e-12);
    assert!(largest_error(&map, &kernel(), &Points::halton(60..120, 2)) > 1e-6, "elsewhere it is not");
}

#[test]
fn more_features_explain_more() {
    let candidates = Points::halton(0..500, 2);
    let residual = |rank| FeatureMap::pivoted(&kernel(), &candidates, rank, 0.0).residual();
    let residuals = [5, 20, 80, 160].map(residual);
    assert!(residuals.windows(2).all(|pair| pair[1] < 0.3 * pair[0]), "{residuals:?}");
}

#[test]
fn repeated_and_nearly_repeated_points_are_taken_once() {
    let mut points = Points::halton(0..20, 2);
    points = points.clone().then(&points);
    for _ in 0..5 {
        points.push(&[0.5, 0.5 + 1e-12]);
    }
    let map = FeatureMap::pivoted(&kernel(), &points, 100, 1e-10);
    assert_eq!(map.rank(), 21);
    assert!(largest_error(&map, &kernel(), &points) < 1e-9);
    let again = FeatureMap::of_points(&kernel(), map.points().clone()).unwrap();
    assert!(largest_error(&again, &kernel(), &points) < 1e-9);
    assert!(FeatureMap::of_points(&kernel(), points).is_err(), "as given points they are refused");
}

#[test]
fn one_point_is_enough() {
    let mut points = Points::new(2);
    points.push(&[0.2, 0.7]);
    let map = FeatureMap::pivoted(&kernel(), &points, 10, 1e-9);
    assert_eq!(map.rank(), 1);
    assert!((map.rows(&points)[(0, 0)] - 1.0).abs() < 1e-15);
}

#[test]
fn a_smooth_kernel_stops_when_nothing_is_left() {
    let smooth = Kernel::joint(Family::SquaredExponential, &[2.0, 2.0]).unwrap();
    let candidates = Points::halton(0..2000, 2);
    let map = FeatureMap::pivoted(&smooth, &candidates, 500, 1e-9);
    assert!(map.rank() < 60, "{}", map.rank());
    assert!(map.residual() <= 1e-9);
    assert!(FeatureMap::of_points(&smooth, map.points().clone()).is_ok(), "a saved map can be built again");
}

#[test]
fn the_gram_is_the_sum_whatever_the_threads() {
    let map = FeatureMap::pivoted(&kernel(), &Points::halton(0..300, 2), 40, 1e-9);
    let points = |places| Points::halton(places, 2);
    let one = map.gram(3000, 1, points);
    let two = map.gram(3000, 7, points);
    let rows = map.rows(&Points::halton(0..3000, 2));
    for i in 0..40 {
        for j in 0..40 {
            assert_eq!(one[(i, j)].to_bits(), two[(i, j)].to_bits());
            let direct: f64 = (0..3000).map(|p| rows[(p, i)] * rows[(p, j)]).sum();
            assert!((one[(i, j)] - direct).abs() < 1e-9 * 3000.0);
        }
    }
}

#[test]
fn halton_points_are_even() {
    let points = Points::halton(0..4096, 6);
    for input in 0..6 {
        let mut bins = [0_u32; 16];
        for x in points.input(input) {
            bins[(x * 16.0) as usize] += 1;
        }
        assert!(bins.iter().all(|&count| (236..=276).contains(&count)), "{input}: {bins:?}");
    }
}

#[test]
fn strange_coordinates_are_clipped() {
    let mut points = Points::new(3);
    points.push(&[f64::NAN, -7.0]);
    points.push(&[f64::INFINITY, 0.5, 2.0]);
    assert_eq!(points.point(0), [0.0, 0.0, 0.0]);
    assert_eq!(points.point(1), [1.0, 0.5, 1.0]);
    assert!(Points::try_from(vec![vec![0.1, 0.2], vec![0.3]]).is_err());
    assert!(Points::try_from(vec![vec![0.1, 1.2]]).is_err());
}
