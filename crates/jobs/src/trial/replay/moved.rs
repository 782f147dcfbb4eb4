//! A randomised table's people given arms anew: what adjusted effects are tried on.
//!
//! In one table covariates and arms hang together by chance, and with its rows drawn again they still would: an
//! adjusted effect takes that off, and the table's difference in means is not what it should find. With arms by
//! new coins it is known what it should.

use reticent_curate::trial::TrialSpec;

use super::{Reference, Table, plain_reference};

/// Everyone with outcomes on all arms: their own, moved by the table's difference in means, within the range. Outcomes
/// that have two values alone stay as they are.
#[derive(Debug)]
pub struct Moved<'a> {
    spec: &'a TrialSpec,
    table: &'a Table,
    /// How much each arm does.
    moves: Vec<f64>,
}

impl<'a> Moved<'a> {
    /// Of a table that shows one arm a person.
    pub fn new(spec: &'a TrialSpec, table: &'a Table) -> Moved<'a> {
        let mut moves = vec![0.0; spec.arms()];
        let everyone = plain_reference(table, spec.strata()).into_iter().filter(|one| one.stratum.is_none());
        for one in everyone.filter(|_| !spec.draft().outcome.binary) {
            moves[one.arm] = one.effect.unwrap_or(0.0);
        }
        Moved { spec, table, moves }
    }

    /// A person's outcome on an arm, if the table shows one of theirs.
    pub(crate) fn outcome(&self, row: u32, arm: usize) -> Option<f64> {
        let given = self.table.given(row)?;
        let range = &self.spec.draft().outcome;
        let moved = self.table.outcome(row, given)? + self.moves[arm] - self.moves[given];
        Some(moved.clamp(range.low, range.high))
    }

    /// The arm of somebody at this place, if arms are given in order.
    pub(crate) fn arm(&self, place: usize) -> usize {
        let people = self.spec.draft().people as f64;
        let mut left = place as f64 + 0.5;
        let shares = self.spec.even();
        let ends = shares.iter().position(|share| {
            left -= share * people;
            left < 0.0
        });
        ends.unwrap_or(shares.len() - 1)
    }

    /// The effects that should be found, in the order in which an analysis has them.
    pub fn reference(&self) -> Vec<Reference> {
        let mean = |arm: usize| {
            let seen: Vec<f64> = (0..self.table.rows()).filter_map(|row| self.outcome(row, arm)).collect();
            (!seen.is_empty()).then(|| seen.iter().sum::<f64>() / seen.len() as f64)
        };
        let of = |arm: usize, stratum: Option<usize>| Reference {
            arm,
            stratum,
            effect: mean(arm).zip(mean(0)).map(|(one, control)| one - control),
        };
        (1..self.spec.arms()).flat_map(|arm| [of(arm, None), of(arm, Some(0))]).collect()
    }
}
