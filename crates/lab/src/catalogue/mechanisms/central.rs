//! Mechanisms of a trusted curator.

use reticent_audit::{Claim, Weight};
use reticent_privacy::mechanism::{
    ExponentialMechanism, Finite, GridGaussian, GridLaplace, Mechanism, PermuteAndFlip, ReportNoisyMax,
    VectorGaussian,
};
use reticent_privacy::{
    ClippedSum, Delta, Epsilon, Generator, Grid, Guarantee, Neighbours, Rho, Scores, VectorSum,
};
use serde::Deserialize;
use serde_json::Value;

use super::{Described, Of};
use crate::catalogue::{Entry, Group};

pub(in crate::catalogue) fn all() -> Vec<Box<dyn Entry>> {
    vec![
        Of::<GridLaplace>::boxed(),
        Of::<AddRemove<GridLaplace>>::boxed(),
        Of::<GridGaussian>::boxed(),
        Of::<AddRemove<GridGaussian>>::boxed(),
        Of::<VectorGaussian>::boxed(),
        Of::<ExponentialMechanism>::boxed(),
        Of::<PermuteAndFlip>::boxed(),
        Of::<ReportNoisyMax>::boxed(),
    ]
}

/// The delta at which Gaussian noise is used and audited here.
const GAUSSIAN_DELTA: f64 = 1e-6;

/// The two noises for the two kinds of neighbours differ in what is written here alone.
macro_rules! grid_noise {
    ($described:ty, $name:literal, $summary:literal, $neighbours:expr, $make:expr, $claim:expr) => {
        impl Described for $described {
            const NAME: &'static str = $name;
            const GROUP: Group = Group::CentralMechanism;
            const SUMMARY: &'static str = $summary;
            const EXAMPLE: &'static str = r#"{"values":[3,8.5],"low":0,"high":10,"step":0.5}"#;

            fn make(epsilon: Epsilon) -> Option<Self> {
                $make(epsilon)
            }

            fn read(value: &Value) -> Option<ClippedSum> {
                grid_sum(value)
            }

            fn inputs() -> Vec<(String, ClippedSum)> {
                sums()
            }

            fn pairs() -> Option<Vec<(usize, usize)>> {
                Some(sum_pairs($neighbours))
            }

            fn claim(epsilon: Epsilon) -> Option<Claim> {
                $claim(epsilon)
            }
        }
    };
}

grid_noise!(
    GridLaplace,
    "grid-laplace",
    "a sum of clipped values plus exact Laplace noise on a declared grid; one record replaced",
    Neighbours::Replace,
    |epsilon| Some(GridLaplace::new(epsilon, Neighbours::Replace)),
    |epsilon| Some(Claim::pure(epsilon))
);
grid_noise!(
    AddRemove<GridLaplace>,
    "grid-laplace-add-remove",
    "the same for a private number of records: one added or removed",
    Neighbours::AddRemove,
    |epsilon| Some(AddRemove(GridLaplace::new(epsilon, Neighbours::AddRemove))),
    |epsilon| Some(Claim::pure(epsilon))
);
grid_noise!(
    GridGaussian,
    "grid-gaussian",
    "a sum of clipped values plus exact Gaussian noise, (ε, 1e-6)-DP here; one record replaced",
    Neighbours::Replace,
    |epsilon| Some(GridGaussian::new(gaussian_rho(epsilon)?, Neighbours::Replace)),
    gaussian_claim
);
grid_noise!(
    AddRemove<GridGaussian>,
    "grid-gaussian-add-remove",
    "the same for a private number of records: one added or removed",
    Neighbours::AddRemove,
    |epsilon| Some(AddRemove(GridGaussian::new(gaussian_rho(epsilon)?, Neighbours::AddRemove))),
    gaussian_claim
);

impl Described for VectorGaussian {
    const NAME: &'static str = "vector-gaussian";
    const GROUP: Group = Group::CentralMechanism;
    const SUMMARY: &'static str = "a sum of vectors of length at most one plus exact Gaussian noise, (ε, 1e-6)-DP here; one record replaced";
    const EXAMPLE: &'static str = r#"{"vectors":[[0.6,0.8],[0.1,-0.3]]}"#;

    fn make(epsilon: Epsilon) -> Option<Self> {
        VectorGaussian::new(gaussian_rho(epsilon)?, Neighbours::Replace).ok()
    }

    fn read(value: &Value) -> Option<VectorSum> {
        let VectorInput { vectors } = VectorInput::deserialize(value).ok()?;
        vector_sum(&vectors)
    }

    fn inputs() -> Vec<(String, VectorSum)> {
        // The first two differ by the ball's whole width, the third is beyond it.
        let inputs = [("along", [1.0, 0.0]), ("against", [-1.0, 0.0]), ("far across", [0.0, 1e300])];
        let sum = |vector: [f64; 2]| vector_sum(&[vector.to_vec(), vec![0.2, 0.2]]);
        let named = inputs.into_iter().filter_map(|(what, vector)| Some((what.to_string(), sum(vector)?)));
        named.collect()
    }

    fn claim(epsilon: Epsilon) -> Option<Claim> {
        gaussian_claim(epsilon)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorInput {
    vectors: Vec<Vec<f64>>,
}

/// All vectors must be of the first one's length.
fn vector_sum(vectors: &[Vec<f64>]) -> Option<VectorSum> {
    let mut sum = VectorSum::new(vectors.first()?.len());
    vectors.iter().try_for_each(|vector| sum.add(vector)).ok()?;
    Some(sum)
}

/// A mechanism set up for records that are added or removed: an entry of its own.
struct AddRemove<M>(M);

impl<M: Mechanism> Mechanism for AddRemove<M> {
    type Input = M::Input;
    type Output = M::Output;

    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }

    fn release_with<G: Generator>(&self, input: M::Input, rng: &mut G) -> M::Output {
        self.0.release_with(input, rng)
    }
}

fn gaussian_rho(epsilon: Epsilon) -> Option<Rho> {
    Rho::within(epsilon, Delta::new(GAUSSIAN_DELTA).ok()?)
}

fn gaussian_claim(epsilon: Epsilon) -> Option<Claim> {
    Some(Claim::approximate(epsilon, Delta::new(GAUSSIAN_DELTA).ok()?))
}

/// The three selection mechanisms differ in name and law alone.
macro_rules! selection {
    ($mechanism:ty, $name:literal, $summary:literal, $law:expr) => {
        impl Described for $mechanism {
            const NAME: &'static str = $name;
            const GROUP: Group = Group::CentralMechanism;
            const SUMMARY: &'static str = $summary;
            const EXAMPLE: &'static str = r#"{"scores":[3,7,5],"sensitivity":1}"#;

            fn make(epsilon: Epsilon) -> Option<Self> {
                Some(<$mechanism>::new(epsilon))
            }

            fn read(value: &Value) -> Option<Scores> {
                scores(value)
            }

            fn inputs() -> Vec<(String, Scores)> {
                shaken_scores()
            }

            fn pairs() -> Option<Vec<(usize, usize)>> {
                Some(shaken_pairs())
            }

            fn law(&self, input: &Scores) -> Option<Vec<Weight>> {
                let law: Option<fn(&Self, &Scores) -> Vec<Weight>> = $law;
                law.map(|law| law(self, input))
            }
        }
    };
}

selection!(
    ExponentialMechanism,
    "exponential-mechanism",
    "one of several candidates, with probability proportional to exp(ε score/(2 sensitivity))",
    Some(Finite::law)
);
selection!(
    PermuteAndFlip,
    "permute-and-flip",
    "one of several candidates, better than the exponential mechanism at the same ε",
    Some(Finite::law)
);
selection!(
    ReportNoisyMax,
    "report-noisy-max",
    "the candidate with the best score after exponential noise",
    None
);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SumInput {
    values: Vec<f64>,
    low: f64,
    high: f64,
    step: f64,
}

fn grid_sum(value: &Value) -> Option<ClippedSum> {
    let input = SumInput::deserialize(value).ok()?;
    let grid = Grid::new(input.low, input.high, input.step).ok()?;
    let mut sum = ClippedSum::new(grid);
    for value in input.values {
        sum.add(grid.clip(value).ok()?).ok()?;
    }
    Some(sum)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoresInput {
    scores: Vec<i64>,
    sensitivity: u64,
}

fn scores(value: &Value) -> Option<Scores> {
    let input = ScoresInput::deserialize(value).ok()?;
    Scores::declared(input.scores, input.sensitivity).ok()
}

/// Data sets that differ in one person. The range is not symmetric, so that the two kinds of neighbours
/// differ in sensitivity: replacing a record moves the sum by up to 4, adding one by up to 3.
fn sums() -> Vec<(String, ClippedSum)> {
    let with = |last: Option<f64>| {
        let grid = Grid::new(-1.0, 3.0, 0.25).ok()?;
        let mut sum = ClippedSum::new(grid);
        for value in [0.5, 2.0].into_iter().chain(last) {
            sum.add(grid.clip(value).ok()?).ok()?;
        }
        Some((last.map_or("nobody else".into(), |value| format!("a third person of {value}")), sum))
    };
    [None, Some(-1.0), Some(0.0), Some(3.0), Some(-1e9), Some(1e9)].into_iter().filter_map(with).collect()
}

/// The first data set has a person less than the others.
fn sum_pairs(neighbours: Neighbours) -> Vec<(usize, usize)> {
    match neighbours {
        Neighbours::AddRemove => (1..6).map(|with| (0, with)).collect(),
        Neighbours::Replace => (1..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).collect(),
    }
}

/// How one record may move each of three scores; the first moves none. The sensitivity is that of the clipped
/// sums below.
const MOVES: [f64; 3] = [0.0, 3.0, -3.0];

/// Some score vectors, each followed by all of its neighbours: sums of clipped values, to which one record is added.
fn shaken_scores() -> Vec<(String, Scores)> {
    let mut inputs = Vec::new();
    for base in [[0, 0, 0], [0, 3, 3], [0, 60, 60]] {
        for moved in 0..MOVES.len().pow(3) {
            let moves = [MOVES[moved / 9], MOVES[moved / 3 % 3], MOVES[moved % 3]];
            let label = format!("{base:?} records of 3 and one of {moves:?}");
            inputs.extend(votes(base, moves).map(|scores| (label, scores)));
        }
    }
    inputs
}

/// The scores of `base` records of 3 for each candidate, and of one more record.
fn votes(base: [usize; 3], moves: [f64; 3]) -> Option<Scores> {
    let grid = Grid::new(-3.0, 3.0, 1.0).ok()?;
    let sum = |(records, moved): (usize, f64)| {
        let mut sum = ClippedSum::new(grid);
        for value in std::iter::repeat_n(3.0, records).chain([moved]) {
            sum.add(grid.clip(value).ok()?).ok()?;
        }
        Some(sum)
    };
    let sums: Option<Vec<ClippedSum>> = base.into_iter().zip(moves).map(sum).collect();
    Scores::of_sums(&sums?, Neighbours::AddRemove).ok()
}

/// Each of those vectors with each of its neighbours.
fn shaken_pairs() -> Vec<(usize, usize)> {
    let family = MOVES.len().pow(3);
    (0..3).flat_map(|base| (1..family).map(move |moved| (base * family, base * family + moved))).collect()
}
