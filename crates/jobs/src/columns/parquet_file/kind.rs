//! What a column of a Parquet file holds.

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::schema::types::Type;

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number {
        unsigned: bool,
    },
    /// A whole number of so many decimals.
    Decimal {
        scale: i32,
    },
    /// A point in time, as a whole number of so many a second; days if it is none.
    Instant {
        per_second: Option<i64>,
    },
    Truth,
    Text,
}

/// The kind and the type's name; the name alone if cells of this type are not read.
pub(super) fn kind_of(field: &Type, scale: i32) -> Result<(Kind, String), String> {
    if field.is_group() {
        return Err("group".into());
    }
    let (info, physical) = (field.get_basic_info(), field.get_physical_type());
    if info.repetition() == Repetition::REPEATED {
        return Err(format!("repeated {physical}"));
    }
    let logical = info.logical_type_ref().map(|logical| format!("{logical:?}"));
    let unit = match (info.converted_type(), &logical) {
        (ConvertedType::NONE, None) => None,
        (ConvertedType::NONE, Some(logical)) => Some(first_word(logical)),
        (converted, _) => Some(converted.to_string()),
    };
    let found = unit.as_ref().map_or(physical.to_string(), |unit| format!("{physical} ({unit})"));
    let nanos = logical.as_ref().is_some_and(|logical| logical.to_ascii_lowercase().contains("nanos"));
    let kind = match (physical, unit.as_deref()) {
        (Physical::BOOLEAN, None) => Kind::Truth,
        (Physical::INT32 | Physical::INT64, Some("DATE" | "Date")) => Kind::Instant { per_second: None },
        (Physical::INT64, Some("TIMESTAMP_MILLIS")) => Kind::Instant { per_second: Some(1000) },
        (Physical::INT64, Some("TIMESTAMP_MICROS")) => Kind::Instant { per_second: Some(1_000_000) },
        (Physical::INT64, Some("Timestamp")) if nanos => Kind::Instant { per_second: Some(1_000_000_000) },
        (
            Physical::INT32 | Physical::INT64 | Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY,
            Some("DECIMAL" | "Decimal"),
        ) => Kind::Decimal { scale },
        (Physical::INT32 | Physical::INT64, unit) if unit.is_none_or(|unit| unit.contains("INT_")) => {
            Kind::Number { unsigned: unit.is_some_and(|unit| unit.starts_with("UINT_")) }
        }
        (Physical::FLOAT | Physical::DOUBLE, None) => Kind::Number { unsigned: false },
        (Physical::BYTE_ARRAY, None | Some("UTF8" | "ENUM" | "String" | "Enum")) => Kind::Text,
        _ => return Err(found),
    };
    Ok((kind, found))
}

pub(super) fn first_word(text: &str) -> String {
    text.chars().take_while(|&letter| letter.is_ascii_alphanumeric() || letter == '_').collect()
}
