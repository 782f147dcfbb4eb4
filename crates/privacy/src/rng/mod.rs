//! Two sources of randomness, neither of which can be cloned: a cloned generator repeats itself, and repeated noise
//! cancels out.

mod float;
mod noise;
mod sim;

use rand_core::CryptoRng;
use serde::{Deserialize, Serialize};

pub use noise::{EntropyError, NoiseRng};
pub use sim::{SimRng, SimSeed, Stream};

/// Where random numbers came from. What a seed made protects nobody, and is marked so wherever it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// The operating system's entropy.
    #[serde(rename = "operating system entropy")]
    SystemEntropy,
    /// A seed: reproducible, hence not private.
    #[serde(rename = "simulation, not private")]
    Simulation,
}

impl Provenance {
    /// The words shown beside results.
    pub fn label(self) -> &'static str {
        match self {
            Provenance::SystemEntropy => "operating system entropy",
            Provenance::Simulation => "simulation, not private",
        }
    }
}

/// A generator that samplers and mechanisms accept. Sealed: only this crate's two can be one, so that no private path
/// can be handed a weak or repeating generator.
pub trait Generator: CryptoRng + sealed::Sealed {
    /// Where this generator's numbers come from.
    const PROVENANCE: Provenance;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}
