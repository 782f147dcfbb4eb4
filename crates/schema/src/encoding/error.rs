//! What can be wrong with an encoding, and with a context.

use super::MAX_AXES;

/// Why an encoding was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// Fields without an axis, or more axes than [`MAX_AXES`].
    #[error("an encoding of fields needs 1 to {MAX_AXES} axes, got {0}")]
    Axes(usize),
    /// A field or a projection without a name.
    #[error("every field and every projection needs a name")]
    NoName,
    /// Two things with one name.
    #[error("the name `{0}` is used twice; fields, projections and axes need names of their own")]
    SameName(String),
    /// Ends that are not finite, not in order or too far apart.
    #[error("`{0}` needs a finite range with low below high")]
    Range(String),
    /// A category with nothing to tell apart.
    #[error("category `{0}` needs at least two levels")]
    FewLevels(String),
    /// Two levels with one name.
    #[error("category `{field}` has the level `{level}` twice")]
    SameLevel {
        /// The category.
        field: String,
        /// The level.
        level: String,
    },
    /// An axis made of a field that nobody declared.
    #[error("axis `{axis}` is made of the field `{field}`, which is not declared")]
    UnknownField {
        /// The axis.
        axis: String,
        /// The name that it uses.
        field: String,
    },
    /// A projection of something that is no number.
    #[error("`{field}` is a category: a projection can weigh numeric fields only")]
    NotNumeric {
        /// The field.
        field: String,
    },
    /// A projection without weights.
    #[error("projection `{0}` needs at least one weight")]
    NoWeights(String),
    /// A weight that is zero or not finite, or that is given twice.
    #[error("projection `{projection}` needs one finite weight other than 0 for `{field}`")]
    Weight {
        /// The projection.
        projection: String,
        /// The field.
        field: String,
    },
    /// Weights whose sum overflows.
    #[error("the weights of projection `{0}` are too large; scale them down, and its range too")]
    Overflow(String),
    /// More random projections than there are different ones.
    #[error("{fields} fields have fewer than {axes} different sign projections; ask for fewer axes")]
    FewSigns {
        /// How many fields there are.
        fields: usize,
        /// How many axes were asked for.
        axes: usize,
    },
}

/// Why a context was refused. Names the field at most, never its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// Too few or too many values.
    #[error("a context has {expected} values, one for each field in order; got {got}")]
    Values {
        /// How many fields there are.
        expected: usize,
        /// How many values came.
        got: usize,
    },
    /// A place for the point that is too small or too large.
    #[error("a point has {expected} coordinates; there is room for {got}")]
    Room {
        /// How many axes there are.
        expected: usize,
        /// How many coordinates were provided.
        got: usize,
    },
    /// NaN or an infinity.
    #[error("the value of field `{field}` is not a finite number")]
    NotFinite {
        /// The field.
        field: String,
    },
    /// A name where a number is wanted.
    #[error("field `{field}` takes a number")]
    WantsNumber {
        /// The field.
        field: String,
    },
    /// A number where a level is wanted.
    #[error("field `{field}` takes one of its levels, not a number")]
    WantsLevel {
        /// The field.
        field: String,
    },
    /// A level that the field does not have.
    #[error("the value of field `{field}` is none of its levels; map it to one of them first")]
    UnknownLevel {
        /// The field.
        field: String,
    },
}
