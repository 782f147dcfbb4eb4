//! Keys: 256 random bits, known to their holder alone. The store has their SHA-256.

mod book;

use std::fmt;

use rand_core::Rng;
use reticent_privacy::{EntropyError, NoiseRng};
use reticent_store::Moment;
use sha2::{Digest, Sha256};

pub use book::{Allowed, KeyBook};

use crate::store::{KeyRecord, Role, Scope};

/// How every key begins, so that it is known when it lies about.
const MARK: &str = "rk_";

/// A key that was just made: shown once, stored nowhere.
pub struct Secret(String);

impl Secret {
    /// The key's text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Not even its length.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// What a new key is for.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// What it allows.
    pub role: Role,
    /// Where.
    pub scope: Scope,
    /// What it is for, in words.
    pub label: String,
    /// From then on it is worth nothing.
    pub expires: Option<Moment>,
    /// Web pages that may use it.
    pub origins: Vec<String>,
    /// Requests a second that one visitor may make with it.
    pub rate: Option<u32>,
}

impl NewKey {
    /// A key without an end, for no web page.
    pub fn new(role: Role, scope: Scope, label: &str) -> NewKey {
        NewKey { role, scope, label: label.into(), expires: None, origins: Vec::new(), rate: None }
    }

    /// Draws the key.
    pub fn draw(self, now: Moment) -> Result<(Secret, KeyRecord), EntropyError> {
        let mut rng = NoiseRng::from_os()?;
        let mut bits = [0; 32];
        rng.fill_bytes(&mut bits);
        let secret = Secret(format!("{MARK}{}", hexadecimal(&bits)));
        let id = format!("{:012x}", rng.next_u64() >> 16);
        let hash = hexadecimal(&hash(&secret.0));
        let NewKey { role, scope, label, expires, origins, rate } = self;
        let record =
            KeyRecord { id, hash, role, scope, label, created: now, expires, revoked: None, origins, rate };
        Ok((secret, record))
    }
}

pub(crate) fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Scope {
    /// Whether it holds for an experiment.
    pub fn holds(&self, experiment: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Experiments(names) => names.iter().any(|name| name == experiment),
        }
    }
}
