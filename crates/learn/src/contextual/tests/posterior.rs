//! The posterior in a basis against the textbook's formulas on the cells.

use super::super::kernel::Basis;
use super::super::posterior::{Posterior, System};
use super::super::shape::Amplitudes;
use super::super::statistics::Sums;
use super::*;

/// What is said about the cells of a set: a total over people, with variance people / weight.
struct Observed {
    set: Vec<u32>,
    weight: f64,
    people: f64,
    total: f64,
}

/// A case: cells with masses, a basis on them, and observations.
struct Case {
    basis: Basis,
    masses: Vec<f64>,
    observed: Vec<Observed>,
}

/// Mean, deviation and evidence.
type Answer = (Vec<f64>, Vec<f64>, f64);

impl Case {
    fn new(sizes: &[u32], lengths: &[usize], sets: usize) -> Case {
        let spec = spec(sizes, 2, 1.0, vec![]);
        let cells = spec.grid().cells();
        let mut rng = rng(cells as u64);
        let raw: Vec<f64> = (0..cells).map(|_| 0.2 + rng.uniform()).collect();
        let whole: f64 = raw.iter().sum();
        let mut observed: Vec<Observed> = (0..sets)
            .map(|_| Observed {
                set: (0..cells as u32).filter(|_| rng.uniform() < 0.4).collect(),
                weight: 0.1 + rng.uniform(),
                people: 1.0 + 50.0 * rng.uniform(),
                total: 3.0 * rng.normal(),
            })
            .collect();
        observed.retain(|one| !one.set.is_empty());
        let masses = raw.iter().map(|mass| mass / whole).collect();
        Case { basis: Kernel::new(&spec, spec.grid()).basis(lengths), masses, observed }
    }

    /// By the code under test.
    fn system(&self) -> System {
        let mut sums = Sums::new(self.masses.len());
        for one in &self.observed {
            sums.add(&one.set, &[], one.weight, one.people, one.total);
        }
        System::new(&self.basis, &self.masses, &sums)
    }

    fn answer(&self, level: f64) -> Answer {
        let posterior = posterior(&self.system(), &self.basis, level);
        (posterior.mean(&self.basis), posterior.deviation(&self.basis), posterior.evidence())
    }

    /// By the textbook: totals t = A (level + f) + noise of variance R, f of covariance K; everything from S
    /// = A K A' + R.
    fn textbook(&self, level: f64) -> Answer {
        let (cells, many) = (self.masses.len(), self.observed.len());
        let row = |cell: usize| &self.basis.values[cell * self.basis.rank..(cell + 1) * self.basis.rank];
        let scales = self.basis.scales(&PARTS);
        let k = |x: usize, y: usize| {
            row(x).iter().zip(row(y)).zip(&scales).map(|((a, b), s)| a * b * s * s).sum::<f64>()
        };
        let covariance: Vec<Vec<f64>> = (0..cells).map(|x| (0..cells).map(|y| k(x, y)).collect()).collect();
        let inside = |one: &Observed, x: usize| if one.set.contains(&(x as u32)) { one.people } else { 0.0 };
        let a: Vec<Vec<f64>> = self
            .observed
            .iter()
            .map(|one| (0..cells).map(|x| inside(one, x) * self.masses[x]).collect())
            .collect();
        // K A', cell by cell.
        let ka: Vec<Vec<f64>> =
            covariance.iter().map(|row| a.iter().map(|a| product(a, row)).collect()).collect();
        let noise: Vec<f64> = self.observed.iter().map(|one| one.people / one.weight).collect();
        let column = |j: usize| -> Vec<f64> { (0..cells).map(|x| ka[x][j]).collect() };
        let s: Vec<Vec<f64>> = (0..many)
            .map(|i| {
                let entry = |j: usize| product(&a[i], &column(j)) + if i == j { noise[i] } else { 0.0 };
                (0..many).map(entry).collect()
            })
            .collect();
        let totals: Vec<f64> = self.observed.iter().map(|one| one.total).collect();
        let rest: Vec<f64> = (0..many).map(|i| totals[i] - level * a[i].iter().sum::<f64>()).collect();
        let (solved, log_det) = solve(s.clone(), rest.clone());
        let mean = ka.iter().map(|row| level + product(row, &solved)).collect();
        let variance = |x: usize| covariance[x][x] - product(&ka[x], &solve(s.clone(), ka[x].clone()).0);
        let deviation = (0..cells).map(|x| variance(x).sqrt()).collect();
        let constant: f64 = totals.iter().zip(&noise).map(|(t, r)| t * t / r + libm::log(*r)).sum();
        (mean, deviation, 0.5 * (constant - product(&rest, &solved) - log_det))
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Gauss's elimination of a positive matrix: the solution, and the logarithm of the determinant.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> (Vec<f64>, f64) {
    let mut log_det = 0.0;
    for i in 0..b.len() {
        let (pivot, value) = (a[i].clone(), b[i]);
        log_det += libm::log(pivot[i]);
        for j in (0..b.len()).filter(|&j| j != i) {
            let factor = a[j][i] / pivot[i];
            a[j].iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            b[j] -= factor * value;
        }
    }
    ((0..b.len()).map(|i| b[i] / a[i][i]).collect(), log_det)
}

fn close(found: &Answer, wanted: &Answer) -> bool {
    let all = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-8);
    all(&found.0, &wanted.0) && all(&found.1, &wanted.1) && (found.2 - wanted.2).abs() < 1e-8
}

fn lengths(axes: usize, length: usize) -> Vec<usize> {
    (0..axes).map(|axis| (length + axis) % 7).collect()
}

const PARTS: Amplitudes = Amplitudes { offset: 0.4, main: 0.3, blocks: 0.0, smooth: 0.7, own: 0.0 };

fn posterior(system: &System, basis: &Basis, level: f64) -> Posterior {
    system.clone().blurred(basis, 0.0).posterior(basis, &PARTS, level)
}

/// Also grids whose cells are no multiple of the tiles' four, and levels, which are part of what was observed.
#[test]
fn mean_deviation_and_evidence_are_the_textbooks() {
    for sizes in [&[4_u32, 4][..], &[1], &[2], &[3], &[5], &[7], &[3, 3], &[2, 3, 5], &[4, 1, 4]] {
        for (length, level) in [(1, 0.0), (3, 0.4), (5, -1.3)] {
            let case = Case::new(sizes, &lengths(sizes.len(), length), 6);
            let (found, wanted) = (case.answer(level), case.textbook(level));
            assert!(close(&found, &wanted), "{sizes:?} {level}: {found:?} is not {wanted:?}");
            // Power: another level is another answer.
            assert!(!close(&found, &case.textbook(level + 0.01)), "{sizes:?} {level}");
        }
    }
}

#[test]
fn a_system_added_with_a_weight_is_observations_of_that_weight() {
    let (mut ours, theirs) = (Case::new(&[4, 4], &lengths(2, 3), 5), Case::new(&[4, 4], &lengths(2, 3), 9));
    let mut system = ours.system();
    system.add(0.3, &theirs.system());
    let weaker = theirs.observed.into_iter().map(|one| Observed { weight: 0.3 * one.weight, ..one });
    ours.observed.extend(weaker);
    // What the constant of the evidence leaves out depends on the weights, so that only the rest is compared.
    let (posterior, wanted) = (posterior(&system, &ours.basis, 0.2), ours.textbook(0.2));
    let found = (posterior.mean(&ours.basis), posterior.deviation(&ours.basis), posterior.evidence());
    assert!(close(&found, &wanted), "{found:?} is not {wanted:?}");
    let information = |system: &System| system.information(&ours.basis);
    assert!((information(&system) - information(&ours.system())).abs() < 1e-9);
}

#[test]
fn without_observations_there_is_the_prior_alone() {
    let case = Case::new(&[4, 4], &lengths(2, 3), 0);
    let (mean, _, evidence) = case.answer(0.25);
    assert!(mean.iter().all(|&m| m == 0.25) && evidence == 0.0);
    assert!(close(&case.answer(0.25), &case.textbook(0.25)));
}

/// Draws have the posterior's mean and deviation: 16 cells within 6 deviations (3e-8) of a mean and a
/// variance of 4000 draws.
#[test]
fn draws_are_of_the_posterior() {
    const DRAWS: usize = 4000;
    let case = Case::new(&[4, 4], &lengths(2, 2), 6);
    let posterior = posterior(&case.system(), &case.basis, 0.3);
    let (mean, deviation, _) = case.answer(0.3);
    let mut rng = rng(1);
    let draws: Vec<Vec<f64>> = (0..DRAWS).map(|_| posterior.sample(&case.basis, 1.0, &mut rng)).collect();
    for cell in 0..16 {
        let z: Vec<f64> = draws.iter().map(|draw| (draw[cell] - mean[cell]) / deviation[cell]).collect();
        let (first, second) = (z.iter().sum::<f64>(), z.iter().map(|z| z * z - 1.0).sum::<f64>());
        let root = (DRAWS as f64).sqrt();
        assert!(first.abs() < 6.0 * root && second.abs() < 6.0 * 2_f64.sqrt() * root, "{cell}");
        // Power: a fifth of a deviation beside.
        assert!((first + 0.2 * DRAWS as f64).abs() > 6.0 * root, "{cell}");
    }
}

/// What cells say by themselves, with a part of their own: again the textbook's, with that part in the covariance.
#[test]
fn cells_by_themselves_have_a_part_of_their_own() {
    const OWN: f64 = 0.35;
    let case = Case::new(&[3, 3], &lengths(2, 2), 0);
    let said: Vec<[f64; 2]> =
        (0..9).map(|cell| [1.0 + f64::from(cell), 0.3 * f64::from(cell) - 1.0]).collect();
    let mut sums = Sums::new(9);
    for (cell, [precision, mean]) in said.iter().enumerate().skip(2) {
        sums.add_alone(cell as u32, *precision, *mean);
    }
    let system = System::new(&case.basis, &case.masses, &sums);
    let found = system.clone().blurred(&case.basis, OWN * OWN).posterior(&case.basis, &PARTS, 0.2);
    let scales = case.basis.scales(&PARTS);
    let row = |cell: usize| &case.basis.values[cell * case.basis.rank..(cell + 1) * case.basis.rank];
    let k = |x: usize, y: usize| {
        let own = if x == y { OWN * OWN } else { 0.0 };
        own + row(x).iter().zip(row(y)).zip(&scales).map(|((a, b), s)| a * b * s * s).sum::<f64>()
    };
    let s: Vec<Vec<f64>> = (2..9)
        .map(|i| (2..9).map(|j| k(i, j) + if i == j { 1.0 / said[i][0] } else { 0.0 }).collect())
        .collect();
    let rest: Vec<f64> = said[2..].iter().map(|[_, mean]| mean - 0.2).collect();
    let (solved, log_det) = solve(s.clone(), rest.clone());
    for x in 0..9 {
        let column: Vec<f64> = (2..9).map(|j| k(x, j)).collect();
        let mean = 0.2 + product(&column, &solved);
        let variance = k(x, x) - product(&column, &solve(s.clone(), column.clone()).0);
        assert!((found.mean(&case.basis)[x] - mean).abs() < 1e-8, "{x}");
        assert!((found.deviation(&case.basis)[x] - variance.sqrt()).abs() < 1e-8, "{x}");
    }
    let constant: f64 = said[2..].iter().map(|[p, mean]| p * mean * mean - libm::log(*p)).sum();
    let evidence = 0.5 * (constant - product(&rest, &solved) - log_det);
    assert!((found.evidence() - evidence).abs() < 1e-8, "{} is not {evidence}", found.evidence());
    // Power: without the part of their own it is another answer.
    let other = system.blurred(&case.basis, 0.0).posterior(&case.basis, &PARTS, 0.2);
    assert!((other.evidence() - evidence).abs() > 1e-3);
}
