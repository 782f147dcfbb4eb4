//! The beta posterior of one arm's bit probability, and the tail of it.

use reticent_privacy::SimRng;

use super::super::arm::Arm;

/// Beta(a, b) with a, b >= 1, so its density is log-concave.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beta {
    a: f64,
    b: f64,
}

/// An exponential curve above the density to the right of `floor`, for draws from that tail alone.
///
/// The log-density is concave, so its tangent at the floor lies above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail {
    floor: f64,
    rate: f64,
    /// Mass of the curve beyond the floor: at least the posterior's probability there.
    pub(super) mass: f64,
    log_density_at_floor: f64,
}

impl Beta {
    /// Uniform prior, plus what the arm's bits say.
    #[inline]
    pub(super) fn of(arm: &Arm) -> Beta {
        let (ones, zeros) = arm.ones_and_zeros();
        Beta::counted(ones as f64, zeros as f64)
    }

    /// Uniform prior, plus so many ones and zeros.
    #[inline]
    pub(super) fn counted(ones: f64, zeros: f64) -> Beta {
        Beta { a: ones + 1.0, b: zeros + 1.0 }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut SimRng) -> f64 {
        rng.beta(self.a, self.b)
    }

    #[inline]
    pub(super) fn observations(&self) -> f64 {
        self.a + self.b - 2.0
    }

    /// `deviations` standard deviations below the mean.
    pub(super) fn below_mean(&self, deviations: f64) -> f64 {
        let n = self.a + self.b;
        let mean = self.a / n;
        mean - deviations * (mean * (1.0 - mean) / (n + 1.0)).sqrt()
    }

    /// The tail beyond `floor`, if the density falls there.
    pub(super) fn tail(&self, floor: f64) -> Option<Tail> {
        if floor <= 0.0 || floor >= 1.0 {
            return None;
        }
        let rate = (self.b - 1.0) / (1.0 - floor) - (self.a - 1.0) / floor;
        if rate <= 0.0 {
            return None;
        }
        let log_density = self.log_kernel(floor) - self.log_normaliser();
        Some(Tail {
            floor,
            rate,
            mass: libm::exp(log_density) / rate,
            log_density_at_floor: self.log_kernel(floor),
        })
    }

    /// A draw from beyond the floor, given that the tail's curve was hit: a point of the posterior's tail, or `None` if
    /// the point lies between the density and the curve (then the posterior's draw was below the floor).
    pub(super) fn draw_tail(&self, tail: &Tail, rng: &mut SimRng) -> Option<f64> {
        let step = rng.exponential();
        let x = tail.floor + step / tail.rate;
        if x >= 1.0 {
            return None;
        }
        let log_ratio = self.log_kernel(x) - tail.log_density_at_floor + step;
        (rng.uniform() < libm::exp(log_ratio)).then_some(x)
    }

    fn log_kernel(&self, x: f64) -> f64 {
        (self.a - 1.0) * libm::log(x) + (self.b - 1.0) * libm::log1p(-x)
    }

    fn log_normaliser(&self) -> f64 {
        libm::lgamma(self.a) + libm::lgamma(self.b) - libm::lgamma(self.a + self.b)
    }
}
