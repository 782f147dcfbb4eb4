//! Experiments that a device's owner has looked at.
//!
//! Specs are written by servers. One that asks for more than it should (a category that names a person, a
//! huge epsilon) is stopped by whoever reads it, not by a mechanism: an owner lists the digests of those that
//! were read, and the device takes part in no other.

use std::collections::BTreeSet;

use reticent_schema::{Digest, Experiment};

use crate::DeviceError;

/// The digests of experiments that may be taken part in.
///
/// ```
/// use reticent_device::Vetted;
/// use reticent_privacy::Epsilon;
/// use reticent_protocol::mab::Spec;
/// let read = Spec::new(3, Epsilon::new(1.0)?)?;
/// let vetted = Vetted::new([read.digest()]);
/// assert!(vetted.check(read.experiment()).is_ok());
/// let changed = Spec::new(3, Epsilon::new(8.0)?)?;
/// assert!(vetted.check(changed.experiment()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vetted(BTreeSet<Digest>);

impl Vetted {
    /// These alone.
    pub fn new(digests: impl IntoIterator<Item = Digest>) -> Vetted {
        Vetted(digests.into_iter().collect())
    }

    /// Refuses an experiment that nobody has looked at.
    pub fn check(&self, experiment: &Experiment) -> Result<(), DeviceError> {
        let digest = experiment.digest();
        if self.0.contains(&digest) { Ok(()) } else { Err(DeviceError::NotVetted(digest)) }
    }
}
