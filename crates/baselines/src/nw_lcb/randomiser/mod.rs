//! The people's side: one sale, privatised (Algorithm 1).
//!
//! The proof is in `crates/baselines/src/nw_lcb/agent/guarantee.md`.

#[cfg(test)]
mod tests;

use reticent_privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent_privacy::{Generator, NotFinite, UnitGrid};

use crate::nw_lcb::{Report, Spec};

/// Makes people's reports, one person after another. A baseline has no ledger: in a simulation each person
/// reports once.
///
/// ```
/// use reticent_baselines::nw_lcb::{Spec, randomiser::Randomiser};
/// use reticent_privacy::{Epsilon, NoiseRng};
///
/// let spec = Spec::new(1, 3, Epsilon::new(1.0)?)?;
/// let report = Randomiser::new(&spec, NoiseRng::from_os()?).report(&[0.2], 0.9, 0.7)?;
/// assert_eq!(report.values.len(), 2 * 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Randomiser<G> {
    spec: Spec,
    mechanism: LaplaceResponse,
    noise: G,
}

/// Why nothing was sent. No message contains the context, the price or the reward.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The context has another number of coordinates.
    #[error("the context must have {0} coordinates; nothing was sent")]
    WrongContext(u32),
    /// A coordinate of the context, the price or the reward is no number.
    #[error("the context, the price or the reward: {0}")]
    NotFinite(#[from] NotFinite),
}

impl<G: Generator> Randomiser<G> {
    /// For the people of this experiment.
    pub fn new(spec: &Spec, noise: G) -> Randomiser<G> {
        let mechanism = LaplaceResponse::new(spec.value_epsilon());
        Randomiser { spec: spec.clone(), mechanism, noise }
    }

    /// Privatises the record (Algorithm 1). Context, price and reward are clipped to [0, 1]. What is no
    /// number is refused.
    pub fn report(&mut self, context: &[f64], price: f64, reward: f64) -> Result<Report, Refusal> {
        let cell = self.cell(context, price)?;
        let reward = UnitGrid::clip(reward)?;
        let (zero, one) = (UnitGrid::clip(0.0)?, UnitGrid::clip(1.0)?);
        Ok(self.privatised(cell, [one, reward], zero))
    }

    /// W and Z of every cell, each with its own noise; all are zero but for those of the person's own cell.
    fn privatised(&mut self, own: usize, record: [UnitGrid; 2], zero: UnitGrid) -> Report {
        let mut values = Vec::with_capacity(2 * self.spec.cells());
        for cell in 0..self.spec.cells() {
            let pair = if cell == own { record } else { [zero; 2] };
            values.extend(pair.map(|value| self.mechanism.release_with(value, &mut self.noise)));
        }
        Report { values }
    }

    fn cell(&self, context: &[f64], price: f64) -> Result<usize, Refusal> {
        if context.len() != self.spec.dims() as usize {
            return Err(Refusal::WrongContext(self.spec.dims()));
        }
        let clipped: Vec<f64> = context.iter().map(|x| x.clamp(0.0, 1.0)).collect();
        if !context.iter().chain([&price]).all(|x| x.is_finite()) {
            return Err(NotFinite.into());
        }
        // A clipped number is inside the cube.
        self.spec.cell(&clipped, price.clamp(0.0, 1.0)).ok_or(Refusal::NotFinite(NotFinite))
    }
}
