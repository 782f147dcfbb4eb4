//! Quotes for many contexts, streamed from file to file.

use std::io::Write;
use std::path::Path;

use reticent_learn::pricing::{Policy, Quote};
use reticent_schema::{Field, Value};

use super::PolicyFileError;
use super::contexts::read_contexts;
use crate::Progress;
use crate::columns::RawTable;
use reticent_store::files::{self, FileError};

/// What stands beside each context.
const QUOTE: [&str; 5] = ["price", "mean", "lower", "fallback", "density"];
/// Below this density the log says little.
const THIN: f64 = 0.1;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuotesWritten {
    /// How many rows.
    pub rows: u64,
    /// How many got the fallback price.
    pub fallbacks: u64,
    /// How many lie where the log has less than a tenth of an even log's records.
    pub thin: u64,
}

/// Writes a row for each context of a table: the context, its price, and what that earns. If a context is
/// refused there is no file.
pub fn write_quotes(
    policy: &Policy,
    contexts: &RawTable,
    out: &Path,
    progress: &dyn Progress,
) -> Result<QuotesWritten, PolicyFileError> {
    progress.begin("quoting");
    files::write_stream(out, |file: &mut dyn Write| {
        let failed = |error| csv_failed(out, error);
        let mut table = csv::Writer::from_writer(file);
        table.write_record(head(policy)).map_err(failed)?;
        let mut written = QuotesWritten::default();
        let fields = policy.terms().context().fields();
        written.rows = read_contexts(contexts, policy.terms(), progress, |_, context| {
            let quote = policy.quote_values(&values(fields, context))?;
            written.fallbacks += u64::from(quote.fallback);
            written.thin += u64::from(quote.density < THIN);
            table.write_record(row(fields, context, &quote)).map_err(failed)
        })?;
        table.flush().map_err(|error| failed(error.into()))?;
        Ok(written)
    })
}

/// The contexts' columns, then the quote's; a name that a context has already gets a prefix.
fn head(policy: &Policy) -> Vec<String> {
    let mut head: Vec<String> =
        policy.terms().context().fields().iter().map(|field: &Field| field.name().to_string()).collect();
    for name in QUOTE {
        let name = if head.iter().any(|taken| taken == name) { format!("quote_{name}") } else { name.into() };
        head.push(name);
    }
    head
}

/// The level that a number is the middle of.
fn level(levels: &[String], place: f64) -> &str {
    levels.get(place as usize).map_or("", String::as_str)
}

fn values(fields: &[Field], context: &[f64]) -> Vec<Value> {
    let value = |(field, &number): (&Field, &f64)| match field {
        Field::Numeric { .. } => number.into(),
        Field::Category { levels, .. } => level(levels, number).into(),
    };
    fields.iter().zip(context).map(value).collect()
}

fn row(fields: &[Field], context: &[f64], quote: &Quote) -> Vec<String> {
    let Quote { price, mean, lower, fallback, density } = *quote;
    let shown = |(field, number): (&Field, &f64)| match field {
        Field::Numeric { .. } => number.to_string(),
        Field::Category { levels, .. } => level(levels, *number).to_string(),
    };
    let mut row: Vec<String> = fields.iter().zip(context).map(shown).collect();
    row.extend([price.to_string(), short(mean), short(lower), fallback.to_string(), short(density)]);
    row
}

/// A policy keeps a hundred-thousandth of the largest value: more digits would say nothing.
fn short(value: f64) -> String {
    let digits = format!("{value:.8e}");
    digits.parse::<f64>().map_or(digits, |rounded| rounded.to_string())
}

/// Rows of equal length are always CSV, so writing is all that can fail.
fn csv_failed(path: &Path, error: csv::Error) -> PolicyFileError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        _ => std::io::Error::other("not CSV"),
    };
    FileError::new("cannot write", path, source).into()
}
