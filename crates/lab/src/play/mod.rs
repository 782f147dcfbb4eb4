//! Simulated people with real devices, who take part in the experiments of a running service: for load, and to show
//! it. People and outcomes are made up from a seed; their noise is the operating system's, as on any device.

mod crowd;
mod visitor;
mod world;

pub use crowd::{Crowd, Played, play};
pub use visitor::Visit;
pub use world::{World, WorldError};

use reticent_client::{ReportId, Trouble};
use reticent_device::DeviceError;
use reticent_privacy::EntropyError;
use reticent_protocol::DecodeError;

/// Why people stopped coming.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The server did not answer.
    #[error(transparent)]
    Server(#[from] Trouble),
    /// Nobody counts any more.
    #[error("the experiment is over, and takes no more reports; create another one")]
    Closed,
    /// The server was away for longer than people have patience.
    #[error("the server did not answer for {seconds} s: {what}")]
    Away {
        /// How long.
        seconds: u64,
        /// What it said last.
        what: String,
    },
    /// The server has another experiment of that name.
    #[error(
        "the server's experiment of this name is another one: its digest is {theirs}, the document's is {ours}; \
         play the document that the server has"
    )]
    OtherExperiment {
        /// The server's.
        theirs: String,
        /// Ours.
        ours: String,
    },
    /// The world does not fit.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The policy cannot be read.
    #[error("the server's policy cannot be read: {0}")]
    Policy(#[from] DecodeError),
    /// A device refuses.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// No entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A report was refused whose id nobody sent.
    #[error("the server refuses a report that it was not sent: {0}")]
    Strange(ReportId),
}
