//! What commands share when they write files and documents.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use reticent_chart::plot;
use reticent_store::{Claim, files};
use serde::Serialize;

use super::CliError;
use crate::stream::{self, Level};

/// How much larger a PNG is than its chart.
const SCALE: f32 = 1.6;

/// What commands take that write files.
#[derive(clap::Args)]
pub(super) struct Replace {
    /// Replace files that exist
    #[arg(long)]
    pub(super) force: bool,
}

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

/// Files that this command is going to write. They are its own until it ends.
static CLAIMS: Mutex<Vec<Claim>> = Mutex::new(Vec::new());

/// Makes sure, before any work, that this file can be written: it is not there or may be replaced, its folder can be
/// written, and no other command is writing it.
pub(super) fn claim(path: &Path, force: bool) -> Result<(), CliError> {
    let mut claims = CLAIMS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if claims.iter().any(|claim| claim.is_of(path)) {
        let text =
            format!("{} is named for two different files; choose another name for one", path.display());
        return Err(CliError::Usage(text));
    }
    claims.push(Claim::of(path, force)?);
    stream::log(Level::Files, format_args!("will write {}", path.display()));
    Ok(())
}

/// The same for files in a folder.
pub(super) fn claim_in(folder: &Path, names: &[&str], force: bool) -> Result<(), CliError> {
    names.iter().try_for_each(|name| claim(&folder.join(name), force))
}

/// The same for a chart, whose name says its form.
pub(super) fn claim_chart(path: &Path, force: bool) -> Result<(), CliError> {
    is_png(path)?;
    claim(path, force)
}

/// Gives up every claim: the command ends.
pub(super) fn release() {
    if let Ok(mut claims) = CLAIMS.try_lock() {
        claims.clear();
    }
}

/// A document that says what it is: `format` is `reticent-` and its kind.
#[derive(Serialize)]
struct Document<'a, T> {
    format: String,
    version: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// The version of every document that a command prints, until one of them changes. `docs/schemas` has a schema for each
/// kind.
const VERSION: u32 = 1;

/// What `--json` prints.
pub(super) fn document<T: Serialize>(kind: &str, body: &T) -> Result<String, CliError> {
    Ok(serde_json::to_string_pretty(&Document {
        format: format!("reticent-{kind}"),
        version: VERSION,
        body,
    })?)
}

/// Prints it.
pub(super) fn print_document<T: Serialize>(kind: &str, body: &T) -> Result<(), CliError> {
    println!("{}", document(kind, body)?);
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
