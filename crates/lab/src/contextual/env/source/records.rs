//! What the people of a source hold.

use reticent_privacy::SimRng;

use super::super::crowd::shuffled;
use super::super::data::Table;
use super::super::law::Law;
use super::super::private_debug;
use super::SourceSpec;
use super::shift::Shift;

/// What one person of a source holds: it is theirs, and leaves their device only through a private report.
#[derive(Clone, PartialEq)]
pub struct Record {
    /// The context.
    pub context: Vec<f64>,
    /// The arm that was chosen for them.
    pub arm: u32,
    /// The reward, 0 or 1.
    pub reward: f64,
}
private_debug!(Record);

/// The records of a source, one person at a time.
pub struct Records<'a> {
    rng: &'a mut SimRng,
    behaviour: &'a [f64],
    made: Made<'a>,
}
private_debug!(Records<'_>);

enum Made<'a> {
    MadeUp { left: u64, shift: Shift, law: Law, permuted: bool },
    Rows { table: &'a Table, order: std::vec::IntoIter<u32> },
}

impl<'a> Records<'a> {
    pub(super) fn made_up(
        spec: SourceSpec,
        law: Law,
        dims: usize,
        behaviour: &'a [f64],
        rng: &'a mut SimRng,
    ) -> Records<'a> {
        let shift = Shift::new(dims, spec.gamma());
        let made = Made::MadeUp { left: spec.people(), shift, law, permuted: spec.permuted() };
        Records { rng, behaviour, made }
    }

    pub(super) fn of_rows(
        table: &'a Table,
        rows: &[u32],
        behaviour: &'a [f64],
        rng: &'a mut SimRng,
    ) -> Records<'a> {
        let order = shuffled(rows, rng).into_iter();
        Records { rng, behaviour, made: Made::Rows { table, order } }
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        match &mut self.made {
            Made::MadeUp { left, shift, law, permuted } => {
                *left = left.checked_sub(1)?;
                let context = shift.draw(self.rng);
                let arm = choose(self.behaviour, self.rng);
                // A permuted source misleads: each arm earns what the next one would earn here.
                let earning = if *permuted { (arm + 1) % law.arms() } else { arm };
                let hit = self.rng.uniform() < law.mean(earning, &context);
                Some(Record { context, arm, reward: f64::from(u8::from(hit)) })
            }
            Made::Rows { table, order } => {
                let row = order.next()?;
                let arm = choose(self.behaviour, self.rng);
                let reward = f64::from(u8::from(arm == table.label(row)));
                Some(Record { context: table.context(row).to_vec(), arm, reward })
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.made {
            Made::MadeUp { left, .. } => {
                let left = usize::try_from(*left).ok();
                (left.unwrap_or(usize::MAX), left)
            }
            Made::Rows { order, .. } => order.size_hint(),
        }
    }
}

/// An arm with the given probabilities. What rounding leaves over falls to the last arm, whose probability is
/// never zero.
fn choose(behaviour: &[f64], rng: &mut SimRng) -> u32 {
    let mut left = rng.uniform();
    for (arm, probability) in behaviour.iter().enumerate() {
        if left < *probability {
            return arm as u32;
        }
        left -= probability;
    }
    behaviour.len() as u32 - 1
}
