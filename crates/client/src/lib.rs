//! A person's device with a network: it fetches policies and keeps them, queues reports on the disk while nobody is
//! there to take them, pays for all experiments from one lifetime budget, and stops at once when consent is withdrawn.
//!
//! Raw records meet reports in `reticent-device` alone; what this crate queues and sends are reports. Nothing is
//! fetched, chosen, answered or sent before [`Client::give_consent`].
//!
//! ```no_run
//! use reticent_client::{Client, Settings};
//! use reticent_privacy::Epsilon;
//!
//! let folder = std::path::PathBuf::from("person");
//! let settings = Settings::new("http://127.0.0.1:8787", "key-for-uploads", folder, Epsilon::new(4.0)?);
//! let client = Client::open(settings)?;
//! client.give_consent()?;
//! let mut page = client.bandit("landing-page")?;
//! let visit = page.choose("visit-1")?;
//! let shown = page.arm(&visit).to_string();
//! let bought = 1.0; // stays here
//! page.answer(visit, bought)?; // at the first visit: paid, randomised, on the disk
//! let sent = client.send()?; // now, or whenever there is a network
//! # let _ = (shown, sent);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backoff;
mod budget;
mod client;
mod error;
mod http;
mod outbox;
mod participant;
mod shelf;
#[cfg(test)]
mod tests;
mod transport;
mod upload;
mod visits;

pub use budget::{Budget, Spent};
pub use client::{Client, Settings};
pub use error::ClientError;
pub use http::Http;
pub use participant::{Bandit, Contextual, Pricing, Visit};
pub use reticent_device::visits::Turn;
pub use reticent_protocol::{Reason, ReportId};
pub use transport::{Fetched, Parcel, Refusal, Transport, Trouble};
pub use upload::Sent;
pub use visits::Reporting;
