//! Where the noise came from of what a guarantee stands beside.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Guarantee, Loss, TrustModel};
use crate::Provenance;

/// The noise of what a guarantee stands beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Noise {
    /// Something was made, and does not say with which noise: documents of version 1.
    #[serde(rename = "not stated")]
    NotStated,
    /// Nothing was made yet. A mechanism, an agent or a plan promises this of the operating system's noise.
    #[default]
    #[serde(skip)]
    NotDrawn,
    /// Something was made with this noise.
    #[serde(untagged)]
    Drawn(Provenance),
}

/// A loss, and who is trusted for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// Who is trusted.
    pub trust_model: TrustModel,
    /// How much may leak.
    pub loss: Loss,
}

impl Noise {
    /// The words shown beside results.
    pub fn label(self) -> &'static str {
        match self {
            Noise::NotStated => "not stated",
            Noise::NotDrawn => "not drawn yet",
            Noise::Drawn(provenance) => provenance.label(),
        }
    }

    /// The noise of what was made of two things: that of the one which protects less.
    #[must_use]
    pub fn and(self, other: Noise) -> Noise {
        if self.weakness() >= other.weakness() { self } else { other }
    }

    fn weakness(self) -> u8 {
        match self {
            Noise::NotDrawn => 0,
            Noise::Drawn(Provenance::SystemEntropy) => 1,
            Noise::NotStated => 2,
            Noise::Drawn(Provenance::Simulation) => 3,
        }
    }

    pub(super) fn is_not_drawn(&self) -> bool {
        *self == Noise::NotDrawn
    }
}

impl From<Provenance> for Noise {
    fn from(provenance: Provenance) -> Noise {
        Noise::Drawn(provenance)
    }
}

/// What a document says, if it says anything.
impl From<Option<Provenance>> for Noise {
    fn from(stated: Option<Provenance>) -> Noise {
        stated.map_or(Noise::NotStated, Noise::Drawn)
    }
}

impl Guarantee {
    /// The guarantee of what was made with this noise. A seed leaves nothing of it but what it would be.
    ///
    /// Calling it again can only weaken the guarantee: what was made of two things is as weak as the weaker.
    ///
    /// ```
    /// use reticent_privacy::{mechanism::{BernoulliResponse, Mechanism}, Epsilon, Provenance};
    /// let promised = BernoulliResponse::new(Epsilon::new(1.0)?).guarantee();
    /// let simulated = promised.made_with(Provenance::Simulation);
    /// assert_eq!(simulated.to_string(), "simulation, not private (would be 1-DP, local model)");
    /// assert_eq!(simulated.protects(), Some(false));
    /// # Ok::<(), reticent_privacy::LossError>(())
    /// ```
    #[must_use]
    pub fn made_with(mut self, noise: impl Into<Noise>) -> Guarantee {
        self.noise = self.noise.and(noise.into());
        if self.is_simulated() && self.loss != Loss::Unbounded {
            self.would_be = Some(self.promise());
            (self.trust_model, self.loss) = (TrustModel::NoPrivacy, Loss::Unbounded);
        }
        self
    }

    /// What it is with noise from the operating system.
    pub fn promise(&self) -> Promise {
        self.would_be.unwrap_or(Promise { trust_model: self.trust_model, loss: self.loss })
    }

    /// Whether a seed made it.
    pub fn is_simulated(&self) -> bool {
        self.noise == Noise::Drawn(Provenance::Simulation)
    }

    /// Whether what it stands beside protects people; none if that cannot be told, since the noise is not
    /// drawn or not stated.
    pub fn protects(&self) -> Option<bool> {
        match (self.loss, self.noise) {
            (Loss::Unbounded, _) | (_, Noise::Drawn(Provenance::Simulation)) => Some(false),
            (_, Noise::Drawn(Provenance::SystemEntropy)) => Some(true),
            (_, Noise::NotDrawn | Noise::NotStated) => None,
        }
    }

    /// Whether both say the same, in whatever words.
    pub fn agrees_with(&self, other: &Guarantee) -> bool {
        let said = |one: &Guarantee| (one.trust_model, one.loss, one.noise, one.would_be);
        said(self) == said(other)
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.loss {
            Loss::Pure { epsilon } => write!(f, "{epsilon}-DP, {}", self.trust_model),
            Loss::Approximate { epsilon, delta } => {
                write!(f, "({epsilon}, {delta})-DP, {}", self.trust_model)
            }
            Loss::Concentrated { rho } => write!(f, "{rho}-zCDP, {}", self.trust_model),
            Loss::Unbounded => write!(f, "not private"),
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promise = self.promise();
        match self.noise {
            _ if promise.loss == Loss::Unbounded => write!(f, "{promise}"),
            Noise::Drawn(Provenance::Simulation) => {
                write!(f, "{} (would be {promise})", Provenance::Simulation.label())
            }
            Noise::NotStated => write!(f, "{promise} (where its noise came from is not stated)"),
            Noise::NotDrawn | Noise::Drawn(Provenance::SystemEntropy) => write!(f, "{promise}"),
        }
    }
}
