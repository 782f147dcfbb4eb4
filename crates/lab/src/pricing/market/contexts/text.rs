//! Contexts as they are written: `uniform`, `beta`, `vanishing:1.5`.

use std::fmt;
use std::str::FromStr;

use super::{Source, Target};
use crate::pricing::market::MarketError;
use crate::pricing::market::name::{one_of, unknown};

impl Target {
    /// Both.
    pub const ALL: [Target; 2] = [Target::Uniform, Target::Beta];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Target::Uniform => "uniform",
            Target::Beta => "beta",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Target {
    type Err = MarketError;
    fn from_str(name: &str) -> Result<Target, MarketError> {
        one_of("target market", &Target::ALL, Target::name, name)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Uniform => f.pad("uniform"),
            Source::Vanishing { alpha } => write!(f, "vanishing:{alpha}"),
        }
    }
}

impl FromStr for Source {
    type Err = MarketError;
    fn from_str(text: &str) -> Result<Source, MarketError> {
        let source = match (text, text.strip_prefix("vanishing:").map(str::parse)) {
            ("uniform", _) => Source::Uniform,
            (_, Some(Ok(alpha))) => Source::Vanishing { alpha },
            _ => return Err(unknown("source market", "uniform, vanishing:ALPHA", text)),
        };
        source.check().map(|()| source)
    }
}

impl TryFrom<String> for Source {
    type Error = MarketError;
    fn try_from(text: String) -> Result<Source, MarketError> {
        text.parse()
    }
}

impl From<Source> for String {
    fn from(source: Source) -> String {
        source.to_string()
    }
}
