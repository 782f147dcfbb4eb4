//! What the three commands show alike.

use std::fmt::Write;
use std::path::Path;

use reticent_curate::kernel::{Input, Plan, Setting};
use reticent_lab::kernel::tune::{Asked, Function, Paid, charts, tidy};
use reticent_lab::{files, plot};
use reticent_privacy::{Loss, TrustModel};
use serde_json::{Map, Value, json};

use crate::cli::CliError;

/// What is tuned to what: `dose by age, weight`.
pub(super) fn subject(plan: &Plan) -> String {
    let names =
        |inputs: &[Input]| inputs.iter().map(|input| input.column.as_str()).collect::<Vec<_>>().join(", ");
    let actions = names(&plan.actions);
    if plan.contexts.is_empty() { actions } else { format!("{actions} by {}", names(&plan.contexts)) }
}

/// `age = 40, weight = 70`.
pub(super) fn pairs(inputs: &[Input], values: &[f64]) -> String {
    let each = inputs.iter().zip(values).map(|(input, value)| format!("{} = {}", input.column, tidy(*value)));
    each.collect::<Vec<_>>().join(", ")
}

/// The same for programs.
pub(super) fn object(inputs: &[Input], values: &[f64]) -> Value {
    Value::Object(
        inputs
            .iter()
            .zip(values)
            .map(|(input, value)| (input.column.clone(), json!(value)))
            .collect::<Map<_, _>>(),
    )
}

/// A note about what was clipped.
pub(super) fn note_clipped(asked: &Asked) {
    if !asked.clipped.is_empty() {
        eprintln!("note: outside its declared range and clipped to it: {}", asked.clipped.join(", "));
    }
}

/// A file is not replaced by accident.
pub(in crate::cli) fn refuse_existing(path: &Path, force: bool) -> Result<(), CliError> {
    if path.exists() && !force {
        let text = format!("{} exists; choose another name, or replace it with --force", path.display());
        return Err(CliError::Usage(text));
    }
    Ok(())
}

/// Whether a plot's name asks for PNG; SVG otherwise.
pub(in crate::cli) fn is_png(path: &Path) -> Result<bool, CliError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => Err(CliError::Usage(format!("--plot {}: the name must end in .svg or .png", path.display()))),
    }
}

/// Draws the function into a file.
pub(super) fn draw(function: &Function, path: &Path) -> Result<(), CliError> {
    let svg = charts(function);
    let bytes = if is_png(path)? { plot::png(&svg, 1.6)? } else { svg.into_bytes() };
    Ok(files::write_whole(path, &bytes)?)
}

/// The account after a release, in a line.
pub(super) fn account(paid: &Paid) -> String {
    let (epsilon, delta) = paid.limit;
    let spent = match paid.spent {
        Some(Loss::Pure { epsilon }) => format!("epsilon {epsilon}"),
        Some(Loss::Approximate { epsilon, delta }) => format!("epsilon {epsilon} and delta {delta}"),
        _ => "a loss of another kind".into(),
    };
    format!("{spent} spent of epsilon {epsilon} and delta {delta}")
}

/// The same for programs.
pub(super) fn account_document(path: &Path, paid: &Paid) -> Value {
    let (epsilon, delta) = paid.limit;
    json!({ "file": path, "spent": paid.spent, "limit": { "epsilon": epsilon, "delta": delta } })
}

/// What a function's numbers are worth, in a line.
pub(super) fn origin(function: &Function) -> String {
    let release = function.release();
    let mut text = format!("{}, learned from {} people", release.guarantee(), release.people());
    if release.guarantee().trust_model == TrustModel::NoPrivacy {
        // Writing to a string cannot fail.
        let _ = write!(text, " with noise from a seed");
    }
    text
}

/// Every input's length scale, as a share of its range.
pub(super) fn lengths(setting: &Setting) -> String {
    let plan = setting.plan();
    let one = |input: &Input| format!("{} {}", input.column, input.length);
    let all: Vec<String> = plan.actions.iter().chain(&plan.contexts).map(one).collect();
    format!("{} (shares of their ranges)", all.join(", "))
}

/// Whether both names are of one file, there or not.
pub(in crate::cli) fn same(one: &Path, other: &Path) -> bool {
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

/// A whole number with commas.
pub(in crate::cli) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
