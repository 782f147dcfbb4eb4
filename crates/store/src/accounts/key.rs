//! The curator's secret key. Without it the marks in the accounts tell nothing about a row, not even to
//! somebody who guesses it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use rand_core::Rng;
use reticent_privacy::NoiseRng;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher24;

use super::AccountsError;
use crate::Form;
use crate::hex::{from_hex, to_hex};
use crate::journal::owner;

const FORM: Form = Form { format: "reticent-account-key", version: 1, called: "accounts' key" };

/// Thirty-two bytes from the operating system: one half hashes cells, the other rows.
pub struct Key {
    cells: SipHasher24,
    rows: SipHasher24,
    /// For numbers, of which there are many: a row's sum goes through the keyed hash of rows in any case, so that
    /// all they need is to differ (as in UMAC, a quick keyed hash below a strong one).
    factors: (u64, u64),
}

/// Nothing of it.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

/// The key's file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    version: u32,
    key: String,
}

impl Key {
    /// The key of these bytes.
    pub fn of(bytes: &[u8; 32]) -> Key {
        let half = |start: usize| {
            let mut half = [0; 16];
            half.copy_from_slice(&bytes[start..start + 16]);
            SipHasher24::new_with_key(&half)
        };
        let (cells, rows) = (half(0), half(16));
        let factors = (cells.hash(b"number"), cells.hash(b"factor") | 1);
        Key { cells, rows, factors }
    }

    /// The key in a file, which is made if there is none and `make` says so.
    pub(super) fn open(path: &Path, make: bool) -> Result<Key, AccountsError> {
        if make && !path.exists() {
            write_new(path).map_err(|source| AccountsError::key(path, &source))?;
        }
        let text = read_private(path).map_err(|source| AccountsError::key(path, &source))?;
        // What is wrong with it is not repeated: it would be a part of the key.
        let bytes = FORM.read(&text).ok().and_then(|stored: Stored| from_hex(&stored.key)?.try_into().ok());
        Ok(Key::of(
            &bytes.ok_or_else(|| AccountsError::key(path, &"not a key of version 1, or a damaged one"))?,
        ))
    }

    /// The hash of a cell that is a number, whatever column it is in.
    #[inline]
    pub fn number(&self, number: f64) -> u64 {
        let (mask, factor) = self.factors;
        let product = u128::from(number.to_bits() ^ mask) * u128::from(factor);
        (product >> 64) as u64 ^ product as u64
    }

    /// The hash of any other cell.
    #[inline]
    pub fn text(&self, text: &[u8]) -> u64 {
        self.cells.hash(text)
    }

    /// The hash of a row whose cells' hashes have this sum: the order of columns does not matter.
    #[inline]
    pub fn row(&self, cells: u64) -> u64 {
        self.rows.hash(&cells.to_le_bytes())
    }

    /// A mark of a file's bytes, to notice that it is another.
    pub fn digest(&self, file: &mut dyn Read) -> io::Result<String> {
        let (mut block, mut mark) = (vec![0; 1 << 16], 0_u64);
        loop {
            let mut length = 0;
            while length < block.len() {
                match file.read(&mut block[length..])? {
                    0 => break,
                    more => length += more,
                }
            }
            let link = [mark, self.cells.hash(&block[..length]), length as u64];
            mark = self.rows.hash(&link.map(u64::to_le_bytes).concat());
            if length < block.len() {
                return Ok(format!("{mark:016x}"));
            }
        }
    }

    /// A mark of a text, such as a file's digest, that only this key makes.
    pub fn mark(&self, text: &str) -> String {
        format!("{:016x}", self.rows.hash(text.as_bytes()))
    }
}

/// Reads a file that nobody else can read from now on.
fn read_private(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    owner::close_to_others(&file).map_err(io::Error::other)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Whole or not there, and never in the place of another.
fn write_new(path: &Path) -> io::Result<()> {
    let mut rng = NoiseRng::from_os().map_err(io::Error::other)?;
    let bytes: Vec<u8> = std::iter::repeat_with(|| rng.next_u64().to_le_bytes()).take(4).flatten().collect();
    let stored = Stored { format: FORM.format.into(), version: FORM.version, key: to_hex(&bytes) };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut file, &stored)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => File::open(folder)?.sync_all(),
        // Another process was quicker.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}
