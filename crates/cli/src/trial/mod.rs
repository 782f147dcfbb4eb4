//! `reticent trial`: plan a trial, try the plan in a made-up world, run it on a table or step by step.

mod analyse;
mod plan;
mod repeat;
mod run;
mod show;
mod shuffles;
mod simulate;
mod steps;
mod world;

use super::CliError;

#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Run many trials in a made-up world: how often intervals hold, how long they are, what people pay
    #[command(after_help = "Examples:\n  reticent trial simulate --people 2000 --epsilon 1\n  \
        reticent trial simulate --people 6000 --strata 3 --shares 0.5,0.3,0.2 --alternate --epsilon 1 --out out/trial\n  \
        reticent trial simulate trial.toml --effect 0.2 --lost 0.1 --late 200,0.5,0.1\n  \
        reticent trial simulate --people 2000 --no-privacy --alpha 0 --json | jq '.methods[].everyone[0].coverage'")]
    Simulate(simulate::Args),
    /// Find how many people a trial needs for the wanted power, and write its plan
    #[command(
        after_help = "Examples:\n  reticent trial plan --better higher --effect 0.15 --base 0.4 --epsilon 1\n  \
        reticent trial plan --better higher --effect 5 --sd 20 --base 50 --range 0,100 --epsilon 0.5 --plot power.svg --write-spec SPEC.toml\n\n\
        Exit code 1 if --max-people are not enough."
    )]
    Plan(plan::Args),
    /// Run a trial on a table of people, who arrive row by row
    #[command(after_help = "Examples:\n  reticent trial run trial.toml --data people.csv.gz\n  \
        reticent trial run trial.toml --data people.csv --out report\n  \
        reticent trial run trial.toml --data people.csv --seed 1 --shuffles 500 --bootstrap\n\n\
        The file says how the table is read, in a section [replay]: `arm_column` and `arm_values` for a randomised table, with \
        the shares of its arms by its design as `observed` (there or with the plan); or `outcome_columns`, one for each arm.")]
    Run(run::Args),
    /// Release a finished trial's table once: effects, intervals, strata
    #[command(
        after_help = "Examples:\n  reticent trial analyse trial.toml --data people.csv.gz --out report\n  \
        reticent trial analyse trial.toml --data people.csv --seed 1 --bootstrap 500\n\n\
        The file says how the table is read, in a section [replay]: `arm_column` and `arm_values`. Who got which arm, and how \
        many people there are, is public."
    )]
    Analyse(analyse::Args),
    /// Start a trial in a state file
    #[command(after_help = "Example:\n  reticent trial start trial.toml --state trial.journal\n  \
        reticent trial assign --state trial.journal --patient A-17 --feature site=north\n  \
        reticent trial record --state trial.journal --patient A-17 --outcome 1\n  \
        reticent trial stop --state trial.journal --out report\n\n\
        The state file holds raw records: it belongs to the curator alone.")]
    Start(steps::StartArgs),
    /// Assign an arm to the next patient
    #[command(
        after_help = "Example:\n  reticent trial assign --state trial.journal --patient A-17 --feature site=north --json"
    )]
    Assign(steps::AssignArgs),
    /// Show the arm that a patient has, instead of assigning again
    #[command(after_help = "Example:\n  reticent trial assignment --state trial.journal --patient A-17")]
    Assignment(steps::PatientArgs),
    /// Record a patient's outcome
    #[command(
        after_help = "Example:\n  reticent trial record --state trial.journal --patient A-17 --outcome 1"
    )]
    Record(steps::RecordArgs),
    /// Record that a patient's outcome will never come
    #[command(after_help = "Example:\n  reticent trial missing --state trial.journal --patient A-17")]
    Missing(steps::PatientArgs),
    /// Show what anybody may see so far
    #[command(after_help = "Example:\n  reticent trial status --state trial.journal")]
    Status(steps::StatusArgs),
    /// Publish the last tables and end the trial
    #[command(after_help = "Example:\n  reticent trial stop --state trial.journal --out report")]
    Stop(steps::StopArgs),
}

pub(super) fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Simulate(args) => simulate::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Analyse(args) => analyse::run(args),
        Command::Start(args) => steps::start(args),
        Command::Assign(args) => steps::assign(args),
        Command::Assignment(args) => steps::assignment(args),
        Command::Record(args) => steps::record(args),
        Command::Missing(args) => steps::missing(args),
        Command::Status(args) => steps::status(args),
        Command::Stop(args) => steps::stop(args),
    }
}
