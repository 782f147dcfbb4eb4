//! Where a log has surely nothing: gaps between the prices, or contexts, that it has.
//!
//! A smooth density cannot be empty between two places that are full, so gaps are looked for in the questions'
//! own cells. A log of a few prices that was declared as a range has them, and so has a context that is a
//! code; a log whose records are merely thin at the ends has none.

use super::answers::Answers;

/// A part of an axis is empty if it surely has less than this share of an even one's records.
const EMPTY: f64 = 0.1;
/// Deviations at which something is sure.
const SURELY: f64 = 2.0;
/// A part whose share is not known to this part of an even one's says nothing: an even log's would have to be
/// 6.5 deviations off to be taken for empty.
const KNOWN: f64 = 0.2;

/// Fewer parts of a range than this may all be full although the log has a few places alone.
pub(super) const FINE: u32 = 6;

/// The share of records in one part of an axis.
#[derive(Debug, Clone, Copy)]
struct Part {
    low: f64,
    high: f64,
    share: f64,
    deviation: f64,
}

/// The stretches of each axis, in [0, 1], between which the log has surely nothing; none for an axis without
/// a gap.
pub(super) fn stretches(answers: &[Answers], axes: usize) -> Vec<Option<Vec<(f64, f64)>>> {
    (0..axes).map(|axis| of_parts(&parts(answers, axis))).collect()
}

/// Whether each part of an axis surely has records, of the finest parts that a question cuts it into; none if they are
/// fewer than `fine`: a part may then be full although its places are not.
pub(super) fn spread(answers: &[Answers], axis: usize, fine: u32) -> Option<Vec<bool>> {
    let finest = answers.iter().map(|question| question.parts[axis]).max().filter(|&cut| cut >= fine)?;
    let all = parts(answers, axis);
    // Cuts come in increasing order.
    Some(all[all.len() - finest as usize..].iter().map(Part::full).collect())
}

/// All parts into which questions cut an axis, those of equal cuts taken together.
fn parts(answers: &[Answers], axis: usize) -> Vec<Part> {
    let mut cuts: Vec<u32> =
        answers.iter().map(|question| question.parts[axis]).filter(|&cut| cut > 1).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let of_cut = |cut: u32| {
        // Sums of weights, and of weights times shares.
        let mut sums = vec![(0.0, 0.0); cut as usize];
        for question in answers.iter().filter(|question| question.parts[axis] == cut) {
            let after: usize = question.parts[axis + 1..].iter().map(|&parts| parts as usize).product();
            let mut shares = vec![0.0; cut as usize];
            for cell in 0..question.cells() {
                shares[cell / after % cut as usize] += question.share(cell);
            }
            let symbols = 2.0 * question.cells() as f64 / f64::from(cut);
            for (sum, share) in sums.iter_mut().zip(shares) {
                let variance = (symbols * question.noise + 1.0 / f64::from(cut)) / question.reports;
                *sum = (sum.0 + 1.0 / variance, sum.1 + share / variance);
            }
        }
        sums.into_iter().enumerate().map(move |(part, (weight, sum))| Part {
            low: part as f64 / f64::from(cut),
            high: (part + 1) as f64 / f64::from(cut),
            share: sum / weight,
            deviation: 1.0 / f64::sqrt(weight),
        })
    };
    cuts.into_iter().flat_map(of_cut).collect()
}

impl Part {
    fn even(&self) -> f64 {
        self.high - self.low
    }

    fn empty(&self) -> bool {
        let known = self.deviation < KNOWN * self.even();
        known && self.share + SURELY * self.deviation < EMPTY * self.even()
    }

    fn full(&self) -> bool {
        self.share - SURELY * self.deviation > EMPTY * self.even()
    }
}

/// What is left between empty parts, if that is several stretches with records.
fn of_parts(parts: &[Part]) -> Option<Vec<(f64, f64)>> {
    let mut edges: Vec<f64> = parts.iter().flat_map(|part| [part.low, part.high]).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    let mut stretches: Vec<(f64, f64)> = Vec::new();
    for pair in edges.windows(2) {
        let middle = f64::midpoint(pair[0], pair[1]);
        if parts.iter().any(|part| (part.low..part.high).contains(&middle) && part.empty()) {
            continue;
        }
        match stretches.last_mut() {
            Some(last) if (last.1 - pair[0]).abs() < 1e-9 => last.1 = pair[1],
            _ => stretches.push((pair[0], pair[1])),
        }
    }
    // A stretch that no full part reaches into is no gap's other side.
    let reached = |&(low, high): &(f64, f64)| {
        parts.iter().any(|part| part.full() && part.low < high - 1e-9 && part.high > low + 1e-9)
    };
    stretches.retain(reached);
    (stretches.len() > 1).then_some(stretches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(shares: &[f64], deviation: f64) -> Vec<Part> {
        let width = 1.0 / shares.len() as f64;
        let part = |(i, &share): (usize, &f64)| Part {
            low: i as f64 * width,
            high: (i + 1) as f64 * width,
            share,
            deviation,
        };
        shares.iter().enumerate().map(part).collect()
    }

    /// Prices 0.3, 0.5 and 0.8, a third each, seen through quarters and sixths.
    #[test]
    fn three_prices_leave_a_gap_and_thin_ends_none() {
        let third = 1.0 / 3.0;
        let parts =
            [cut(&[0.0, third, third, third], 0.005), cut(&[0.0, third, 0.0, third, third, 0.0], 0.005)]
                .concat();
        let stretches = of_parts(&parts).unwrap();
        assert_eq!(stretches.len(), 2, "{stretches:?}");
        assert!((stretches[0].0 - 0.25).abs() < 1e-9 && (stretches[0].1 - third).abs() < 1e-9);
        assert!(of_parts(&cut(&[0.0, 0.1, 0.4, 0.4, 0.1, 0.0], 0.005)).is_none());
        // What is not known well is no gap.
        assert!(of_parts(&cut(&[0.3, -0.2, 0.5, 0.1, 0.3, 0.0], 0.1)).is_none());
    }
}
