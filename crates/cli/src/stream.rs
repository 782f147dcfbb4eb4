//! Standard output and standard error: the one place that writes them, and what is said there and how loudly.
//!
//! `print!`, `println!` and `eprintln!` of this crate are the ones below, so that no command can forget: a reader
//! that went away or a full disk ends nothing in the middle, and nothing panics.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use reticent_lab::clock::Stopwatch;

macro_rules! print {
    ($($text:tt)*) => { $crate::stream::say(format_args!($($text)*)) };
}

macro_rules! println {
    () => { $crate::stream::say(format_args!("\n")) };
    ($($text:tt)*) => {{
        $crate::stream::say(format_args!($($text)*));
        $crate::stream::say(format_args!("\n"));
    }};
}

/// What is good to know but no answer: --quiet leaves it out.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::stream::note(format_args!($($text)*)) };
}

/// What every command takes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Loudness {
    /// Say nothing but the answer, warnings and errors: no progress, no notes
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Log on standard error what is done and when (-vv: also which files are written); never anything of a record
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Colour help and messages; `auto` does so on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// What a log line is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// What is done.
    Steps = 1,
    /// Which files.
    Files = 2,
}

static LOUDNESS: OnceLock<(Loudness, Stopwatch)> = OnceLock::new();
/// The first failure of standard output; nothing is written after it.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Sets what is said for the rest of the process.
pub(crate) fn set(loudness: &Loudness) {
    // A second call changes nothing: there is one command in a process.
    let _ = LOUDNESS.set((loudness.clone(), Stopwatch::start()));
}

pub(crate) fn is_quiet() -> bool {
    LOUDNESS.get().is_some_and(|(loudness, _)| loudness.quiet)
}

/// The colours that were asked for, read before the call is known to be right: a wrong call is told in colour too.
pub(crate) fn color_choice(args: &[OsString]) -> clap::ColorChoice {
    let mut after = args.iter().skip_while(|arg| *arg != "--color").skip(1);
    let joined = args.iter().find_map(|arg| arg.to_str()?.strip_prefix("--color=").map(OsStr::new));
    match joined.or_else(|| after.next().map(OsString::as_os_str)).and_then(OsStr::to_str) {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

/// Whether to colour what goes to a stream that is a terminal or not.
pub(crate) fn colored(choice: clap::ColorChoice, is_terminal: bool) -> bool {
    match choice {
        clap::ColorChoice::Always => true,
        clap::ColorChoice::Never => false,
        clap::ColorChoice::Auto => {
            is_terminal && !is_set("NO_COLOR") && variable("TERM") != Some("dumb".into())
        }
    }
}

fn is_set(name: &str) -> bool {
    variable(name).is_some_and(|value| !value.is_empty())
}

#[allow(clippy::disallowed_methods, reason = "how a terminal wants its text, by its own convention")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

fn failed() -> std::sync::MutexGuard<'static, Option<io::Error>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to standard output; a failure is kept for [`finish`].
pub(crate) fn say(text: fmt::Arguments<'_>) {
    let _ = Output.write_fmt(text);
}

/// Standard output for who writes bytes, and stops when nobody takes them.
pub(crate) struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        kept(|| io::stdout().lock().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        kept(|| io::stdout().lock().flush())
    }
}

/// Keeps the first failure, and does nothing after it.
fn kept<T>(write: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut failed = failed();
    if let Some(error) = &*failed {
        return Err(error.kind().into());
    }
    let done = write();
    if let Err(error) = &done
        && error.kind() != io::ErrorKind::Interrupted
    {
        *failed =
            Some(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error));
    }
    done
}

/// Whether all of the answer went out. Whoever reads its first lines and goes away has what they want.
pub(crate) fn finish() -> Result<(), io::Error> {
    let _ = Output.flush();
    match failed().take() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// A note on standard error.
pub(crate) fn note(text: fmt::Arguments<'_>) {
    if !is_quiet() {
        to_standard_error(format_args!("{text}\n"));
    }
}

/// A warning: what was done stands, but is worth less than it seems.
pub(crate) fn warn(text: fmt::Arguments<'_>) {
    labelled("warning:", "\u{1b}[1;33m", text);
}

/// Why there is no answer.
pub(crate) fn error(text: fmt::Arguments<'_>) {
    labelled("error:", "\u{1b}[1;31m", text);
}

/// What is being done, for who asked with -v. `text` names steps and files, nothing of what files contain.
pub(crate) fn log(level: Level, text: fmt::Arguments<'_>) {
    if let Some((loudness, watch)) = LOUDNESS.get()
        && loudness.verbose >= level as u8
    {
        to_standard_error(format_args!("log: {:.2} s  {text}\n", watch.seconds()));
    }
}

fn labelled(label: &str, style: &str, text: fmt::Arguments<'_>) {
    let choice = match LOUDNESS.get().map(|(loudness, _)| loudness.color) {
        Some(Color::Always) => clap::ColorChoice::Always,
        Some(Color::Never) => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    };
    if colored(choice, io::stderr().is_terminal()) {
        to_standard_error(format_args!("{style}{label}\u{1b}[0m {text}\n"));
    } else {
        to_standard_error(format_args!("{label} {text}\n"));
    }
}

/// Nobody can be told that standard error fails.
pub(crate) fn to_standard_error(text: fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}
