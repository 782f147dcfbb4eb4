//! Table 2 of Ma et al. 2025 as printed: mean reward relative to the authors' ABSE.

/// The budgets of the table: the target's and the sources'.
pub(super) const BUDGETS: [(f64, f64); 4] = [(1.0, 1.0), (1.0, 4.0), (2.0, 1.0), (2.0, 4.0)];

/// Its last row: the ranks of LDPMAB, Linear and NN with and without sources, added up over all rows, at n/4 and at n.
pub(super) const RANK_SUMS: [[usize; 6]; 2] = [[15, 45, 55, 52, 37, 43], [22, 44, 54, 56, 33, 36]];

/// Table 1: name, people, sources, people of the largest one, arms, dimensions.
pub(super) const TABLE_1: [[&str; 6]; 3] = [
    ["ADULT", "41,292", "7", "3,930", "2", "3"],
    ["JOBS", "57,773", "1", "14,318", "2", "3"],
    ["TAXI", "621,957", "1", "18,945", "2", "3"],
];

/// One data set: a row for each of [`BUDGETS`]; LDPMAB, Linear and NN with and without sources, at n/4 and then at n.
#[derive(Debug)]
pub(super) struct Published {
    /// How a file's name begins.
    pub(super) name: &'static str,
    ratios: [[f64; 12]; 4],
}

pub(super) const PUBLISHED: [Published; 3] = [
    Published {
        name: "adult",
        ratios: [
            [1.459, 0.987, 0.954, 0.950, 0.906, 0.935, 1.101, 0.795, 0.724, 0.715, 0.750, 0.784],
            [1.602, 0.987, 0.988, 0.986, 1.110, 0.992, 1.210, 0.795, 0.782, 0.771, 0.871, 0.816],
            [1.459, 0.986, 0.964, 0.986, 0.895, 0.930, 1.102, 0.919, 0.762, 0.772, 0.745, 0.808],
            [1.602, 0.986, 0.964, 0.968, 0.895, 0.929, 1.210, 0.919, 0.762, 0.762, 0.745, 0.791],
        ],
    },
    Published {
        name: "jobs",
        ratios: [
            [0.801, 0.797, 0.786, 0.794, 0.800, 0.795, 0.694, 0.693, 0.684, 0.690, 0.700, 0.695],
            [0.846, 0.797, 0.795, 0.804, 0.800, 0.798, 0.742, 0.693, 0.688, 0.704, 0.698, 0.695],
            [0.819, 0.808, 0.788, 0.791, 0.800, 0.797, 0.719, 0.720, 0.683, 0.683, 0.705, 0.688],
            [0.857, 0.808, 0.788, 0.785, 0.800, 0.792, 0.754, 0.720, 0.683, 0.674, 0.705, 0.696],
        ],
    },
    Published {
        name: "taxi",
        ratios: [
            [0.989, 0.976, 0.987, 0.984, 0.998, 0.989, 0.994, 0.992, 0.996, 0.993, 0.998, 0.995],
            [0.997, 0.985, 0.976, 0.969, 0.990, 0.989, 0.996, 0.992, 0.992, 0.991, 0.996, 0.995],
            [0.992, 0.974, 0.989, 0.989, 1.000, 0.996, 0.996, 0.992, 0.997, 0.997, 1.000, 0.999],
            [1.001, 0.974, 0.989, 0.989, 1.000, 1.000, 1.002, 0.992, 0.997, 0.997, 1.000, 1.000],
        ],
    },
];

/// Of a data set, if the paper has it.
pub(super) fn find(data_set: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|published| data_set.starts_with(published.name))
}

impl Published {
    /// LDPMAB, Linear and NN, each with and without sources, at n/4 or at n.
    pub(super) fn ratios(&self, budget: usize, at_end: bool) -> &[f64] {
        let first = if at_end { 6 } else { 0 };
        &self.ratios[budget][first..first + 6]
    }
}
