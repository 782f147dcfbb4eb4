//! How a column is declared, whatever the problem: a range, levels, or bounds of bins.

use serde::{Deserialize, Serialize};

use crate::{Decimal, DecimalError, Feature, Field, Range, RangeError};

/// The two ends of a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// What lies below counts as this.
    pub low: Decimal,
    /// What lies above counts as this.
    pub high: Decimal,
}

impl Ends {
    /// From 0 to 1.
    pub fn unit() -> Ends {
        Ends::of(Range::UNIT).unwrap_or_else(|_| unreachable!("0 and 1 are decimals"))
    }

    /// The ends of a range.
    pub fn of(range: Range) -> Result<Ends, DecimalError> {
        Ok(Ends { low: Decimal::from_f64(range.low())?, high: Decimal::from_f64(range.high())? })
    }

    /// The checked range.
    pub fn range(&self) -> Result<Range, RangeError> {
        Range::new(self.low.value(), self.high.value())
    }
}

/// One column: exactly one of a range (`low`, `high`), `levels`, or `bins`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name in a table, and in a context.
    pub name: String,
    /// The low end of a number's range; what is not a number counts as the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Decimal>,
    /// The high end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
    /// All that a category can be; whatever else occurs counts as the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
    /// Bounds between ranges of a number, each a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<Vec<Decimal>>,
}

/// A weighted sum of numeric columns, each scaled to [0, 1] first, as an axis of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Projection {
    /// The axis's name.
    pub name: String,
    /// Columns with their weights.
    pub weights: Vec<(String, Decimal)>,
    /// The sum that becomes 0.
    pub low: Decimal,
    /// The sum that becomes 1.
    pub high: Decimal,
}

impl Column {
    /// A number's range.
    pub fn number(name: &str, range: Range) -> Result<Column, DecimalError> {
        let Ends { low, high } = Ends::of(range)?;
        Ok(Column { name: name.into(), low: Some(low), high: Some(high), levels: None, bins: None })
    }

    /// A category's levels.
    pub fn category(name: &str, levels: Vec<String>) -> Column {
        Column { name: name.into(), low: None, high: None, levels: Some(levels), bins: None }
    }

    /// The column as a field of a context, which has no bins.
    pub fn field(&self) -> Option<Field> {
        let name = self.name.clone();
        match (&self.low, &self.high, &self.levels, &self.bins) {
            (Some(low), Some(high), None, None) => {
                Some(Field::Numeric { name, low: low.value(), high: high.value() })
            }
            (None, None, Some(levels), None) => Some(Field::Category { name, levels: levels.clone() }),
            _ => None,
        }
    }

    /// The column as a feature that sorts people into levels, which has no range.
    pub fn feature(&self) -> Option<Feature> {
        if self.low.is_some() || self.high.is_some() || self.levels.is_some() == self.bins.is_some() {
            return None;
        }
        let bins = self.bins.as_ref().map(|bins| bins.iter().map(Decimal::value).collect());
        Some(Feature { column: self.name.clone(), levels: self.levels.clone(), bins })
    }

    /// The column that a field was.
    pub fn of_field(field: &Field) -> Result<Column, DecimalError> {
        Ok(match field {
            Field::Numeric { name, low, high } => Column {
                low: Some(Decimal::from_f64(*low)?),
                high: Some(Decimal::from_f64(*high)?),
                ..Column::category(name, Vec::new())
            }
            .without_levels(),
            Field::Category { name, levels } => Column::category(name, levels.clone()),
        })
    }

    fn without_levels(mut self) -> Column {
        self.levels = None;
        self
    }
}
