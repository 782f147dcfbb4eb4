//! The average effect over everyone counted, from the strata's effects and noisy shares.

use super::super::Release;
use super::history::History;
use super::invert::Accepted;

/// Noisy people of a stratum, with or without an outcome, over all tables, and the variance of that noise.
pub(super) fn counted(release: &Release, stratum: usize, noise: f64) -> (f64, f64) {
    let arms = release.spec().arms();
    let tables = release.tables().iter().chain(release.late());
    let (mut people, mut counts) = (0.0, 0.0);
    for table in tables {
        for arm in 0..arms {
            let cell = table.cell(stratum * arms + arm);
            people += cell.people() + cell.missing;
            counts += if release.spec().draft().outcome.binary { 3.0 } else { 4.0 };
        }
    }
    (people, counts * noise)
}

/// A stratum's part of everyone, and the variance that noise gives it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) stratum: usize,
    pub(super) part: f64,
    pub(super) variance: f64,
}

/// Noisy shares of all strata.
pub(super) fn shares(release: &Release, history: &History) -> Vec<Share> {
    let noise = history.belief.noise();
    let all: Vec<(f64, f64)> =
        (0..release.spec().strata()).map(|stratum| counted(release, stratum, noise)).collect();
    let everyone = all.iter().map(|one| one.0.max(0.0)).sum::<f64>();
    let known = everyone >= 1.0;
    let everyone = everyone.max(1.0);
    let share = |(stratum, &(people, variance)): (usize, &(f64, f64))| Share {
        stratum,
        part: if known { people.max(0.0) / everyone } else { 1.0 / all.len() as f64 },
        variance: variance / (everyone * everyone),
    };
    all.iter().enumerate().map(share).collect()
}

/// The variance that noisy shares give an average of strata that differ from it by `off`, as far as that is known.
pub(super) fn share_variance(share: &Share, off: f64, error: f64) -> f64 {
    (off * off + error * error) * share.variance
}

/// The average over all strata of their answers. A stratum with few people has an interval that covers everything,
/// and a small share.
pub(super) fn pool(
    release: &Release,
    history: &History,
    normal: f64,
    answer: &dyn Fn(usize) -> Accepted,
) -> Accepted {
    let of = |share: Share| (share, answer(share.stratum));
    let answers: Vec<(Share, Accepted)> = shares(release, history).into_iter().map(of).collect();
    if let [(_, only)] = answers.as_slice() {
        return *only;
    }
    let estimate: f64 = answers.iter().map(|(share, answer)| share.part * answer.estimate).sum();
    // Zou and Donner's recovery of variances: deviations towards each end are added in squares, so that
    // lopsided intervals stay so. Tails of single strata's noise average out, hence the normal bound.
    let reach = |end: usize| -> f64 {
        // A person's worth of variance: alike in all strata, if they are alike.
        let worth = |(share, answer): &(Share, Accepted)| share.part * answer.deviations()[end].powi(2);
        let usual: f64 = answers.iter().map(|one| one.0.part * worth(one)).sum();
        let of = |one: &(Share, Accepted)| {
            let (share, answer) = one;
            let off = answer.estimate - estimate;
            // Where chances follow the tables, a stratum that seems well known is one whose first tables
            // happened to agree: it counts as no better known than the others.
            share.part * worth(one).max(usual) + share_variance(share, off, answer.deviations()[end])
        };
        normal * answers.iter().map(of).sum::<f64>().sqrt()
    };
    let (low, high) = ((estimate - reach(0)).max(-1.0), (estimate + reach(1)).min(1.0));
    Accepted { estimate, low, high, bound: normal }
}
