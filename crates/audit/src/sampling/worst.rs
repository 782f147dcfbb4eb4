//! The worst pair of neighbours and the event that shows it, found by search.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::Terms;
use super::draw::{Phase, Runs, in_parts};
use super::event::Event;
use super::sample::Sample;
use super::search::best_event;
use crate::AuditError;

/// What the one test on fresh runs is made of.
pub(super) struct Lead {
    /// The event is likelier under the first.
    pub(super) pair: (usize, usize),
    /// None if nothing tells any two inputs apart.
    pub(super) event: Option<Event>,
    /// Runs that it took to find it.
    pub(super) training: u64,
    /// What the search left out.
    pub(super) unseen: Vec<String>,
}

/// Pairs that are trained on in full.
const FEW: usize = 3;
/// Pairs that are looked at in one round of the pilot; of more, an even spread.
const MANY: usize = 512;
/// Pilot runs of each input.
const PILOT: usize = 4000;
/// The pilot ranks pairs and proves nothing: its level is a loose one.
const PILOT_LEVEL: f64 = 0.05;

/// Searches among `pairs` with `samples` training runs of each input of the most promising.
pub(super) fn find(
    runs: &dyn Runs,
    pairs: &[(usize, usize)],
    samples: usize,
    terms: Terms,
) -> Result<Lead, AuditError> {
    let (short, piloted) = shortlist(runs, pairs, samples, terms.delta)?;
    let trained = draw_all(runs, Phase::Training, &short, samples)?;
    let training = piloted + total(&trained);
    let mut lead = Lead { pair: short[0], event: None, training, unseen: Vec::new() };
    let mut best = f64::NEG_INFINITY;
    for (a, b) in short {
        let Some(candidate) = best_event(&trained[&a], &trained[&b], terms, runs.threads()) else { continue };
        if lead.event.is_none() || candidate.bound > best {
            best = candidate.bound;
            lead.pair = if candidate.swapped { (b, a) } else { (a, b) };
            lead.event = Some(candidate.event);
            lead.unseen = candidate.unseen;
        }
    }
    Ok(lead)
}

/// The few most promising pairs by a small pilot, and its runs.
fn shortlist(
    runs: &dyn Runs,
    pairs: &[(usize, usize)],
    samples: usize,
    delta: f64,
) -> Result<(Vec<(usize, usize)>, u64), AuditError> {
    if pairs.len() <= FEW {
        return Ok((pairs.to_vec(), 0));
    }
    let pilot = draw_all(runs, Phase::Pilot, pairs, samples.min(PILOT))?;
    let spread: BTreeSet<_> = pairs.iter().copied().step_by(pairs.len().div_ceil(MANY)).collect();
    let mut ranked = rank(&pilot, &spread, delta, runs.threads());
    // Where not all were looked at, those that share an input with the best so far are next.
    let (x, y) = ranked[0].1;
    let touches = |&(a, b): &(usize, usize)| [a, b].contains(&x) || [a, b].contains(&y);
    let related =
        pairs.iter().copied().filter(|pair| touches(pair) && !spread.contains(pair)).take(MANY).collect();
    ranked.extend(rank(&pilot, &related, delta, runs.threads()));
    // Stable, so that equal pairs keep their order.
    ranked.sort_by(|x, y| y.0.total_cmp(&x.0));
    Ok((ranked.into_iter().take(FEW).map(|(_, pair)| pair).collect(), total(&pilot)))
}

/// Pairs with the best bound that the pilot gives for each, the best first.
fn rank(
    pilot: &BTreeMap<usize, Sample>,
    pairs: &BTreeSet<(usize, usize)>,
    delta: f64,
    threads: usize,
) -> Vec<(f64, (usize, usize))> {
    let terms = Terms { level: PILOT_LEVEL, delta };
    let pairs: Vec<(usize, usize)> = pairs.iter().copied().collect();
    let bound = |at: usize| {
        let (a, b) = pairs[at];
        let found = best_event(&pilot[&a], &pilot[&b], terms, 1);
        (found.map_or(f64::NEG_INFINITY, |found| found.bound), (a, b))
    };
    let mut ranked = in_parts(0..pairs.len(), threads, bound);
    ranked.sort_by(|x, y| y.0.total_cmp(&x.0));
    ranked
}

fn draw_all(
    runs: &dyn Runs,
    phase: Phase,
    pairs: &[(usize, usize)],
    samples: usize,
) -> Result<BTreeMap<usize, Sample>, AuditError> {
    let inputs: BTreeSet<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    inputs.into_iter().map(|input| Ok((input, runs.sample(phase, input, samples)?))).collect()
}

fn total(samples: &BTreeMap<usize, Sample>) -> u64 {
    samples.values().map(|sample| sample.len() as u64).sum()
}
