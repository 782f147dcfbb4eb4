//! The command as text: one snapshot for each command and each error.
//!
//! After a wanted change: `TRYCMD=overwrite cargo test -p reticent --test cli`.

#[test]
fn snapshots() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}
