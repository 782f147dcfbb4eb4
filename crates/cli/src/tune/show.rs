//! What the three commands show alike.

use std::path::Path;

use reticent_chart::numbers::tidy;
use reticent_curate::kernel::{Draft, Input, KernelSpec};
use reticent_jobs::tune::{Function, charts};
use serde_json::{Map, Value, json};

use crate::CliError;
use crate::output::write_chart;

/// What is tuned to what: `dose by age, weight`.
pub(super) fn subject(plan: &Draft) -> String {
    let names =
        |inputs: &[Input]| inputs.iter().map(|input| input.column.as_str()).collect::<Vec<_>>().join(", ");
    let actions = names(&plan.actions);
    if plan.contexts.is_empty() { actions } else { format!("{actions} by {}", names(&plan.contexts)) }
}

/// `age = 40, weight = 70`.
pub(super) fn pairs(inputs: &[Input], values: &[f64]) -> String {
    let each = inputs.iter().zip(values).map(|(input, value)| {
        let shown = input.level(*value).map_or_else(|| tidy(*value), String::from);
        format!("{} = {shown}", input.column)
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The same for programs.
pub(super) fn object(inputs: &[Input], values: &[f64]) -> Value {
    Value::Object(
        inputs
            .iter()
            .zip(values)
            .map(|(input, value)| {
                (input.column.clone(), input.level(*value).map_or(json!(value), |level| json!(level)))
            })
            .collect::<Map<_, _>>(),
    )
}

/// Draws the function into a file.
pub(super) fn draw(function: &Function, path: &Path) -> Result<(), CliError> {
    write_chart(path, charts(function))
}

/// What a function's numbers are worth, in a line.
pub(super) fn origin(function: &Function) -> String {
    let release = function.release();
    format!("{}, learned from {} people", release.guarantee(), release.people())
}

/// Every input's length scale, as a share of its range.
pub(super) fn lengths(setting: &KernelSpec) -> String {
    let plan = setting.draft();
    let one = |input: &Input| format!("{} {}", input.column, input.length);
    let all: Vec<String> = plan.actions.iter().chain(&plan.contexts).map(one).collect();
    format!("{} (shares of their ranges)", all.join(", "))
}
