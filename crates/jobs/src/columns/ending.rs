//! How a file of text ends.

use std::io::{self, BufRead, Read};

/// So many bytes of the end are looked at.
const KEPT: usize = 64;

/// A file that is read to its end, of which the last bytes are remembered.
pub(super) struct Ending {
    input: Box<dyn BufRead>,
    last: Vec<u8>,
}

impl Ending {
    pub(super) fn new(input: Box<dyn BufRead>) -> Ending {
        Ending { input, last: Vec::new() }
    }

    /// Whether the last byte before the line's end closes no quote: quotes before it come in pairs, or not at all.
    pub(super) fn is_unquoted(&self) -> bool {
        let text = self.last.trim_ascii_end();
        let quotes = text.iter().rev().take_while(|byte| **byte == b'"').count();
        quotes.is_multiple_of(2)
    }
}

impl Read for Ending {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        let new = &out[read.saturating_sub(KEPT)..read];
        self.last.extend_from_slice(new);
        let extra = self.last.len().saturating_sub(KEPT);
        self.last.drain(..extra);
        Ok(read)
    }
}
