//! Progress bars on standard error, only on a terminal; and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use reticent_jobs::Progress;

/// A bar over people that also listens for Ctrl-C.
pub(crate) struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        // A second Ctrl-C ends the process at once; finished trials are on disk already.
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        if ctrlc::set_handler(handler).is_err() {
            eprintln!("note: Ctrl-C will end the program at once; finished trials are kept");
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {elapsed:>4}  {prefix}{wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Bar { bar, stop }
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
    }
}

impl Progress for Bar {
    fn begin(&self, label: &str) {
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
        self.stop.load(Ordering::Relaxed)
    }
}
