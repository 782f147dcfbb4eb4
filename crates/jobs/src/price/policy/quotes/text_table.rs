//! Quotes as CSV.

use std::io::Write;
use std::path::Path;

use reticent_learn::pricing::Policy;
use reticent_schema::Field;
use reticent_store::files::{self, FileError};

use super::numbers::{push_exact, push_short};
use super::{Columns, PolicyFileError, Quoted, QuotesWritten, Quoting, level};

/// A table of text.
pub(super) struct TextTable<'a> {
    columns: &'a Columns<'a>,
    out: &'a Path,
    /// The prices to choose from, in order, as text.
    prices: Vec<(f64, String)>,
}

impl<'a> TextTable<'a> {
    pub(super) fn new(columns: &'a Columns<'a>, policy: &Policy, out: &'a Path) -> TextTable<'a> {
        let prices = policy.objective().prices.iter().map(|&price| (price, price.to_string())).collect();
        TextTable { columns, out, prices }
    }

    pub(super) fn write(&self, quoting: &Quoting<'_>) -> Result<QuotesWritten, PolicyFileError> {
        files::write_stream(self.out, |file: &mut dyn Write| {
            let failed = |source| PolicyFileError::from(FileError::new("cannot write", self.out, source));
            file.write_all(&self.head()).map_err(failed)?;
            quoting.run(|quoted| self.rows(&quoted), |rows| file.write_all(&rows).map_err(failed))
        })
    }

    fn head(&self) -> Vec<u8> {
        let names: Vec<String> = self.columns.names.iter().map(|name| cell(name)).collect();
        format!("{}\n", names.join(",")).into_bytes()
    }

    fn rows(&self, Quoted { block, quotes }: &Quoted) -> Vec<u8> {
        const ROW: usize = 80;
        let mut rows = Vec::with_capacity(ROW * quotes.len());
        let levels: Vec<Vec<String>> = self.columns.fields.iter().map(|(_, field)| levels(field)).collect();
        for (row, quote) in quotes.iter().enumerate() {
            for ((place, field), levels) in self.columns.fields.iter().zip(&levels) {
                let number = block.columns[*place][row];
                match field {
                    Field::Numeric { .. } => push_exact(&mut rows, number),
                    Field::Category { .. } => rows.extend_from_slice(level(levels, number).as_bytes()),
                }
                rows.push(b',');
            }
            self.push_price(&mut rows, quote.price);
            for value in [quote.mean, quote.lower] {
                rows.push(b',');
                push_short(&mut rows, value);
            }
            rows.extend_from_slice(if quote.fallback { b",true," } else { b",false," });
            push_short(&mut rows, quote.density);
            rows.push(b'\n');
        }
        rows
    }

    fn push_price(&self, rows: &mut Vec<u8>, price: f64) {
        match self.prices.binary_search_by(|(known, _)| known.total_cmp(&price)) {
            Ok(at) => rows.extend_from_slice(self.prices[at].1.as_bytes()),
            Err(_) => push_exact(rows, price),
        }
    }
}

fn levels(field: &Field) -> Vec<String> {
    match field {
        Field::Numeric { .. } => Vec::new(),
        Field::Category { levels, .. } => levels.iter().map(|level| cell(level)).collect(),
    }
}

/// A cell of text, quoted if it must be.
pub(super) fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
