//! The folder of a curator's accounts: nobody else can look into it.

use std::path::Path;

use super::AccountsError;

/// Makes the folder, closed to others. One that is there is closed to them, unless it holds other things.
pub(super) fn make_private(folder: &Path) -> Result<(), AccountsError> {
    let failed = |source: std::io::Error| AccountsError::folder(folder, &source);
    if !folder.exists() {
        return build(folder).map_err(failed);
    }
    if is_private(folder).map_err(failed)? {
        return Ok(());
    }
    let ours = ["key", "accounts.journal"];
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        if !ours.iter().any(|&one| name == one) {
            let fault = "other users can look into this folder, and it holds other things than accounts; name a \
                         folder of its own (--accounts DIR), or close it (`chmod 700`)";
            return Err(AccountsError::folder(folder, &fault));
        }
    }
    close(folder).map_err(failed)
}

#[cfg(unix)]
fn build(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent)?;
    }
    match std::fs::DirBuilder::new().mode(0o700).create(folder) {
        // Another process was quicker, with the same rights.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

#[cfg(unix)]
fn is_private(folder: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let others = 0o077;
    Ok(std::fs::metadata(folder)?.permissions().mode() & others == 0)
}

#[cfg(unix)]
fn close(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn build(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// A user's folders are their own there.
#[cfg(not(unix))]
fn is_private(_: &Path) -> std::io::Result<bool> {
    Ok(true)
}

#[cfg(not(unix))]
fn close(_: &Path) -> std::io::Result<()> {
    Ok(())
}
