//! Looking at a table's rows while they are read, to know them again.

use reticent_store::accounts::{Key, Sighting, Viewer};

use crate::columns::{Cell, Row, RowWatcher};

/// Keyed hashes of a table's rows: of all their cells, and of those that a plan names. A row is the sum of its
/// cells' hashes, so that columns may change their order and their names; a missing cell adds nothing.
#[derive(Debug)]
pub struct RowMarks<'a> {
    key: &'a Key,
    declared: Vec<String>,
    /// For each column, whether the plan names it.
    named: Vec<bool>,
    /// Whether there was ever a column that the plan does not name.
    others: bool,
    whole: Viewer,
    part: Viewer,
    order: u64,
    /// Marks of the names of all columns, and of those that the plan names, of the first file.
    names: Option<(u64, u64)>,
}

/// Any odd number: rows in another order give another mark.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'a> RowMarks<'a> {
    /// Looks at a table by a plan that names these columns.
    pub fn new<'b>(key: &'a Key, declared: impl IntoIterator<Item = &'b str>) -> RowMarks<'a> {
        let declared = declared.into_iter().map(String::from).collect();
        let (whole, part) = (Viewer::default(), Viewer::default());
        RowMarks { key, declared, named: Vec::new(), others: false, whole, part, order: 0, names: None }
    }

    /// The table under this name, and a mark of its rows' order.
    pub fn finish(self, name: &str) -> (Sighting, u64) {
        let (all, some) = self.names.unwrap_or_default();
        let whole = self.whole.finish(all);
        let declared = if self.others { self.part.finish(some) } else { whole.clone() };
        (Sighting { name: name.into(), whole, declared }, self.order)
    }
}

impl RowWatcher for RowMarks<'_> {
    fn columns(&mut self, names: &[String]) {
        self.named = names.iter().map(|name| self.declared.contains(name)).collect();
        let mark = |wanted: &dyn Fn(bool) -> bool| {
            let columns = names.iter().zip(&self.named).filter(|(_, named)| wanted(**named));
            columns.fold(0_u64, |sum, (name, _)| sum.wrapping_add(self.key.text(name.as_bytes())))
        };
        self.names.get_or_insert((mark(&|_| true), mark(&|named| named)));
        let others = self.named.contains(&false);
        if others && !self.others && self.whole.rows() > 0 {
            // Files of one table need not have the same columns: those before had none but the plan's.
            self.part = self.whole.clone();
        }
        self.others |= others;
    }

    fn row(&mut self, row: &Row<'_>) {
        let (mut all, mut some) = (0_u64, 0_u64);
        for (place, &named) in self.named.iter().enumerate() {
            let hash = match row.cell(place) {
                Cell::Missing => continue,
                Cell::Number(number) => self.key.number(number),
                Cell::Text(text) => self.key.text(text),
            };
            all = all.wrapping_add(hash);
            if named {
                some = some.wrapping_add(hash);
            }
        }
        let mark = self.key.row(all);
        self.whole.add(mark);
        let part = if self.others { self.key.row(some) } else { mark };
        if self.others {
            self.part.add(part);
        }
        self.order = self.order.wrapping_mul(STEP).wrapping_add(part);
    }
}
