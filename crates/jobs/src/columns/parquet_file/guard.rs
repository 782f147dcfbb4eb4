//! The library panics on some damaged files, such as one whose dictionary cannot be found: that is damage, not the end
//! of the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

use super::super::{Fault, Trouble};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread will be told as a damaged file: then a panic hook has nothing to say, and must not,
/// since the panic's words may quote what the file holds.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What panicked is not used again.
pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Trouble> {
    GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(false);
    done.map_err(|_| Fault::Damaged)?.map_err(trouble)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_damage_and_guards_no_longer_than_it_is_caught() {
        let told = guarded::<()>(|| {
            assert!(is_guarded());
            panic!("on order");
        });
        assert!(matches!(told, Err(Trouble::Fault(Fault::Damaged))));
        assert!(!is_guarded());
    }
}
