//! The first line of a CSV file: what stands between cells, and where the wanted columns are.

use std::io::{self, BufRead, Read};

use csv::ByteRecord;

use super::Fault;
use super::files::BLOCK;

/// A header is shorter than this.
pub(super) const LONGEST: u64 = 1 << 20;

/// What may stand between cells, the usual first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The start of a CSV file.
pub(super) struct Start {
    /// The first line that is not empty, with quoted line ends, and without a byte order mark.
    line: Vec<u8>,
    /// What stands between cells, if the file says so in a line of its own, as spreadsheets do.
    said: Option<u8>,
}

impl Start {
    /// Reads the first line. What follows it is left.
    pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Result<Start, Fault>> {
        if let Some(fault) = foreign(input.fill_buf()?) {
            return Ok(Err(fault));
        }
        let mut said = None;
        let mut first = true;
        loop {
            let Some(mut line) = logical_line(input)? else { return Ok(Err(Fault::LongHeader)) };
            let ended = line.is_empty();
            if first {
                line = line.strip_prefix("\u{feff}".as_bytes()).map(<[u8]>::to_vec).unwrap_or(line);
                first = false;
            }
            match line.trim_ascii() {
                b"" if ended => return Ok(Ok(Start { line: Vec::new(), said })),
                b"" => {}
                text if said.is_none() && sep(text).is_some() => said = sep(text),
                _ => return Ok(Ok(Start { line, said })),
            }
        }
    }

    /// The names in the header, if this stands between them.
    pub(super) fn names(&self, delimiter: u8) -> Vec<String> {
        let mut cells = ByteRecord::new();
        let read =
            builder(delimiter).has_headers(false).from_reader(&self.line[..]).read_byte_record(&mut cells);
        match read {
            Ok(true) => {
                cells.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What stands between cells: what was declared or said; or whatever gives the most of the wanted
    /// columns. Rows are not looked at.
    pub(super) fn delimiter<'a>(
        &self,
        declared: Option<u8>,
        wanted: impl IntoIterator<Item = &'a str>,
    ) -> u8 {
        if let Some(known) = declared.or(self.said) {
            return known;
        }
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let found = |delimiter: u8| {
            let names = self.names(delimiter);
            wanted.iter().filter(|&&column| names.iter().any(|name| name == column)).count()
        };
        // The first of the best.
        DELIMITERS.into_iter().rev().max_by_key(|&delimiter| found(delimiter)).unwrap_or(b',')
    }

    /// What gives the most columns, for who wants none yet.
    pub(super) fn likely_delimiter(&self) -> u8 {
        let count = |delimiter: u8| self.names(delimiter).len();
        self.said.unwrap_or_else(|| {
            DELIMITERS.into_iter().rev().max_by_key(|&delimiter| count(delimiter)).unwrap_or(b',')
        })
    }
}

/// What is no CSV by its first bytes.
fn foreign(start: &[u8]) -> Option<Fault> {
    match start {
        // A zip archive, as .xlsx and .ods are; and an old spreadsheet.
        [b'P', b'K', 3 | 5, 4 | 6, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => Some(Fault::Archive),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [_, 0, _, 0, ..] | [0, _, 0, _, ..] => Some(Fault::Utf16),
        _ => None,
    }
}

/// What a line `sep=;` says. A tab at its end was trimmed away.
fn sep(text: &[u8]) -> Option<u8> {
    let (key, mark) = text.split_at_checked(4)?;
    let mark = match mark {
        [] => b'\t',
        [mark] if DELIMITERS.contains(mark) => *mark,
        _ => return None,
    };
    key.eq_ignore_ascii_case(b"sep=").then_some(mark)
}

/// The rows behind the header.
pub(super) fn rows<R: Read>(input: R, delimiter: u8) -> csv::Reader<R> {
    builder(delimiter).has_headers(false).buffer_capacity(BLOCK).from_reader(input)
}

fn builder(delimiter: u8) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.flexible(true).delimiter(delimiter);
    builder
}

/// A line with its end; quotes that are open at the end of a line go on in the next. None if it is too long.
fn logical_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let before = line.len();
        let mut limited = Read::take(&mut *input, LONGEST + 1 - before as u64);
        // A line may end as on old machines.
        let read = read_line(&mut limited, &mut line)?;
        if line.len() as u64 > LONGEST {
            return Ok(None);
        }
        let open = line.iter().fold(false, |open, &byte| open ^ (byte == b'"'));
        if read == 0 || !open {
            return Ok(Some(line));
        }
    }
}

/// Up to and with `\n`, `\r\n`, or a lone `\r`.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let before = line.len();
    loop {
        let block = input.fill_buf()?;
        if block.is_empty() {
            return Ok(line.len() - before);
        }
        if let Some(at) = block.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (end, was_return) = (at + 1, block[at] == b'\r');
            line.extend_from_slice(&block[..end]);
            input.consume(end);
            if was_return && input.fill_buf()?.first() == Some(&b'\n') {
                line.push(b'\n');
                input.consume(1);
            }
            return Ok(line.len() - before);
        }
        let length = block.len();
        line.extend_from_slice(block);
        input.consume(length);
    }
}

/// Where each wanted column is.
pub(super) fn places<'a>(
    names: &[String],
    wanted: impl Iterator<Item = &'a str> + Clone,
) -> Result<Vec<usize>, Fault> {
    let of = |column: &str| (0..names.len()).filter(|&place| names[place] == column).collect::<Vec<_>>();
    let missing: Vec<String> =
        wanted.clone().filter(|column| of(column).is_empty()).map(String::from).collect();
    if !missing.is_empty() {
        return Err(Fault::NoColumns { missing, columns: names.len() });
    }
    let one = |column: &'a str| match of(column)[..] {
        [place] => Ok(place),
        _ => Err(Fault::RepeatedColumn { column: column.into() }),
    };
    wanted.map(one).collect()
}
