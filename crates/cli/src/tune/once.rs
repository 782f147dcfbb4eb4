//! `reticent tune fit --once`.

use reticent_chart::numbers::count;
use reticent_jobs::tune::{Chosen, Once, ask};

use super::fit::{Args, Ready};
use super::show;
use crate::CliError;
use crate::curator;
use crate::progress::Bar;

pub(super) fn run(args: &Args, ready: &Ready, context: &str, bar: &Bar) -> Result<(), CliError> {
    let plan = ready.setting.draft();
    let asked = ask("--once", context, &plan.contexts)?;
    let once = Once {
        setting: &ready.setting,
        population: &ready.population,
        log: &ready.log,
        context: &asked,
        epsilon: args.epsilon()?,
        purse: ready.purse(args)?,
        old_account: Some(ready.old_account()),
        threads: ready.threads,
    };
    let chosen = once.run(bar);
    bar.finish();
    let Chosen { document, paid } = chosen?;
    if args.json {
        // The published document, and beside it what concerns the curator alone.
        let mut shown = serde_json::to_value(&document)?;
        // Levels by their names, which the document has as numbers.
        shown["named"] = serde_json::json!({
            "action": show::object(&plan.actions, &document.action()),
            "context": show::object(&plan.contexts, &asked),
        });
        curator::add_to(&mut shown, &paid);
        println!("{shown:#}");
        return Ok(());
    }
    if paid.stored {
        println!("released before: this is the stored action; nothing was spent");
    }
    println!("{}", show::pairs(&plan.actions, &document.action()));
    if !asked.is_empty() {
        println!("  for         {}", show::pairs(&plan.contexts, &asked));
    }
    println!("  guarantee   {}", document.guarantee());
    println!("  people      {}", count(document.people()));
    println!("  chosen of   {} actions; another context costs another epsilon", document.candidates());
    println!("  account     {}", curator::line(&paid.standing));
    Ok(())
}
