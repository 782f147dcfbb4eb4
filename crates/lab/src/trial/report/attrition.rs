//! Whose outcome never came, by arm.

use super::Document;
use super::digits::people;
use crate::page::{Page, Table};

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("Attrition by arm");
    let tables = document.epochs.iter().filter(|epoch| epoch.closed).count() + usize::from(document.stopped);
    let noise = document.noise_in_a_count * ((tables * document.strata.len()) as f64).sqrt();
    let arms: Vec<(f64, f64)> = (0..document.arms().len())
        .map(|arm| {
            let of = document.strata.iter().map(|stratum| &stratum.arms[arm]);
            of.fold((0.0, 0.0), |(with, without), one| (with + one.people, without + one.missing))
        })
        .collect();
    let missing = arms.iter().map(|one| one.1);
    let most = missing.clone().fold(f64::NEG_INFINITY, f64::max);
    let least = missing.fold(f64::INFINITY, f64::min);
    // Two counts differ by their noise alone with a deviation of sqrt(2) times one's.
    let apart = most - least > 3.0 * std::f64::consts::SQRT_2 * noise && most > 0.0;
    page.paragraph(&if apart {
        "Arms differ in how many outcomes are missing by more than the noise explains, before their sizes are looked at: ask why before believing the effects.".to_string()
    } else if noise > 0.0 {
        format!(
            "Each count of missing outcomes is off by about {} people through the noise (one standard deviation). They do not differ between arms by more than that explains.",
            people(noise)
        )
    } else {
        "Counts are exact: this trial was not private.".into()
    });
    let head = ["arm", "with outcome", "missing", "missing of all"].map(String::from).to_vec();
    let rows = document.arms().iter().zip(&arms).map(|(arm, &(with, without))| {
        let all = with.max(0.0) + without.max(0.0);
        let share = 100.0 * without.max(0.0) / all.max(1.0);
        (vec![arm.clone(), people(with), people(without), format!("{share:.1} %")], false)
    });
    page.table(&Table { head, rows: rows.collect() });
}
