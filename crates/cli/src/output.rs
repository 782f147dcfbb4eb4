//! What commands share when they write files and numbers.

use std::path::{Path, PathBuf};

use reticent_chart::plot;
use reticent_store::files;

use super::CliError;

/// How much larger a PNG is than its chart.
const SCALE: f32 = 1.6;

/// What commands take that draw a policy and print it.
#[derive(clap::Args)]
pub(super) struct Shown {
    /// Draw the policy into this .svg or .png file
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    pub(super) force: bool,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub(super) json: bool,
}

/// A file is not replaced by accident.
pub(super) fn refuse_existing(path: &Path, force: bool) -> Result<(), CliError> {
    if path.exists() && !force {
        let text = format!("{} exists; choose another name, or replace it with --force", path.display());
        return Err(CliError::Usage(text));
    }
    Ok(())
}

/// Whether a plot's name asks for PNG; SVG otherwise.
pub(super) fn is_png(path: &Path) -> Result<bool, CliError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => Err(CliError::Usage(format!("--plot {}: the name must end in .svg or .png", path.display()))),
    }
}

/// Writes a chart in the form that its name asks for.
pub(super) fn write_chart(path: &Path, svg: String) -> Result<(), CliError> {
    let bytes = if is_png(path)? { plot::png(&svg, SCALE)? } else { svg.into_bytes() };
    Ok(files::write_whole(path, &bytes)?)
}

/// Whether both names are of one file, there or not.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::canonicalize(path)
            .or_else(|_| {
                Ok::<_, std::io::Error>(
                    std::fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default()),
                )
            })
            .unwrap_or_else(|_| path.to_path_buf())
    };
    whole(one) == whole(other)
}
