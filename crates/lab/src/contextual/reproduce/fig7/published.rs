//! What the authors' published code gives when it is run.

/// Cumulative regret at one epsilon, after 10,000 and after 80,000 people.
#[derive(Debug, Clone, Copy)]
pub(super) struct Published {
    pub(super) epsilon: f64,
    /// The code as it is, 30 runs: not ε-LDP.
    pub(super) code: [f64; 2],
    /// The same code with noise in every bin, 3 to 8 runs.
    pub(super) honest: Option<[f64; 2]>,
}

/// The sizes of both numbers.
pub(super) const SIZES: [u64; 2] = [10_000, 80_000];

const fn row(epsilon: f64, code: [f64; 2], honest: Option<[f64; 2]>) -> Published {
    Published { epsilon, code, honest }
}

/// Exponential rewards of the authors' code, K = 3, d = 2, batches of 100, no auxiliary data.
pub(super) const EXPONENTIAL_CODE: [Published; 5] = [
    row(1.0, [3879.0, 17_384.0], Some([4070.0, 29_300.0])),
    row(2.0, [3333.0, 12_858.0], Some([4030.0, 27_740.0])),
    row(4.0, [2388.0, 6799.0], Some([3815.0, 30_212.0])),
    row(8.0, [1675.0, 4037.0], Some([2930.0, 14_200.0])),
    row(1024.0, [1420.0, 2019.0], None),
];

/// Symmetric rewards, K = 2, d = 2, no auxiliary data.
pub(super) const SYMMETRIC: [Published; 5] = [
    row(1.0, [1568.0, 7905.0], None),
    row(2.0, [1427.0, 5912.0], None),
    row(4.0, [1130.0, 3191.0], None),
    row(8.0, [957.0, 1880.0], None),
    row(1024.0, [1139.0, 2003.0], None),
];
