//! Whatever bytes arrive, nothing panics, and what is accepted is written back as the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reticent_protocol::mab::Report;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(report) = Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
});
