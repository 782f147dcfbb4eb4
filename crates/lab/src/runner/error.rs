//! Why an experiment stopped.

use reticent_store::files::FileError;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// Somebody asked it to.
    #[error("stopped: {finished} of {trials} trials had finished")]
    Interrupted {
        /// Trials that finished.
        finished: usize,
        /// Trials asked for.
        trials: u32,
    },
    /// Nothing to do.
    #[error("{what} must be between 1 and {most}, got {got}")]
    Size {
        /// The parameter.
        what: &'static str,
        /// Its largest value.
        most: u64,
        /// What was given.
        got: u64,
    },
    /// An agent cannot be made.
    #[error(transparent)]
    Agent(#[from] crate::mab::AgentError),
    /// An agent or its people's devices refused.
    #[error("{0}")]
    Player(crate::mab::PlayerError),
    /// A contextual experiment cannot be run.
    #[error(transparent)]
    Contextual(#[from] crate::contextual::ContextualError),
    /// A kernel method refused.
    #[error(transparent)]
    Kernel(#[from] crate::kernel::MethodError),
    /// A pricing method refused.
    #[error(transparent)]
    Pricing(#[from] crate::pricing::LessonError),
    /// A trial refused.
    #[error(transparent)]
    Conse(#[from] reticent_baselines::conse::ConseError),
    /// A trial refused a step.
    #[error(transparent)]
    Trial(#[from] reticent_curate::trial::TrialError),
    /// A replay of a table stopped.
    #[error(transparent)]
    Replay(#[from] reticent_jobs::trial::replay::ReplayError),
    /// An invalid law of arrivals.
    #[error(transparent)]
    Arrivals(#[from] crate::trial::ArrivalsError),
    /// A trial cannot be simulated.
    #[error(transparent)]
    TrialWorld(#[from] crate::trial::WorldError),
    /// Forgers whose strategies another agent has no answer to.
    #[error("forgers are for our own agents, and for contexts in the unit cube of a made-up world")]
    NoForgers,
    /// A saved run is wrong.
    #[error("the saved run cannot be used: {0}")]
    Checkpoint(String),
    /// An output folder holds something else.
    #[error("{path} holds results of another experiment: use another --out folder, or remove it")]
    OtherResults {
        /// The file.
        path: String,
    },
    /// Another process writes there.
    #[error("another run is writing to {path}: wait for it, or use another --out folder")]
    FolderInUse {
        /// The folder.
        path: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}
