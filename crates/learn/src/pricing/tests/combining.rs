//! Functions that are added up axis by axis.

use super::*;
use axes::{Axes, Spot};

/// With no, one, two and many contexts: what is added up axis by axis is what all functions at all places give.
#[test]
fn functions_are_combined_as_one_by_one() {
    for dimension in [0, 1, 2, 6] {
        let axes = Axes::new(&terms(dimension));
        let basis = basis::Basis::new(&axes, &shape::Shape::start(dimension + 1));
        let spots: Vec<Vec<Spot>> =
            axes.each.iter().map(|axis| [0.0, 0.3, 1.0].map(|x| axis.spot(x)).to_vec()).collect();
        let each: Vec<f64> = (0..2 * basis.rank()).map(|i| libm::sin(i as f64)).collect();
        let combined = basis.combined(&axes, &spots, &each, 2);
        let borrowed: Vec<&[Spot]> = spots.iter().map(Vec::as_slice).collect();
        let rows = basis.over(&axes, &borrowed);
        assert_eq!(combined.len() / 2, rows.len() / basis.rank());
        for (row, sums) in rows.chunks_exact(basis.rank()).zip(combined.chunks_exact(2)) {
            for (number, sum) in sums.iter().enumerate() {
                let one_by_one: f64 =
                    row.iter().zip(each.iter().skip(number).step_by(2)).map(|(a, b)| a * b).sum();
                assert!((one_by_one - sum).abs() < 1e-9, "{dimension}: {one_by_one} {sum}");
            }
        }
    }
}
