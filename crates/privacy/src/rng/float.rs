//! Floating-point draws for simulated worlds and for agents' choices: methods of [`SimRng`] alone, so that
//! none of them can end up as noise on a private path. Through `libm`, so that they are the same on each
//! machine.

use rand_core::Rng;

use super::SimRng;

impl SimRng {
    /// A uniform float in [0, 1) with 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A uniform float in (0, 1], whose logarithm is finite.
    #[inline]
    pub fn uniform_positive(&mut self) -> f64 {
        1.0 - self.uniform()
    }

    /// An exponential draw with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform_positive())
    }

    /// A standard normal draw: ratio of uniforms with Leva's (1992) quadratic bounds, which spare most logarithms.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        loop {
            let u = self.uniform_positive();
            let v = 1.7156 * (self.uniform() - 0.5);
            let x = u - 0.449_871;
            let y = v.abs() + 0.386_595;
            let q = x * x + y * (0.196 * y - 0.254_72 * x);
            if q < 0.275_97 || (q <= 0.278_46 && v * v <= -4.0 * libm::log(u) * u * u) {
                return v / u;
            }
        }
    }

    /// A gamma draw with the given shape (positive) and scale 1: Marsaglia and Tsang (2000).
    #[inline]
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = libm::pow(self.uniform_positive(), 1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = self.uniform_positive();
            let x2 = x * x;
            if u < 1.0 - 0.0331 * x2 * x2 || libm::log(u) < 0.5 * x2 + d * (1.0 - v + libm::log(v)) {
                return d * v;
            }
        }
    }

    /// A beta draw with positive parameters.
    #[inline]
    pub fn beta(&mut self, alpha: f64, beta: f64) -> f64 {
        let (x, y) = (self.gamma(alpha), self.gamma(beta));
        // Both can underflow for tiny parameters; the law is then a coin with bias alpha / (alpha + beta).
        if x + y > 0.0 { x / (x + y) } else { f64::from(u8::from(self.uniform() * (alpha + beta) < alpha)) }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{LEVEL, chi_square_p, seed};
    use crate::{SimRng, Stream};
    use statrs::distribution::{Beta, ContinuousCDF, Exp, Gamma, Normal};

    /// The p-value of 100 000 draws in 50 cells of equal probability.
    fn fit(mut draw: impl FnMut(&mut SimRng) -> f64, cdf: impl Fn(f64) -> f64, trial: u64) -> f64 {
        let mut rng = seed().stream(trial, Stream::Environment);
        let mut counts = [0; 50];
        for _ in 0..100_000 {
            counts[((cdf(draw(&mut rng)) * 50.0) as usize).min(49)] += 1;
        }
        chi_square_p(&counts, &[0.02; 50])
    }

    #[test]
    fn draws_fit_their_laws_and_the_test_has_power() {
        let normal = Normal::new(0.0, 1.0).unwrap();
        assert!(fit(SimRng::normal, |x| normal.cdf(x), 0) > LEVEL);
        assert!(fit(|rng| 1.03 * rng.normal(), |x| normal.cdf(x), 0) < LEVEL);
        let exponential = Exp::new(1.0).unwrap();
        assert!(fit(SimRng::exponential, |x| exponential.cdf(x), 1) > LEVEL);
        assert!(fit(SimRng::uniform, |x| x, 2) > LEVEL);
        for (trial, shape) in [0.3, 1.0, 2.5, 40.0].into_iter().enumerate() {
            let gamma = Gamma::new(shape, 1.0).unwrap();
            assert!(fit(|rng| rng.gamma(shape), |x| gamma.cdf(x), 3 + trial as u64) > LEVEL, "{shape}");
        }
        for (trial, (a, b)) in [(4.0, 1.0), (0.5, 0.5), (30.0, 70.0), (1.0, 1.0)].into_iter().enumerate() {
            let beta = Beta::new(a, b).unwrap();
            assert!(fit(|rng| rng.beta(a, b), |x| beta.cdf(x), 7 + trial as u64) > LEVEL, "{a} {b}");
        }
        // Power: parameters off by one.
        let beta = Beta::new(30.0, 70.0).unwrap();
        assert!(fit(|rng| rng.beta(31.0, 70.0), |x| beta.cdf(x), 11) < LEVEL);
    }
}
