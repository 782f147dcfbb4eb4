//! The command as text: one snapshot for each command and each error.
//!
//! After a wanted change: `TRYCMD=overwrite cargo test -p reticent --test cli`.

#[test]
fn snapshots() {
    // Accounts lie in each case's own folder.
    trycmd::TestCases::new().env("RETICENT_ACCOUNTS", "accounts").case("tests/cli/*.trycmd");
}
