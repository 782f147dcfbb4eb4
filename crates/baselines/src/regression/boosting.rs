//! Gradient boosting: small regression trees on binned features, each fitted to what the earlier ones left.

use super::{Predictor, Records};

/// Bins of a feature.
const BINS: usize = 64;
/// Questions from the root to a leaf.
const DEPTH: usize = 4;
/// Trees, and how much of its leaf each counts.
const TREES: usize = 150;
const RATE: f64 = 0.1;
/// Records that a leaf has at least, and how much its mean is drawn to nothing.
const LEAST: f64 = 20.0;
const SHRINK: f64 = 20.0;

/// Fitted trees.
#[derive(Debug, Clone)]
pub struct Boosting {
    base: f64,
    trees: Vec<Tree>,
}

/// The first `2^DEPTH - 1` nodes ask whether a feature's bin is above a limit; node i leads to 2 i + 1 or
/// 2 i + 2.
#[derive(Debug, Clone)]
struct Tree {
    questions: Vec<(usize, u8)>,
    leaves: Vec<f64>,
}

const INNER: usize = (1 << DEPTH) - 1;
/// No bin is above it: everybody goes left.
const NEVER: (usize, u8) = (0, u8::MAX);

impl Boosting {
    /// Fits the records.
    pub fn fit(records: &Records<'_>) -> Boosting {
        let count = records.outcomes.len();
        let base = records.outcomes.iter().sum::<f64>() / count.max(1) as f64;
        let bins: Vec<u8> = records.features.iter().map(|&x| bin(x)).collect();
        let mut left: Vec<f64> = records.outcomes.iter().map(|outcome| outcome - base).collect();
        let mut trees = Vec::new();
        for _ in 0..TREES {
            let tree = Tree::grown(&bins, records.width, &left);
            for (rest, bins) in left.iter_mut().zip(bins.chunks_exact(records.width)) {
                *rest -= tree.value(bins);
            }
            trees.push(tree);
        }
        Boosting { base, trees }
    }
}

impl Predictor for Boosting {
    fn mean(&self, features: &[f64]) -> f64 {
        let bins: Vec<u8> = features.iter().map(|&x| bin(x)).collect();
        self.base + self.trees.iter().map(|tree| tree.value(&bins)).sum::<f64>()
    }
}

fn bin(x: f64) -> u8 {
    ((x * BINS as f64) as usize).min(BINS - 1) as u8
}

/// Sums and counts of what is left, by node, feature and bin.
type Histogram = Vec<(f64, f64)>;

impl Tree {
    fn grown(bins: &[u8], width: usize, left: &[f64]) -> Tree {
        let mut questions = vec![NEVER; INNER];
        let mut at = vec![0_usize; left.len()];
        for depth in 0..DEPTH {
            let first = (1 << depth) - 1;
            let mut histogram: Histogram = vec![(0.0, 0.0); (first + 1) * width * BINS];
            for ((&node, bins), rest) in at.iter().zip(bins.chunks_exact(width)).zip(left) {
                for (feature, &bin) in bins.iter().enumerate() {
                    let cell = &mut histogram[((node - first) * width + feature) * BINS + usize::from(bin)];
                    *cell = (cell.0 + rest, cell.1 + 1.0);
                }
            }
            for (node, features) in histogram.chunks_exact(width * BINS).enumerate() {
                questions[first + node] = best_question(features);
            }
            for (node, bins) in at.iter_mut().zip(bins.chunks_exact(width)) {
                *node = step(&questions, *node, bins);
            }
        }
        let mut sums = vec![(0.0, SHRINK); INNER + 1];
        for (&node, rest) in at.iter().zip(left) {
            let sum = &mut sums[node - INNER];
            *sum = (sum.0 + rest, sum.1 + 1.0);
        }
        Tree { questions, leaves: sums.into_iter().map(|(sum, count)| RATE * sum / count).collect() }
    }

    fn value(&self, bins: &[u8]) -> f64 {
        let leaf = (0..DEPTH).fold(0, |node, _| step(&self.questions, node, bins));
        self.leaves[leaf - INNER]
    }
}

fn step(questions: &[(usize, u8)], node: usize, bins: &[u8]) -> usize {
    let (feature, limit) = questions[node];
    2 * node + 1 + usize::from(bins[feature] > limit)
}

/// The question whose two sides have the most different means.
fn best_question(features: &[(f64, f64)]) -> (usize, u8) {
    let mut best = (0.0, NEVER);
    for (feature, bins) in features.chunks_exact(BINS).enumerate() {
        let (sum, count) = bins.iter().fold((0.0, 0.0), |all, bin| (all.0 + bin.0, all.1 + bin.1));
        let mut below = (0.0, 0.0);
        for (limit, bin) in bins.iter().enumerate() {
            below = (below.0 + bin.0, below.1 + bin.1);
            let above = (sum - below.0, count - below.1);
            if below.1 < LEAST || above.1 < LEAST {
                continue;
            }
            let gain = below.0 * below.0 / below.1 + above.0 * above.0 / above.1 - sum * sum / count;
            if gain > best.0 {
                best = (gain, (feature, limit as u8));
            }
        }
    }
    best.1
}
