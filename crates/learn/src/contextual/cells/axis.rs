//! One axis: what cells of it hide.

use reticent_protocol::contextual::{AxisCells, STEPS};
use reticent_schema::AxisKind;

use super::Known;
use super::levels::Merged;

/// More cells of a number than this tell nothing apart that a policy could use.
const MOST: u32 = 64;

/// What is known of an axis.
pub(super) struct Axis {
    kind: AxisKind,
    parts: Vec<Part>,
    /// Of a category, for each two levels what putting them together hides for each person of them; none if that is
    /// not known.
    apart: Vec<Vec<Option<f64>>>,
    merged: Option<Merged>,
}

/// A part of an axis that was told apart: of a category, a level.
#[derive(Debug, Clone, Copy)]
struct Part {
    low: f64,
    high: f64,
    /// The share of people in it.
    people: f64,
    /// Of a number: people times squared slope, for each unit of the axis.
    energy: f64,
}

impl Axis {
    pub(super) fn new(known: &Known<'_>, axis: usize, kind: AxisKind) -> Axis {
        let cells = &known.grid.axes()[axis];
        let size = cells.size() as usize;
        let mut people = vec![0.0; size];
        (0..known.masses.len())
            .for_each(|cell| people[known.grid.places(cell)[axis] as usize] += known.masses[cell]);
        let differences = differences(known, axis, size, matches!(kind, AxisKind::Category(_)));
        let middle = |place: usize| {
            let [low, high] = cells.parts(place as u32)[0];
            f64::midpoint(low, high)
        };
        let energy = |place: usize| {
            let near = [place.checked_sub(1), Some(place + 1).filter(|&next| next < size)];
            let slopes = near.into_iter().flatten().map(|next| {
                let gap = middle(next) - middle(place);
                differences[place][next] / (gap * gap)
            });
            let slopes: Vec<f64> = slopes.collect();
            slopes.iter().sum::<f64>() / slopes.len().max(1) as f64
        };
        let width =
            |place: usize| -> f64 { cells.parts(place as u32).iter().map(|[low, high]| high - low).sum() };
        let part = |place: usize, [low, high]: [f64; 2]| {
            let people = people[place] * (high - low) / width(place);
            Part { low, high, people, energy: people / (high - low) * energy(place) }
        };
        let AxisKind::Category(levels) = kind else {
            let parts = (0..size).map(|place| part(place, cells.parts(place as u32)[0])).collect();
            return Axis { kind, parts, apart: Vec::new(), merged: None };
        };
        let ends = |level: usize| [level, level + 1].map(|end| end as f64 / levels as f64);
        let place = |level: usize| cells.cell((level as f64 + 0.5) / levels as f64) as usize;
        let parts = (0..levels).map(|level| part(place(level), ends(level))).collect();
        let told = |a: usize, b: usize| (a != b).then(|| differences[a][b]);
        let apart = (0..levels).map(|a| (0..levels).map(|b| told(place(a), place(b))).collect()).collect();
        Axis { kind, parts, apart, merged: None }
    }

    /// What is hidden by one cell.
    pub(super) fn all_hidden(&self) -> f64 {
        self.hidden_by(&AxisCells::Even(1))
    }

    /// Takes all cells of the axis together to hide at least this, spread as people are.
    pub(super) fn doubt(&mut self, least: f64) {
        // One cell of width one hides a twelfth of its energy.
        for part in &mut self.parts {
            part.energy += 12.0 * least * part.people / (part.high - part.low);
        }
        if self.apart.is_empty() {
            return;
        }
        let told: Vec<f64> = self.apart.iter().flatten().flatten().copied().collect();
        let typical = told.iter().sum::<f64>() / told.len().max(1) as f64;
        let unknown = typical.max(2.0 * least);
        for apart in self.apart.iter_mut().flatten() {
            *apart = Some(apart.unwrap_or(unknown) + 2.0 * least);
        }
        let people: Vec<f64> = self.parts.iter().map(|part| part.people).collect();
        let known = |row: &Vec<Option<f64>>| row.iter().map(|apart| apart.unwrap_or_default()).collect();
        self.merged = Some(Merged::new(&people, &self.apart.iter().map(known).collect::<Vec<_>>()));
    }

    pub(super) fn next_sizes(&self, now: u32, halves: bool) -> Vec<u32> {
        match self.kind {
            AxisKind::Numeric if now >= MOST => Vec::new(),
            AxisKind::Numeric => vec![if halves { 2 * now } else { now + 1 }],
            AxisKind::Category(levels) => (now + 1..=levels as u32).collect(),
        }
    }

    /// So many cells, and what they hide.
    pub(super) fn cells(&self, size: u32) -> (AxisCells, f64) {
        let Some(merged) = &self.merged else {
            let cells = self.cuts(size);
            let hidden = self.hidden_by(&cells);
            return (cells, hidden);
        };
        let levels = self.parts.len() as u32;
        let (cells, hidden) = merged.cells(size as usize);
        (if size >= levels { AxisCells::Even(levels) } else { AxisCells::Levels(cells.to_vec()) }, hidden)
    }

    fn cuts(&self, size: u32) -> AxisCells {
        let places = self.quantiles(size);
        let between = |a: Option<&f64>, b: Option<&f64>| {
            let [a, b] = [a.copied().unwrap_or(0.0), b.copied().unwrap_or(1.0)];
            f64::midpoint(a, b)
        };
        let ends: Vec<f64> = (0..=places.len())
            .map(|i| between(i.checked_sub(1).map(|i| &places[i]), places.get(i)))
            .collect();
        let cuts: Vec<u16> = ends.windows(2).filter_map(|ends| roundest(ends[0], ends[1])).collect();
        let many = cuts.len() as u32 + 1;
        let even = (1..many).all(|cell| u32::from(cuts[cell as usize - 1]) * many == cell * STEPS);
        if even { AxisCells::Even(many) } else { AxisCells::Cuts(cuts) }
    }

    /// Where to cut so that each of so many cells hides as much.
    fn quantiles(&self, size: u32) -> Vec<f64> {
        let weight = |part: &Part| (part.high - part.low) * libm::cbrt(part.energy);
        let total: f64 = self.parts.iter().map(weight).sum();
        let mut parts = self.parts.iter();
        let (mut part, mut passed) = (parts.next(), 0.0);
        let place = |cell: u32| {
            let goal = total * f64::from(cell) / f64::from(size);
            while let Some(here) = part.filter(|here| passed + weight(here) < goal) {
                passed += weight(here);
                part = parts.next();
            }
            part.map(|here| here.low + (here.high - here.low) * (goal - passed) / weight(here))
        };
        (1..size).map_while(place).collect()
    }

    /// What a cell of these levels hides: half of how much two of its people differ, drawn at random.
    fn hidden_in(&self, levels: &[usize]) -> f64 {
        let people: f64 = levels.iter().map(|&level| self.parts[level].people).sum();
        let pairs = levels.iter().enumerate().flat_map(|(i, &a)| levels[..i].iter().map(move |&b| (a, b)));
        let apart = |(a, b): (usize, usize)| {
            self.parts[a].people * self.parts[b].people * self.apart[a][b].unwrap_or_default()
        };
        pairs.map(apart).sum::<f64>() / people.max(f64::MIN_POSITIVE)
    }

    /// What these cells hide.
    pub(super) fn hidden_by(&self, cells: &AxisCells) -> f64 {
        (0..cells.size()).map(|cell| self.hidden_by_one(&cells.parts(cell))).sum()
    }

    fn hidden_by_one(&self, cell: &[[f64; 2]]) -> f64 {
        match self.kind {
            AxisKind::Numeric => {
                let [low, high] = cell[0];
                let within = |part: &Part| (part.high.min(high) - part.low.max(low)).max(0.0) * part.energy;
                (high - low) * (high - low) / 12.0 * self.parts.iter().map(within).sum::<f64>()
            }
            AxisKind::Category(_) => {
                let holds = |part: &Part, [low, high]: &[f64; 2]| {
                    (low..high).contains(&&f64::midpoint(part.low, part.high))
                };
                let inside = |&level: &usize| cell.iter().any(|own| holds(&self.parts[level], own));
                self.hidden_in(&(0..self.parts.len()).filter(inside).collect::<Vec<usize>>())
            }
        }
    }
}

/// The step between these ends that the highest power of two divides: where it was cut before it is cut again, so that
/// what was learned of either side stays there, and halves stay halves.
fn roundest(low: f64, high: f64) -> Option<u16> {
    let steps = [low, high].map(|end| libm::ceil(end * f64::from(STEPS)) as u32);
    let inside = |power: u32| {
        let step = steps[0].max(1).next_multiple_of(power);
        (step < steps[1].min(STEPS)).then_some(step as u16)
    };
    (0..STEPS.ilog2()).rev().find_map(|power| inside(1 << power))
}

/// For each two places of the axis (neighbours alone, unless `all`) by how much they differ for a person of them, other
/// things being equal.
fn differences(known: &Known<'_>, axis: usize, size: usize, all: bool) -> Vec<Vec<f64>> {
    let stride: usize = known.grid.sizes()[axis + 1..].iter().map(|&size| size as usize).product();
    let mut sums = vec![vec![[0.0; 2]; size]; size];
    for cell in 0..known.masses.len() {
        let place = cell / stride % size;
        let last = if all { size } else { (place + 2).min(size) };
        for (other, sums) in sums[place].iter_mut().enumerate().take(last).skip(place + 1) {
            let there = cell + (other - place) * stride;
            let mass = known.masses[cell] + known.masses[there];
            sums[0] += mass * known.difference(cell, there);
            sums[1] += mass;
        }
    }
    let mean = |[sum, mass]: [f64; 2]| if mass > 0.0 { sum / mass } else { 0.0 };
    (0..size).map(|a| (0..size).map(|b| mean(sums[a.min(b)][a.max(b)])).collect()).collect()
}
