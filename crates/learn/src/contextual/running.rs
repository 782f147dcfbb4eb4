//! Sums along one axis, added up from its start: what is between any two places is a difference.

use super::statistics::Sums;

/// The sums of one function's observations up to each place of an axis, for each block of the other axes.
pub(super) struct Running {
    /// Places, the end included.
    edges: usize,
    others: usize,
    gram: Vec<f64>,
    moment: Vec<f64>,
    alone: Vec<[f64; 2]>,
}

impl Running {
    /// Of groups which are, place by place, blocks of the other axes.
    pub(super) fn new(sums: &Sums, others: usize) -> Running {
        let groups = sums.cells();
        let (edges, width) = (groups / others + 1, groups + others);
        let (mut gram, mut moment) = (vec![0.0; width * width], vec![0.0; width]);
        let mut alone = if sums.alone().is_empty() { Vec::new() } else { vec![[0.0; 2]; width] };
        let moments = sums.moments(&vec![1.0; groups]);
        let mut along = vec![0.0; width];
        for group in 0..groups {
            let to = group + others;
            moment[to] = moment[group] + moments[group];
            if let Some([precision, moment]) = sums.alone().get(group) {
                alone[to] = [alone[group][0] + precision, alone[group][1] + moment];
            }
            let row = sums.gram_row(group);
            for other in 0..groups {
                along[other + others] = along[other] + row[other];
                gram[to * width + other + others] =
                    gram[group * width + other + others] + along[other + others];
            }
        }
        Running { edges, others, gram, moment, alone }
    }

    /// The sums of the blocks that cuts at these places make.
    pub(super) fn between(&self, cuts: &[u32]) -> Sums {
        let (others, width) = (self.others, self.edges * self.others);
        let mut edges = vec![0];
        edges.extend(cuts.iter().map(|&cut| cut as usize * others));
        edges.push((self.edges - 1) * others);
        let parts: Vec<[usize; 2]> = edges.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let many = parts.len() * others;
        let mut sums = Sums::new(many);
        let mut row = vec![0.0; many];
        for group in 0..many {
            let [low, high] = parts[group / others].map(|edge| edge + group % others);
            for (other, value) in row.iter_mut().enumerate() {
                let [from, to] = parts[other / others].map(|edge| edge + other % others);
                let at = |a: usize, b: usize| self.gram[a * width + b];
                // No less than nothing, but for rounding.
                *value = (at(high, to) - at(low, to) - (at(high, from) - at(low, from))).max(0.0);
            }
            sums.add_group(group, 1.0, &row, self.moment[high] - self.moment[low]);
            if let (Some(from), Some(to)) = (self.alone.get(low), self.alone.get(high)) {
                sums.add_group_alone(group, (to[0] - from[0]).max(0.0), to[1] - from[1]);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is between cuts is what is gathered there.
    #[test]
    fn differences_are_sums_of_what_is_between() {
        let mut sums = Sums::new(12);
        sums.add(&[0, 1, 5], &[], 2.0, 10.0, 3.0);
        sums.add(&[4, 6, 7, 11], &[], 1.0, 5.0, -4.0);
        sums.add_alone(8, 7.0, 0.5);
        sums.add_alone(3, 2.0, -0.5);
        // Six places, two blocks of the other axes.
        let running = Running::new(&sums, 2);
        for cuts in [vec![1], vec![4], vec![2, 3], vec![1, 5]] {
            let group = |cell: u32| 2 * cuts.iter().filter(|&&cut| cell / 2 >= cut).count() as u32 + cell % 2;
            let groups: Vec<u32> = (0..12).map(group).collect();
            let many = 2 * cuts.len() + 2;
            let ones = [1.0; 12];
            let expected = sums.gathered(&ones, &sums.moments(&ones), &groups, many);
            let found = running.between(&cuts);
            let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!((0..many).all(|i| close(found.gram_row(i), expected.gram_row(i))), "{cuts:?}");
            let ones = vec![1.0; many];
            assert!(close(&found.moments(&ones), &expected.moments(&ones)), "{cuts:?}");
            assert!(close(found.alone().as_flattened(), expected.alone().as_flattened()), "{cuts:?}");
        }
    }
}
