//! `reticent trial`: plan a trial, try the plan in a made-up world, run it on a table or step by step.

mod again;
mod amend;
mod analyse;
mod log;
mod plan;
mod repeat;
mod report;
mod run;
mod show;
mod shuffles;
mod simulate;
mod state;
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
        after_help = "Example:\n  reticent trial assign --state trial.journal --patient A-17 --feature site=north --actor 'ward 3'"
    )]
    Assign(steps::AssignArgs),
    /// Show the arm that a patient has, instead of assigning again
    #[command(after_help = "Example:\n  reticent trial assignment --state trial.journal --patient A-17")]
    Assignment(steps::PatientArgs),
    /// Record a patient's outcome
    #[command(
        after_help = "Example:\n  reticent trial record --state trial.journal --patient A-17 --outcome 1\n\n\
        One that is on record stays as it was: `trial correct` changes it."
    )]
    Record(steps::RecordArgs),
    /// Record that a patient's outcome will never come
    #[command(after_help = "Example:\n  reticent trial missing --state trial.journal --patient A-17")]
    Missing(steps::MissingArgs),
    /// Correct the outcome that a patient has on record
    #[command(
        after_help = "Examples:\n  reticent trial correct --state trial.journal --patient A-17 --outcome 0 --reason 'typing error'\n  \
        reticent trial correct --state trial.journal --patient A-18 --missing\n\n\
        The journal keeps both. A table that is published stands as it is. The same correction again changes nothing."
    )]
    Correct(amend::CorrectArgs),
    /// Record that a patient withdraws their consent
    #[command(after_help = "Example:\n  reticent trial withdraw --state trial.journal --patient A-17\n\n\
        Before their table is published their outcome is left out of it: they count as a person without one. A table that \
        is published stands. Nothing more is recorded for them. The journal keeps what was written before.")]
    Withdraw(amend::WithdrawArgs),
    /// Show every step with its time and who took it: for the curator alone
    #[command(after_help = "Examples:\n  reticent trial log --state trial.journal\n  \
        reticent trial log --state trial.journal --patient A-17 --json\n\n\
        Names and times are people's: keep them to yourself. Arms and outcomes are not shown.")]
    Log(log::Args),
    /// Show what anybody may see so far
    #[command(after_help = "Example:\n  reticent trial status --state trial.journal --json | jq .enrolled")]
    Status(steps::StatusArgs),
    /// Publish the last tables and end the trial
    #[command(
        after_help = "Example:\n  reticent trial stop --state trial.journal --out report --actor 'ward 3'\n\n\
        Asks for --yes if fewer than nine in ten planned people are enrolled, or anybody is not in a trial that published \
        tables before: its intervals are for the planned end."
    )]
    Stop(steps::StopArgs),
    /// Make the report of a published release again, with tables for other programs
    #[command(after_help = "Examples:\n  reticent trial report report/release.json --out tables\n  \
        reticent trial report report/release.json --json | jq '.effects[0]'\n\n\
        Writes report.json, report.html, and as CSV effects, counts, flow and checks, with dictionary.csv, which says what \
        every column means. All is computed from the release: it costs nobody anything.")]
    Report(report::Args),
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
        Command::Correct(args) => amend::correct(args),
        Command::Withdraw(args) => amend::withdraw(args),
        Command::Log(args) => log::run(args),
        Command::Status(args) => steps::status(args),
        Command::Stop(args) => steps::stop(args),
        Command::Report(args) => report::run(args),
    }
}
