//! Libraries that panic at damaged files: that is damage, not the end of the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread will be told as damage: then a panic hook has nothing to say, and must not, since the
/// panic's words may quote what a file holds.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What a library makes of a file; none if it panicked. Whatever it worked on then is not to be used again.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    let before = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(before);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_guards_no_longer() {
        assert_eq!(guarded(|| assert!(!is_guarded(), "on order")), None);
        assert_eq!(guarded(is_guarded), Some(true));
        assert!(!is_guarded());
    }
}
