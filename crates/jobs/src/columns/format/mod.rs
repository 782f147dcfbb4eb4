//! How a table is written: the section `[table]` of a plan's file. It says nothing about what columns mean,
//! and is no part of an experiment: the same people in another spelling are the same people.

mod date;
mod number;

use std::collections::BTreeMap;

use serde::Deserialize;

pub(super) use date::{DateFormat, iso};
pub(super) use number::{NumberFormat, plain};

/// A commented section, for plans that are begun.
pub const EXAMPLE: &str = include_str!("example.toml");

/// How a table is written. Without a word: commas, semicolons, tabs or bars between cells, decimal points, and
/// no cell empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableFormat {
    /// What stands between cells of a CSV file.
    delimiter: Option<String>,
    /// `.` or `,`.
    decimal: Option<String>,
    /// What stands between groups of three digits.
    thousands: Option<String>,
    /// What stands before or after an amount.
    #[serde(default)]
    currency: Vec<String>,
    /// Cells that say that there is no value, as an empty one does.
    #[serde(default)]
    blank: Vec<String>,
    /// What differs for single columns.
    #[serde(default)]
    columns: BTreeMap<String, ColumnFormat>,
}

/// How one column is written, and what a missing value counts as.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnFormat {
    decimal: Option<String>,
    thousands: Option<String>,
    currency: Option<Vec<String>>,
    yes: Option<Vec<String>>,
    no: Option<Vec<String>>,
    date: Option<String>,
    origin: Option<String>,
    unit: Option<String>,
    missing: Option<Missing>,
    other: Option<String>,
}

/// What a missing value counts as.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Missing {
    /// The table is refused.
    #[default]
    Refuse,
    /// The middle of the declared range.
    Middle,
    /// A declared level.
    Level(String),
    /// An outcome that nobody knows.
    Lost,
}

/// Why a table cannot be written as a plan's file says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The table as a whole.
    #[error("[table]: {0}")]
    Table(&'static str),
    /// One column.
    #[error("[table.columns.{column:?}]: {fault}")]
    Column {
        /// Its name in the plan.
        column: String,
        /// What is wrong.
        fault: &'static str,
    },
}

/// How the cells of a column become numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Writing {
    Number(NumberFormat),
    YesNo { yes: Vec<String>, no: Vec<String> },
    Date(DateFormat),
}

const NUMBERS: &str = "`decimal` is \".\" or \",\"; `thousands` another of \".\", \",\", \"'\", \"_\" and \" \"; \
    `currency` a list of texts without digits and signs";

impl TableFormat {
    /// Whether every column that is spoken of is one that the plan declares.
    pub fn check_names<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), FormatError> {
        let names: Vec<&str> = names.into_iter().collect();
        let unknown = |column: &&String| !names.contains(&column.as_str());
        match self.columns.keys().find(unknown) {
            Some(column) => Err(wrong(column, "the plan declares no column of this name")),
            None => Ok(()),
        }
    }

    /// What stands between cells, if that is declared.
    pub(super) fn delimiter(&self) -> Result<Option<u8>, FormatError> {
        match self.delimiter.as_deref() {
            None => Ok(None),
            Some("tab") => Ok(Some(b'\t')),
            Some(mark) => match mark.as_bytes() {
                [mark @ (b',' | b';' | b'\t' | b'|')] => Ok(Some(*mark)),
                _ => Err(FormatError::Table("`delimiter` is one of \",\", \";\", \"|\" and \"tab\"")),
            },
        }
    }

    /// Cells that say that there is no value.
    pub(super) fn blanks(&self) -> Vec<Vec<u8>> {
        self.blank.iter().map(|text| text.trim().into()).collect()
    }

    fn column(&self, name: &str) -> ColumnFormat {
        self.columns.get(name).cloned().unwrap_or_default()
    }

    /// How a column of numbers is written.
    pub(super) fn writing(&self, name: &str) -> Result<Writing, FormatError> {
        let format = self.column(name);
        match (format.yes, format.no, format.date) {
            (Some(yes), Some(no), None) => {
                let clash = |text: &String| no.iter().any(|other| other.eq_ignore_ascii_case(text));
                if yes.is_empty() || no.is_empty() || yes.iter().any(clash) {
                    return Err(wrong(name, "`yes` and `no` are lists of texts, none in both"));
                }
                Ok(Writing::YesNo { yes, no })
            }
            (None, None, Some(pattern)) => {
                let origin = format.origin.ok_or_else(|| {
                    wrong(
                        name,
                        "`date` needs `origin`, the day from which is counted, such as \"2024-01-01\"",
                    )
                })?;
                let unit = format.unit.as_deref().unwrap_or("days");
                DateFormat::new(&pattern, &origin, unit)
                    .map(Writing::Date)
                    .map_err(|fault| wrong(name, fault))
            }
            (None, None, None) if format.origin.is_some() || format.unit.is_some() => {
                Err(wrong(name, "`origin` and `unit` are for dates: give `date` too"))
            }
            (None, None, None) => NumberFormat::new(
                format.decimal.as_deref().or(self.decimal.as_deref()),
                format.thousands.as_deref().or(self.thousands.as_deref()),
                format.currency.as_ref().unwrap_or(&self.currency),
            )
            .map(Writing::Number)
            .ok_or_else(|| wrong(name, NUMBERS)),
            _ => Err(wrong(name, "give `yes` and `no`, or `date` with `origin`, or neither")),
        }
    }

    /// What missing values of a column count as.
    pub(super) fn missing(&self, name: &str) -> Missing {
        self.column(name).missing.unwrap_or_default()
    }

    /// The level that stands for all that were not declared.
    pub(super) fn other(&self, name: &str) -> Option<String> {
        self.column(name).other
    }

    /// Whether a column's cells are said to be numbers of some kind, which levels are not.
    pub(super) fn is_of_numbers(&self, name: &str) -> bool {
        let ColumnFormat { decimal, thousands, currency, yes, no, date, origin, unit, .. } =
            self.column(name);
        let texts = [decimal, thousands, date, origin, unit];
        let lists = [currency, yes, no];
        texts.iter().any(Option::is_some) || lists.iter().any(Option::is_some)
    }
}

pub(super) fn wrong(column: &str, fault: &'static str) -> FormatError {
    FormatError::Column { column: column.into(), fault }
}
