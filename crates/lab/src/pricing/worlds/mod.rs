//! Markets as users have them: some meet what the method takes for granted, some do not.
//!
//! A world draws a log as its shop kept it and says what any price would really earn. Eleven were written
//! before the rule by which prices are chosen was made and were looked at while it was; the others were
//! written at the same time and are of another kind: the rule's limits were last chosen on other logs of both. The last
//! were written after the rule, and nothing was chosen by them.

mod eleven;
mod exam;
mod fresh;
mod held_out;
#[cfg(test)]
mod tests;
mod trial;
mod valued;

use reticent_privacy::SimRng;
use reticent_protocol::pricing::{Prices, PricesError, Terms, TermsError};
use reticent_schema::{Encoding, EncodingError, Range, RangeError};

pub use eleven::ELEVEN;
pub use exam::Exam;
pub use fresh::FRESH;
pub use held_out::HELD_OUT;
pub use trial::{Key, Logs, Shares};
pub use valued::{Held, Valued, ValuedKey};

use super::market::Logged;

/// A market, its log, and the market that prices are for. Contexts lie in the unit cube.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Coordinates of a context.
    pub dims: usize,
    /// The prices as they are declared: all from 0 to 1 if empty.
    pub listed: &'static [f64],
    /// The largest outcome; the smallest is 0.
    pub most: f64,
    /// What a unit costs.
    pub cost: f64,
    /// A context of the people that prices are for.
    pub target: fn(&mut SimRng, &mut [f64]),
    /// A record of the log: the context is put into the slice.
    pub draw: fn(&mut SimRng, &mut [f64]) -> Logged,
    /// The mean outcome if this price is set.
    pub demand: fn(&[f64], f64) -> f64,
}

/// Why a world cannot be declared: never for those here.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[allow(missing_docs, reason = "each is the error of the part that its name says")]
pub enum WorldError {
    Encoding(#[from] EncodingError),
    Prices(#[from] PricesError),
    Range(#[from] RangeError),
    Terms(#[from] TermsError),
}

/// Prices at which the best of a range is looked for.
const STEPS: usize = 240;

impl World {
    /// The terms that the shop declares.
    pub fn terms(&self) -> Result<Terms, WorldError> {
        let prices = match self.listed {
            [] => Prices::range(0.0, 1.0)?,
            list => Prices::points(list.to_vec())?,
        };
        Ok(Terms::new(Encoding::unit(self.dims)?, prices, Range::new(0.0, self.most)?)?)
    }

    /// A record of the log.
    pub fn draw(&self, rng: &mut SimRng, context: &mut [f64]) -> Logged {
        (self.draw)(rng, context)
    }

    /// A context of the people that prices are for.
    pub fn draw_target(&self, rng: &mut SimRng, context: &mut [f64]) {
        (self.target)(rng, context);
    }

    /// The mean outcome at a price.
    pub fn demand(&self, context: &[f64], price: f64) -> f64 {
        (self.demand)(context, price)
    }

    /// What a price really earns from a person.
    pub fn earned(&self, context: &[f64], price: f64) -> f64 {
        (price - self.cost) * self.demand(context, price)
    }

    /// The prices among which the best is looked for.
    pub fn offers(&self) -> Vec<f64> {
        match self.listed {
            [] => (0..=STEPS).map(|i| i as f64 / STEPS as f64).collect(),
            list => list.to_vec(),
        }
    }
}

/// The world of this name.
pub fn find(name: &str) -> Option<&'static World> {
    ELEVEN.iter().chain(&HELD_OUT).chain(&FRESH).find(|world| world.name == name)
}

/// One over one plus exp(-z).
fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-z))
}

/// Contexts that are even over the cube.
fn even(rng: &mut SimRng, context: &mut [f64]) {
    for coordinate in context {
        *coordinate = rng.uniform();
    }
}

/// One unit or none.
fn sold(rng: &mut SimRng, chance: f64) -> f64 {
    f64::from(u8::from(rng.uniform() < chance))
}

/// One of these, evenly.
fn one_of(rng: &mut SimRng, choices: &[f64]) -> f64 {
    choices[((rng.uniform() * choices.len() as f64) as usize).min(choices.len() - 1)]
}
