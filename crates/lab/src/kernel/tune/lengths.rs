//! Where length scales come from: the one place that knows, so that sources can be added.

use reticent_curate::kernel::Setting;

use super::TuneError;

/// Where length scales come from. Never from the log itself: choosing them by it would have to be paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lengths {
    /// As the plan declares them.
    #[default]
    Declared,
}

impl Lengths {
    /// The plan with its length scales settled.
    pub fn settle(self, setting: &Setting) -> Result<Setting, TuneError> {
        match self {
            Lengths::Declared => Ok(setting.clone()),
        }
    }
}
