//! People, one after the other.

use std::num::NonZeroU64;
use std::sync::Arc;

use reticent_privacy::SimRng;
use reticent_privacy::exact::uniform_below;

use super::data::Table;
use super::law::Law;
use super::private_debug;

/// A stream of people. It holds no generator: contexts and rewards are drawn from the one passed in, a fixed
/// number for each person, so that agents with the same seed meet the same people.
pub struct Crowd(People);
private_debug!(Crowd);

enum People {
    MadeUp {
        law: Law,
        context: Vec<f64>,
    },
    Rows {
        table: Arc<Table>,
        order: Vec<u32>,
        served: usize,
    },
    /// More people than rows: each is any row.
    AnyRow {
        table: Arc<Table>,
    },
}

/// One person: a context that the device knows, and rewards that nobody knows before an arm is chosen.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    context: &'a [f64],
    truth: Truth,
}
private_debug!(Person<'_>);

#[derive(Clone, Copy)]
enum Truth {
    Law(Law),
    Label { label: u32, arms: u32 },
}

impl Crowd {
    pub(super) fn made_up(law: Law, dims: usize) -> Crowd {
        Crowd(People::MadeUp { law, context: vec![0.0; dims] })
    }

    /// The served rows, each once; or, if more people are wanted, any of them for each.
    pub(super) fn of_rows(table: Arc<Table>, people: u64, rng: &mut SimRng) -> Crowd {
        if people > table.target().len() as u64 {
            return Crowd(People::AnyRow { table });
        }
        let order = shuffled(table.target(), rng);
        Crowd(People::Rows { table, order, served: 0 })
    }

    /// The next person; `None` when the data are used up.
    #[inline]
    pub fn next(&mut self, rng: &mut SimRng) -> Option<Person<'_>> {
        match &mut self.0 {
            People::MadeUp { law, context } => {
                law.draw(context, rng);
                Some(Person { context, truth: Truth::Law(*law) })
            }
            People::Rows { table, order, served } => {
                let row = *order.get(*served)?;
                *served += 1;
                Some(Person::of_row(table, row))
            }
            People::AnyRow { table } => {
                let rows = NonZeroU64::new(table.target().len() as u64)?;
                let row = table.target()[uniform_below(rows, rng) as usize];
                Some(Person::of_row(table, row))
            }
        }
    }

    /// Leaves out `people` rows of the data, to go on with a crowd that was drawn again from the same
    /// generator. In a made-up world the generator's position is all there is, and nothing happens.
    pub fn skip(&mut self, people: u64) {
        if let People::Rows { order, served, .. } = &mut self.0 {
            *served = served.saturating_add(usize::try_from(people).unwrap_or(usize::MAX)).min(order.len());
        }
    }
}

impl<'a> Person<'a> {
    fn of_row(table: &'a Table, row: u32) -> Person<'a> {
        let truth = Truth::Label { label: table.label(row), arms: table.arms() };
        Person { context: table.context(row), truth }
    }

    #[cfg(test)]
    pub(super) fn fixed(context: &'a [f64], law: Law) -> Person<'a> {
        Person { context, truth: Truth::Law(law) }
    }

    /// The context.
    #[inline]
    pub fn context(&self) -> &'a [f64] {
        self.context
    }

    /// The reward of an arm, 0 or 1: drawn with the arm's mean in a made-up world; 1 for the right label in data.
    ///
    /// # Panics
    /// If there is no such arm.
    #[inline]
    pub fn reward(&self, arm: u32, rng: &mut SimRng) -> f64 {
        let hit = match self.truth {
            Truth::Law(law) => {
                assert!(arm < law.arms(), "there is no arm {arm}");
                rng.uniform() < law.mean(arm, self.context)
            }
            Truth::Label { label, arms } => {
                assert!(arm < arms, "there is no arm {arm}");
                arm == label
            }
        };
        f64::from(u8::from(hit))
    }

    /// What choosing this arm costs: the best arm's mean minus its mean in a made-up world. In data means are
    /// unknown, and it is a mistake (1) or none (0).
    #[inline]
    pub fn regret(&self, arm: u32) -> f64 {
        match self.truth {
            Truth::Law(law) => law.regret(arm, self.context),
            Truth::Label { label, .. } => f64::from(u8::from(arm != label)),
        }
    }
}

/// The rows in a random order, each with the same probability (Fisher and Yates).
pub(super) fn shuffled(rows: &[u32], rng: &mut SimRng) -> Vec<u32> {
    let mut order = rows.to_vec();
    for end in (1..order.len()).rev() {
        let bound = NonZeroU64::MIN.saturating_add(end as u64);
        order.swap(end, uniform_below(bound, rng) as usize);
    }
    order
}
