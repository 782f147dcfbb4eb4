//! How many people were on which arm, how they fared, and what the assignment cost: with the noise in it.

use serde::{Deserialize, Serialize};

use super::super::{Better, Release};
use super::history::History;
use super::whole::Reader;

/// One arm in one stratum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmReport {
    /// People with an outcome, up to noise.
    pub people: f64,
    /// People without one, up to noise.
    pub missing: f64,
    /// Their mean outcome, in its units, shrunk a little to the middle of the range.
    pub mean: f64,
    /// The variance of one outcome, as the tables tell it.
    pub variance: f64,
}

/// One stratum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StratumReport {
    /// What it is called.
    pub name: String,
    /// Each arm.
    pub arms: Vec<ArmReport>,
    /// One standard deviation of the noise in each count of people.
    pub noise: f64,
}

/// What the assignment cost against giving everyone the arm that looks best for their stratum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Welfare {
    /// Outcome lost in all, in its units, as estimated.
    pub regret: f64,
    /// People, up to noise, on an arm that does not look best for their stratum.
    pub on_worse_arms: f64,
}

pub(super) fn strata(release: &Release, history: &History) -> Vec<StratumReport> {
    let (spec, outcome) = (release.spec(), &release.spec().draft().outcome);
    let counts = if outcome.binary { 2.0 } else { 3.0 };
    (0..spec.strata())
        .map(|stratum| {
            let arm = |arm: usize| {
                let cells = release
                    .tables()
                    .iter()
                    .chain(release.late())
                    .map(|table| table.cell(stratum * spec.arms() + arm));
                let (people, missing) = cells.fold((0.0, 0.0), |(people, missing), cell| {
                    (people + cell.people(), missing + cell.missing)
                });
                ArmReport {
                    people,
                    missing,
                    mean: outcome.low + outcome.width() * history.belief.mean(stratum, arm),
                    variance: outcome.width() * outcome.width() * history.belief.spread(stratum, arm),
                }
            };
            let tables = release.published() as f64;
            StratumReport {
                name: spec.stratum_name(stratum),
                arms: (0..spec.arms()).map(arm).collect(),
                noise: (tables * counts * history.belief.noise()).sqrt(),
            }
        })
        .collect()
}

/// The same from the only table, where strata's people are counted together and arms by their chances.
pub(super) fn strata_of_whole(release: &Release, reader: &Reader<'_>) -> Vec<StratumReport> {
    let (spec, outcome) = (release.spec(), &release.spec().draft().outcome);
    let several = spec.strata() > 1;
    let enrolled = (release.enrolled() as f64).max(1.0);
    (0..spec.strata())
        .map(|stratum| {
            let arm = |arm: usize| ArmReport {
                people: reader.usual(stratum, arm),
                missing: reader.people(stratum).value.max(0.0) / enrolled * reader.missing(arm),
                mean: outcome.low + outcome.width() * reader.mean_of(several.then_some(stratum), arm),
                variance: outcome.width() * outcome.width() * reader.variance_of_one(arm),
            };
            StratumReport {
                name: spec.stratum_name(stratum),
                arms: (0..spec.arms()).map(arm).collect(),
                noise: if several {
                    reader.seen_in(stratum, 0).noise.sqrt()
                } else {
                    reader.noise_in_people()
                },
            }
        })
        .collect()
}

pub(super) fn welfare(strata: &[StratumReport], better: Better) -> Welfare {
    let mut welfare = Welfare { regret: 0.0, on_worse_arms: 0.0 };
    for stratum in strata {
        let good = |arm: &ArmReport| better.sign() * arm.mean;
        let best = stratum.arms.iter().map(good).fold(f64::NEG_INFINITY, f64::max);
        for arm in stratum.arms.iter().filter(|arm| good(arm) < best) {
            welfare.regret += arm.people.max(0.0) * (best - good(arm));
            welfare.on_worse_arms += arm.people.max(0.0);
        }
    }
    welfare
}
