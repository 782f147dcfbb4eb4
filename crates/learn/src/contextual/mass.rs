//! Where people are: the share of each cell, learned from the same reports.
//!
//! The density relative to an even one is 1 plus a smooth function with the same machinery as rewards. How
//! smooth and how uneven it is, is chosen by the evidence, and an even density is one of the choices: who
//! asks for nothing uneven pays nothing for learning it.

use super::kernel::Kernel;
use super::posterior::System;
use super::shape::Amplitudes;
use super::statistics::Statistics;

/// How uneven, and how smooth, a density may be.
const AMPLITUDES: [Amplitudes; 6] = [
    Amplitudes { own: 0.0, ..Amplitudes::smooth(0.2) },
    Amplitudes { own: 0.0, ..Amplitudes::smooth(0.6) },
    Amplitudes { own: 0.0, ..Amplitudes::smooth(1.5) },
    Amplitudes { own: 1.0, ..Amplitudes::smooth(1.0) },
    Amplitudes { own: 4.0, ..Amplitudes::smooth(3.0) },
    Amplitudes { own: 20.0, ..Amplitudes::smooth(3.0) },
];
const LENGTHS: [usize; 2] = [2, 4];
const MAX_RANK: usize = 40;
/// Evidence that an uneven density must have over an even one.
const HURDLE: f64 = 1.0;
/// No cell counts as emptier than this, relative to an even density: somebody may come.
const EMPTIEST: f64 = 0.02;

/// The masses of the cells, adding up to 1; `even` are those of a density that is taken to be even.
pub(super) fn masses(kernel: &Kernel, statistics: &Statistics, even: &[f64]) -> Vec<f64> {
    if statistics.people == 0.0 {
        return even.to_vec();
    }
    let mut best = (HURDLE, vec![1.0; even.len()]);
    for length in LENGTHS {
        let basis = kernel.smooth_basis(&vec![length; kernel.axes()], MAX_RANK);
        let system = System::new(&basis, even, &statistics.place);
        for amplitudes in AMPLITUDES {
            let own = amplitudes.own * amplitudes.own;
            let posterior = system.clone().blurred(&basis, own).posterior(&basis, &amplitudes, 1.0);
            // Beyond the evidence of the even density, which is flat.
            let evidence = posterior.evidence() - system.flat(1.0);
            if evidence > best.0 {
                best = (evidence, posterior.mean(&basis));
            }
        }
    }
    normalised(best.1, even)
}

fn normalised(density: Vec<f64>, even: &[f64]) -> Vec<f64> {
    let raised: Vec<f64> = density.into_iter().zip(even).map(|(d, even)| d.max(EMPTIEST) * even).collect();
    let total: f64 = raised.iter().sum();
    raised.into_iter().map(|d| d / total).collect()
}
