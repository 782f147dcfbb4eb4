//! A journal may hold raw records and unspent budgets: nobody but its owner reads or writes it.

use std::fs::{File, OpenOptions};

use super::JournalError;

/// A new file is its owner's alone from the start.
#[cfg(unix)]
pub(super) fn alone(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

/// A file that came by other means, say from a copy, is closed to everybody else.
#[cfg(unix)]
pub(crate) fn close_to_others(file: &File) -> Result<(), JournalError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    let owners = mode & 0o700;
    if mode & 0o777 == owners {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(owners)).map_err(JournalError::OpenToOthers)
}

#[cfg(not(unix))]
pub(super) fn alone(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(not(unix))]
pub(crate) fn close_to_others(_: &File) -> Result<(), JournalError> {
    Ok(())
}
