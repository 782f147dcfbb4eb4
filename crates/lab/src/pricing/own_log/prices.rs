//! Prices in a table, each row marked.

use std::io::Write;
use std::path::Path;

use reticent_jobs::Progress;
use reticent_jobs::columns::{Layout, Reading, Wanted, read_with};
use reticent_privacy::Guarantee;
use reticent_schema::Field;
use reticent_store::files::{self, FileError};

use super::{OwnLog, OwnLogError, OwnPrices, Priced};

impl OwnLog<'_> {
    /// Contexts in their own units, the price, and what is promised.
    pub(super) fn write(
        &self,
        priced: &Priced<'_>,
        guarantee: &Guarantee,
        out: &Path,
        progress: &dyn Progress,
    ) -> Result<OwnPrices, OwnLogError> {
        let fields = self.market.terms().context().fields();
        let layout = Layout::new(self.market.table(), &fields.iter().map(wanted).collect::<Vec<_>>())?;
        let (mut quotes, mut unknown, mut sum) = (0, 0, 0.0);
        files::write_stream(out, |file: &mut dyn Write| {
            let failed = |source| OwnLogError::from(FileError::new("cannot write", out, source));
            let names =
                fields.iter().map(|field| cell(field.name())).chain(["price".into(), "guarantee".into()]);
            writeln!(file, "{}", names.collect::<Vec<_>>().join(",")).map_err(failed)?;
            read_with(self.target, &layout, Reading { watcher: None, once: true }, |batch| {
                if progress.stop() {
                    return Err(OwnLogError::Interrupted);
                }
                for row in 0..batch.rows() {
                    let context: Vec<f64> = (0..fields.len()).map(|place| batch.column(place)[row]).collect();
                    let (price, known) = self.price(priced, &context);
                    (quotes, sum) = (quotes + 1, sum + price);
                    unknown += u64::from(!known);
                    let own = fields.iter().zip(&context).map(|(field, &value)| written(field, value));
                    let own: Vec<String> =
                        own.chain([price.to_string(), cell(&guarantee.to_string())]).collect();
                    writeln!(file, "{}", own.join(",")).map_err(failed)?;
                }
                progress.served(batch.rows() as u64);
                Ok(())
            })
        })?;
        let mean_price = sum / quotes.max(1) as f64;
        Ok(OwnPrices { sales: 0, quotes, unknown, mean_price, guarantee: guarantee.clone() })
    }

    /// The price in its own unit, and whether anything is known of it.
    fn price(&self, priced: &Priced<'_>, context: &[f64]) -> (f64, bool) {
        let terms = self.market.terms();
        let mut point = vec![0.0; terms.context().dimension()];
        let encoded = terms.context().encode_placed(context, &mut point).is_ok();
        let (unit, known) = priced(&point);
        let prices = terms.prices();
        (prices.low() + (prices.high() - prices.low()) * unit, known && encoded)
    }
}

fn wanted(field: &Field) -> Wanted {
    match field {
        Field::Numeric { name, low, high } => Wanted::range(name, *low, *high, false),
        Field::Category { name, levels } => Wanted::levels(name, levels),
    }
}

fn written(field: &Field, value: f64) -> String {
    match field {
        Field::Numeric { .. } => value.to_string(),
        Field::Category { levels, .. } => {
            levels.get(value as usize).map_or_else(String::new, |level| cell(level))
        }
    }
}

/// A cell of text, quoted if it must be.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
