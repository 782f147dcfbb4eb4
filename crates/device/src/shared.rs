//! Generators that serve one person after another.

use reticent_privacy::{Generator, SimRng};

/// A simulation's generator, or one that devices share.
pub trait Shared: Generator {}
impl Shared for SimRng {}
impl<G: Generator> Shared for &mut G {}
