//! How many people are needed: what the released function's error will be, known beforehand.

use reticent_curate::kernel::{KernelSpec, Population, ReleaseLoss, Sketch};
use serde::Serialize;

/// What is expected with so many people, in rewards' units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// How many people.
    pub people: u64,
    /// How many numbers are released.
    pub released_numbers: usize,
    /// The expected root mean square error of the function.
    pub error: f64,
    /// The same if nothing were hidden.
    pub error_without_privacy: f64,
    /// What the noise adds to it: the squares of the three add up.
    pub noise: f64,
}

/// What is expected with so many people under this budget.
pub fn forecast(setting: &KernelSpec, population: &Population, budget: ReleaseLoss, people: u64) -> Forecast {
    let sketch = Sketch::new(setting, population, people, budget.sigma());
    let half = setting.half_range();
    let [error, bare] = [budget.sigma(), 0.0].map(|sigma| half * sketch.expected_error(sigma));
    let noise = (error * error - bare * bare).max(0.0).sqrt();
    Forecast { people, released_numbers: sketch.rank(), error, error_without_privacy: bare, noise }
}
