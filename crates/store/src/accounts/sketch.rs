//! What is kept of a table to know its rows again: a mark of all of them, and the smallest of their hashes.
//!
//! The hashes are keyed, so that a smallest one is a row drawn at random, and the same rows are drawn from every
//! table that has them (bottom-k sampling, Cohen and Kaplan 2007). Tables that share rows share hashes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hex::{from_hex, to_hex};

/// So many hashes are kept: of a table with fewer different rows, all.
pub const SKETCH_ROWS: usize = 8192;

/// Shared rows must be this share of the smaller table's, or rows that happen to be equal would count.
const LEAST_SHARE: f64 = 0.01;
/// Whatever repeats within the tables: more than this share is taken for an overlap.
const ENOUGH_SHARE: f64 = 0.5;
/// And at least so many of them, if there are as many to compare.
const LEAST_ROWS: usize = 3;
/// A view whose rows repeat more than this says little about who they are.
const MOST_REPEATED: f64 = 0.1;

/// One look at a table: at all its columns, or at some. Its order does not matter.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct View {
    rows: u64,
    mark: u128,
    /// A mark of the columns' names.
    columns: u64,
    /// The smallest hashes of different rows, in order.
    smallest: Vec<u64>,
    /// How many rows have one of these hashes.
    sampled: u64,
}

/// How many rows, and nothing of them.
impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl View {
    /// How many rows there were.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// A mark of all rows, each as often as it is there.
    pub fn mark(&self) -> String {
        format!("{:032x}", self.mark)
    }

    /// Whether it is of the same rows, in any order.
    pub fn is_same(&self, other: &View) -> bool {
        (self.rows, self.mark) == (other.rows, other.mark)
    }

    /// Whether rows differ so much that equal ones are hardly of different people.
    pub fn tells_people_apart(&self) -> bool {
        self.repeated() <= MOST_REPEATED
    }

    /// The share of rows that are there already.
    fn repeated(&self) -> f64 {
        1.0 - self.smallest.len() as f64 / self.sampled.max(1) as f64
    }

    /// Whether the two share rows, as far as the kept hashes tell and more than by chance. Of two tables whose
    /// rows are drawn from the same D possible ones, m in the larger, a row of the smaller is in the larger by
    /// chance with probability m/D, and m/2D of the larger's repeat: so twice what repeats is expected, and
    /// twice that is asked for. Rows that do not tell people apart count under the same columns' names only.
    pub fn overlaps(&self, other: &View) -> bool {
        let tell = self.tells_people_apart() && other.tells_people_apart();
        if !tell && self.columns != other.columns {
            return false;
        }
        let reach = self.reach().min(other.reach());
        let (one, two) = (self.up_to(reach), other.up_to(reach));
        let compared = one.len().min(two.len());
        let share = (4.0 * self.repeated().max(other.repeated())).clamp(LEAST_SHARE, ENOUGH_SHARE);
        let needed = (share * compared as f64).max(LEAST_ROWS.min(compared) as f64);
        compared > 0 && shared(one, two) as f64 >= needed
    }

    /// Up to this hash all rows are known.
    fn reach(&self) -> u64 {
        if self.smallest.len() < SKETCH_ROWS { u64::MAX } else { self.smallest[SKETCH_ROWS - 1] }
    }

    fn up_to(&self, reach: u64) -> &[u64] {
        &self.smallest[..self.smallest.partition_point(|&hash| hash <= reach)]
    }
}

/// How many numbers are in both ordered lists.
fn shared(one: &[u64], two: &[u64]) -> usize {
    one.iter().filter(|hash| two.binary_search(hash).is_ok()).count()
}

/// Looks at a table row by row. Memory does not grow with the table.
#[derive(Clone, Default)]
pub struct Viewer {
    rows: u64,
    sums: (u64, u64),
    /// Different hashes and how often each was there, the smallest ones so far and in order.
    kept: Vec<(u64, u64)>,
    /// Hashes since, up to the largest that can still matter.
    fresh: Vec<u64>,
    reach: Option<u64>,
}

/// How many rows, and nothing of them.
impl fmt::Debug for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewer").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl Viewer {
    /// How many rows were seen.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes in one row by its keyed hash.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        self.rows += 1;
        self.sums = (self.sums.0.wrapping_add(hash), self.sums.1.wrapping_add(scrambled(hash)));
        if self.reach.is_none_or(|reach| hash <= reach) {
            self.fresh.push(hash);
            if self.fresh.len() == 4 * SKETCH_ROWS {
                self.sort_in();
            }
        }
    }

    fn sort_in(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        let mut all: Vec<(u64, u64)> = std::mem::take(&mut self.kept);
        all.extend(fresh.into_iter().map(|hash| (hash, 1)));
        all.sort_unstable();
        all.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        all.truncate(SKETCH_ROWS);
        self.reach = all.get(SKETCH_ROWS - 1).map(|&(hash, _)| hash);
        self.kept = all;
    }

    /// What was seen, under columns whose names have this mark.
    pub fn finish(mut self, columns: u64) -> View {
        self.sort_in();
        View {
            rows: self.rows,
            columns,
            mark: u128::from(self.sums.0) << 64 | u128::from(self.sums.1),
            sampled: self.kept.iter().map(|&(_, times)| times).sum(),
            smallest: self.kept.into_iter().map(|(hash, _)| hash).collect(),
        }
    }
}

/// A bijection of words without structure (the finaliser of `SplitMix64`): sums of it and of the words
/// themselves tell more than either.
fn scrambled(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A view in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    rows: u64,
    mark: String,
    columns: String,
    sampled: u64,
    smallest: String,
}

impl From<View> for Stored {
    fn from(view: View) -> Stored {
        let bytes: Vec<u8> = view.smallest.iter().flat_map(|hash| hash.to_be_bytes()).collect();
        let (mark, columns) = (view.mark(), format!("{:016x}", view.columns));
        Stored { rows: view.rows, mark, columns, sampled: view.sampled, smallest: to_hex(&bytes) }
    }
}

impl TryFrom<Stored> for View {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<View, &'static str> {
        let bytes = from_hex(&stored.smallest).ok_or("no hashes")?;
        let words = bytes.chunks_exact(8);
        let whole = words.remainder().is_empty();
        let smallest: Vec<u64> =
            words.map(|word| word.iter().fold(0, |all, &byte| all << 8 | u64::from(byte))).collect();
        let sound = whole && smallest.len() <= SKETCH_ROWS && smallest.is_sorted_by(|a, b| a < b);
        let mark = u128::from_str_radix(&stored.mark, 16).map_err(|_| "no mark")?;
        let columns = u64::from_str_radix(&stored.columns, 16).map_err(|_| "no mark of columns")?;
        let (rows, sampled) = (stored.rows, stored.sampled);
        if sound {
            Ok(View { rows, mark, columns, smallest, sampled })
        } else {
            Err("hashes that no table has")
        }
    }
}

#[cfg(test)]
mod tests;
