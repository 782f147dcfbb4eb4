//! Numbers far below one, for readers.

/// Two or three digits that count, for numbers far below one.
pub(super) fn small(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".to_string(),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v >= 0.01 => format!("{v:.3}"),
        v if v >= 0.0001 => format!("{v:.5}"),
        v => format!("{v:.1e}"),
    }
}
