//! Whether something is odd that no estimator can mend: arms that differ in whose outcome is missing, people who
//! are not spread over arms as coins would, means or effects that move over time. All of it is computed from
//! what is published, and costs no more privacy.
//!
//! Each check is one number in standard deviations (z), chance and noise together. It rings beyond [`APART`]:
//! Laplace noise alone passes that in 1.4 % of trials, chance alone in 0.3 %.

use reticent_curate::trial::{Analysis, Release, uneven};
use serde::{Deserialize, Serialize};

use super::Document;
use super::flow::{Counted, Flow};
use reticent_chart::page::{Page, Table};

/// So many deviations are more than chance and noise.
pub(super) const APART: f64 = 3.0;

/// One check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// `attrition`, `balance`, `level-drift`, `effect-drift`, or, where it rings, `strata`.
    pub name: String,
    /// How far off it is, in standard deviations; none if these tables cannot tell.
    pub z: Option<f64>,
    /// Whether that is more than chance and noise explain.
    pub rings: bool,
    /// What it means, in a sentence.
    pub told: String,
}

pub(super) fn all(release: &Release, analysis: &Analysis, flow: &Flow) -> Vec<Check> {
    let trends = super::drift::trends(release, analysis);
    let mut checks = vec![
        check(
            "attrition",
            attrition(release, flow),
            &[
                "Arms differ in the share of outcomes that are missing: ask why before believing the effects.",
                "Arms do not differ in the share of missing outcomes by more than chance and noise explain.",
                if release.spec().draft().observed.is_some() {
                    "This is a replay: an outcome is missing where the trial's coin fell on another arm than the person got, as often as the table's own randomisation says."
                } else {
                    "Nothing is published yet that tells whose outcome is missing."
                },
            ],
        ),
        check(
            "balance",
            balance(release, flow),
            &[
                "Arms have not as many people as their coins would give them: something other than the coin decided who is in which.",
                "Arms have as many people as their coins would give them.",
                "How many people each arm has is known when the trial ends.",
            ],
        ),
        check(
            "level-drift",
            trends.level,
            &[
                "The mean outcome moved over time, in all arms together. Intervals by propensity hold all the same; a comparison with other times does not.",
                "The mean outcome did not move over time by more than chance and noise explain.",
                "With one table nothing tells early people from late ones: whether means moved cannot be seen. Arms were drawn side by side all the time, so that it does no harm.",
            ],
        ),
        check(
            "effect-drift",
            trends.effect,
            &[
                "The effect itself moved over time: it is not one number, and its interval is of an average that depends on when people came.",
                "The effect did not move over time by more than chance and noise explain.",
                "With one table nothing tells early people from late ones: whether the effect moved cannot be seen, and it is an average over the trial.",
            ],
        ),
    ];
    checks.extend(strata(release));
    checks
}

/// Arms that were given by stratum make a difference of means no effect.
pub fn strata(release: &Release) -> Option<Check> {
    let told = "Arms are spread over strata less evenly than one coin for all would. Each stratum's effect is right; \
                everyone's is the plain difference in means, which is no effect if arms were given by stratum: then \
                declare the shares as `observed`, by stratum (docs/trial.md).";
    let rings = release.spec().draft().observed.is_none() && uneven(release);
    rings.then(|| Check { name: "strata".into(), z: None, rings, told: told.into() })
}

/// A check with its three sentences: if it rings, if not, and if it cannot be made.
fn check(name: &str, z: Option<f64>, [rings, silent, unknown]: &[&str; 3]) -> Check {
    let z = z.filter(|z| z.is_finite());
    let is_far = z.is_some_and(|z| z.abs() > APART);
    let told = match z {
        None => unknown,
        Some(_) if is_far => rings,
        Some(_) => silent,
    };
    Check { name: name.into(), z, rings: is_far, told: (*told).into() }
}

/// The arm whose missing outcomes are farthest from what the common rate would give it, for its size.
fn attrition(release: &Release, flow: &Flow) -> Option<f64> {
    if release.spec().draft().observed.is_some() {
        return None;
    }
    let arms: Option<Vec<(Counted, Counted)>> =
        flow.arms.iter().map(|arm| Some((arm.without?, arm.analysed?))).collect();
    let arms = arms?;
    let size = |arm: &(Counted, Counted)| (arm.0.people + arm.1.people).max(1.0);
    let all: f64 = arms.iter().map(size).sum();
    let rate = (arms.iter().map(|arm| arm.0.people).sum::<f64>() / all).clamp(0.0, 1.0);
    let far = |arm: &(Counted, Counted)| {
        let rest = (1.0 - size(arm) / all).max(0.0);
        let chance = rate * (1.0 - rate) * size(arm) * rest;
        deviations(arm.0.people - rate * size(arm), chance + arm.0.noise * arm.0.noise * rest)
    };
    farthest(arms.iter().map(far))
}

/// The arm whose people are farthest from what its coins would give it.
fn balance(release: &Release, flow: &Flow) -> Option<f64> {
    if !release.is_stopped() || release.enrolled() == 0 {
        return None;
    }
    if release.whole().is_some() {
        let (all, chances) = (release.enrolled() as f64, release.spec().even());
        let far = flow.arms.iter().zip(chances).map(|(arm, chance)| {
            deviations(
                arm.assigned.map_or(0.0, |count| count.people) - all * chance,
                all * chance * (1.0 - chance),
            )
        });
        return farthest(far);
    }
    farthest((0..release.spec().arms()).map(|arm| balance_of(release, arm)))
}

/// The same where chances differ between epochs and strata: what an arm has of each stratum's people, against
/// its chance of them.
fn balance_of(release: &Release, arm: usize) -> f64 {
    let (spec, noise) = (release.spec(), release.spec().noise_in_a_count());
    let (mut off, mut variance) = (0.0, 0.0);
    // Counts of people with and without an outcome, in the epoch's table and in that of its late outcomes.
    let counts = if spec.draft().outcome.binary { 3.0 } else { 4.0 };
    for (epoch, table) in release.tables().iter().enumerate() {
        let late = release.late().get(epoch).filter(|_| release.late().len() == release.tables().len());
        let tables = 1.0 + f64::from(u8::from(late.is_some()));
        for stratum in 0..spec.strata() {
            let chance = release.propensities()[epoch].share(stratum, arm);
            let of = |arm: usize| {
                let place = stratum * spec.arms() + arm;
                let both = std::iter::once(table).chain(late);
                both.map(|table| table.cell(place)).map(|cell| cell.people() + cell.missing).sum::<f64>()
            };
            let all: f64 = (0..spec.arms()).map(of).sum();
            off += of(arm) - chance * all;
            let others = (spec.arms() - 1) as f64;
            let in_noise = (1.0 - chance) * (1.0 - chance) + others * chance * chance;
            variance += all.max(0.0) * chance * (1.0 - chance) + noise * noise * counts * tables * in_noise;
        }
    }
    deviations(off, variance)
}

/// Nothing off is nothing off, also where nothing can be.
pub(super) fn deviations(off: f64, variance: f64) -> f64 {
    if off.abs() < 1e-9 { 0.0 } else { off / variance.sqrt() }
}

pub(super) fn farthest(all: impl Iterator<Item = f64>) -> Option<f64> {
    all.max_by(|a, b| a.abs().total_cmp(&b.abs()))
}

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("Checks");
    page.paragraph(&format!(
        "These cost no more privacy: they are computed from the published tables. Each number is how far off something is, in standard deviations of chance and noise together; \
         beyond {APART} it is marked. One that is fine is marked in about one trial of a hundred."
    ));
    let row = |one: &Check| {
        let z = one.z.map_or("not known".into(), |z| format!("{z:.1}"));
        (vec![one.name.replace('-', " "), z, one.told.clone()], one.rings)
    };
    page.table(&Table {
        head: ["check", "deviations", "what it says"].map(String::from).to_vec(),
        rows: document.checks.iter().map(row).collect(),
    });
}
