//! How far the work is, on standard error: a bar on a terminal, elsewhere a line now and then. And Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use reticent_jobs::Progress;
use reticent_store::files;

use crate::output;
use crate::stream::{self, Level};

/// What a command exits with when it was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;
/// A command that was asked to stop has so long to put things in order.
const GRACE: Duration = Duration::from_millis(700);
/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

static STOP: AtomicBool = AtomicBool::new(false);
/// The command ends by itself when it is asked to, however long it takes.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// From now on one Ctrl-C only asks: a server has answers to finish. A second one ends it all the same.
pub(crate) fn wait_for_the_command() {
    PATIENT.store(true, Ordering::Relaxed);
}

/// Whether the command was asked to stop.
pub(crate) fn is_interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// From now on Ctrl-C asks the command to stop, and ends it if it has not within a second. A second Ctrl-C ends it at
/// once. Nothing is lost that was promised to be kept: what is on the disk survives a crash.
pub(crate) fn listen_for_interrupts() {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            end_now();
        }
        if PATIENT.load(Ordering::Relaxed) {
            return;
        }
        std::thread::spawn(|| {
            wait(GRACE);
            end_now();
        });
    };
    if ctrlc::set_handler(handler).is_err() {
        stream::log(Level::Steps, format_args!("Ctrl-C will end the program at once"));
    }
}

#[allow(clippy::disallowed_methods, reason = "what is promised is a time")]
fn wait(time: Duration) {
    std::thread::sleep(time);
}

/// Takes back what is half written, and ends the process.
fn end_now() -> ! {
    output::release();
    files::remove_unfinished();
    stream::error(format_args!("interrupted"));
    std::process::exit(INTERRUPTED.into());
}

/// A bar over people that also hears of Ctrl-C.
pub(crate) struct Bar {
    bar: ProgressBar,
    lines: Option<Lines>,
}

/// Says how far the bar is until it is told to end.
struct Lines {
    ended: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Lines {
    fn about(bar: ProgressBar) -> Lines {
        let ended = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&ended);
        let thread = std::thread::spawn(move || {
            let mut since = std::iter::successors(Some(LINE_EVERY), |time| Some(*time + LINE_EVERY));
            loop {
                let Some(next) = since.next() else { return };
                while bar.elapsed() < next {
                    std::thread::park_timeout(next.saturating_sub(bar.elapsed()));
                    if told.load(Ordering::Relaxed) {
                        return;
                    }
                }
                stream::note(format_args!("progress: {}", line(&bar)));
            }
        });
        Lines { ended, thread }
    }

    fn end(self) {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // It ends by itself: nothing depends on when.
        drop(self.thread);
    }
}

/// `learning, 34 % after 20 s, 3 of 10 trials`.
fn line(bar: &ProgressBar) -> String {
    let seconds = bar.elapsed().as_secs();
    let share = match bar.length() {
        Some(all) if all > 0 => format!("{} %", (100.0 * bar.position() as f64 / all as f64) as u64),
        _ => "at work".into(),
    };
    let trials = bar.message();
    let trials = if trials.is_empty() { trials } else { format!(", {trials}") };
    format!("{}{share} after {seconds} s{trials}", bar.prefix())
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = if stream::is_quiet() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {elapsed:>4}  {prefix}{wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let silent = stream::is_quiet() || std::io::stderr().is_terminal();
        let lines = (!silent).then(|| Lines::about(bar.clone()));
        Bar { bar, lines }
    }

    /// Shows a bar while `work` runs, and clears it whatever comes of it.
    pub(crate) fn during<T>(work: impl FnOnce(&Bar) -> T) -> T {
        let bar = Bar::new();
        let done = work(&bar);
        bar.finish();
        done
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some(lines) = &self.lines {
            lines.ended.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some(lines) = self.lines.take() {
            lines.end();
        }
    }
}

impl Progress for Bar {
    fn begin(&self, label: &str) {
        stream::log(Level::Steps, format_args!("begins: {label}"));
        self.bar.set_prefix(format!("{label}, "));
    }

    fn size(&self, people: u64) {
        self.bar.set_length(people);
        self.bar.set_position(0);
    }

    fn served(&self, people: u64) {
        self.bar.inc(people);
    }

    fn trial(&self, finished: usize, total: usize) {
        self.bar.set_message(format!("{finished} of {total} trials"));
    }

    fn stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}
