//! Writing a privatised log.

use std::io::Write;

use reticent_privacy::Provenance;

use super::{BLOCK_REPORTS, Header, LogError, MAGIC, VERSION, crc32};
use crate::pricing::{Report, Spec};

/// Writes reports block by block. A log that was not finished is recognised as cut short.
///
/// ```
/// use reticent_privacy::{Epsilon, Generator, NoiseRng};
/// use reticent_schema::{Encoding, Range};
/// use reticent_protocol::pricing::log::{LogReader, LogWriter};
/// use reticent_protocol::pricing::{Prices, Report, Spec, Terms};
/// let sold = Range::UNIT;
/// let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 20.0)?, sold)?;
/// let spec = Spec::designed(terms, Epsilon::new(1.0)?, 100_000)?;
/// let mut file = Vec::new();
/// let mut log = LogWriter::new(&mut file, &spec, NoiseRng::PROVENANCE)?;
/// log.push(Report { question: 1, output: 5 })?;
/// assert_eq!(log.finish()?, 1);
/// let mut log = LogReader::open(file.as_slice())?;
/// assert_eq!((log.spec(), log.guarantee().to_string()), (&spec, "1-DP, local model".to_string()));
/// let mut codes = Vec::new();
/// assert!(log.next_block(&mut codes)?);
/// assert_eq!(spec.report(codes[0])?, Report { question: 1, output: 5 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LogWriter<W> {
    writer: W,
    spec: Spec,
    codes: u32,
    width: usize,
    payload: Vec<u8>,
    checksum: u32,
    reports: u64,
}

/// The shape alone.
impl<W> std::fmt::Debug for LogWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogWriter")
            .field("width", &self.width)
            .field("reports", &self.reports)
            .finish_non_exhaustive()
    }
}

impl<W: Write> LogWriter<W> {
    /// Writes the header. `noise` is where the reports' noise comes from: the
    /// [`PROVENANCE`](reticent_privacy::Generator::PROVENANCE) of the generator that draws it.
    pub fn new(writer: W, spec: &Spec, noise: Provenance) -> Result<LogWriter<W>, LogError> {
        LogWriter::with_header(writer, &Header::new(spec, noise))
    }

    /// The same with a header that says more.
    pub fn with_header(mut writer: W, said: &Header) -> Result<LogWriter<W>, LogError> {
        let (json, spec) = (said.json()?, said.spec());
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend((json.len() as u32).to_le_bytes());
        header.extend(json);
        let checksum = crc32(0, &header);
        header.extend(checksum.to_le_bytes());
        writer.write_all(&header)?;
        let width = spec.report_bytes();
        let payload = Vec::with_capacity(width * BLOCK_REPORTS);
        Ok(LogWriter {
            writer,
            codes: spec.codes(),
            spec: spec.clone(),
            width,
            payload,
            checksum,
            reports: 0,
        })
    }

    /// Adds a report.
    #[inline]
    pub fn push(&mut self, report: Report) -> Result<(), LogError> {
        let code = self.spec.code(report).map_err(|_| LogError::Report)?;
        self.push_code(code)
    }

    /// Adds a report by its code.
    #[inline]
    pub fn push_code(&mut self, code: u32) -> Result<(), LogError> {
        if code >= self.codes {
            return Err(LogError::Report);
        }
        self.payload.extend_from_slice(&code.to_le_bytes()[..self.width]);
        self.reports += 1;
        if self.payload.len() == self.width * BLOCK_REPORTS { self.block() } else { Ok(()) }
    }

    /// Writes the end and returns how many reports there are.
    pub fn finish(mut self) -> Result<u64, LogError> {
        if !self.payload.is_empty() {
            self.block()?;
        }
        let mut end = [0; 12];
        end[4..].copy_from_slice(&self.reports.to_le_bytes());
        self.checksum = crc32(self.checksum, &end);
        self.writer.write_all(&end)?;
        self.writer.write_all(&self.checksum.to_le_bytes())?;
        self.writer.flush()?;
        Ok(self.reports)
    }

    fn block(&mut self) -> Result<(), LogError> {
        let number = ((self.payload.len() / self.width) as u32).to_le_bytes();
        self.checksum = crc32(crc32(self.checksum, &number), &self.payload);
        self.writer.write_all(&number)?;
        self.writer.write_all(&self.checksum.to_le_bytes())?;
        self.writer.write_all(&self.payload)?;
        self.payload.clear();
        Ok(())
    }
}
