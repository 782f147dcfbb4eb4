//! The next actions to try.

use std::io::Write;
use std::num::NonZeroU64;
use std::path::Path;

use reticent_curate::kernel::KernelSpec;
use reticent_privacy::{Generator, exact};

use super::TuneError;
use super::table::csv_failed;
use reticent_store::files;

/// As many as a double has digits for.
const STEPS: NonZeroU64 = NonZeroU64::MIN.saturating_add((1 << 53) - 1);

/// Writes `count` actions, a row each, drawn evenly over the declared ranges. They depend on nobody, so that
/// they may be known.
pub fn draw_actions<G: Generator>(
    setting: &KernelSpec,
    count: u64,
    path: &Path,
    rng: &mut G,
) -> Result<(), TuneError> {
    files::write_stream(path, |out: &mut dyn Write| {
        let failed = |error| csv_failed(path, error);
        let mut table = csv::Writer::from_writer(out);
        table.write_record(setting.draft().actions.iter().map(|input| &input.column)).map_err(failed)?;
        for _ in 0..count {
            let place = |rng: &mut G| exact::uniform_below(STEPS, rng) as f64 / STEPS.get() as f64;
            let row = (0..setting.actions()).map(|input| setting.unscaled(input, place(rng)).to_string());
            table.write_record(row).map_err(failed)?;
        }
        table.flush().map_err(|error| csv_failed(path, error.into()))
    })
}
