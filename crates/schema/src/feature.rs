//! One declared feature: which column, and which of its values count as one level.

use serde::{Deserialize, Serialize};

/// A column of the table and its public levels: words that must match exactly, or ranges between declared bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The column's name.
    pub column: String,
    /// The values that may occur, each a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
    /// Bounds between ranges: a number below the first is in the first level, one at or above the last in the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<Vec<f64>>,
}

/// Levels that cannot be told apart. Says the column, which the plan declares.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureError {
    /// Fewer than two levels, or one of them twice.
    #[error("feature {0:?}: `levels` needs two or more different values, without spaces around them")]
    Levels(String),
    /// Bounds out of order.
    #[error("feature {0:?}: `bins` needs one or more increasing numbers")]
    Bins(String),
    /// Both kinds of levels, or neither.
    #[error("feature {0:?}: give either `levels` (exact values) or `bins` (bounds of ranges)")]
    LevelsOrBins(String),
}

impl Feature {
    /// Whether the levels can be told apart.
    pub fn check(&self) -> Result<(), FeatureError> {
        let column = || self.column.clone();
        match (&self.levels, &self.bins) {
            (Some(levels), None) => {
                let mut sorted = levels.clone();
                sorted.sort();
                sorted.dedup();
                let trimmed = levels.iter().all(|level| level.trim() == level);
                if levels.len() < 2 || sorted.len() != levels.len() || !trimmed {
                    return Err(FeatureError::Levels(column()));
                }
            }
            (None, Some(bins)) => {
                let increasing = bins.windows(2).all(|pair| pair[0] < pair[1]);
                if bins.is_empty() || !increasing || bins.iter().any(|bound| !bound.is_finite()) {
                    return Err(FeatureError::Bins(column()));
                }
            }
            _ => return Err(FeatureError::LevelsOrBins(column())),
        }
        Ok(())
    }

    /// How many levels there are.
    pub fn count(&self) -> usize {
        let levels = self.levels.as_ref().map_or(0, Vec::len);
        self.bins.as_ref().map_or(levels, |bins| bins.len() + 1)
    }

    /// The level of a value as it stands in the table; none if it was not declared.
    pub fn level(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        if let Some(levels) = &self.levels {
            return levels.iter().position(|level| level == text);
        }
        self.bin(text.parse().ok().filter(|value: &f64| !value.is_nan())?)
    }

    /// The level of a number; none if levels are words.
    pub fn bin(&self, value: f64) -> Option<usize> {
        Some(self.bins.as_ref()?.iter().take_while(|&&bound| value >= bound).count())
    }

    /// What a level is called in reports.
    pub fn level_name(&self, level: usize) -> String {
        let column = &self.column;
        if let Some(levels) = &self.levels {
            return format!("{column} = {}", levels[level]);
        }
        let bins = self.bins.as_deref().unwrap_or_default();
        match (level.checked_sub(1).map(|below| bins[below]), bins.get(level)) {
            (None, Some(high)) => format!("{column} < {high}"),
            (Some(low), None) => format!("{column} >= {low}"),
            (Some(low), Some(high)) => format!("{low} <= {column} < {high}"),
            (None, None) => column.clone(),
        }
    }
}
