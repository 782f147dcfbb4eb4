//! What a column means, declared in public before anybody takes part: ranges, categories, bins, projections.
//!
//! [`Range`] is where a number lies. [`Feature`] sorts people into a few public levels. [`Encoding`] turns a
//! whole context into a point of the unit cube. All are fixed functions and cost no privacy; [`Value`], a raw
//! value, has no stored form and prints nothing.

mod canonical;
mod decimal;
mod encoding;
pub mod experiment;
mod feature;
mod range;

pub use canonical::{CanonicalError, Digest, DigestError, Prefix, canonical};
pub use decimal::{Decimal, DecimalError};
pub use encoding::{Axis, AxisKind, AxisView, ContextError, Encoding, EncodingError, Field, MAX_AXES, Value};
pub use experiment::{Experiment, ExperimentError};
pub use feature::{Feature, FeatureError};
pub use range::{Range, RangeError};
