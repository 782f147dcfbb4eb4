//! Which questions to ask: as fine as the expected number of records can answer.
//!
//! A report's variance v does not depend on how many cells there are, so the error of a cell's frequency over
//! its size grows with the square of their number K, while what a coarse cell hides falls with it: about (n /
//! v)^(1/3) cells balance the two for smooth functions of two axes. Questions at half, once and twice that
//! are asked evenly, so that neither rough nor smooth functions are lost. In more dimensions each question
//! looks at some of the axes.

use reticent_privacy::Epsilon;
use reticent_privacy::oracle::{Domain, Oracle};

use super::channel::best;
use super::{Question, QuestionError, Terms};

/// Cells for one (records / variance)^(1/3), found by experiment: flat between 0.3 and 0.8.
const CELLS: f64 = 0.4;
/// What even exact outcomes scatter, as a variance: keeps cells finite when epsilon is large.
const SCATTER: f64 = 0.02;
/// Half, once and twice as many cells, with the parts that an axis has at least: two halves say nothing about
/// what is the same on both sides of the middle.
const SCALES: [(f64, u32); 3] = [(0.5, 2), (1.0, 3), (2.0, 3)];
/// More records than this make no finer questions.
const MOST_RECORDS: u64 = 1 << 40;
/// Questions at each scale: enough for all pairs of five axes.
const AT_EACH_SCALE: usize = 10;

/// The questions for about `records` records at loss `epsilon`.
pub fn designed(terms: &Terms, epsilon: Epsilon, records: u64) -> Result<Vec<Question>, QuestionError> {
    let variance = best(Domain::new(64)?, epsilon).variance(0.0, 1) + SCATTER;
    let cells = CELLS * libm::cbrt(records.clamp(1, MOST_RECORDS) as f64 / variance);
    let mut chosen: Vec<Vec<u32>> = Vec::new();
    for (scale, least) in SCALES {
        for parts in at_scale(terms, (scale * cells).max(2.0), least) {
            if !chosen.contains(&parts) {
                chosen.push(parts);
            }
        }
    }
    chosen.into_iter().map(|parts| Question::new(terms, parts, epsilon)).collect()
}

/// The questions of about so many cells: prices are cut finer than contexts, since a price is to be chosen.
/// `parts` is how many parts an axis that is looked at should have at least.
fn at_scale(terms: &Terms, cells: f64, parts: u32) -> Vec<Vec<u32>> {
    let dimension = terms.context().dimension();
    // Without contexts there is nothing else to cut.
    let fine = if dimension == 0 { cells } else { (2.0 * cells).sqrt() };
    let price = nearest(&terms.cuts(dimension), fine);
    let rest = cells / f64::from(price);
    let most = (libm::log(rest.max(2.0)) / libm::log(f64::from(parts))).round() as usize;
    let mut questions = Vec::new();
    for axes in groups(dimension, most.clamp(1, dimension.max(1)).min(dimension)) {
        let mut question = vec![1; dimension];
        let mut left = rest;
        for (taken, &axis) in axes.iter().enumerate() {
            let share = libm::pow(left.max(1.0), 1.0 / (axes.len() - taken) as f64);
            let cuts = terms.cuts(axis);
            let least = cuts.iter().copied().find(|&cut| cut >= parts).or(cuts.last().copied()).unwrap_or(1);
            question[axis] = nearest(&cuts, share).max(least);
            left /= f64::from(question[axis]);
        }
        question.push(price);
        questions.push(question);
    }
    questions
}

/// Groups of `size` axes in which each axis occurs as often: all of them if they are few, else some at equal
/// steps round a circle.
fn groups(axes: usize, size: usize) -> Vec<Vec<usize>> {
    let all = subsets(axes, size);
    if all.len() <= AT_EACH_SCALE {
        return all;
    }
    // Whole turns round the circle: each axis is in as many groups.
    (0..axes * (AT_EACH_SCALE / axes).max(1))
        .map(|turn| {
            let step = 1 + turn / axes;
            let mut group: Vec<usize> = (0..size).map(|i| (turn + i * step) % axes).collect();
            group.sort_unstable();
            group.dedup();
            group
        })
        .collect()
}

fn subsets(axes: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (size..=axes)
        .flat_map(|last| {
            subsets(last - 1, size - 1).into_iter().map(move |mut group| {
                group.push(last - 1);
                group
            })
        })
        .collect()
}

/// The allowed number of parts whose logarithm is nearest.
fn nearest(cuts: &[u32], wish: f64) -> u32 {
    let distance = |parts: u32| libm::log(f64::from(parts) / wish.max(1.0)).abs();
    cuts.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(1)
}
