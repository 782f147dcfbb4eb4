//! Observations that come again, bit for bit: how much oftener under one input than under the other.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Repeats;

/// Scores of the observations that were seen repeatedly, by their hash, in its order.
struct Known(Vec<(u64, f64)>);

/// Added to either count, so that an observation seen twice does not outrank one seen a thousand times.
const SMOOTHING: f64 = 3.0;

impl Family for Repeats {
    fn fit(&self, runs: Both<'_>, _: &Screen) -> Vec<Box<dyn Score>> {
        let tagged = |which: bool| move |seen: &[f64]| (hash(seen), which);
        let mut hashes: Vec<(u64, bool)> =
            runs.first.iter().map(tagged(false)).chain(runs.second.iter().map(tagged(true))).collect();
        hashes.sort_unstable();
        let known: Vec<(u64, f64)> = hashes
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|run| run.len() > 1)
            .map(|run| {
                let second = run.iter().filter(|(_, which)| *which).count() as f64;
                let first = run.len() as f64 - second;
                (run[0].0, libm::log((first + SMOOTHING) / (second + SMOOTHING)))
            })
            .collect();
        if known.is_empty() { Vec::new() } else { vec![Box::new(Known(known))] }
    }
}

impl Score for Known {
    fn score(&self, seen: &[f64]) -> f64 {
        let key = hash(seen);
        self.0.binary_search_by_key(&key, |&(hash, _)| hash).map_or(0.0, |index| self.0[index].1)
    }

    fn name(&self) -> String {
        "log-odds of the exact observation".to_owned()
    }
}

/// Any function of the bits will do; two observations that share a hash only blur the score.
fn hash(seen: &[f64]) -> u64 {
    seen.iter().fold(seen.len() as u64, |state, value| {
        // The mixer of SplitMix64 (Steele, Lea and Flood 2014).
        let mut z = (state ^ value.to_bits()).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}
