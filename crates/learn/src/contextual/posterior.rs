//! The Gaussian posterior of a function on the cells, in the coordinates of a basis.

use reticent_privacy::SimRng;

use super::kernel::{Basis, LANES};
use super::shape::Amplitudes;
use super::statistics::Sums;
use crate::linear::{Lower, add_scaled, dot};

/// Observations in a basis: precision (lower triangle), and precision times mean and the log-likelihood
/// without coordinates, both as functions of the level around which the function varies. What was said about single
/// cells is kept apart, because the cells' own part of the function blurs it.
#[derive(Debug, Clone)]
pub(super) struct System {
    rank: usize,
    precision: Vec<f64>,
    moment: Vec<f64>,
    /// What one unit of level takes from the moment.
    level_moment: Vec<f64>,
    /// The log-likelihood of a level and nothing else: the first times it, minus half the second times its square.
    level_terms: [f64; 2],
    /// Of each cell: the precision of what was said about it alone, and precision times mean. Empty for none.
    alone: Vec<[f64; 2]>,
}

/// Observations of which those about single cells are blurred by the cells' own part.
#[derive(Debug, Clone)]
pub(super) struct Blurred {
    system: System,
    own: f64,
    constant: f64,
}

/// A posterior over a basis's coordinates, whose prior is standard normal, and over what each cell has of its own.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    factor: Lower,
    /// The mean, multiplied by the transposed factor.
    whitened: Vec<f64>,
    mean: Vec<f64>,
    scales: Vec<f64>,
    own: f64,
    alone: Vec<[f64; 2]>,
    level: f64,
    constant: f64,
}

/// Cells, and functions, handled together.
const BLOCK: usize = 4;
const TILE: usize = 4;
const _: () = assert!(LANES.is_multiple_of(TILE), "a basis is made of whole tiles");

impl System {
    /// No observation.
    pub(super) fn empty(rank: usize) -> System {
        System {
            rank,
            precision: vec![0.0; rank * rank],
            moment: vec![0.0; rank],
            level_moment: vec![0.0; rank],
            level_terms: [0.0; 2],
            alone: Vec::new(),
        }
    }

    /// The observations `sums` of level + function, in cells with these masses.
    pub(super) fn new(basis: &Basis, masses: &[f64], sums: &Sums) -> System {
        let (rank, cells) = (basis.rank, masses.len());
        let mut system = System::empty(rank);
        let mut weighted = basis.values.clone();
        for (row, &mass) in weighted.chunks_exact_mut(rank).zip(masses) {
            for value in row {
                *value *= mass;
            }
        }
        let moments = sums.moments(masses);
        let mut images = vec![0.0; BLOCK * rank];
        let mut others = Vec::with_capacity(cells);
        for first in (0..cells).step_by(BLOCK) {
            // A grid with fewer cells than a block repeats its last.
            let block: [usize; BLOCK] = std::array::from_fn(|i| (first + i).min(cells - 1));
            let gram = block.map(|cell| sums.gram_row(cell));
            others.clear();
            others.extend((0..cells).filter(|&other| gram.iter().any(|row| row[other] != 0.0)));
            if others.is_empty() {
                continue;
            }
            multiply(gram, &others, &weighted, rank, &mut images);
            for (i, cell) in (first..(first + BLOCK).min(cells)).enumerate() {
                let (image, row) =
                    (&images[i * rank..(i + 1) * rank], &weighted[cell * rank..(cell + 1) * rank]);
                for (i, &value) in row.iter().enumerate() {
                    add_scaled(&mut system.precision[i * rank..=i * rank + i], value, &image[..=i]);
                }
                let gram_masses = dot(gram[i], masses);
                let moment = moments[cell];
                add_scaled(&mut system.moment, moment, row);
                add_scaled(&mut system.level_moment, gram_masses, row);
                system.level_terms[0] += masses[cell] * moment;
                system.level_terms[1] += masses[cell] * gram_masses;
            }
        }
        system.alone = sums.alone().to_vec();
        system
    }

    /// Adds `weight` times the observations of `other`.
    pub(super) fn add(&mut self, weight: f64, other: &System) {
        add_scaled(&mut self.precision, weight, &other.precision);
        add_scaled(&mut self.moment, weight, &other.moment);
        add_scaled(&mut self.level_moment, weight, &other.level_moment);
        add_scaled(&mut self.level_terms, weight, &other.level_terms);
        self.alone.resize(self.alone.len().max(other.alone.len()), [0.0; 2]);
        for (to, from) in self.alone.iter_mut().zip(&other.alone) {
            *to = [to[0] + weight * from[0], to[1] + weight * from[1]];
        }
    }

    /// The log-likelihood of a level, when the function is flat.
    pub(super) fn flat(&self, level: f64) -> f64 {
        let terms = |[linear, square]: [f64; 2]| level * (linear - 0.5 * level * square);
        terms(self.level_terms) + self.alone.iter().map(|[p, b]| terms([*b, *p])).sum::<f64>()
    }

    /// How much is known, in all coordinates together.
    pub(super) fn information(&self, basis: &Basis) -> f64 {
        let shared: f64 = (0..self.rank).map(|i| self.precision[i * self.rank + i]).sum();
        let rows = basis.values.chunks_exact(self.rank).zip(&self.alone);
        shared + rows.map(|(row, [p, _])| p * dot(row, row)).sum::<f64>()
    }

    /// The same with what was said about single cells among the rest, if cells have a part of their own of this
    /// variance: that part is more noise for what a cell shares with others.
    pub(super) fn blurred(mut self, basis: &Basis, own: f64) -> Blurred {
        let rank = self.rank;
        let mut constant = 0.0;
        let said = basis.values.chunks_exact(rank).zip(&self.alone).filter(|(_, alone)| alone[0] > 0.0);
        for (row, &[p, b]) in said {
            let blur = 1.0 / (1.0 + p * own);
            for (i, &value) in row.iter().enumerate() {
                add_scaled(&mut self.precision[i * rank..=i * rank + i], blur * p * value, &row[..=i]);
            }
            add_scaled(&mut self.moment, blur * b, row);
            add_scaled(&mut self.level_moment, blur * p, row);
            self.level_terms[0] += blur * b;
            self.level_terms[1] += blur * p;
            constant += 0.5 * (blur * own * b * b + libm::log(blur));
        }
        Blurred { system: self, own, constant }
    }
}

impl Blurred {
    /// The mean precision of these observations of the coordinates, multiplied by their scales, with the prior's: as a
    /// factor.
    pub(super) fn mean_precision(many: &[Blurred], scales: &[f64]) -> Lower {
        let rank = scales.len();
        let mut precision = vec![0.0; rank * rank];
        for one in many {
            add_scaled(&mut precision, 1.0 / many.len() as f64, &one.system.precision);
        }
        with_prior(&mut precision, scales);
        Lower::factor(rank, precision)
    }

    /// The posterior of the function around `level`, if its other parts are so large.
    pub(super) fn posterior(&self, basis: &Basis, amplitudes: &Amplitudes, level: f64) -> Posterior {
        let System { rank, precision, moment, level_moment, level_terms: [linear, square], alone } =
            &self.system;
        let (mut precision, mut whitened) = (precision.clone(), moment.clone());
        add_scaled(&mut whitened, -level, level_moment);
        let scales = basis.scales(amplitudes);
        whitened.iter_mut().zip(&scales).for_each(|(value, scale)| *value *= scale);
        with_prior(&mut precision, &scales);
        let factor = Lower::factor(*rank, precision);
        factor.solve(&mut whitened);
        let mut mean = whitened.clone();
        factor.solve_transposed(&mut mean);
        let constant = self.constant + level * (linear - 0.5 * level * square);
        Posterior { factor, whitened, mean, scales, own: self.own, alone: alone.clone(), level, constant }
    }
}

impl Posterior {
    /// The logarithm of the observations' density under the prior, up to a constant of the observations alone.
    pub(super) fn evidence(&self) -> f64 {
        0.5 * dot(&self.whitened, &self.whitened) - 0.5 * self.factor.log_det() + self.constant
    }

    /// The mean on the cells.
    pub(super) fn mean(&self, basis: &Basis) -> Vec<f64> {
        self.function(basis, &self.mean)
    }

    /// The standard deviation on the cells.
    pub(super) fn deviation(&self, basis: &Basis) -> Vec<f64> {
        let mut row = vec![0.0; basis.rank];
        let cells = basis.values.chunks_exact(basis.rank).enumerate();
        cells
            .map(|(cell, values)| {
                let scaled = values.iter().zip(&self.scales).map(|(value, scale)| value * scale);
                row.iter_mut().zip(scaled).for_each(|(to, value)| *to = value);
                self.factor.solve(&mut row);
                let blur = self.blur(cell);
                (blur * blur * dot(&row, &row) + self.own * blur).sqrt()
            })
            .collect()
    }

    /// One function drawn from the posterior, with `spread` times its deviation. Of what each cell has of its own, what
    /// is expected: it is used, not explored, because nobody else profits from what is learned there.
    pub(super) fn sample(&self, basis: &Basis, spread: f64, rng: &mut SimRng) -> Vec<f64> {
        let mut coordinates: Vec<f64> = self.whitened.iter().map(|w| w + spread * rng.normal()).collect();
        self.factor.solve_transposed(&mut coordinates);
        self.function(basis, &coordinates)
    }

    /// The share of a cell's own part that is not known yet.
    fn blur(&self, cell: usize) -> f64 {
        self.alone.get(cell).map_or(1.0, |[p, _]| 1.0 / (1.0 + p * self.own))
    }

    fn function(&self, basis: &Basis, coordinates: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = coordinates.iter().zip(&self.scales).map(|(c, scale)| c * scale).collect();
        let cells = basis.values.chunks_exact(basis.rank).enumerate();
        cells
            .map(|(cell, row)| {
                let shared = self.level + dot(row, &scaled);
                let own =
                    self.alone.get(cell).map_or(0.0, |[p, b]| self.own * self.blur(cell) * (b - p * shared));
                shared + own
            })
            .collect()
    }
}

/// A precision of coordinates, in units of their prior deviations and with the prior's own.
fn with_prior(precision: &mut [f64], scales: &[f64]) {
    let rank = scales.len();
    for (i, &scale) in scales.iter().enumerate() {
        for (entry, other) in precision[i * rank..=i * rank + i].iter_mut().zip(scales) {
            *entry *= scale * other;
        }
        precision[i * rank + i] += 1.0;
    }
}

/// Rows of the gram matrix, which are zero but for `others`, times the functions. Four by four sums stay in registers.
fn multiply(gram: [&[f64]; BLOCK], others: &[usize], functions: &[f64], rank: usize, images: &mut [f64]) {
    for column in (0..rank).step_by(TILE) {
        let mut sums = [[0.0; TILE]; BLOCK];
        for &other in others {
            let row = &functions[other * rank + column..][..TILE];
            for (sums, gram) in sums.iter_mut().zip(gram) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += gram[other] * value;
                }
            }
        }
        for (image, sums) in images.chunks_exact_mut(rank).zip(sums) {
            image[column..column + TILE].copy_from_slice(&sums);
        }
    }
}
