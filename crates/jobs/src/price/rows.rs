//! Rows of a table of sales, checked against the market.

use super::{Market, MarketError, PricingFileError};
use crate::Progress;
use crate::columns::{self, Batch, CellFault, ColumnsError, Fault, Reading, RowWatcher, TableFiles};

/// A table of sales, read as a market says.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) table: &'a TableFiles,
    pub(super) market: &'a Market,
    pub(super) clip: bool,
    /// Whether this is the only time that the table is read.
    pub(super) once: bool,
}

impl Rows<'_> {
    /// Gives all rows to `each`, batch by batch, none of them outside the declared ranges unless they may be
    /// clipped. Returns how many there were.
    pub(super) fn read(
        &self,
        watcher: Option<&mut dyn RowWatcher>,
        progress: &dyn Progress,
        mut each: impl FnMut(&Batch) -> Result<(), PricingFileError>,
    ) -> Result<u64, PricingFileError> {
        let layout = self.market.layout(self.clip).map_err(|fault| {
            // It was checked with the market.
            PricingFileError::Market { file: "[table]".into(), fault: MarketError::Table(fault) }
        })?;
        let rows = columns::read_with(self.table, &layout, Reading { watcher, once: self.once }, |batch| {
            if progress.stop() {
                return Err(PricingFileError::Interrupted);
            }
            each(batch)
        });
        rows.map_err(advised)
    }
}

/// What can be done about a row outside the market.
fn advised(error: PricingFileError) -> PricingFileError {
    match error {
        PricingFileError::Columns(ColumnsError::Data {
            file,
            fault: Fault::Cell { row, column, fault: CellFault::Outside },
        }) => PricingFileError::Outside { file, row, column },
        PricingFileError::Columns(ColumnsError::Data {
            file,
            fault: Fault::Cell { row, column, fault: CellFault::NotListed },
        }) => PricingFileError::OtherPrice { file, row, column },
        other => other,
    }
}
