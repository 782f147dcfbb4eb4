//! What is said of a fault of the program itself. A panic's own words may quote a record, so that only its place is
//! told.

use std::panic::{PanicHookInfo, set_hook};

use reticent_store::guard::is_guarded;

use crate::stream;

/// From now on; a panic that will be told as a damaged file is not told here too.
pub(crate) fn say_nothing_of_records() {
    set_hook(Box::new(|panic| {
        if !is_guarded() {
            stream::to_standard_error(format_args!("{}", told(panic)));
        }
    }));
}

fn told(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    format!(
        "reticent panicked at {place}: a fault of the program; please report this line, which quotes no data\n"
    )
}
