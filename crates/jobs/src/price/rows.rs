//! Rows of a table of sales, checked against the market.

use std::path::Path;

use reticent_protocol::pricing::Prices;
use reticent_schema::Field;

use super::{Market, PricingFileError};
use crate::Progress;
use crate::columns::{self, Batch};

/// A table of sales in a file, read as a market says.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) path: &'a Path,
    pub(super) market: &'a Market,
    pub(super) clip: bool,
}

/// Where a value may lie: as exactly as a column of single precision can say.
enum Bounds<'a> {
    Range(f64, f64),
    List(&'a [f64]),
}

impl Rows<'_> {
    /// Gives all rows to `each`, batch by batch, none of them outside the declared ranges unless they may be
    /// clipped. Returns how many there were.
    pub(super) fn read(
        &self,
        progress: &dyn Progress,
        mut each: impl FnMut(&Batch) -> Result<(), PricingFileError>,
    ) -> Result<u64, PricingFileError> {
        let bounds = self.bounds();
        columns::read(self.path, &self.market.columns(), |batch| {
            if progress.stop() {
                return Err(PricingFileError::Interrupted);
            }
            if !self.clip {
                self.check(batch, &bounds)?;
            }
            each(batch)
        })
    }

    fn bounds(&self) -> Vec<Bounds<'_>> {
        let terms = self.market.terms();
        // Of the columns, not of the axes: a projection is made of several.
        let field = |field: &Field| match field {
            Field::Numeric { low, high, .. } => widened(*low, *high),
            Field::Category { levels, .. } => widened(0.0, levels.len() as f64),
        };
        let mut bounds: Vec<Bounds> = terms.context().fields().iter().map(field).collect();
        bounds.push(match terms.prices() {
            Prices::Range(low, high) => widened(*low, *high),
            Prices::Points(points) => Bounds::List(points),
        });
        let outcome = terms.outcome();
        bounds.push(widened(outcome.low(), outcome.high()));
        bounds
    }

    /// The first row that is outside is told.
    fn check(&self, batch: &Batch, bounds: &[Bounds]) -> Result<(), PricingFileError> {
        let outside = bounds.iter().enumerate().filter_map(|(place, bounds)| {
            let row = batch.column(place).iter().position(|&value| !bounds.hold(value))?;
            Some((row, place))
        });
        let Some((row, place)) = outside.min() else { return Ok(()) };
        let (file, row) = (self.path.display().to_string(), batch.first_row() + row as u64);
        let column = self.market.columns()[place].to_string();
        Err(match bounds[place] {
            Bounds::Range(..) => PricingFileError::Outside { file, row, column },
            Bounds::List(_) => PricingFileError::OtherPrice { file, row, column },
        })
    }
}

/// A range whose ends may have been rounded to single precision.
fn widened(low: f64, high: f64) -> Bounds<'static> {
    Bounds::Range(low - slack(low), high + slack(high))
}

fn slack(end: f64) -> f64 {
    end.abs() * f64::from(f32::EPSILON)
}

impl Bounds<'_> {
    fn hold(&self, value: f64) -> bool {
        match self {
            Bounds::Range(low, high) => (*low..=*high).contains(&value),
            Bounds::List(points) => points.iter().any(|point| (value - point).abs() <= slack(*point)),
        }
    }
}
