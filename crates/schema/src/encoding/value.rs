//! A raw value, as a person's device holds it.

use std::fmt;

/// One raw value of a person. It has no serialised form, and its `Debug` does not show it.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// For a numeric field.
    Number(f64),
    /// For a category field: the name of a level.
    Category(String),
    /// Nobody knows.
    Missing,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Number(_) | Value::Category(_) | Value::Missing => "Value(..)",
        })
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(level: &str) -> Value {
        Value::Category(level.to_owned())
    }
}

impl From<String> for Value {
    fn from(level: String) -> Value {
        Value::Category(level)
    }
}
