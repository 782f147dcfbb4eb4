//! Which column is what.

use csv::ByteRecord;

use super::super::MAX_DIMS;
use super::DataFault;

/// The places of the columns, which may stand in any order.
pub(super) struct Header {
    pub(super) columns: usize,
    /// Where x1, x2, .. are.
    pub(super) coordinates: Vec<usize>,
    pub(super) label: usize,
    pub(super) group: Option<usize>,
}

impl Header {
    pub(super) fn parse(cells: &ByteRecord) -> Result<Header, DataFault> {
        let mut coordinates: Vec<Option<usize>> = Vec::new();
        let (mut label, mut group) = (None, None);
        for (place, cell) in cells.iter().enumerate() {
            let column = place + 1;
            let slot = match std::str::from_utf8(cell).unwrap_or("").trim() {
                "label" => &mut label,
                "group" => &mut group,
                other => {
                    let number = coordinate(other).ok_or(DataFault::UnknownColumn { column })?;
                    if number > MAX_DIMS {
                        return Err(DataFault::TooManyColumns { column });
                    }
                    coordinates.resize(coordinates.len().max(number), None);
                    &mut coordinates[number - 1]
                }
            };
            if slot.replace(place).is_some() {
                let name = String::from_utf8_lossy(cell).trim().to_string();
                return Err(DataFault::RepeatedColumn { column, name });
            }
        }
        let missing = |name: String| DataFault::MissingColumn { name };
        if coordinates.is_empty() {
            return Err(missing("x1".into()));
        }
        let named = coordinates.into_iter().zip(1..);
        let coordinates = named
            .map(|(place, number)| place.ok_or_else(|| missing(format!("x{number}"))))
            .collect::<Result<_, _>>()?;
        let label = label.ok_or_else(|| missing("label".into()))?;
        Ok(Header { columns: cells.len(), coordinates, label, group })
    }
}

/// The number of a coordinate's name: 12 for `x12`.
fn coordinate(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('x').filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|&number| number >= 1 && !digits.starts_with('0'))
}
