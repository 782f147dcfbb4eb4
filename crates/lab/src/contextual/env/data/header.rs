//! Which column is what.

use super::super::MAX_DIMS;
use super::DataFault;

/// The columns, which may stand in any order.
pub(super) struct Header {
    /// The columns of the context: x1, x2, .. in this order, or others in the file's.
    pub(super) context: Vec<String>,
    /// Whether they have names of their own, and may hold words.
    pub(super) mixed: bool,
    /// Whether there is a group.
    pub(super) group: bool,
}

impl Header {
    pub(super) fn parse(names: &[String]) -> Result<Header, DataFault> {
        let mut coordinates: Vec<bool> = Vec::new();
        let mut others: Vec<String> = Vec::new();
        let (mut label, mut group) = (false, false);
        for (name, column) in names.iter().zip(1..) {
            let taken = match (name.as_str(), coordinate(name)) {
                ("label", _) => std::mem::replace(&mut label, true),
                ("group", _) => std::mem::replace(&mut group, true),
                (_, Some(number)) => {
                    if number > MAX_DIMS {
                        return Err(DataFault::TooManyColumns { column });
                    }
                    coordinates.resize(coordinates.len().max(number), false);
                    std::mem::replace(&mut coordinates[number - 1], true)
                }
                // In a file without a header it is a value, and not shown.
                (other, None) if !is_name(other) => return Err(DataFault::UnknownColumn { column }),
                (_, None) => others.contains(name),
            };
            if taken {
                return Err(DataFault::RepeatedColumn { column, name: name.clone() });
            }
            if coordinate(name).is_none() && name != "label" && name != "group" {
                others.push(name.clone());
            }
        }
        Header::of(names, &coordinates, &others, label, group)
    }

    fn of(
        names: &[String],
        coordinates: &[bool],
        others: &[String],
        label: bool,
        group: bool,
    ) -> Result<Header, DataFault> {
        let missing = |name: String| DataFault::MissingColumn { name };
        let is_context = |name: &&String| *name != "label" && *name != "group";
        if !others.is_empty() {
            if !label {
                // Perhaps no header at all: the first name that is none of ours.
                let column = names.iter().position(|name| others.contains(name)).map_or(1, |at| at + 1);
                return Err(DataFault::UnknownColumn { column });
            }
            let context = names.iter().filter(is_context).cloned().collect();
            return Ok(Header { context, mixed: true, group });
        }
        let gap = coordinates.iter().position(|found| !found);
        match (coordinates.len(), gap, label) {
            (0, ..) => Err(missing("x1".into())),
            (_, Some(gap), _) => Err(missing(format!("x{}", gap + 1))),
            (_, None, false) => Err(missing("label".into())),
            (dims, None, true) => {
                let context = (1..=dims).map(|number| format!("x{number}")).collect();
                Ok(Header { context, mixed: false, group })
            }
        }
    }

    /// How many coordinates a context has.
    pub(super) fn dims(&self) -> usize {
        self.context.len()
    }

    /// The columns that are numbers, in the order in which they are read.
    pub(super) fn numbers(&self) -> Vec<&str> {
        let context = self.context.iter().map(String::as_str).filter(|_| !self.mixed);
        context.chain(["label"]).chain(self.group.then_some("group")).collect()
    }
}

/// The number of a coordinate's name: 12 for `x12`.
fn coordinate(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('x').filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|&number| number >= 1 && !digits.starts_with('0'))
}

/// Whether it looks like a column's name: a letter first, and no coordinate misspelled.
fn is_name(name: &str) -> bool {
    let digits =
        name.strip_prefix('x').is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && !digits
}
