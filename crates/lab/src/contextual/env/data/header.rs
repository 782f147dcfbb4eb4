//! Which column is what.

use super::super::MAX_DIMS;
use super::DataFault;

/// The columns, which may stand in any order.
pub(super) struct Header {
    /// How many there are of x1, x2, ..
    pub(super) coordinates: usize,
    /// Whether there is a group.
    pub(super) group: bool,
}

impl Header {
    pub(super) fn parse(names: &[String]) -> Result<Header, DataFault> {
        let mut coordinates: Vec<bool> = Vec::new();
        let (mut label, mut group) = (false, false);
        for (name, column) in names.iter().zip(1..) {
            let slot = match name.as_str() {
                "label" => &mut label,
                "group" => &mut group,
                other => {
                    let number = coordinate(other).ok_or(DataFault::UnknownColumn { column })?;
                    if number > MAX_DIMS {
                        return Err(DataFault::TooManyColumns { column });
                    }
                    coordinates.resize(coordinates.len().max(number), false);
                    &mut coordinates[number - 1]
                }
            };
            if std::mem::replace(slot, true) {
                // One of the names that a header may have.
                return Err(DataFault::RepeatedColumn { column, name: name.clone() });
            }
        }
        let missing = |name: String| DataFault::MissingColumn { name };
        let gap = coordinates.iter().position(|found| !found);
        match (coordinates.len(), gap, label) {
            (0, ..) => Err(missing("x1".into())),
            (_, Some(gap), _) => Err(missing(format!("x{}", gap + 1))),
            (_, None, false) => Err(missing("label".into())),
            (coordinates, None, true) => Ok(Header { coordinates, group }),
        }
    }

    /// The columns in the order in which they are read.
    pub(super) fn wanted(&self) -> Vec<String> {
        let coordinates = (1..=self.coordinates).map(|number| format!("x{number}"));
        coordinates.chain(["label".to_string()]).chain(self.group.then(|| "group".to_string())).collect()
    }
}

/// The number of a coordinate's name: 12 for `x12`.
fn coordinate(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('x').filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|&number| number >= 1 && !digits.starts_with('0'))
}
