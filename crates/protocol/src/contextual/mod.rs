//! Contextual bandits: which arm is best for whom, with context and reward private.

mod encoding;

pub use encoding::{Axis, AxisKind, AxisView, ContextError, Encoding, EncodingError, Field, MAX_AXES, Value};
