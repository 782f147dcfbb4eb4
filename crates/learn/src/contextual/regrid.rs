//! From one grid's cells to another's: what was said of the old cells, as something said of the new ones.
//!
//! A total over people of old cells is a total over people of new ones, each with the share `r(x, b)` of the people
//! of new cell b who were in old cell x. So with R of these shares a moment becomes R' moment, and a gram matrix R'
//! gram R: nothing is lost but where within an old cell its people are, who are taken to be evenly spread.

use reticent_protocol::contextual::{AxisCells, Grid};

use super::statistics::{Statistics, Sums};

/// New cells that hold so much of an old one hold all of it, but for rounding.
const WHOLE: f64 = 1.0 - 1e-9;

/// The way from an old grid to a new one, for people who are so spread.
#[derive(Debug)]
pub(super) struct Regrid {
    /// For each new cell: each old cell that shares people with it, and their share of the new cell.
    from: Vec<Vec<(u32, f64)>>,
    /// For each old cell the new one that holds all of it, if there is one.
    within: Vec<Option<u32>>,
    /// The share of all people in each new cell.
    masses: Vec<f64>,
}

impl Regrid {
    pub(super) fn new(old: &Grid, masses: &[f64], new: &Grid) -> Regrid {
        let overlaps: Vec<Vec<Vec<(u32, f64)>>> =
            old.axes().iter().zip(new.axes()).map(|(old, new)| overlaps(old, new)).collect();
        let mut within = vec![None; old.cells()];
        let shares = |cell: usize| {
            let places = new.places(cell);
            let mut shares = vec![(0_u32, 1.0)];
            for ((overlap, &place), &size) in overlaps.iter().zip(&places).zip(old.sizes()) {
                let here = &overlap[place as usize];
                let next = |&(cell, share): &(u32, f64)| {
                    here.iter().map(move |&(place, part)| (cell * size + place, share * part))
                };
                shares = shares.iter().flat_map(next).collect();
            }
            shares
        };
        let mut from: Vec<Vec<(u32, f64)>> = (0..new.cells()).map(shares).collect();
        let mut sums = vec![0.0; new.cells()];
        for (new, (row, sum)) in from.iter_mut().zip(&mut sums).enumerate() {
            for (old, share) in row.iter_mut() {
                if *share > WHOLE {
                    within[*old as usize] = Some(new as u32);
                }
                *share *= masses[*old as usize];
                *sum += *share;
            }
            for (_, share) in row.iter_mut() {
                *share /= *sum;
            }
        }
        Regrid { from, within, masses: sums }
    }

    /// The share of all people in each new cell.
    pub(super) fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// A function's mean on the new cells.
    pub(super) fn onwards(&self, function: &[f64]) -> Vec<f64> {
        let mean = |row: &Vec<(u32, f64)>| row.iter().map(|&(x, share)| share * function[x as usize]).sum();
        self.from.iter().map(mean).collect()
    }

    /// The mean on the old cells of a function on the new ones.
    pub(super) fn back(&self, old_masses: &[f64], function: &[f64]) -> Vec<f64> {
        let mut totals = vec![0.0; self.within.len()];
        for ((row, mass), value) in self.from.iter().zip(&self.masses).zip(function) {
            for &(x, share) in row {
                totals[x as usize] += mass * share * value;
            }
        }
        totals.iter().zip(old_masses).map(|(total, mass)| total / mass).collect()
    }

    /// What was said of the old cells, of which people were believed to be so spread when it was; the even density of
    /// places was `even`.
    pub(super) fn statistics(&self, old: &Statistics, masses: &[f64], even: &[f64]) -> Statistics {
        let arms = old.arms.iter().map(|sums| self.sums(sums, masses, true)).collect();
        Statistics { arms, place: self.sums(&old.place, even, false), people: old.people }
    }

    /// What was said about an old cell by itself is said about the new cell that holds it, if `alone` says so;
    /// otherwise about how many people of a new cell it has.
    fn sums(&self, old: &Sums, masses: &[f64], alone: bool) -> Sums {
        let (before, after) = (self.within.len(), self.from.len());
        let mut old = old.clone();
        let mut new = Sums::new(after);
        for (cell, [precision, moment]) in old.take_alone().into_iter().enumerate() {
            match self.within[cell] {
                Some(whole) if alone => new.add_alone_sums(whole, precision, moment),
                _ if precision > 0.0 => old.add_single(cell, precision, moment, masses[cell]),
                _ => {}
            }
        }
        let [gram, returned] = old.matrices();
        let moments = self.onwards(old.moment_row());
        let fold = |matrix: &[f64]| {
            if matrix.is_empty() {
                return Vec::new();
            }
            // First the columns of each old row, then the rows.
            let rows: Vec<f64> =
                (0..before).flat_map(|x| self.onwards(&matrix[x * before..][..before])).collect();
            let mut folded = vec![0.0; after * after];
            for (to, row) in folded.chunks_exact_mut(after).zip(&self.from) {
                for &(x, share) in row {
                    crate::linear::add_scaled(to, share, &rows[x as usize * after..][..after]);
                }
            }
            folded
        };
        new.set(symmetric(fold(gram), after), moments, fold(returned));
        new
    }
}

/// The same matrix without what rounding makes of its two halves.
fn symmetric(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for x in 0..size {
        for y in 0..x {
            matrix[y * size + x] = matrix[x * size + y];
        }
    }
    matrix
}

/// For each new cell of an axis: each old one that it overlaps, and which share of the old one lies in it.
fn overlaps(old: &AxisCells, new: &AxisCells) -> Vec<Vec<(u32, f64)>> {
    if old == new {
        return (0..old.size()).map(|cell| vec![(cell, 1.0)]).collect();
    }
    let old_parts: Vec<Vec<[f64; 2]>> = (0..old.size()).map(|cell| old.parts(cell)).collect();
    let of = |cell: u32| {
        let parts = new.parts(cell);
        let share = |parts_before: &Vec<[f64; 2]>| {
            let width: f64 = parts_before.iter().map(|[low, high]| high - low).sum();
            let common = |&[a, b]: &[f64; 2]| -> f64 {
                parts.iter().map(|&[low, high]| (b.min(high) - a.max(low)).max(0.0)).sum()
            };
            parts_before.iter().map(common).sum::<f64>() / width
        };
        let all = old_parts.iter().map(share).zip(0..).map(|(share, cell)| (cell, share));
        all.filter(|(_, share)| *share > 1e-9).collect()
    };
    (0..new.size()).map(of).collect()
}
