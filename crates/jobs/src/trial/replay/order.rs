//! In which order a table's people arrive.

use std::num::NonZeroU64;

use reticent_privacy::Generator;
use reticent_privacy::exact::uniform_below;

/// How the order is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// As in the file.
    InOrder,
    /// Everyone once, in random order.
    Shuffled,
    /// Each arrival is anybody: the table is a population, and people are drawn from it with replacement.
    Bootstrap,
}

/// Rows in the order of their arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order(Vec<u32>);

impl Order {
    /// At most `people` arrivals from a table with so many rows.
    pub fn new<G: Generator>(drawn: Drawn, rows: u32, people: u64, rng: &mut G) -> Order {
        let few = people.min(rows.into()) as usize;
        Order(match drawn {
            Drawn::InOrder => (0..few as u32).collect(),
            Drawn::Shuffled => {
                let mut all: Vec<u32> = (0..rows).collect();
                // Fisher and Yates, from the front: the first `few` are all that is needed.
                for place in 0..few {
                    let other = place + below((all.len() - place) as u64, rng) as usize;
                    all.swap(place, other);
                }
                all.truncate(few);
                all
            }
            Drawn::Bootstrap => (0..people).map(|_| below(rows.into(), rng) as u32).collect(),
        })
    }

    /// The rows.
    pub fn rows(&self) -> &[u32] {
        &self.0
    }
}

fn below<G: Generator>(bound: u64, rng: &mut G) -> u64 {
    NonZeroU64::new(bound).map_or(0, |bound| uniform_below(bound, rng))
}
