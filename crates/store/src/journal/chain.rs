//! What a line carries besides what it says, so that a line that was removed, moved, edited or put in between
//! is noticed: `[LINE,"MARK","CHECK"]`.
//!
//! MARK is random and tells one line from all others. CHECK is the FNV-1a hash of every byte of the file
//! before it: it notices accidents and careless hands, and stops nobody who computes it anew. Both are
//! sixteen hexadecimal digits.
//!
//! A file's first line is plain, a LINE alone: whatever version reads it learns who wrote it. Version 1 wrote
//! plain lines only. Its files go on with chained ones, of which the first checks all plain lines before it;
//! after a chained line no plain one can follow.

use rand_core::Rng;
use reticent_privacy::{EntropyError, NoiseRng};

use super::Head;
use crate::Fingerprint;

/// A file as far as it was read or written.
#[derive(Default)]
pub(super) struct Chain {
    bytes: Fingerprint,
    lines: u64,
    /// So many of the lines, all at the start, are plain.
    plain: u64,
    mark: Option<u64>,
}

/// A chained line in its parts.
struct Parts<'a> {
    said: &'a [u8],
    mark: u64,
    /// Every byte before the check.
    checked: &'a [u8],
    check: &'a str,
}

const TAIL: usize = r#","0123456789abcdef","0123456789abcdef"]"#.len() + 1;
const CHECK: usize = r#"0123456789abcdef"]"#.len() + 1;

fn parts(line: &[u8]) -> Option<Parts<'_>> {
    let (front, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
    let tail = std::str::from_utf8(tail).ok()?;
    let (mark, check) = tail.strip_prefix(",\"")?.strip_suffix("\"]\n")?.split_once("\",\"")?;
    let mark = u64::from_str_radix(mark, 16).ok()?;
    Some(Parts { said: front.strip_prefix(b"[")?, mark, checked: &line[..line.len() - CHECK], check })
}

impl Chain {
    /// What the next line of a file says, still as JSON; none if it does not belong there.
    pub(super) fn read<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let said = match parts(line) {
            Some(Parts { said, mark, checked, check }) => {
                let mut bytes = self.bytes;
                bytes.add(checked);
                (check == digits(bytes.value())).then_some(())?;
                self.mark = Some(mark);
                said
            }
            None if self.lines > self.plain => return None,
            None => {
                self.plain += 1;
                line
            }
        };
        self.bytes.add(line);
        self.lines += 1;
        Some(said)
    }

    /// The next line of a file, which says this.
    pub(super) fn write(&mut self, said: &[u8]) -> Result<Vec<u8>, EntropyError> {
        let line = if self.lines == 0 {
            self.plain = 1;
            [said, b"\n"].concat()
        } else {
            let mark = NoiseRng::from_os()?.next_u64();
            let checked = [b"[", said, b",\"", digits(mark).as_bytes(), b"\",\""].concat();
            let mut bytes = self.bytes;
            bytes.add(&checked);
            self.mark = Some(mark);
            [&checked, digits(bytes.value()).as_bytes(), b"\"]\n"].concat()
        };
        self.bytes.add(&line);
        self.lines += 1;
        Ok(line)
    }

    pub(super) fn head(&self) -> Head {
        Head { lines: self.lines, mark: self.mark }
    }

    pub(super) fn plain_lines(&self) -> u64 {
        self.plain
    }
}

pub(super) fn digits(word: u64) -> String {
    format!("{word:016x}")
}
