//! Shared by the statistical tests.

use reticent_privacy::SimSeed;

/// A correct auditor fails a test on a fresh seed with at most this probability.
pub(crate) const LEVEL: f64 = 1e-6;

/// The seed of the statistical tests: fixed, so that a run can be repeated; `make nightly` compiles in a fresh one.
pub(crate) fn seed() -> SimSeed {
    SimSeed(option_env!("RETICENT_TEST_SEED").and_then(|text| text.parse().ok()).unwrap_or(20_261_115))
}
