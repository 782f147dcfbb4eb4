//! How a device turns a person's raw context into a point of the unit cube. Public, agreed on before anyone takes part,
//! and free of privacy cost: it is a fixed function, and what it gives stays on the device until it is privatised.

mod check;
mod declare;
mod encode;
mod error;
mod random;
#[cfg(test)]
mod tests;
mod value;

use serde::{Deserialize, Serialize};

use check::Step;
pub use declare::{Axis, AxisKind, AxisView, Field};
pub use error::{ContextError, EncodingError};
pub use value::Value;

/// More axes than this leave each cell of a cube with almost nobody in it.
pub const MAX_AXES: usize = 64;

/// The fields that a context has, and the axes of the unit cube that are made of them.
///
/// A numeric axis runs from 0 at the low end of its range to 1 at the high end, and what lies outside is clipped. A
/// category axis with n levels puts level i at (i + 1/2) / n, the middle of the i-th of n equal cells.
///
/// ```
/// use reticent_schema::{Axis, Encoding, Field, Value};
/// let fields = vec![
///     Field::Numeric { name: "age".into(), low: 20.0, high: 80.0 },
///     Field::Category { name: "region".into(), levels: vec!["north".into(), "south".into()] },
/// ];
/// let axes = vec![Axis::Field { field: "age".into() }, Axis::Field { field: "region".into() }];
/// let encoding = Encoding::new(fields, axes)?;
/// let mut point = [0.0; 2];
/// encoding.encode_values(&[Value::Number(35.0), Value::Category("south".into())], &mut point)?;
/// assert_eq!(point, [0.25, 0.75]);
/// // Whatever a person's value is, there is a point: silence would tell it.
/// encoding.encode_values(&[f64::NAN.into(), "moon".into()], &mut point)?;
/// assert_eq!(point, [0.5, 0.75]);
/// let unknown = encoding.check_values(&[35.0.into(), "moon".into()]).unwrap_err();
/// assert_eq!(unknown.to_string(), "the value of field `region` is none of its levels; map it to one of them first");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Encoding {
    fields: Vec<Field>,
    axes: Vec<Axis>,
    /// How each axis is computed, with names resolved to positions.
    steps: Vec<Step>,
    /// The first field that is no number, which the path for numbers alone must refuse.
    first_category: Option<usize>,
}

impl Encoding {
    /// Checks names, ranges, levels and weights.
    pub fn new(fields: Vec<Field>, axes: Vec<Axis>) -> Result<Encoding, EncodingError> {
        let steps = check::steps(&fields, &axes)?;
        let first_category = fields.iter().position(|field| matches!(field, Field::Category { .. }));
        Ok(Encoding { fields, axes, steps, first_category })
    }

    /// `dimension` numbers x1, x2, ... that are in [0, 1] already; others are clipped.
    pub fn unit(dimension: usize) -> Result<Encoding, EncodingError> {
        // Refused before it is built: a huge dimension must not fill the memory.
        check::axis_count(dimension)?;
        Encoding::ranges(&vec![(0.0, 1.0); dimension])
    }

    /// Numbers x1, x2, ... with the given ranges `(low, high)`.
    pub fn ranges(ranges: &[(f64, f64)]) -> Result<Encoding, EncodingError> {
        let name = |i: usize| format!("x{}", i + 1);
        let field = |(i, &(low, high))| Field::Numeric { name: name(i), low, high };
        let fields = ranges.iter().enumerate().map(field).collect();
        Encoding::new(fields, (0..ranges.len()).map(|i| Axis::Field { field: name(i) }).collect())
    }

    /// `axes` projections of numeric fields on random signs, drawn once from a public seed and then part of
    /// the encoding. Each range is as wide as its sum can get, so that nothing is clipped. No two axes have
    /// the same or opposite signs.
    pub fn random_projection(fields: Vec<Field>, axes: usize, seed: u64) -> Result<Encoding, EncodingError> {
        let axes = random::axes(&fields, axes, seed)?;
        Encoding::new(fields, axes)
    }

    /// What a context consists of, in the order in which its values are given.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// What the axes are made of.
    pub fn declared_axes(&self) -> &[Axis] {
        &self.axes
    }

    /// How many axes the cube has.
    pub fn dimension(&self) -> usize {
        self.axes.len()
    }

    /// Name, kind and range of each axis.
    pub fn axes(&self) -> impl ExactSizeIterator<Item = AxisView<'_>> + Clone {
        self.axes.iter().zip(&self.steps).map(|(axis, step)| AxisView {
            name: axis.name(),
            kind: step.kind(),
            low: step.ends().0,
            high: step.ends().1,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    fields: Vec<Field>,
    axes: Vec<Axis>,
}

impl From<Encoding> for Raw {
    fn from(encoding: Encoding) -> Raw {
        Raw { fields: encoding.fields, axes: encoding.axes }
    }
}

impl TryFrom<Raw> for Encoding {
    type Error = EncodingError;
    fn try_from(raw: Raw) -> Result<Encoding, EncodingError> {
        Encoding::new(raw.fields, raw.axes)
    }
}
