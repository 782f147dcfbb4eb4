//! Quotes for many contexts, streamed from file to file: one thread reads, several quote, this one writes.

mod lanes;
mod numbers;
mod parquet_table;
mod text_table;

use std::path::Path;

use reticent_learn::pricing::{Policy, Quote};
use reticent_schema::Field;

use super::PolicyFileError;
use super::contexts::{Block, read_blocks};
use crate::Progress;
use crate::columns::RawTable;
use lanes::in_order;
use parquet_table::ParquetTable;
use text_table::TextTable;

/// What stands beside each context.
const QUOTE: [&str; 5] = ["price", "mean", "lower", "fallback", "density"];
/// Below this density the log says little.
const THIN: f64 = 0.1;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QuotesWritten {
    /// How many rows.
    pub rows: u64,
    /// How many got the fallback price.
    pub fallbacks: u64,
    /// How many lie where the log has less than a tenth of an even log's records.
    pub thin: u64,
    /// The sum of all prices, and of what is expected from them.
    pub prices: f64,
    /// What is expected from all of them.
    pub expected: f64,
}

/// Contexts with their quotes, in the contexts' order.
struct Quoted {
    block: Block,
    quotes: Vec<Quote>,
}

/// The columns of a table of quotes.
struct Columns<'a> {
    fields: Vec<(usize, &'a Field)>,
    names: Vec<String>,
}

impl<'a> Columns<'a> {
    /// The contexts' columns but those that nothing looks at, then the quote's; a name that a context has already
    /// gets a prefix.
    fn new(policy: &'a Policy, blind: &[String]) -> Columns<'a> {
        let fields = policy.terms().context().fields().iter().enumerate();
        let fields: Vec<(usize, &Field)> =
            fields.filter(|(_, field)| !blind.iter().any(|name| name == field.name())).collect();
        let mut names: Vec<String> = fields.iter().map(|(_, field)| field.name().to_string()).collect();
        for name in QUOTE {
            let taken = names.iter().any(|taken| taken == name);
            names.push(if taken { format!("quote_{name}") } else { name.into() });
        }
        Columns { fields, names }
    }
}

/// Writes a row for each context of a table: the context, its price, and what that earns. If a context is
/// refused there is no file.
pub fn write_quotes(
    policy: &Policy,
    contexts: &RawTable,
    out: &Path,
    progress: &dyn Progress,
) -> Result<QuotesWritten, PolicyFileError> {
    write_quotes_blind(policy, &[], contexts, out, progress)
}

/// The same for a policy that does not look at some contexts: the table need not have them, and neither has what
/// is written. A name that ends in `.parquet` asks for Parquet.
pub fn write_quotes_blind(
    policy: &Policy,
    blind: &[String],
    contexts: &RawTable,
    out: &Path,
    progress: &dyn Progress,
) -> Result<QuotesWritten, PolicyFileError> {
    progress.begin("quoting");
    let columns = Columns::new(policy, blind);
    let quoting = Quoting { policy, blind, contexts, progress };
    if out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        ParquetTable { columns: &columns, out }.write(&quoting)
    } else {
        TextTable::new(&columns, policy, out).write(&quoting)
    }
}

/// What is quoted.
struct Quoting<'a> {
    policy: &'a Policy,
    blind: &'a [String],
    contexts: &'a RawTable,
    progress: &'a dyn Progress,
}

impl Quoting<'_> {
    /// Quotes each block on some thread, changes it there, and gives what came of it to `write` in order.
    fn run<T: Send>(
        &self,
        change: impl Fn(Quoted) -> T + Sync,
        mut write: impl FnMut(T) -> Result<(), PolicyFileError>,
    ) -> Result<QuotesWritten, PolicyFileError> {
        let mut written = QuotesWritten::default();
        let terms = self.policy.terms();
        written.rows = in_order(
            |each| read_blocks(self.contexts, terms, self.blind, self.progress, each),
            |block| {
                let quoted = self.quote(block)?;
                let sums = sums(&quoted.quotes);
                Ok((sums, change(quoted)))
            },
            |(sums, changed)| {
                written.fallbacks += sums.fallbacks;
                written.thin += sums.thin;
                written.prices += sums.prices;
                written.expected += sums.expected;
                write(changed)
            },
        )?;
        Ok(written)
    }

    fn quote(&self, block: Block) -> Result<Quoted, PolicyFileError> {
        let encoding = self.policy.terms().context();
        let mut context = vec![0.0; encoding.fields().len()];
        let mut point = vec![0.0; encoding.dimension()];
        let mut quotes = Vec::with_capacity(block.rows);
        for row in 0..block.rows {
            for (value, column) in context.iter_mut().zip(&block.columns) {
                *value = column[row];
            }
            // Finite numbers inside the ranges are always encoded.
            let encoded = encoding.encode_placed(&context, &mut point);
            encoded.map_err(|error| PolicyFileError::Policy(error.into()))?;
            quotes.push(self.policy.quote_point(&point));
        }
        Ok(Quoted { block, quotes })
    }
}

fn sums(quotes: &[Quote]) -> QuotesWritten {
    let mut sums = QuotesWritten::default();
    for quote in quotes {
        sums.fallbacks += u64::from(quote.fallback);
        sums.thin += u64::from(quote.density < THIN);
        sums.prices += quote.price;
        sums.expected += quote.mean;
    }
    sums
}

/// The level that a number is the middle of.
fn level(levels: &[String], place: f64) -> &str {
    levels.get(place as usize).map_or("", String::as_str)
}
