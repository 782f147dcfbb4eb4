//! What an encoding declares: fields, and axes made of them.

use serde::{Deserialize, Serialize};

/// One part of a raw context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Field {
    /// A number.
    Numeric {
        /// Its name.
        name: String,
        /// What becomes 0, as does everything below.
        low: f64,
        /// What becomes 1, as does everything above.
        high: f64,
    },
    /// One of a few names.
    Category {
        /// Its name.
        name: String,
        /// All that it can be, at least two.
        levels: Vec<String>,
    },
}

/// One axis of the unit cube.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "RawAxis", into = "RawAxis")]
pub enum Axis {
    /// A field itself.
    Field {
        /// The field's name.
        field: String,
    },
    /// A weighted sum of numeric fields, each scaled to [0, 1] first.
    Projection {
        /// The axis's name.
        name: String,
        /// Fields with their weights.
        weights: Vec<(String, f64)>,
        /// The sum that becomes 0, as does everything below.
        low: f64,
        /// The sum that becomes 1, as does everything above.
        high: f64,
    },
}

/// What the places along an axis stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// Every point of [0, 1].
    Numeric,
    /// This many levels, each in the middle of its own cell.
    Category(usize),
}

/// An axis as others see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisView<'a> {
    /// The field's or the projection's name.
    pub name: &'a str,
    /// Numbers or levels.
    pub kind: AxisKind,
    /// What lies at 0: the low end of the range, and 0 for levels.
    pub low: f64,
    /// What lies at 1: the high end of the range, and the number of levels for levels.
    pub high: f64,
}

impl Field {
    /// The field's name.
    pub fn name(&self) -> &str {
        match self {
            Field::Numeric { name, .. } | Field::Category { name, .. } => name,
        }
    }
}

impl Axis {
    /// The axis's name: that of its field or its own.
    pub fn name(&self) -> &str {
        match self {
            Axis::Field { field: name } | Axis::Projection { name, .. } => name,
        }
    }
}

/// The stored form: `{"field": "age"}` rather than a field in a field.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum RawAxis {
    Field(String),
    Projection { name: String, weights: Vec<(String, f64)>, low: f64, high: f64 },
}

impl From<Axis> for RawAxis {
    fn from(axis: Axis) -> RawAxis {
        match axis {
            Axis::Field { field } => RawAxis::Field(field),
            Axis::Projection { name, weights, low, high } => RawAxis::Projection { name, weights, low, high },
        }
    }
}

impl From<RawAxis> for Axis {
    fn from(raw: RawAxis) -> Axis {
        match raw {
            RawAxis::Field(field) => Axis::Field { field },
            RawAxis::Projection { name, weights, low, high } => Axis::Projection { name, weights, low, high },
        }
    }
}
