//! Reading a privatised log.

use std::io::Read;

use reticent_privacy::Guarantee;

use super::{BLOCK_REPORTS, Header, LogError, MAGIC, MAX_HEADER, VERSION, crc32};
use crate::pricing::Spec;

/// Reads reports block by block: memory does not grow with the log.
///
/// What a block holds was checked when it is given; that nothing is missing is known only when there are no more.
pub struct LogReader<R> {
    reader: R,
    version: u32,
    header: Header,
    codes: u32,
    width: usize,
    payload: Vec<u8>,
    checksum: u32,
    blocks: u64,
    reports: u64,
    ended: bool,
}

/// The shape alone.
impl<R> std::fmt::Debug for LogReader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogReader")
            .field("width", &self.width)
            .field("reports", &self.reports)
            .finish_non_exhaustive()
    }
}

impl<R: Read> LogReader<R> {
    /// Reads and checks the header.
    pub fn open(mut reader: R) -> Result<LogReader<R>, LogError> {
        let mut head = [0; 16];
        let magic = read_array(&mut reader);
        if !matches!(&magic, Ok(magic) if *magic == MAGIC) {
            return Err(not_a_log(magic));
        }
        head[..8].copy_from_slice(&MAGIC);
        let version: [u8; 4] = read_array(&mut reader)?;
        head[8..12].copy_from_slice(&version);
        let version = u32::from_le_bytes(version);
        if !(1..=VERSION).contains(&version) {
            return Err(LogError::Version(version));
        }
        head[12..].copy_from_slice(&read_array::<4>(&mut reader)?);
        let length = u32::from_le_bytes([head[12], head[13], head[14], head[15]]) as usize;
        if length > MAX_HEADER {
            return Err(LogError::Header);
        }
        let mut json = Vec::new();
        fill(&mut reader, length, &mut json)?;
        let checksum = crc32(crc32(0, &head), &json);
        if read_array(&mut reader)? != checksum.to_le_bytes() {
            return Err(LogError::Header);
        }
        let header = Header::parse(version, &json)?;
        let (codes, width) = (header.spec().codes(), header.spec().report_bytes());
        Ok(LogReader {
            reader,
            version,
            header,
            codes,
            width,
            payload: Vec::new(),
            checksum,
            blocks: 0,
            reports: 0,
            ended: false,
        })
    }

    /// What the reports answer.
    pub fn spec(&self) -> &Spec {
        self.header.spec()
    }

    /// All that the log says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What each report promises: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        self.header.guarantee()
    }

    /// The version that it was written in.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// How many reports were read until now.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// The number of the block that was given last, from 1.
    pub fn block(&self) -> u64 {
        self.blocks
    }

    /// The checksum of all that was read until now: at the end, two logs with the same one are the same log
    /// (or chance, once in 2^32).
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The next block's reports, each as [`report_bytes`](Spec::report_bytes) bytes of its code, lowest
    /// first; none at the log's end. Whether the codes are the spec's is not checked here.
    pub fn next_payload(&mut self) -> Result<Option<&[u8]>, LogError> {
        if self.ended {
            return Ok(None);
        }
        let number: [u8; 4] = read_array(&mut self.reader)?;
        let reports = u32::from_le_bytes(number) as usize;
        self.checksum = crc32(self.checksum, &number);
        if reports == 0 {
            self.end()?;
            return Ok(None);
        }
        self.blocks += 1;
        if reports > BLOCK_REPORTS {
            return Err(LogError::Block(self.blocks));
        }
        let checksum: [u8; 4] = read_array(&mut self.reader)?;
        fill(&mut self.reader, reports * self.width, &mut self.payload)?;
        self.checksum = crc32(self.checksum, &self.payload);
        if checksum != self.checksum.to_le_bytes() {
            return Err(LogError::Block(self.blocks));
        }
        self.reports += reports as u64;
        Ok(Some(&self.payload))
    }

    /// The next block's reports as codes, all of them the spec's, in place of what `codes` held. Whether
    /// there was a block.
    pub fn next_block(&mut self, codes: &mut Vec<u32>) -> Result<bool, LogError> {
        codes.clear();
        let (width, limit) = (self.width, self.codes);
        let Some(payload) = self.next_payload()? else { return Ok(false) };
        codes.extend(payload.chunks_exact(width).map(|bytes| {
            let mut code = [0; 4];
            code[..width].copy_from_slice(bytes);
            u32::from_le_bytes(code)
        }));
        if codes.iter().any(|&code| code >= limit) {
            codes.clear();
            return Err(LogError::Code(self.blocks));
        }
        Ok(true)
    }

    /// The number was 0: what is left must be the end, and nothing more.
    fn end(&mut self) -> Result<(), LogError> {
        let total: [u8; 8] = read_array(&mut self.reader)?;
        self.checksum = crc32(self.checksum, &total);
        let checksum: [u8; 4] = read_array(&mut self.reader)?;
        if checksum != self.checksum.to_le_bytes() || u64::from_le_bytes(total) != self.reports {
            return Err(LogError::Block(self.blocks + 1));
        }
        let mut more = Vec::new();
        if (&mut self.reader).take(1).read_to_end(&mut more)? > 0 {
            return Err(LogError::Trailing);
        }
        self.ended = true;
        Ok(())
    }
}

/// A file too short for the first bytes is none of ours either.
fn not_a_log<T>(magic: Result<T, LogError>) -> LogError {
    match magic {
        Err(LogError::Io(error)) => LogError::Io(error),
        _ => LogError::NotALog,
    }
}

fn read_array<const N: usize>(reader: &mut impl Read) -> Result<[u8; N], LogError> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads so many bytes in place of what there was. Memory grows with what is there, not with what is promised.
fn fill(reader: &mut impl Read, length: usize, bytes: &mut Vec<u8>) -> Result<(), LogError> {
    bytes.clear();
    reader.take(length as u64).read_to_end(bytes)?;
    if bytes.len() == length { Ok(()) } else { Err(LogError::CutShort) }
}
