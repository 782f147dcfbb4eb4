//! Values that are known again wherever they turn up.

use std::collections::BTreeSet;
use std::fmt::Write;

/// In every marked word.
const WORD: &str = "zqxv";
/// In every marked number, after its decimal point. That it turns up by chance among a million digits has a probability
/// of one in ten thousand.
const DIGITS: &str = "7310429686";

/// Makes marked values, no two alike, and finds them again.
#[derive(Default)]
pub(crate) struct Marks {
    made: u64,
    bits: BTreeSet<[u8; 8]>,
}

impl Marks {
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    pub(crate) fn word(&mut self) -> String {
        self.made += 1;
        format!("{WORD}{:06}", self.made)
    }

    /// A number with this whole part.
    pub(crate) fn number(&mut self, whole: u64) -> String {
        self.made += 1;
        let text = format!("{whole}.{DIGITS}{:03}", self.made % 1000);
        self.bits.insert(text.parse::<f64>().unwrap().to_le_bytes());
        text
    }

    /// A word as people have them in tables: a name, a quoted one, an amount, an address, colours for a terminal.
    pub(crate) fn cell(&mut self) -> String {
        let word = self.word();
        match self.made % 5 {
            0 => word,
            1 => format!("\"Doe, {word}\""),
            2 => format!("\"$12,345.67-{word}\""),
            3 => format!("{word}@example.org"),
            _ => format!("\u{1b}[31m{word}\u{1b}[0m"),
        }
    }

    /// Where a marked value stands in what was printed or written, if one does: as text, or as the bits of a number.
    pub(crate) fn found_in(&self, bytes: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        let place = text.find(WORD).or_else(|| text.find(DIGITS));
        if let Some(place) = place {
            let (mut start, mut end) = (place.saturating_sub(60), (place + 40).min(text.len()));
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            return Some(text[start..end].to_string());
        }
        let raw = bytes.windows(8).position(|window| self.bits.contains(window));
        raw.map(|place| format!("the bits of a number at byte {place}"))
    }
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// Marked numbers in a range.
    Numbers(&'static str, u64, u64),
    /// One of these.
    Levels(&'static str, [&'static str; 2]),
}

impl Column {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Column::Numbers(name, ..) | Column::Levels(name, _) => name,
        }
    }

    fn cell(self, row: u64, marks: &mut Marks) -> String {
        match self {
            Column::Numbers(_, low, high) => marks.number(low + row * 7 % (high - low)),
            Column::Levels(_, levels) => levels[(row * row % 7 % 2) as usize].to_string(),
        }
    }
}

/// How a table is, or what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Good,
    NoHeader,
    Semicolons,
    Tabs,
    WordInColumn,
    AmountInColumn,
    EmptyCell,
    NotFinite,
    Outside,
    Ragged,
    RepeatedColumn,
    MissingColumn,
    EscapesInHeader,
    NotText,
    OpenQuote,
    DecimalCommas,
}

impl Shape {
    pub(crate) const ALL: [Shape; 16] = [
        Shape::Good,
        Shape::NoHeader,
        Shape::Semicolons,
        Shape::Tabs,
        Shape::WordInColumn,
        Shape::AmountInColumn,
        Shape::EmptyCell,
        Shape::NotFinite,
        Shape::Outside,
        Shape::Ragged,
        Shape::RepeatedColumn,
        Shape::MissingColumn,
        Shape::EscapesInHeader,
        Shape::NotText,
        Shape::OpenQuote,
        Shape::DecimalCommas,
    ];
}

const ROWS: u64 = 220;

/// A table of people: the declared columns between others, of which nobody asked for.
pub(crate) fn table(shape: Shape, columns: &[Column], marks: &mut Marks) -> Vec<u8> {
    let mut text = Vec::new();
    if shape != Shape::NoHeader {
        text.push(header(shape, columns, marks));
    }
    for row in 0..ROWS {
        // Wherever something is wrong, rows before it were read already.
        let bad = row == ROWS / 2;
        let mut cells = vec![marks.cell(), marks.number(row)];
        for (place, column) in columns.iter().enumerate() {
            let here = bad && place == (shape as usize) % columns.len();
            cells.push(match shape {
                Shape::MissingColumn if place == 0 => continue,
                Shape::WordInColumn if here => marks.word(),
                Shape::AmountInColumn if here => format!("\"$12,345.67-{}\"", marks.word()),
                Shape::EmptyCell if here => String::new(),
                Shape::NotFinite if here => "NaN".into(),
                Shape::Outside if here => marks.number(99_999),
                Shape::DecimalCommas => format!("\"{}\"", column.cell(row, marks).replace('.', ",")),
                _ => column.cell(row, marks),
            });
        }
        cells.push(match shape {
            Shape::OpenQuote if bad => format!("\"{}", marks.word()),
            _ => marks.cell(),
        });
        if shape == Shape::Ragged && bad {
            cells.push(marks.cell());
        }
        text.push(cells);
    }
    let between = match shape {
        Shape::Semicolons => ";",
        Shape::Tabs => "\t",
        _ => ",",
    };
    let mut bytes: Vec<u8> = text.iter().map(|cells| cells.join(between) + "\n").collect::<String>().into();
    if shape == Shape::NotText {
        bytes.splice(0..0, [0xff, 0xfe]);
        bytes.extend([0xff; 3]);
    }
    bytes
}

fn header(shape: Shape, columns: &[Column], marks: &mut Marks) -> Vec<String> {
    let declared = columns.iter().map(|column| column.name().to_string());
    let mut cells = vec![marks.word(), marks.number(7)];
    cells.extend(declared.skip(usize::from(shape == Shape::MissingColumn)));
    cells.push(match shape {
        Shape::RepeatedColumn => columns[0].name().into(),
        Shape::EscapesInHeader => format!("\u{1b}]0;{}\u{7}", marks.word()),
        _ => marks.word(),
    });
    cells
}

/// The same as Parquet: declared columns as numbers, or as text that is marked.
pub(crate) fn parquet(path: &std::path::Path, columns: &[Column], text: bool, marks: &mut Marks) {
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    let mut schema = format!("message people {{ required binary {} (UTF8); ", marks.word());
    for column in columns {
        let kind = if text { "binary" } else { "double" };
        write!(schema, "required {kind} {}{}; ", column.name(), if text { " (UTF8)" } else { "" }).unwrap();
    }
    let schema = Arc::new(parse_message_type(&(schema + "}")).unwrap());
    let file = std::fs::File::create(path).unwrap();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut place = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        if place == 0 || text {
            let cells: Vec<ByteArray> = (0..ROWS).map(|_| marks.cell().as_str().into()).collect();
            column.typed::<ByteArrayType>().write_batch(&cells, None, None).unwrap();
        } else {
            let cells: Vec<f64> =
                (0..ROWS).map(|row| columns[place - 1].cell(row, marks).parse().unwrap_or(0.0)).collect();
            column.typed::<DoubleType>().write_batch(&cells, None, None).unwrap();
        }
        column.close().unwrap();
        place += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
}
