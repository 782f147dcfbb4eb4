//! A person's context and choice: clipped, and shown to nobody.

use std::fmt;

use reticent_privacy::NotFinite;

use super::Refusal;

/// 1, and 2 x - 1 for each coordinate x of the context clipped to [0, 1]: the model's features, all in [-1, 1].
pub(super) struct Features(Vec<f64>);

impl Features {
    pub(super) fn clip(context: &[f64], dims: u32) -> Result<Features, Refusal> {
        if context.len() != dims as usize {
            return Err(Refusal::Dims { dims });
        }
        if !context.iter().all(|x| x.is_finite()) {
            return Err(Refusal::Context(NotFinite));
        }
        let centred = context.iter().map(|x| 2.0 * x.clamp(0.0, 1.0) - 1.0);
        Ok(Features(std::iter::once(1.0).chain(centred).collect()))
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

/// The arm that a person plays, with what is needed to answer.
pub struct Choice {
    pub(super) arm: u32,
    pub(super) features: Features,
}

impl Choice {
    /// The arm to play.
    pub fn arm(&self) -> u32 {
        self.arm
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Choice { .. }")
    }
}
