//! What commands share that talk to a running service.

use std::net::SocketAddr;
use std::path::PathBuf;

use reticent_server::run::{Answered, Remote};
use reticent_store::files;
use serde_json::Value;

use crate::CliError;

/// Where the service runs.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// The data folder of a service on this machine: its address and its admin's key are taken from there
    #[arg(long, value_name = "DIR", required_unless_present = "server")]
    data: Option<PathBuf>,
    /// The address of a service
    #[arg(long, value_name = "ADDR", requires = "key_file")]
    server: Option<SocketAddr>,
    /// A file with the key for it
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Place {
    pub(crate) fn remote(&self) -> Result<Remote, CliError> {
        let key = self.key_file.as_deref().map(files::read_text).transpose()?;
        match (self.server, &self.data) {
            (Some(address), _) => Ok(Remote::at(address, key)),
            (None, Some(data)) => Ok(Remote::of_folder(data)?),
            (None, None) => Err(CliError::Usage("say --data or --server".into())),
        }
    }
}

/// The answer, or the problem in words.
pub(crate) fn asked(answered: &Answered) -> Result<Value, CliError> {
    let body = answered.json();
    if answered.is_done() {
        return Ok(body);
    }
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_string();
    let detail = text("detail");
    let detail = if detail.is_empty() { detail } else { format!(" {detail}") };
    Err(CliError::No(format!("the service says: {} ({}){detail}", text("title"), text("code"))))
}
