//! Long work tells how far it is, and can be stopped.

/// What a caller may want to show and control while work runs.
pub trait Progress: Sync {
    /// A new piece of work, with its name.
    fn begin(&self, _label: &str) {}
    /// How many people it will serve.
    fn size(&self, _people: u64) {}
    /// Some of them were served, on any thread.
    fn served(&self, _people: u64) {}
    /// A trial has finished; `finished` of `total` have.
    fn trial(&self, finished: usize, total: usize);
    /// Whether to stop as soon as possible.
    fn stop(&self) -> bool;
}

/// Shows nothing and never stops.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn trial(&self, _finished: usize, _total: usize) {}
    fn stop(&self) -> bool {
        false
    }
}
