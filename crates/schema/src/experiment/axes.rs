//! Columns, projections and axes of a document, and the encoding that they are.

use serde::{Deserialize, Serialize};

use super::{Column, Projection};
use crate::{Axis, Decimal, DecimalError, Encoding, EncodingError, Field};

/// What is known about a person, and which axes it makes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The columns, in the order in which a context's values are given.
    pub columns: Vec<Column>,
    /// Axes that are sums of columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projections: Vec<Projection>,
    /// The axes by the names of columns and projections; all columns, then all projections, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<String>>,
}

/// Why a context cannot be as it is declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AxesError {
    /// A column that is no field.
    #[error("column {0:?} of a context needs either low and high, or levels")]
    Column(String),
    /// A number that cannot be written as a decimal.
    #[error(transparent)]
    Decimal(#[from] DecimalError),
    /// All together.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
}

impl Context {
    /// The encoding that is declared.
    pub fn encoding(&self) -> Result<Encoding, AxesError> {
        let field = |column: &Column| column.field().ok_or_else(|| AxesError::Column(column.name.clone()));
        let fields: Vec<Field> = self.columns.iter().map(field).collect::<Result<_, _>>()?;
        let projected = |name: &str| self.projections.iter().find(|projection| projection.name == name);
        let axes = if let Some(names) = &self.axes {
            names.iter().map(|name| projected(name).map_or_else(|| column(name), projection)).collect()
        } else {
            let columns = self.columns.iter().map(|one| column(&one.name));
            columns.chain(self.projections.iter().map(projection)).collect()
        };
        Ok(Encoding::new(fields, axes)?)
    }

    /// The declaration of an encoding.
    pub fn of(encoding: &Encoding) -> Result<Context, DecimalError> {
        let columns = encoding.fields().iter().map(Column::of_field).collect::<Result<_, _>>()?;
        let mut projections = Vec::new();
        for axis in encoding.declared_axes() {
            if let Axis::Projection { name, weights, low, high } = axis {
                let weight = |(name, weight): &(String, f64)| Ok((name.clone(), Decimal::from_f64(*weight)?));
                projections.push(Projection {
                    name: name.clone(),
                    weights: weights.iter().map(weight).collect::<Result<_, DecimalError>>()?,
                    low: Decimal::from_f64(*low)?,
                    high: Decimal::from_f64(*high)?,
                });
            }
        }
        let axes: Vec<String> = encoding.declared_axes().iter().map(|axis| axis.name().into()).collect();
        let usual =
            encoding.fields().iter().map(Field::name).chain(projections.iter().map(|p| p.name.as_str()));
        let axes = (!usual.eq(axes.iter().map(String::as_str))).then_some(axes);
        Ok(Context { columns, projections, axes })
    }
}

fn column(name: &str) -> Axis {
    Axis::Field { field: name.into() }
}

fn projection(projection: &Projection) -> Axis {
    Axis::Projection {
        name: projection.name.clone(),
        weights: projection.weights.iter().map(|(name, weight)| (name.clone(), weight.value())).collect(),
        low: projection.low.value(),
        high: projection.high.value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_survives_its_declaration() {
        let number = |name: &str| Field::Numeric { name: name.into(), low: -1.5, high: 80.0 };
        let fields = vec![number("age"), number("income")];
        let category = Field::Category { name: "town".into(), levels: vec!["a".into(), "b".into()] };
        let plain = Encoding::new(
            vec![number("age"), category.clone()],
            ["age", "town"].map(|field| Axis::Field { field: field.into() }).to_vec(),
        );
        let mixed = Encoding::new(
            [fields.clone(), vec![category]].concat(),
            vec![
                Axis::Projection {
                    name: "both".into(),
                    weights: vec![("age".into(), 0.1), ("income".into(), -2.0)],
                    low: -2.0,
                    high: 0.1,
                },
                Axis::Field { field: "town".into() },
            ],
        );
        let random = Encoding::random_projection(fields, 2, 7);
        for encoding in [plain.unwrap(), mixed.unwrap(), random.unwrap(), Encoding::unit(3).unwrap()] {
            let declared = Context::of(&encoding).unwrap();
            assert_eq!(declared.encoding().unwrap(), encoding);
        }
    }
}
