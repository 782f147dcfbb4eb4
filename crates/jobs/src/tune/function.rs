//! A released function, ready to be asked.

use std::path::Path;

use reticent_curate::kernel::{Estimate, KernelSpec, Points, ReadError, Release, Surface};
use serde::Serialize;
use serde_json::Value;

use super::TuneError;
use super::warnings::warnings;
use reticent_store::files;

/// What the file of a release says that it is.
pub(crate) const FORMAT: &str = "reticent released function";
/// The version that this program reads.
pub(crate) const VERSION: u32 = 3;
/// Standard deviations in a 95 % band of a normal variable.
const BAND: f64 = 1.959_963_984_540_054;

/// A released function with the release it was read from.
#[derive(Debug, Clone)]
pub struct Function {
    release: Release,
    surface: Surface,
}

/// What is expected of an action, in own units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// The action.
    pub action: Vec<f64>,
    /// The expected reward.
    pub mean: f64,
    /// The 95 % band's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Whether people of the context got such an action, as far as the release tells. Where it is not, nothing is known
    /// but what the plan says, and the band is as wide as that.
    pub supported: bool,
    /// Whether it was recommended as what people of the context usually got, since no other is believably better.
    pub usual: bool,
}

impl Prediction {
    fn new(action: Vec<f64>, usual: bool, Estimate { mean, deviation, supported }: Estimate) -> Prediction {
        let half = BAND * deviation;
        Prediction { action, mean, low: mean - half, high: mean + half, supported, usual }
    }
}

impl Function {
    /// Reads a release's file.
    pub fn read(path: &Path, threads: usize) -> Result<Function, TuneError> {
        let name = || path.display().to_string();
        let release = parse(&files::read_text(path)?).map_err(|trouble| match trouble {
            Trouble::Foreign(fault) => TuneError::Function { file: name(), fault },
            Trouble::Damaged(message) => TuneError::Damaged { file: name(), message },
        })?;
        Function::of(release, threads).map_err(|fault| TuneError::Function { file: name(), fault })
    }

    /// The function of a release.
    pub fn of(release: Release, threads: usize) -> Result<Function, ReadError> {
        let surface = Surface::read(&release, threads)?;
        Ok(Function { release, surface })
    }

    /// The release.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// What its reader must know.
    pub fn warnings(&self) -> Vec<String> {
        self.surface.people().map_or_else(Vec::new, warnings)
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        self.release.setting()
    }

    /// The best action for a context.
    pub fn best(&self, context: &[f64]) -> Prediction {
        let choice = self.surface.best(context);
        Prediction::new(choice.action, choice.usual, choice.estimate)
    }

    /// The best action for each of many contexts, or what is expected of the given one.
    pub fn best_of(&self, contexts: &[Vec<f64>], action: Option<&[f64]>) -> Vec<Prediction> {
        let setting = self.setting();
        let actions = setting.actions();
        let scale = |values: &[f64], first: usize| -> Vec<f64> {
            values.iter().enumerate().map(|(i, &value)| setting.scaled(first + i, value)).collect()
        };
        let scaled: Vec<Vec<f64>> = contexts.iter().map(|context| scale(context, actions)).collect();
        let Some(action) = action else {
            let own =
                |place: &[f64]| place.iter().enumerate().map(|(i, &x)| setting.unscaled(i, x)).collect();
            let best = self.surface.recommended(&scaled).into_iter();
            return best.map(|one| Prediction::new(own(&one.place), one.usual, one.estimate)).collect();
        };
        let place = scale(action, 0);
        let mut points = Points::new(setting.inputs());
        for context in &scaled {
            points.push(&[place.as_slice(), context].concat());
        }
        let estimates = self.surface.at(&points).into_iter();
        estimates.map(|one| Prediction::new(action.to_vec(), false, one)).collect()
    }

    /// What is expected of an action in a context.
    pub fn at(&self, action: &[f64], context: &[f64]) -> Prediction {
        let setting = self.setting();
        let mut point = Points::new(setting.inputs());
        let own = action.iter().chain(context).enumerate();
        point.push(&own.map(|(input, &value)| setting.scaled(input, value)).collect::<Vec<_>>());
        Prediction::new(action.to_vec(), false, self.surface.at(&point)[0])
    }

    /// The mean at scaled points.
    pub(super) fn means(&self, points: &Points) -> Vec<f64> {
        self.surface.means(points)
    }
}

enum Trouble {
    Foreign(ReadError),
    Damaged(String),
}

/// What a file is comes first: another format's or a later version's fields would only confuse.
fn parse(text: &str) -> Result<Release, Trouble> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let begun = text.trim_start().starts_with('{') && text.contains(FORMAT);
        let cut = || Trouble::Damaged("it is cut short or changed".into());
        return Err(if begun { cut() } else { Trouble::Foreign(ReadError::Format) });
    };
    if value["format"] != FORMAT {
        return Err(Trouble::Foreign(ReadError::Format));
    }
    match value["version"].as_u64() {
        Some(got) if got > u64::from(VERSION) => {
            let got = u32::try_from(got).unwrap_or(u32::MAX);
            Err(Trouble::Foreign(ReadError::Version { got }))
        }
        _ => serde_json::from_value(value).map_err(|error| Trouble::Damaged(error.to_string())),
    }
}
