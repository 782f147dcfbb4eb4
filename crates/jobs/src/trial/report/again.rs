//! How to make this design again: the plan as a file, and the commands that take it.

use reticent_curate::trial::TrialSpec;

use super::super::plan_file;
use super::Document;
use reticent_chart::page::Page;

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("This design, to copy");
    page.paragraph("The plan, as the file plan.toml. It is public, and was fixed before the first person:");
    page.code(&plan_file(&document.spec));
    page.paragraph("Try it in a made-up world, start it, and make this report again from its release:");
    page.code(&commands(&document.spec));
}

/// The commands, with the file's own names: nothing here is of the machine that the report was made on.
pub(super) fn commands(spec: &TrialSpec) -> String {
    let plan = spec.draft();
    let outcome = &plan.outcome;
    let width = outcome.width();
    let sd = if outcome.binary { String::new() } else { format!(" --sd {}", 0.2 * width) };
    let base = outcome.low + 0.4 * width;
    format!(
        "reticent trial simulate plan.toml --base {base} --effect {}{sd}\n\
         reticent trial start plan.toml --state trial.journal\n\
         reticent trial report release.json --out report",
        0.15 * width
    )
}
