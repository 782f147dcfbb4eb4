//! Ridge regression that learns one point at a time.

/// The inverse of I + sum of f f', and its product with the sum of f y (Sherman and Morrison 1950).
#[derive(Debug, Clone)]
pub(super) struct Ridge {
    inverse: Vec<f64>,
    weights: Vec<f64>,
    image: Vec<f64>,
}

impl Ridge {
    pub(super) fn new(features: usize) -> Ridge {
        let mut inverse = vec![0.0; features * features];
        for i in 0..features {
            inverse[i * features + i] = 1.0;
        }
        Ridge { inverse, weights: vec![0.0; features], image: vec![0.0; features] }
    }

    /// The mean at `features`, and its variance in units of the noise's.
    pub(super) fn predict(&mut self, features: &[f64]) -> (f64, f64) {
        self.apply(features);
        (dot(&self.weights, features), dot(&self.image, features).max(0.0))
    }

    pub(super) fn learn(&mut self, features: &[f64], value: f64) {
        self.apply(features);
        let gain = 1.0 / (1.0 + dot(&self.image, features));
        let error = value - dot(&self.weights, features);
        for (weight, image) in self.weights.iter_mut().zip(&self.image) {
            *weight += gain * error * image;
        }
        for (row, &left) in self.inverse.chunks_exact_mut(features.len()).zip(&self.image) {
            let scale = gain * left;
            for (entry, right) in row.iter_mut().zip(&self.image) {
                *entry -= scale * right;
            }
        }
    }

    fn apply(&mut self, features: &[f64]) {
        for (image, row) in self.image.iter_mut().zip(self.inverse.chunks_exact(features.len())) {
            *image = dot(row, features);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
