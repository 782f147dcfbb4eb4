//! Commands that talk to a running server.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use reticent_store::files::{self, FileError};
use serde_json::Value;
use tokio::net::TcpStream;

use super::{ADDRESS, ADMIN_KEY, Place};

const PATIENCE: Duration = Duration::from_secs(30);

/// A running server, and a key for it.
#[derive(Clone)]
pub struct Remote {
    address: SocketAddr,
    key: Option<String>,
}

/// Without the key.
impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Why a server cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// No server.
    #[error("no server answers at {0}; start one with `reticent serve`")]
    NoServer(SocketAddr),
    /// No server in this folder.
    #[error(
        "no server runs on this data folder; start one with `reticent serve --data DIR`, or say --server"
    )]
    NoPlace,
    /// No time, or no threads.
    #[error("the server did not answer: {0}")]
    NoAnswer(String),
}

/// What a server said.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Answered {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Whether it was done.
    pub fn is_done(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Remote {
    /// The server at this address, with a key or none.
    pub fn at(address: SocketAddr, key: Option<String>) -> Remote {
        Remote { address, key: key.map(|key| key.trim().to_string()) }
    }

    /// The server that runs on this data folder, with the key in it.
    pub fn of_folder(data: &Path) -> Result<Remote, RemoteError> {
        let place = std::fs::read_to_string(data.join(ADDRESS)).map_err(|_| RemoteError::NoPlace)?;
        let place: Place = serde_json::from_str(&place).map_err(|_| RemoteError::NoPlace)?;
        let key = files::read_text(&data.join(ADMIN_KEY))?;
        Ok(Remote::at(place.address, Some(key)))
    }

    /// Where it is, for a device.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The key that is sent.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Asks, and waits for the answer.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<(&str, &[u8])>,
    ) -> Result<Answered, RemoteError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| RemoteError::NoAnswer(error.to_string()))?;
        let asked = async { tokio::time::timeout(PATIENCE, self.call(method, path, body)).await };
        runtime.block_on(asked).map_err(|_| RemoteError::NoAnswer("it took too long".into()))?
    }

    async fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<(&str, &[u8])>,
    ) -> Result<Answered, RemoteError> {
        let broken = |error: hyper::Error| RemoteError::NoAnswer(error.to_string());
        let stream =
            TcpStream::connect(self.address).await.map_err(|_| RemoteError::NoServer(self.address))?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        tokio::spawn(connection);
        let method = method.parse::<Method>().unwrap_or(Method::GET);
        let mut request =
            Request::builder().method(method).uri(path).header("host", self.address.to_string());
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        if let Some((media, _)) = body {
            request = request.header("content-type", media);
        }
        let bytes = Bytes::copy_from_slice(body.map_or(&[], |(_, bytes)| bytes));
        let request =
            request.body(Full::new(bytes)).map_err(|error| RemoteError::NoAnswer(error.to_string()))?;
        let response = sender.send_request(request).await.map_err(broken)?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.map_err(broken)?.to_bytes().to_vec();
        Ok(Answered { status, body })
    }
}

/// A name as a part of a path.
pub(crate) fn in_path(name: &str) -> String {
    use std::fmt::Write;
    name.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

impl Remote {
    /// The path of an experiment's part.
    pub fn experiment_path(name: &str, part: &str) -> String {
        format!("/v1/experiments/{}{part}", in_path(name))
    }
}
