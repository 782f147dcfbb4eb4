//! Whose outcome never came, by arm.

use super::Document;
use super::digits::people;
use reticent_chart::page::{Page, Table};

/// So many deviations from the common rate are more than chance and noise.
const APART: f64 = 3.0;

/// People of an arm in all strata, with and without an outcome, up to noise.
#[derive(Clone, Copy)]
struct Arm {
    with: f64,
    without: f64,
}

impl Arm {
    fn all(self) -> f64 {
        (self.with + self.without).max(1.0)
    }
}

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("Attrition by arm");
    let tables = document.epochs.iter().filter(|epoch| epoch.closed).count();
    let noise = if document.spec.has_one_table() {
        document.strata.first().map_or(0.0, |stratum| stratum.noise)
    } else {
        // Each epoch's table, and that of its late outcomes.
        let tables = tables * if document.stopped { 2 } else { 1 };
        document.noise_in_a_count * ((tables * document.strata.len()) as f64).sqrt()
    };
    let arms: Vec<Arm> = (0..document.arms().len())
        .map(|arm| {
            let of = || document.strata.iter().map(|stratum| &stratum.arms[arm]);
            Arm { with: of().map(|one| one.people).sum(), without: of().map(|one| one.missing).sum() }
        })
        .collect();
    page.paragraph(&if document.spec.draft().observed.is_some() {
        "This is a replay: where the trial's coin fell on an arm that a person did not get, the outcome cannot be seen and counts as missing. Shares differ between arms as the table's own randomisation does.".to_string()
    } else if differ(&arms, noise) {
        "Arms differ in the share of outcomes that are missing by more than chance and noise explain: ask why before believing the effects.".to_string()
    } else if noise > 0.0 {
        format!(
            "Each arm's count of missing outcomes is off by about {} people through the noise (one standard deviation). Arms do not differ in the share that is missing by more than \
             chance and noise explain.",
            people(noise)
        )
    } else {
        "Counts are exact. Arms do not differ in the share that is missing by more than chance explains.".into()
    });
    let head = ["arm", "with outcome", "missing", "missing of all"].map(String::from).to_vec();
    let rows = document.arms().iter().zip(&arms).map(|(arm, one)| {
        let share = 100.0 * (one.without / one.all()).clamp(0.0, 1.0);
        (vec![arm.clone(), people(one.with), people(one.without), format!("{share:.1} %")], false)
    });
    page.table(&Table { head, rows: rows.collect() });
}

/// Whether an arm's missing outcomes are far from what the common rate would give it, for its size.
fn differ(arms: &[Arm], noise: f64) -> bool {
    let all: f64 = arms.iter().map(|arm| arm.all()).sum();
    let rate = (arms.iter().map(|arm| arm.without).sum::<f64>() / all).clamp(0.0, 1.0);
    let far = |arm: &Arm| {
        let chance = rate * (1.0 - rate) * arm.all() * (1.0 - arm.all() / all).max(0.0);
        (arm.without - rate * arm.all()).abs() > APART * (chance + noise * noise).sqrt() + 1e-9
    };
    arms.iter().any(far)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_compared_and_not_counts() {
        let arm = |with, without| Arm { with, without };
        assert!(
            !differ(&[arm(90.0, 10.0), arm(1800.0, 200.0)], 0.0),
            "the same share of arms of other sizes"
        );
        assert!(differ(&[arm(500.0, 100.0), arm(590.0, 10.0)], 0.0));
        assert!(!differ(&[arm(500.0, 100.0), arm(590.0, 10.0)], 40.0), "the noise may explain it");
        assert!(!differ(&[arm(500.0, 0.0), arm(500.0, 0.0)], 0.0));
    }
}
