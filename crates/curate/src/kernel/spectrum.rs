//! How much of a function each wave carries, if the function is a draw from a kernel.

use super::{Family, Kernel, KernelSpec, Waves};

/// Prior variances of waves' coefficients, for a function of variance one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spectrum {
    /// Of the constant, then of each wave's cosine and sine.
    pub(super) variances: Vec<f64>,
    /// What faster waves carry.
    pub(super) left: f64,
}

/// How much of a function's variance is of simple parts; the rest is of all inputs together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Structure {
    /// Of a function of the actions alone, and one of the contexts alone.
    pub(super) alone: f64,
    /// Of functions of the actions and one context each.
    pub(super) pairs: f64,
}

impl Structure {
    /// All inputs together.
    pub(super) const WHOLE: Structure = Structure { alone: 0.0, pairs: 0.0 };
    /// Some of each.
    pub(super) const MIXED: Structure = Structure { alone: 0.4, pairs: 0.3 };
    /// Hardly anything depends on actions and contexts together.
    pub(super) const SIMPLE: Structure = Structure { alone: 0.9, pairs: 0.08 };

    /// Which inputs each part has, and its share.
    fn parts(self, setting: &KernelSpec) -> Vec<(f64, Vec<bool>)> {
        let (actions, inputs) = (setting.actions(), setting.inputs());
        let part = |share: f64, has: &dyn Fn(usize) -> bool| (share, (0..inputs).map(has).collect());
        let contexts = inputs - actions;
        if contexts == 0 {
            return vec![part(1.0, &|_| true)];
        }
        let mut parts = vec![
            part(self.alone / 2.0, &|input| input < actions),
            part(self.alone / 2.0, &|input| input >= actions),
        ];
        let pair = |context: usize| {
            part(self.pairs / contexts as f64, &move |input| input < actions || input == context)
        };
        parts.extend((actions..inputs).map(pair));
        parts.push(part(1.0 - self.alone - self.pairs, &|_| true));
        parts.retain(|(share, _)| *share > 0.0);
        parts
    }
}

/// The waves that carry most of a function of mixed structure.
pub(super) fn largest_waves(setting: &KernelSpec, count: usize) -> Waves {
    let parts = Structure::MIXED.parts(setting).into_iter();
    let all = parts.map(|(_, has)| Waves::slowest_of(setting, count, &has));
    let waves = all.fold(Waves::slowest(setting, 2 * count), Waves::and);
    let spectrum = Spectrum::new(&waves, waves.len(), setting, setting.kernel(), 0.5, Structure::MIXED);
    waves.largest(&spectrum.variances, count)
}

impl Spectrum {
    /// Of the first `count` waves under a kernel and a structure, whose functions are made smoother by `smoothness`: 0
    /// is a draw of the Gaussian process, 1 about a member of the kernel's space.
    pub(super) fn new(
        waves: &Waves,
        count: usize,
        setting: &KernelSpec,
        kernel: &Kernel,
        smoothness: f64,
        structure: Structure,
    ) -> Spectrum {
        let mut sum = Spectrum { variances: vec![0.0; 1 + 2 * count], left: 0.0 };
        for (share, has) in structure.parts(setting) {
            let part = Spectrum::part(waves, count, setting, kernel, smoothness, &has);
            sum.variances.iter_mut().zip(part.variances).for_each(|(sum, one)| *sum += share * one);
            sum.left += share * part.left;
        }
        sum
    }

    /// Of functions of some inputs.
    fn part(
        waves: &Waves,
        count: usize,
        setting: &KernelSpec,
        kernel: &Kernel,
        smoothness: f64,
        has: &[bool],
    ) -> Spectrum {
        let mut all = 0.0;
        let mut logarithms = vec![0.0; count + 1];
        let mut first = 0;
        for factor in kernel.factors() {
            let inputs = first..first + factor.lengths.len();
            let axes: Vec<Axis> = inputs
                .clone()
                .zip(&factor.lengths)
                .filter(|(input, _)| has[*input])
                .map(|(input, &length)| Axis::of(waves, setting, input, length))
                .collect();
            first = inputs.end;
            if axes.is_empty() {
                continue;
            }
            all += volume(factor.family, &axes, smoothness);
            for (logarithm, frequency) in logarithms[1..].iter_mut().zip(waves.frequencies()) {
                let along = axes.iter().map(|axis| axis.turn * f64::from(frequency[axis.input]));
                *logarithm += density(factor.family, axes.len(), along.map(|x| x * x).sum(), smoothness);
            }
        }
        let within = |frequency: &Vec<i32>| frequency.iter().zip(has).all(|(&times, &has)| has || times == 0);
        let one = |(logarithm, within): (&f64, bool)| if within { libm::exp(*logarithm) } else { 0.0 };
        let inside = std::iter::once(true).chain(waves.frequencies().iter().map(within));
        let weights: Vec<f64> = logarithms.iter().zip(inside).map(one).collect();
        let here = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
        let all = libm::exp(all).max(here);
        let pairs = weights[1..].iter().flat_map(|weight| [weight / all; 2]);
        Spectrum {
            variances: std::iter::once(weights[0] / all).chain(pairs).collect(),
            left: 1.0 - here / all,
        }
    }
}

/// An input as waves see it.
struct Axis {
    input: usize,
    /// The scaled frequency of one period.
    turn: f64,
    levels: Option<usize>,
}

impl Axis {
    fn of(waves: &Waves, setting: &KernelSpec, input: usize, length: f64) -> Axis {
        let levels = setting.input(input).levels.as_ref().map(Vec::len);
        Axis { input, turn: std::f64::consts::TAU * length / waves.periods()[input], levels }
    }
}

/// The logarithm of a kernel's spectral density at a squared scaled frequency, beside that at zero.
fn density(family: Family, inputs: usize, square: f64, smoothness: f64) -> f64 {
    match order(family) {
        Some(nu) => -decay(nu, inputs, smoothness) * libm::log1p(square / (2.0 * nu)),
        None => -0.5 * (1.0 + smoothness) * square,
    }
}

/// The logarithm of the sum of that density over all frequencies: an integral over numbers, a sum over levels.
fn volume(family: Family, axes: &[Axis], smoothness: f64) -> f64 {
    let numbers = axes.iter().filter(|axis| axis.levels.is_none());
    let half = numbers.clone().count() as f64 / 2.0;
    let whole = match order(family) {
        Some(nu) => {
            let decay = decay(nu, axes.len(), smoothness);
            half * libm::log(std::f64::consts::PI * 2.0 * nu) + libm::lgamma(decay - half)
                - libm::lgamma(decay)
        }
        None => half * libm::log(std::f64::consts::TAU / (1.0 + smoothness)),
    };
    let levels = axes.iter().filter_map(|axis| {
        axis.levels.map(|levels| {
            let one = |k: usize| {
                let along = axis.turn * (k as f64 - ((levels - 1) / 2) as f64);
                libm::exp(density(family, axes.len(), along * along, smoothness))
            };
            libm::log((0..levels).map(one).sum::<f64>())
        })
    });
    whole - numbers.map(|axis| libm::log(axis.turn)).sum::<f64>() + levels.sum::<f64>()
}

/// How fast a Matern density falls, in powers of its squared frequency.
fn decay(nu: f64, inputs: usize, smoothness: f64) -> f64 {
    (nu + inputs as f64 / 2.0) * (1.0 + smoothness)
}

/// Matern's nu; none for the squared exponential.
fn order(family: Family) -> Option<f64> {
    match family {
        Family::MaternHalf => Some(0.5),
        Family::MaternThreeHalves => Some(1.5),
        Family::MaternFiveHalves => Some(2.5),
        Family::SquaredExponential => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Points;
    use crate::kernel::tests::made::plan;

    /// The waves' covariance is the kernel's, up to what goes round the torus and what faster waves carry.
    #[test]
    fn waves_make_the_kernel() {
        for family in [Family::MaternThreeHalves, Family::MaternFiveHalves, Family::SquaredExponential] {
            let setting = KernelSpec::try_from(plan(family, 1, 0.2)).unwrap();
            let waves = Waves::slowest(&setting, 600);
            let spectrum = Spectrum::new(&waves, 600, &setting, setting.kernel(), 0.0, Structure::WHOLE);
            let total: f64 = spectrum.variances.iter().sum::<f64>() + spectrum.left;
            assert!((total - 1.0).abs() < 1e-9);
            let points = Points::halton(0..30, 2);
            let rows = waves.rows(&points, 600);
            let kernels = setting.kernel().between(&points, &points);
            for i in 0..30 {
                for j in 0..i {
                    let made: f64 =
                        (0..1201).map(|k| rows[(i, k)] * rows[(j, k)] * spectrum.variances[k]).sum();
                    let far = points.point(i).iter().zip(points.point(j)).any(|(a, b)| (a - b).abs() > 0.5);
                    assert!(
                        far || (made - kernels[(i, j)]).abs() < 0.04,
                        "{family:?} {made} {}",
                        kernels[(i, j)]
                    );
                }
            }
        }
    }
}
