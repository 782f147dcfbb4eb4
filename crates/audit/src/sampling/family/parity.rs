//! The parity of two or three bits: each may be noise, and all together the secret, as with a one-time pad.

use super::screen::{Bit, Screen};
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Parities;

struct Parity(Vec<Bit>);

impl Family for Parities {
    fn fit(&self, _: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        screen.sets.iter().map(|set| Box::new(Parity(set.clone())) as Box<dyn Score>).collect()
    }
}

impl Score for Parity {
    fn score(&self, seen: &[f64]) -> f64 {
        f64::from(u8::from(self.0.iter().fold(false, |odd, bit| odd ^ bit.holds(seen))))
    }

    fn name(&self) -> String {
        let bits: Vec<String> = self.0.iter().map(|bit| bit.words()).collect();
        format!("parity of ({})", bits.join("; "))
    }
}
