//! Numbers by their rank: all comparisons but the first few of a quote are of integers.

use std::ops::Range;

/// One column of numbers.
#[derive(Debug)]
pub(super) struct Ranks {
    /// The different numbers, ascending.
    pub(super) values: Vec<f64>,
}

impl Ranks {
    /// The column's different numbers, and for each of its numbers the rank.
    pub(super) fn of(column: impl Iterator<Item = f64>) -> (Ranks, Vec<u32>) {
        // Adding 0 makes -0 and 0 one number.
        let mut order: Vec<(f64, u32)> = column.zip(0..).map(|(x, place)| (x + 0.0, place)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut values: Vec<f64> = Vec::new();
        let mut ranks = vec![0; order.len()];
        for (x, place) in order {
            if values.last() != Some(&x) {
                values.push(x);
            }
            ranks[place as usize] = values.len() as u32 - 1;
        }
        (Ranks { values }, ranks)
    }

    /// The ranks of the numbers v with |v - x| <= `radius` in floating point. Rounding is monotone, so they
    /// are neighbours.
    pub(super) fn near(&self, x: f64, radius: f64) -> Range<u32> {
        let start = self.values.partition_point(|v| x - v > radius);
        let end = self.values.partition_point(|v| v - x <= radius);
        start as u32..end as u32
    }
}

/// Neighbouring ranks in groups of about as many records each.
#[derive(Debug)]
pub(super) struct Slabs {
    /// The first rank of each slab, and after the last slab the number of ranks.
    starts: Vec<u32>,
}

impl Slabs {
    /// At most `count` slabs of a column with these ranks.
    pub(super) fn new(ranks: &[u32], distinct: usize, count: usize) -> Slabs {
        let mut records = vec![0_usize; distinct];
        for &rank in ranks {
            records[rank as usize] += 1;
        }
        let mut starts = vec![0];
        let mut before = 0;
        for (rank, &here) in records.iter().enumerate() {
            // Slab k starts at the first rank with k/count of the records before it.
            if before * count >= starts.len() * ranks.len() {
                starts.push(rank as u32);
            }
            before += here;
        }
        starts.push(distinct as u32);
        Slabs { starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The slab of a rank.
    pub(super) fn of(&self, rank: u32) -> usize {
        self.starts.partition_point(|&start| start <= rank) - 1
    }

    /// The ranks of a slab.
    pub(super) fn ranks(&self, slab: usize) -> Range<u32> {
        self.starts[slab]..self.starts[slab + 1]
    }

    /// The slabs that have some of these ranks, and among them those that have no other ranks.
    pub(super) fn around(&self, ranks: &Range<u32>) -> (Range<usize>, Range<usize>) {
        if ranks.is_empty() {
            return (0..0, 0..0);
        }
        let outer = self.of(ranks.start)..self.of(ranks.end - 1) + 1;
        let start = outer.start + usize::from(self.starts[outer.start] < ranks.start);
        let end = outer.end - usize::from(self.starts[outer.end] > ranks.end);
        (outer, start..end.max(start))
    }
}
