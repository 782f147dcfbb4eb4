//! What an audit runs: the same code with real noise and with seeded noise.

use reticent_audit::{Audit, AuditError, Finding, Observation};
use reticent_privacy::{Generator, SimSeed};

/// Something whose outputs on neighbouring inputs are to be compared.
pub trait Subject: Sync {
    /// A private input.
    type Input: Sync;

    /// What an attacker sees of one run.
    fn observe<G: Generator>(&self, input: &Self::Input, rng: &mut G) -> Observation;
}

/// How hard an audit looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Runs of each input, once to search and once more to test.
    pub samples: usize,
    /// Threads.
    pub threads: usize,
    /// Seeded noise instead of the operating system's: the same finding each time.
    pub seed: Option<SimSeed>,
}

impl Effort {
    /// Makes the audit with this effort.
    pub fn measure<S: Subject>(&self, audit: Audit<S::Input>, subject: &S) -> Result<Finding, AuditError> {
        let audit = audit.samples(self.samples).threads(self.threads);
        match self.seed {
            None => audit.run(|input, rng| subject.observe(input, rng)),
            Some(seed) => audit.run_seeded(seed, |input, rng| subject.observe(input, rng)),
        }
    }
}
