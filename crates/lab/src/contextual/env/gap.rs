//! Worlds in which one arm is better than all others by the same amount, wherever a person is.
//!
//! Which one it is depends on what a grid over the cube finds hard: clusters, categories, a few of several axes, or
//! nothing at all.

use reticent_privacy::SimRng;
use reticent_schema::Field;

/// Where people are, and which arm is best for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Six tight clusters in the plane, three arms.
    Clusters,
    /// Twenty levels and two numbers, four arms: the level alone decides.
    Categories,
    /// Ten arms, and for everybody the same one is best, by little.
    OneBetter,
    /// Five numbers, three arms: the second and the fourth decide.
    FiveAxes,
    /// The plane, two arms: the first number decides, and by much.
    Halves,
    /// The same, with the boundary in the middle.
    EvenHalves,
    /// The plane, two arms: which of four quarters decides, and they do not meet in the middle.
    Quarters,
}

/// The middles of the clusters, and half their width.
const CLUSTERS: [[f64; 2]; 6] =
    [[0.13, 0.22], [0.21, 0.71], [0.38, 0.43], [0.59, 0.84], [0.72, 0.17], [0.83, 0.58]];
const CLUSTER_RADIUS: f64 = 0.03;
/// The best arm of each level: no order of the levels tells it.
const LEVELS: [u32; 20] = [2, 0, 3, 1, 1, 3, 0, 2, 3, 2, 0, 1, 2, 1, 3, 0, 0, 3, 1, 2];
const BEST_OF_TEN: u32 = 6;

impl Gap {
    pub(super) const ALL: [Gap; 7] = [
        Gap::Clusters,
        Gap::Categories,
        Gap::OneBetter,
        Gap::FiveAxes,
        Gap::Halves,
        Gap::EvenHalves,
        Gap::Quarters,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Gap::Clusters => "clusters",
            Gap::Categories => "categories",
            Gap::OneBetter => "one-better",
            Gap::FiveAxes => "five-axes",
            Gap::Halves => "halves",
            Gap::EvenHalves => "even-halves",
            Gap::Quarters => "quarters",
        }
    }

    pub(super) fn named(name: &str) -> Option<Gap> {
        Gap::ALL.into_iter().find(|gap| gap.name() == name)
    }

    pub(super) fn dims(self) -> usize {
        match self {
            Gap::Clusters | Gap::OneBetter | Gap::Halves | Gap::EvenHalves | Gap::Quarters => 2,
            Gap::Categories => 3,
            Gap::FiveAxes => 5,
        }
    }

    pub(super) fn arms(self) -> u32 {
        match self {
            Gap::Clusters | Gap::FiveAxes => 3,
            Gap::Categories => 4,
            Gap::OneBetter => 10,
            Gap::Halves | Gap::EvenHalves | Gap::Quarters => 2,
        }
    }

    /// What the best arm brings on average, and every other one.
    fn means(self) -> [f64; 2] {
        match self {
            Gap::OneBetter => [0.55, 0.5],
            Gap::Halves | Gap::EvenHalves => [0.7, 0.3],
            _ => [0.65, 0.35],
        }
    }

    pub(super) fn mean(self, arm: u32, x: &[f64]) -> f64 {
        let [best, other] = self.means();
        if arm == self.best(x) { best } else { other }
    }

    pub(super) fn regret(self, arm: u32, x: &[f64]) -> f64 {
        let [best, other] = self.means();
        if arm == self.best(x) { 0.0 } else { best - other }
    }

    fn best(self, x: &[f64]) -> u32 {
        match self {
            Gap::Clusters => nearest(x) as u32 % 3,
            Gap::Categories => LEVELS[(x[0] as usize).min(LEVELS.len() - 1)],
            Gap::OneBetter => BEST_OF_TEN,
            Gap::FiveAxes if x[1] < 0.4 => 0,
            Gap::FiveAxes => 1 + u32::from(x[3] >= 0.55),
            Gap::Halves => u32::from(x[0] >= 0.45),
            Gap::EvenHalves => u32::from(x[0] >= 0.5),
            Gap::Quarters => u32::from((x[0] >= 0.36) != (x[1] >= 0.58)),
        }
    }

    /// Draws a context: as many numbers from the generator for each person. A level is its place plus one half.
    pub(super) fn draw(self, context: &mut [f64], rng: &mut SimRng) {
        let first = match self {
            Gap::Clusters | Gap::Categories => rng.uniform(),
            _ => 0.0,
        };
        for x in context.iter_mut() {
            *x = rng.uniform();
        }
        match self {
            Gap::Clusters => {
                let middle = CLUSTERS[((first * CLUSTERS.len() as f64) as usize).min(CLUSTERS.len() - 1)];
                for (x, centre) in context.iter_mut().zip(middle) {
                    *x = centre + CLUSTER_RADIUS * (2.0 * *x - 1.0);
                }
            }
            Gap::Categories => context[0] = (first * LEVELS.len() as f64).floor() + 0.5,
            _ => {}
        }
    }

    /// What the coordinates are.
    pub(super) fn fields(self) -> Vec<Field> {
        let number = |i: usize| Field::Numeric { name: format!("x{}", i + 1), low: 0.0, high: 1.0 };
        let mut fields: Vec<Field> = (0..self.dims()).map(number).collect();
        if self == Gap::Categories {
            let levels = (0..LEVELS.len()).map(|level| format!("level {level}")).collect();
            fields[0] = Field::Category { name: "x1".into(), levels };
        }
        fields
    }
}

/// The cluster whose middle is nearest.
fn nearest(x: &[f64]) -> usize {
    let distance = |c: usize| {
        let [dx, dy] = [x[0] - CLUSTERS[c][0], x[1] - CLUSTERS[c][1]];
        dx * dx + dy * dy
    };
    (1..CLUSTERS.len()).fold(0, |best, c| if distance(c) < distance(best) { c } else { best })
}
