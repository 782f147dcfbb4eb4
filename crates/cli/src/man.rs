//! `reticent completions` and `reticent man`: made from the same description as the help texts.

use clap::Command;
use clap_complete::Shell;

use super::CliError;
use crate::stream::Output;

#[derive(clap::Args)]
pub(super) struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(clap::Args)]
pub(super) struct Args {
    /// The command whose page is wanted, such as `price fit` [default: all of reticent]
    #[arg(value_name = "COMMAND")]
    of: Vec<String>,
}

pub(super) fn completions(args: &CompletionArgs, mut command: Command) {
    // The generator expects a writer that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "reticent", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
}

pub(super) fn run(args: &Args, mut command: Command) -> Result<(), CliError> {
    command.build();
    for name in &args.of {
        let path = command.get_display_name().unwrap_or(command.get_name()).to_string();
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| CliError::Usage(format!("{path} has no command {name:?}")))?;
    }
    // Standard output keeps its own failures.
    let _ = clap_mangen::Man::new(command).render(&mut Output);
    Ok(())
}
