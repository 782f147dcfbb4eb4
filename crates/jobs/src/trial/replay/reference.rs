//! The effects of the whole table, computed from all its rows without privacy: what replays of it should find.
//!
//! In a table of potential outcomes they are the truth. In a randomised table they are themselves an estimate
//! of what the arms do; only for people drawn from the table with replacement are they the truth.

use super::Table;

/// The effect of an arm against the control: for everyone, or in one stratum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// The arm.
    pub arm: usize,
    /// The stratum; none for everyone.
    pub stratum: Option<usize>,
    /// The effect; none where the table has nobody to tell.
    pub effect: Option<f64>,
}

/// The same for a finished trial: everyone's effect is the plain difference in means, whatever the strata.
pub fn plain_reference(table: &Table, strata: usize) -> Vec<Reference> {
    let mut all = reference(table, strata);
    let mean = |arm: usize| {
        let seen: Vec<f64> = (0..table.rows()).filter_map(|row| table.outcome(row, arm)).collect();
        (!seen.is_empty()).then(|| seen.iter().sum::<f64>() / seen.len() as f64)
    };
    for one in all.iter_mut().filter(|one| one.stratum.is_none()) {
        one.effect = mean(one.arm).zip(mean(0)).map(|(arm, control)| arm - control);
    }
    all
}

/// All effects, in the order in which an analysis has them.
pub fn reference(table: &Table, strata: usize) -> Vec<Reference> {
    let mut sums = vec![(0.0, 0_u64); strata * table.arms()];
    let mut people = vec![0_u64; strata];
    for row in 0..table.rows() {
        let stratum = table.stratum_number(row);
        people[stratum] += 1;
        for arm in 0..table.arms() {
            if let Some(outcome) = table.outcome(row, arm) {
                let cell = &mut sums[stratum * table.arms() + arm];
                *cell = (cell.0 + outcome, cell.1 + 1);
            }
        }
    }
    let mean = |stratum: usize, arm: usize| {
        let (sum, count) = sums[stratum * table.arms() + arm];
        (count > 0).then(|| sum / count as f64)
    };
    let effect = |stratum: usize, arm: usize| Some(mean(stratum, arm)? - mean(stratum, 0)?);
    let pooled = |arm: usize| {
        let weighted = (0..strata).filter(|&stratum| people[stratum] > 0);
        let sum: Option<f64> =
            weighted.map(|stratum| Some(effect(stratum, arm)? * people[stratum] as f64)).sum();
        sum.map(|sum| sum / f64::from(table.rows()))
    };
    let of_arm = |arm: usize| {
        let everyone = Reference { arm, stratum: None, effect: pooled(arm) };
        let each = (0..strata).map(move |stratum| (stratum, arm));
        let each = each.map(|(stratum, arm)| Reference {
            arm,
            stratum: Some(stratum),
            effect: effect(stratum, arm),
        });
        std::iter::once(everyone).chain(each).collect::<Vec<_>>()
    };
    (1..table.arms()).flat_map(of_arm).collect()
}
