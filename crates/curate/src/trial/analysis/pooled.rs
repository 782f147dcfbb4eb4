//! The average effect over everyone counted, from the strata's effects and noisy shares.

use super::super::Release;
use super::super::normal::two_sided;
use super::Estimator;
use super::effect::Question;
use super::history::History;
use super::invert::Accepted;

/// A stratum whose count is this many deviations of noise above zero has a share and an effect of its own.
const COUNTED: f64 = 6.0;

/// Noisy people of a stratum, with or without an outcome, over all tables, and the variance of that noise.
pub(super) fn counted(release: &Release, stratum: usize, noise: f64) -> (f64, f64) {
    let arms = release.spec().arms();
    let tables = release.tables().iter().chain(release.late());
    let (mut people, mut counts) = (0.0, 0.0);
    for table in tables {
        for arm in 0..arms {
            let cell = table.cell(stratum * arms + arm);
            people += cell.people() + cell.missing;
            counts += if release.spec().plan().outcome.binary { 3.0 } else { 4.0 };
        }
    }
    (people, counts * noise)
}

/// Strata that are counted well enough, with their shares among them; and the share of the others, roughly.
pub(super) fn shares(release: &Release, history: &History) -> Vec<(usize, f64)> {
    let noise = history.belief.noise();
    let all: Vec<(f64, f64)> =
        (0..release.spec().strata()).map(|stratum| counted(release, stratum, noise)).collect();
    let clear = |&(people, variance): &(f64, f64)| people >= 1.0 && people > COUNTED * variance.sqrt();
    let sum: f64 = all.iter().filter(|one| clear(one)).map(|one| one.0).sum();
    all.iter()
        .enumerate()
        .filter(|(_, one)| clear(one))
        .map(|(stratum, one)| (stratum, one.0 / sum))
        .collect()
}

/// The average over the strata that are counted well enough.
pub(super) fn pool(
    release: &Release,
    history: &History,
    arm: usize,
    estimator: Estimator,
) -> Option<Accepted> {
    let normal = two_sided(release.spec().plan().confidence);
    let shares = shares(release, history);
    let answers: Vec<(usize, f64, Accepted)> = shares
        .into_iter()
        .map(|(stratum, share)| {
            (stratum, share, Question { release, history, stratum, arm }.answer(estimator))
        })
        .collect();
    if answers.len() == 1 {
        return Some(answers[0].2);
    }
    if answers.is_empty() {
        return None;
    }
    let estimate: f64 = answers.iter().map(|(_, share, answer)| share * answer.estimate).sum();
    let everyone = answers.iter().map(|&(stratum, ..)| counted(release, stratum, 0.0).0).sum::<f64>();
    let variance: f64 = answers
        .iter()
        .map(|&(stratum, share, answer)| {
            let off = (answer.estimate - estimate) / everyone;
            let of_share = counted(release, stratum, history.belief.noise()).1;
            share * share * answer.error(normal) * answer.error(normal) + off * off * of_share
        })
        .sum();
    let reach = normal * variance.sqrt();
    Some(Accepted { estimate, low: (estimate - reach).max(-1.0), high: (estimate + reach).min(1.0) })
}
