//! Mechanisms of a trusted curator.

use reticent_privacy::audit::{Claim, Weight};
use reticent_privacy::mechanism::{
    ExponentialMechanism, Finite, GridGaussian, GridLaplace, PermuteAndFlip, ReportNoisyMax,
};
use reticent_privacy::{ClippedSum, Delta, Epsilon, Grid, Neighbours, Rho, Scores};
use serde::Deserialize;
use serde_json::Value;

use super::{Described, Of};
use crate::catalogue::{Entry, Group};

pub(in crate::catalogue) fn all() -> Vec<Box<dyn Entry>> {
    vec![
        Of::<GridLaplace>::boxed(),
        Of::<GridGaussian>::boxed(),
        Of::<ExponentialMechanism>::boxed(),
        Of::<PermuteAndFlip>::boxed(),
        Of::<ReportNoisyMax>::boxed(),
    ]
}

/// The delta at which Gaussian noise is used and audited here.
const GAUSSIAN_DELTA: f64 = 1e-6;

impl Described for GridLaplace {
    const NAME: &'static str = "grid-laplace";
    const GROUP: Group = Group::CentralMechanism;
    const SUMMARY: &'static str = "a sum of clipped values plus exact Laplace noise on a declared grid";
    const EXAMPLE: &'static str = r#"{"values":[3,8.5],"low":0,"high":10,"step":0.5}"#;

    fn make(epsilon: Epsilon) -> Option<Self> {
        Some(GridLaplace::new(epsilon, Neighbours::Replace))
    }

    fn read(value: &Value) -> Option<ClippedSum> {
        grid_sum(value)
    }

    fn inputs() -> Vec<(String, ClippedSum)> {
        sums()
    }
}

impl Described for GridGaussian {
    const NAME: &'static str = "grid-gaussian";
    const GROUP: Group = Group::CentralMechanism;
    const SUMMARY: &'static str = "a sum of clipped values plus exact Gaussian noise, (ε, 1e-6)-DP here";
    const EXAMPLE: &'static str = <GridLaplace as Described>::EXAMPLE;

    fn make(epsilon: Epsilon) -> Option<Self> {
        let rho = Rho::within(epsilon, Delta::new(GAUSSIAN_DELTA).ok()?)?;
        Some(GridGaussian::new(rho, Neighbours::Replace))
    }

    fn read(value: &Value) -> Option<ClippedSum> {
        grid_sum(value)
    }

    fn inputs() -> Vec<(String, ClippedSum)> {
        sums()
    }

    fn claim(epsilon: Epsilon) -> Option<Claim> {
        Some(Claim::approximate(epsilon, Delta::new(GAUSSIAN_DELTA).ok()?))
    }
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

/// Data sets of three ages that differ in one person.
fn sums() -> Vec<(String, ClippedSum)> {
    let with = |age: f64| {
        let grid = Grid::new(0.0, 100.0, 1.0).ok()?;
        let mut sum = ClippedSum::new(grid);
        for age in [31.0, 64.0, age] {
            sum.add(grid.clip(age).ok()?).ok()?;
        }
        Some((format!("a third person of {age}"), sum))
    };
    [0.0, 50.0, 100.0, 1e9].into_iter().filter_map(with).collect()
}

/// How one record may move each of three scores at sensitivity 1; the first moves none.
const MOVES: [i64; 3] = [0, 1, -1];

/// Some score vectors, each followed by all of its neighbours.
fn shaken_scores() -> Vec<(String, Scores)> {
    let mut inputs = Vec::new();
    for base in [[0, 0, 0], [0, 3, 3], [0, 60, 60]] {
        for moved in 0..MOVES.len().pow(3) {
            let shaken =
                vec![base[0] + MOVES[moved / 9], base[1] + MOVES[moved / 3 % 3], base[2] + MOVES[moved % 3]];
            let label = format!("scores {shaken:?}");
            inputs.extend(Scores::declared(shaken, 1).ok().map(|scores| (label, scores)));
        }
    }
    inputs
}

/// Each of those vectors with each of its neighbours.
fn shaken_pairs() -> Vec<(usize, usize)> {
    let family = MOVES.len().pow(3);
    (0..3).flat_map(|base| (1..family).map(move |moved| (base * family, base * family + moved))).collect()
}
