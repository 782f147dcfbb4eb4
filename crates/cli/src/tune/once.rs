//! `reticent tune fit --once`.

use reticent_chart::numbers::count;
use reticent_jobs::tune::{Chosen, Once, ask};
use serde_json::json;

use super::fit::{Args, Ready};
use super::show;
use crate::CliError;
use crate::progress::Bar;

pub(super) fn run(args: &Args, ready: &Ready, context: &str, bar: &Bar) -> Result<(), CliError> {
    let plan = ready.setting.draft();
    let asked = ask("--once", context, &plan.contexts)?;
    show::note_clipped(&asked);
    let once = Once {
        setting: &ready.setting,
        population: &ready.population,
        log: &args.log,
        context: &asked.values,
        epsilon: args.epsilon,
        purse: ready.purse(),
        threads: ready.threads,
    };
    let chosen = once.run(bar);
    bar.finish();
    let Chosen { action, guarantee, people, candidates, paid } = chosen?;
    if args.json {
        let document = json!({
            "guarantee": guarantee,
            "people": people,
            "context": show::object(&plan.contexts, &asked.values),
            "action": show::object(&plan.actions, &action),
            "candidates": candidates,
            "stored": paid.stored,
            "account": show::account_document(&ready.account, &paid),
        });
        println!("{document:#}");
        return Ok(());
    }
    if paid.stored {
        println!("released before: this is the stored action; nothing was spent");
    }
    println!("{}", show::pairs(&plan.actions, &action));
    if !asked.values.is_empty() {
        println!("  for         {}", show::pairs(&plan.contexts, &asked.values));
    }
    println!("  guarantee   {guarantee}");
    println!("  people      {}", count(people));
    println!("  chosen of   {candidates} actions; another context costs another epsilon");
    println!("  account     {}: {}", ready.account.display(), show::account(&paid));
    Ok(())
}
