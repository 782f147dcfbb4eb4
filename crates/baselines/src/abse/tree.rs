//! The split history of a partition: finds the bin of a context, and proves that the bins tile the cube.

use super::{Bin, PolicyError};

/// A binary tree of midpoint splits; its leaves are the bins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf(u32),
    Split { axis: u32, at: f64, below: u32, above: u32 },
}

impl Tree {
    /// A tree whose leaves are exactly these bins, each at its depth; there is none if they do not tile the
    /// cube by midpoint splits. If several axes could have been the first, any gives the same leaves.
    pub(super) fn of(bins: &[Bin], dims: usize) -> Result<Tree, PolicyError> {
        let mut tree = Tree { nodes: Vec::with_capacity(2 * bins.len()) };
        let mut cell = Cell { low: vec![0.0; dims], high: vec![1.0; dims], depth: 0 };
        tree.grow(bins, (0..bins.len() as u32).collect(), &mut cell)?;
        Ok(tree)
    }

    /// The bin of a context in the cube; on a split, the upper side.
    #[inline]
    pub(super) fn find(&self, context: &[f64]) -> usize {
        let mut at_node = 0;
        loop {
            match self.nodes[at_node] {
                Node::Leaf(bin) => return bin as usize,
                Node::Split { axis, at, below, above } => {
                    at_node = if context[axis as usize] < at { below } else { above } as usize;
                }
            }
        }
    }

    fn grow(&mut self, bins: &[Bin], inside: Vec<u32>, cell: &mut Cell) -> Result<u32, PolicyError> {
        let here = self.nodes.len();
        if let [only] = inside[..] {
            let bin = &bins[only as usize];
            if bin.low != cell.low || bin.high != cell.high || bin.depth != cell.depth {
                return Err(PolicyError::NoPartition);
            }
            self.nodes.push(Node::Leaf(only));
            return Ok(here as u32);
        }
        let (axis, at) = cell.clean_cut(bins, &inside).ok_or(PolicyError::NoPartition)?;
        self.nodes.push(Node::Leaf(0));
        let (lower, upper): (Vec<u32>, Vec<u32>) =
            inside.into_iter().partition(|&bin| bins[bin as usize].high[axis] <= at);
        cell.depth += 1;
        let high = std::mem::replace(&mut cell.high[axis], at);
        let below = self.grow(bins, lower, cell)?;
        cell.high[axis] = high;
        let low = std::mem::replace(&mut cell.low[axis], at);
        let above = self.grow(bins, upper, cell)?;
        cell.low[axis] = low;
        cell.depth -= 1;
        self.nodes[here] = Node::Split { axis: axis as u32, at, below, above };
        Ok(here as u32)
    }
}

/// The box that is being cut.
struct Cell {
    low: Vec<f64>,
    high: Vec<f64>,
    depth: u32,
}

impl Cell {
    /// An axis at whose midpoint no bin straddles and both sides have bins.
    fn clean_cut(&self, bins: &[Bin], inside: &[u32]) -> Option<(usize, f64)> {
        (0..self.low.len()).map(|axis| (axis, f64::midpoint(self.low[axis], self.high[axis]))).find(
            |&(axis, at)| {
                let (mut lower, mut upper) = (false, false);
                inside.iter().all(|&bin| {
                    let (below, above) =
                        (bins[bin as usize].high[axis] <= at, bins[bin as usize].low[axis] >= at);
                    lower |= below;
                    upper |= above;
                    below != above
                }) && lower
                    && upper
            },
        )
    }
}
