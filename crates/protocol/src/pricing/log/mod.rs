//! A privatised log as a file: a header, then one code for each report. `docs/pricing-log.md` describes it
//! byte by byte.
//!
//! Every checksum is the CRC-32 of all bytes before it but earlier checksums, so what was cut, changed, moved
//! or left out is seen. It protects from accidents, not from people: who can write the file can write any
//! reports into it.

mod error;
mod header;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use error::LogError;
pub use header::Header;
pub use reader::LogReader;
pub use writer::LogWriter;

/// The first bytes of a log.
pub const MAGIC: [u8; 8] = *b"RTCPRICE";
/// The version that is written. Version 1, which does not say where its noise came from, is read.
pub const VERSION: u32 = 2;
/// The most reports of a block.
pub const BLOCK_REPORTS: usize = 1 << 16;
/// A longer header is none.
pub const MAX_HEADER: usize = 1 << 24;

/// Continues a checksum: zlib's `crc32(checksum, bytes)`.
fn crc32(checksum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(checksum);
    hasher.update(bytes);
    hasher.finalize()
}
