//! What the server tells the next device: the active partition and the arms that are still in play.

use serde::{Deserialize, Serialize};

use super::tree::Tree;

/// One bin of the active partition: a box, closed below and open above, except at 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// Its lower corner.
    pub low: Vec<f64>,
    /// Its upper corner.
    pub high: Vec<f64>,
    /// How many splits made it, s in the paper.
    pub depth: u32,
    /// The active arms, in rising order.
    pub arms: Vec<u32>,
}

/// The active partition with its active arms (equation (8)). Public.
///
/// A policy cannot change how much privacy a report costs: that is fixed in the [`Spec`](super::Spec) on the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Policy {
    version: u64,
    bins: Vec<Bin>,
    tree: Tree,
    /// Where each bin's pairs of bin and arm begin, and the number of pairs at the end.
    starts: Vec<u32>,
    arm_bound: u32,
}

/// Why bins are no policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The bins do not tile the cube by midpoint splits, or a depth is wrong.
    #[error("the bins are no partition of the cube by midpoint splits")]
    NoPartition,
    /// A bin without arms, or with arms out of order.
    #[error("bin {0} must have active arms in rising order")]
    Arms(usize),
}

impl Policy {
    /// Checks that the bins tile the cube and that each has arms.
    pub fn new(version: u64, bins: Vec<Bin>) -> Result<Policy, PolicyError> {
        let dims = bins.first().map_or(0, |bin| bin.low.len());
        if dims == 0 || bins.iter().any(|bin| bin.low.len() != dims || bin.high.len() != dims) {
            return Err(PolicyError::NoPartition);
        }
        let rising = |bin: &Bin| !bin.arms.is_empty() && bin.arms.is_sorted_by(|a, b| a < b);
        if let Some(bad) = bins.iter().position(|bin| !rising(bin)) {
            return Err(PolicyError::Arms(bad));
        }
        let tree = Tree::of(&bins, dims)?;
        let mut starts = vec![0];
        for bin in &bins {
            starts.push(starts[starts.len() - 1] + bin.arms.len() as u32);
        }
        let arm_bound =
            bins.iter().filter_map(|bin| bin.arms.last()).max().map_or(0, |&arm| arm.saturating_add(1));
        Ok(Policy { version, bins, tree, starts, arm_bound })
    }

    /// The first policy: the whole cube, all arms.
    pub fn first(dims: u32, arms: u32) -> Result<Policy, PolicyError> {
        let (low, high) = (vec![0.0; dims as usize], vec![1.0; dims as usize]);
        Policy::new(0, vec![Bin { low, high, depth: 0, arms: (0..arms).collect() }])
    }

    /// Rises with each change of the partition or of an active set.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The active partition.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The number of coordinates of a context.
    pub fn dims(&self) -> usize {
        self.bins[0].low.len()
    }

    /// All arms are below this.
    pub fn arm_bound(&self) -> u32 {
        self.arm_bound
    }

    /// The number of pairs of bin and active arm; a report has two values for each.
    pub fn pairs(&self) -> usize {
        self.start(self.bins.len())
    }

    /// The number of pairs before those of `bin`.
    #[inline]
    pub fn start(&self, bin: usize) -> usize {
        self.starts[bin] as usize
    }

    /// The bin of a context. Coordinates outside [0, 1] count as the nearest inside.
    #[inline]
    pub fn find(&self, context: &[f64]) -> usize {
        self.tree.find(context)
    }

    /// The number of the pair of `bin` and `arm`, if the arm is active there.
    #[inline]
    pub fn pair(&self, bin: usize, arm: u32) -> Option<usize> {
        let place = self.bins[bin].arms.iter().position(|&active| active == arm)?;
        Some(self.start(bin) + place)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    version: u64,
    bins: Vec<Bin>,
}

impl From<Policy> for Raw {
    fn from(policy: Policy) -> Raw {
        Raw { version: policy.version, bins: policy.bins }
    }
}

impl TryFrom<Raw> for Policy {
    type Error = PolicyError;
    fn try_from(raw: Raw) -> Result<Policy, PolicyError> {
        Policy::new(raw.version, raw.bins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Splits bin `choice % bins` along one of its longest axes, again and again.
    fn split_at_random(dims: usize, choices: &[(usize, usize)]) -> Vec<Bin> {
        let mut bins = vec![Bin { low: vec![0.0; dims], high: vec![1.0; dims], depth: 0, arms: vec![0, 2] }];
        for &(choice, axis) in choices {
            let mut lower = bins.swap_remove(choice % bins.len());
            let axis = axis % dims;
            lower.depth += 1;
            let mut upper = lower.clone();
            let at = f64::midpoint(lower.low[axis], lower.high[axis]);
            (lower.high[axis], upper.low[axis]) = (at, at);
            upper.arms = vec![1];
            bins.extend([lower, upper]);
        }
        bins
    }

    fn holds(bin: &Bin, context: &[f64]) -> bool {
        (0..context.len()).all(|i| {
            bin.low[i] <= context[i]
                && (context[i] < bin.high[i] || (bin.high[i] == 1.0 && context[i] == 1.0))
        })
    }

    proptest! {
        #[test]
        fn every_split_history_tiles_and_is_found(
            dims in 1_usize..4,
            choices in prop::collection::vec((0_usize..100, 0_usize..100), 0..20),
            context in prop::collection::vec(prop_oneof![0.0_f64..=1.0, Just(0.0), Just(0.5), Just(1.0)], 4),
        ) {
            let policy = Policy::new(7, split_at_random(dims, &choices)).unwrap();
            let context = &context[..dims];
            let owners: Vec<usize> =
                (0..policy.bins().len()).filter(|&bin| holds(&policy.bins()[bin], context)).collect();
            prop_assert_eq!(owners, vec![policy.find(context)]);
            let text = serde_json::to_string(&policy).unwrap();
            prop_assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy);
        }

        #[test]
        fn a_hole_an_overlap_or_a_wrong_depth_is_refused(
            choices in prop::collection::vec((0_usize..100, 0_usize..100), 1..12),
            at in 0_usize..100,
        ) {
            let bins = split_at_random(2, &choices);
            let at = at % bins.len();
            let mut hole = bins.clone();
            hole.remove(at);
            prop_assert_eq!(Policy::new(0, hole), Err(PolicyError::NoPartition));
            let mut twice = bins.clone();
            twice.push(bins[at].clone());
            prop_assert_eq!(Policy::new(0, twice), Err(PolicyError::NoPartition));
            let mut deep = bins.clone();
            deep[at].depth += 1;
            prop_assert_eq!(Policy::new(0, deep), Err(PolicyError::NoPartition));
            let mut armless = bins;
            armless[at].arms.clear();
            prop_assert_eq!(Policy::new(0, armless), Err(PolicyError::Arms(at)));
        }
    }

    #[test]
    fn odd_shapes_are_refused() {
        let bin = |low: f64, high: f64, depth| Bin { low: vec![low], high: vec![high], depth, arms: vec![0] };
        assert!(Policy::new(0, vec![]).is_err());
        assert!(Policy::new(0, vec![bin(0.0, f64::NAN, 0)]).is_err());
        assert!(Policy::new(0, vec![bin(0.0, 0.3, 1), bin(0.3, 1.0, 1)]).is_err());
        assert!(Policy::new(0, vec![bin(0.0, 0.5, 1), bin(0.5, 1.0, 1)]).is_ok());
        let doubled = Bin { arms: vec![1, 1], ..bin(0.0, 1.0, 0) };
        assert_eq!(Policy::new(0, vec![doubled]), Err(PolicyError::Arms(0)));
    }

    #[test]
    fn pairs_are_numbered_in_order() {
        let policy = Policy::new(0, split_at_random(1, &[(0, 0)])).unwrap();
        assert_eq!((policy.pairs(), policy.arm_bound(), policy.dims()), (3, 3, 1));
        assert_eq!(policy.pair(0, 2), Some(1));
        assert_eq!(policy.pair(1, 1), Some(2));
        assert_eq!(policy.pair(1, 0), None);
        assert_eq!(Policy::first(2, 3).unwrap().pairs(), 3);
    }
}
