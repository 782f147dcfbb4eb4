//! Where a table is: a file, several, a folder, a pattern, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::{Buf, Bytes};
use flate2::read::MultiGzDecoder;
use reticent_store::files::FileError;

use super::ColumnsError;

/// Names that a folder's tables end in; each may have `.gz` behind it.
const ENDINGS: [&str; 4] = ["csv", "tsv", "txt", "parquet"];

/// How much of a file is read at once.
pub(super) const BLOCK: usize = 1 << 16;

/// The files of one table, in the order in which they are read.
#[derive(Debug)]
pub struct TableFiles {
    name: String,
    parts: Vec<Part>,
}

/// One file, or what can be read once: standard input or a pipe, which is then kept in memory.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    held: Option<Mutex<Held>>,
}

enum Held {
    Unread,
    Bytes(Bytes),
    /// It was read as it came, and is gone.
    Gone,
}

/// What was read belongs to people.
impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Held(..)")
    }
}

/// What a file is by its name and first bytes.
pub(super) enum Opened {
    Csv(Box<dyn BufRead>),
    Parquet(Stored),
}

/// Bytes that can be read from any place.
pub(super) enum Stored {
    File(File),
    Bytes(Bytes),
}

impl TableFiles {
    /// The table at these places: files, folders (all tables in them, by name), patterns with `*` and `?`,
    /// and `-` for standard input.
    pub fn new<P: AsRef<Path>>(places: &[P]) -> Result<TableFiles, ColumnsError> {
        let mut parts = Vec::new();
        for place in places {
            parts.append(&mut found(place.as_ref())?);
        }
        if parts.iter().filter(|part| is_standard_input(&part.path)).count() > 1 {
            let (file, why) = ("-".into(), "standard input can be read once");
            return Err(ColumnsError::NoTable { file, why });
        }
        let shown = |place: &P| place.as_ref().display().to_string();
        let name = match places {
            [] => return Err(ColumnsError::NoTable { file: "-".into(), why: "no file was named" }),
            [one] if is_standard_input(one.as_ref()) => "standard input".into(),
            [one] => shown(one),
            [first, rest @ ..] => format!("{} and {} more", shown(first), rest.len()),
        };
        Ok(TableFiles { name, parts })
    }

    /// The table at one place.
    pub fn one(place: &Path) -> Result<TableFiles, ColumnsError> {
        TableFiles::new(&[place])
    }

    /// What it is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files themselves, as far as they have names: none of them may be written to.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().map(|part| part.path.as_path())
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin")
}

fn found(place: &Path) -> Result<Vec<Part>, ColumnsError> {
    if is_standard_input(place) {
        return Ok(vec![Part::once(place)]);
    }
    match std::fs::metadata(place) {
        Ok(data) if data.is_dir() => in_folder(place),
        Ok(data) if data.is_file() => Ok(vec![Part { path: place.into(), held: None }]),
        Ok(_) => Ok(vec![Part::once(place)]),
        Err(error) if is_pattern(place) => matching(place, error),
        Err(source) => Err(FileError::new("cannot read", place, source).into()),
    }
}

fn in_folder(folder: &Path) -> Result<Vec<Part>, ColumnsError> {
    let parts = tables_of(folder)?;
    if parts.is_empty() {
        let why = "there is no table in this folder: no file ends in .csv, .tsv, .txt (or these with .gz) or .parquet";
        return Err(ColumnsError::NoTable { file: folder.display().to_string(), why });
    }
    Ok(parts)
}

/// Tables by name. Hidden files are nobody's.
fn tables_of(folder: &Path) -> Result<Vec<Part>, ColumnsError> {
    let failed = |source| FileError::new("cannot read", folder, source);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') && is_table(&name) && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths.into_iter().map(|path| Part { path, held: None }).collect())
}

fn is_table(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    plain.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn is_pattern(place: &Path) -> bool {
    place.to_string_lossy().contains(['*', '?', '['])
}

/// The files that a pattern stands for, by name.
fn matching(place: &Path, error: io::Error) -> Result<Vec<Part>, ColumnsError> {
    let no_table = |why| ColumnsError::NoTable { file: place.display().to_string(), why };
    let Some(pattern) = place.to_str() else {
        return Err(FileError::new("cannot read", place, error).into());
    };
    let found = glob::glob(pattern).map_err(|_| no_table("this is no pattern of names"))?;
    let mut parts = Vec::new();
    for path in found {
        let path = path.map_err(|error| FileError::new("cannot read", place, error.into()))?;
        if path.is_file() {
            parts.push(Part { path, held: None });
        }
    }
    if parts.is_empty() { Err(no_table("no file has a name of this pattern")) } else { Ok(parts) }
}

impl Part {
    fn once(path: &Path) -> Part {
        Part { path: path.into(), held: Some(Mutex::new(Held::Unread)) }
    }

    pub(super) fn name(&self) -> String {
        if is_standard_input(&self.path) { "standard input".into() } else { self.path.display().to_string() }
    }

    pub(super) fn failed(&self, source: io::Error) -> FileError {
        FileError::new("cannot read", Path::new(&self.name()), source)
    }

    /// Opens it. What can be read once is kept, unless it will not be asked for again.
    pub(super) fn open(&self, again: bool) -> io::Result<Opened> {
        let Some(held) = &self.held else { return opened(&self.path) };
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        match &*held {
            Held::Bytes(bytes) => return Ok(kept(&self.path, bytes.clone())),
            Held::Gone => return Err(io::Error::other("it was read already, and is not kept")),
            Held::Unread => {}
        }
        let mut stream = self.stream()?;
        let start = beginning(&mut stream)?;
        if !again && !start.starts_with(PARQUET) {
            *held = Held::Gone;
            let packed = is_packed(&self.path, &start);
            return Ok(Opened::Csv(unpacked(packed, Read::chain(io::Cursor::new(start), stream))));
        }
        let mut all = start;
        stream.read_to_end(&mut all)?;
        let bytes = Bytes::from(all);
        *held = Held::Bytes(bytes.clone());
        Ok(kept(&self.path, bytes))
    }

    fn stream(&self) -> io::Result<Box<dyn Read>> {
        if is_standard_input(&self.path) {
            Ok(Box::new(io::stdin()))
        } else {
            Ok(Box::new(File::open(&self.path)?))
        }
    }
}

const PARQUET: &[u8] = b"PAR1";
const PACKED: &[u8] = &[0x1f, 0x8b];

/// The first bytes, which say what it is.
fn beginning(stream: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    stream.take(PARQUET.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

fn is_packed(path: &Path, start: &[u8]) -> bool {
    has_ending(path, "gz") || start.starts_with(PACKED)
}

fn unpacked(packed: bool, stream: impl Read + 'static) -> Box<dyn BufRead> {
    let stream = BufReader::with_capacity(BLOCK, stream);
    if packed {
        Box::new(BufReader::with_capacity(BLOCK, MultiGzDecoder::new(stream)))
    } else {
        Box::new(stream)
    }
}

fn opened(path: &Path) -> io::Result<Opened> {
    let mut file = File::open(path)?;
    let start = beginning(&mut file)?;
    io::Seek::rewind(&mut file)?;
    if has_ending(path, "parquet") || start == PARQUET {
        return Ok(Opened::Parquet(Stored::File(file)));
    }
    Ok(Opened::Csv(unpacked(is_packed(path, &start), file)))
}

fn kept(path: &Path, bytes: Bytes) -> Opened {
    if has_ending(path, "parquet") || bytes.starts_with(PARQUET) {
        return Opened::Parquet(Stored::Bytes(bytes));
    }
    let packed = is_packed(path, &bytes);
    Opened::Csv(unpacked(packed, bytes.reader()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_all_its_tables_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.parquet", "c.CSV.gz", "notes.md", ".hidden.csv", "d.tsv"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |place: &Path| {
            let files = TableFiles::one(place).unwrap();
            let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
            files.paths().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(folder.path()), ["a.parquet", "b.csv", "c.CSV.gz", "d.tsv"]);
        assert_eq!(names(&folder.path().join("?.csv")), ["b.csv"]);
        let none = TableFiles::one(&folder.path().join("*.xls")).unwrap_err().to_string();
        assert!(none.ends_with("no file has a name of this pattern"), "{none}");
        assert!(TableFiles::new(&["-", "/dev/stdin"]).is_err());
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        assert!(TableFiles::one(&folder.path().join("empty")).is_err());
    }
}
