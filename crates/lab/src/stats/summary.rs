//! Means that come with their spread.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Mean, standard deviation and a 95 % confidence interval of the mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; `None` for a single value.
    pub sd: Option<f64>,
    /// Student's interval for the mean; `None` for a single value.
    pub ci95: Option<[f64; 2]>,
}

impl Summary {
    /// Of at least one value; `None` for none.
    pub fn of(values: &[f64]) -> Option<Summary> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        if values.len() == 1 {
            return Some(Summary { mean, sd: None, ci95: None });
        }
        let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let half = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975) * sd / n.sqrt();
        Some(Summary { mean, sd: Some(sd), ci95: Some([mean - half, mean + half]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_interval() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[3.0]), Some(Summary { mean: 3.0, sd: None, ci95: None }));
        // t(0.975, 3) = 3.182446; sd of 1..4 = 1.290994.
        let summary = Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        let [low, high] = summary.ci95.unwrap();
        assert!((summary.sd.unwrap() - 1.290_994).abs() < 1e-6);
        assert!((low - (2.5 - 3.182_446 * 1.290_994 / 2.0)).abs() < 1e-5 && (low + high - 5.0).abs() < 1e-9);
    }
}
