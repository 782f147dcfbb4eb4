//! Sources of randomness, none of which is `Clone`: a cloned generator repeats itself, and repeated
//! noise cancels out. A simulation's can be made again from its seed, which is its purpose; hence its label.
//!
//! ```compile_fail
//! fn twice<T: Clone>() {}
//! twice::<reticent_privacy::NoiseRng>();
//! ```
//! ```compile_fail
//! fn twice<T: Clone>() {}
//! twice::<reticent_privacy::SimRng>();
//! ```
//! ```
//! fn once<T: std::fmt::Debug>() {}
//! once::<reticent_privacy::NoiseRng>(); // it is the `Clone` above that does not compile
//! once::<reticent_privacy::SimRng>();
//! ```

/// Passes a newtype's draws on to the generator in it, and states where they come from.
macro_rules! generator {
    ($name:ident, $provenance:expr) => {
        impl rand_core::TryRng for $name {
            type Error = std::convert::Infallible;
            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                self.0.try_next_u32()
            }
            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                self.0.try_next_u64()
            }
            #[inline]
            fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
                self.0.try_fill_bytes(dst)
            }
        }

        impl rand_core::TryCryptoRng for $name {}
        impl $crate::rng::sealed::Sealed for $name {}
        impl $crate::rng::Generator for $name {
            const PROVENANCE: Provenance = $provenance;
        }
    };
}

mod float;
mod noise;
mod scripted;
mod sim;

use rand_core::CryptoRng;
use serde::{Deserialize, Serialize};

pub use noise::{EntropyError, NoiseRng};
pub use scripted::ScriptedRng;
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

/// A generator that samplers and mechanisms accept. Sealed: only this crate's can be one, so that no path
/// can be handed a weak one; and whoever is handed a seeded or scripted one can tell by its provenance.
pub trait Generator: CryptoRng + sealed::Sealed {
    /// Where this generator's numbers come from.
    const PROVENANCE: Provenance;
}

/// A borrowed generator is the generator it borrows: nothing is copied.
impl<G: Generator> Generator for &mut G {
    const PROVENANCE: Provenance = G::PROVENANCE;
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl<G: Sealed> Sealed for &mut G {}
}
