//! The library panics on some damaged files, such as one whose dictionary cannot be found. What panicked is not used
//! again.

use parquet::errors::ParquetError;
use reticent_store::guard;

use super::super::{Fault, Trouble};

pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Trouble> {
    guard::guarded(call).ok_or(Fault::Damaged)?.map_err(trouble)
}

/// A failure of the system is told as it is. The library's own words stay unsaid, since they may quote what
/// the file holds.
fn trouble(error: ParquetError) -> Trouble {
    if let ParquetError::External(source) = error
        && let Ok(source) = source.downcast::<std::io::Error>()
        && source.raw_os_error().is_some()
    {
        return Trouble::Io(*source);
    }
    Fault::Damaged.into()
}
