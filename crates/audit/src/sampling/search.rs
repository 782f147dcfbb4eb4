//! The event that tells two neighbours apart best: fitted on one half of the training runs, chosen on the other.

use super::bound::{Seen, Terms};
use super::draw::in_parts;
use super::event::{Event, Side};
use super::family::{Fits, Score, fit_all};
use super::sample::{Both, Sample};

/// An event and how it did on the runs that it was chosen by, which is too well: the finding needs fresh ones.
pub(super) struct Candidate {
    pub(super) event: Event,
    /// Whether the event is likelier under the second neighbour.
    pub(super) swapped: bool,
    pub(super) bound: f64,
    /// What the search left out.
    pub(super) unseen: Vec<String>,
}

/// Thresholds tried: so many quantiles, and the ranks near either end besides.
const QUANTILES: usize = 128;

/// The best event over all families, thresholds, sides and directions; none if nothing could be fitted.
pub(super) fn best_event(first: &Sample, second: &Sample, terms: Terms, threads: usize) -> Option<Candidate> {
    let ((fit_a, choose_a), (fit_b, choose_b)) = (first.halves(), second.halves());
    let (fit, choose) = (Both { first: fit_a, second: fit_b }, Both { first: choose_a, second: choose_b });
    let Fits { scores, unseen } = fit_all(fit, threads);
    let promising = promising(&scores, fit, choose, terms, threads);
    let cuts = in_parts(0..scores.len(), threads, |at| {
        let score = scores[at].as_ref();
        let cuts = promising[at].as_ref()?;
        let cut = best_cut(score, cuts, choose, terms)?;
        Some((terms.bound(cut.likelier, cut.other), cut))
    });
    let mut best: Option<(f64, Cut, Box<dyn Score>)> = None;
    for (score, found) in scores.into_iter().zip(cuts) {
        let Some((bound, cut)) = found else { continue };
        if best.as_ref().is_none_or(|(so_far, ..)| bound > *so_far) {
            best = Some((bound, cut, score));
        }
    }
    best.map(|(bound, cut, score)| {
        let event = Event { score, threshold: cut.threshold, side: cut.side };
        Candidate { event, swapped: cut.swapped, bound, unseen }
    })
}

/// Scores that are looked at on all runs; of more, those that do best on a part of the runs.
const PROMISING: usize = 24;
/// That part, and the loose level that ranks them there: what is seldom seen must not fall behind.
const PART: usize = 8;
const LOOSE: f64 = 0.05;

/// The thresholds of each score that is worth a look on all runs.
fn promising(
    scores: &[Box<dyn Score>],
    fit: Both<'_>,
    choose: Both<'_>,
    terms: Terms,
    threads: usize,
) -> Vec<Option<Vec<f64>>> {
    let few = scores.len() <= PROMISING;
    let part = Both { first: choose.first.part(PART), second: choose.second.part(PART) };
    let loose = Terms { level: LOOSE, ..terms };
    let ranked = in_parts(0..scores.len(), threads, |at| {
        let score = scores[at].as_ref();
        let cuts = thresholds(score, fit);
        let best = if few { None } else { best_cut(score, &cuts, part, loose) };
        (best.map_or(f64::NEG_INFINITY, |cut| cut.quick), cuts)
    });
    let mut bounds: Vec<f64> = ranked.iter().map(|(bound, _)| *bound).collect();
    bounds.sort_by(|a, b| b.total_cmp(a));
    let least = if few { f64::NEG_INFINITY } else { bounds[PROMISING - 1] };
    ranked.into_iter().map(|(bound, cuts)| (bound >= least).then_some(cuts)).collect()
}

/// Quantiles of the score, denser towards both ends.
fn thresholds(score: &dyn Score, fit: Both<'_>) -> Vec<f64> {
    let mut scores: Vec<f64> = fit.pooled().map(|seen| score.score(seen)).collect();
    scores.sort_unstable_by(f64::total_cmp);
    let last = scores.len().saturating_sub(1);
    let mut ranks: Vec<usize> = (0..=QUANTILES).map(|k| k * last / QUANTILES).collect();
    let mut near = 1;
    while near < last / QUANTILES {
        ranks.extend([near, last - near]);
        near += near / 2 + 1;
    }
    let mut cuts: Vec<f64> = ranks.into_iter().filter_map(|rank| scores.get(rank).copied()).collect();
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// One way to cut a score in two.
struct Cut {
    threshold: f64,
    side: Side,
    swapped: bool,
    likelier: Seen,
    other: Seen,
    quick: f64,
}

fn best_cut(score: &dyn Score, cuts: &[f64], choose: Both<'_>, terms: Terms) -> Option<Cut> {
    let runs = (choose.first.len() as u64, choose.second.len() as u64);
    let (a, b) = (at_least(score, cuts, choose.first.iter()), at_least(score, cuts, choose.second.iter()));
    let mut best: Option<Cut> = None;
    for ((&threshold, &a), &b) in cuts.iter().zip(&a).zip(&b) {
        for side in [Side::AtLeast, Side::Below] {
            let seen = |hits: u64, runs: u64| Seen {
                hits: if side == Side::AtLeast { hits } else { runs - hits },
                runs,
            };
            let (a, b) = (seen(a, runs.0), seen(b, runs.1));
            for (swapped, likelier, other) in [(false, a, b), (true, b, a)] {
                let quick = terms.quick_bound(likelier, other);
                if best.as_ref().is_none_or(|so_far| quick > so_far.quick) {
                    best = Some(Cut { threshold, side, swapped, likelier, other, quick });
                }
            }
        }
    }
    best
}

/// For each threshold, how many of the rows score at least that.
fn at_least<'a>(score: &dyn Score, cuts: &[f64], rows: impl Iterator<Item = &'a [f64]>) -> Vec<u64> {
    let mut counts = vec![0_u64; cuts.len() + 1];
    for seen in rows {
        let value = score.score(seen);
        counts[cuts.partition_point(|cut| *cut <= value)] += 1;
    }
    // A row that passes k thresholds passes the first k.
    for k in (0..cuts.len()).rev() {
        counts[k] += counts[k + 1];
    }
    counts.split_off(1)
}
