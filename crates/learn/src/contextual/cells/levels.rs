//! Levels of a category put together, those first that differ least.

/// For each number of cells which levels share one, and what that hides.
pub(super) struct Merged {
    /// For one cell, two, ..., the cell of each level.
    cells: Vec<Vec<u16>>,
    hidden: Vec<f64>,
}

/// Levels that are together.
#[derive(Clone)]
struct Group {
    levels: Vec<usize>,
    people: f64,
    /// The sum over its pairs of people times people times how much they differ, which over its people is what it
    /// hides.
    within: f64,
    /// The same between it and each other group.
    between: Vec<f64>,
}

impl Group {
    /// How much more the two hide together.
    fn cost(&self, other: &Group, at: usize) -> f64 {
        let together = (self.within + other.within + self.between[at]) / (self.people + other.people);
        together - self.within / self.people - other.within / other.people
    }
}

impl Merged {
    /// Of levels with so many people each, who differ by so much.
    pub(super) fn new(people: &[f64], apart: &[Vec<f64>]) -> Merged {
        let levels = people.len();
        let group = |level: usize| Group {
            levels: vec![level],
            people: people[level].max(f64::MIN_POSITIVE),
            within: 0.0,
            between: (0..levels).map(|other| people[level] * people[other] * apart[level][other]).collect(),
        };
        let mut groups: Vec<Group> = (0..levels).map(group).collect();
        let (mut cells, mut hidden) = (Vec::new(), Vec::new());
        loop {
            cells.push(numbered(&groups, levels));
            hidden.push(groups.iter().map(|group| group.within / group.people).sum());
            let pairs = (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
            let costs = pairs.map(|(a, b)| (groups[a].cost(&groups[b], b), a, b));
            let Some((_, a, b)) = costs.reduce(|x, y| if y.0 < x.0 { y } else { x }) else { break };
            merge(&mut groups, a, b);
        }
        cells.reverse();
        hidden.reverse();
        Merged { cells, hidden }
    }

    /// The cell of each level where there are so many cells, and what they hide.
    pub(super) fn cells(&self, size: usize) -> (&[u16], f64) {
        let at = size.clamp(1, self.cells.len()) - 1;
        (&self.cells[at], self.hidden[at])
    }
}

/// Puts the second group, which stands behind it, into the first.
fn merge(groups: &mut Vec<Group>, a: usize, b: usize) {
    let gone = groups.remove(b);
    let joined = &mut groups[a];
    joined.within += gone.within + gone.between[a];
    joined.people += gone.people;
    joined.levels.extend(gone.levels);
    for group in groups.iter_mut() {
        let moved = group.between.remove(b);
        group.between[a] += moved;
    }
    let row: Vec<f64> = groups.iter().map(|group| group.between[a]).collect();
    groups[a].between = row;
}

/// The cell of each level; cells are numbered in the order of their first levels.
fn numbered(groups: &[Group], levels: usize) -> Vec<u16> {
    let mut order: Vec<(usize, &Group)> =
        groups.iter().map(|group| (group.levels.iter().copied().min().unwrap_or(0), group)).collect();
    order.sort_by_key(|(first, _)| *first);
    let mut cells = vec![0; levels];
    for (number, (_, group)) in (0..).zip(order) {
        for &level in &group.levels {
            cells[level] = number;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is hidden, added up pair by pair.
    fn hidden(cells: &[u16], people: &[f64], apart: &[Vec<f64>]) -> f64 {
        let of = |cell: u16| {
            let own: Vec<usize> = (0..cells.len()).filter(|&level| cells[level] == cell).collect();
            let all: f64 = own.iter().map(|&level| people[level]).sum();
            let pairs = own.iter().flat_map(|&a| own.iter().filter(move |&&b| b < a).map(move |&b| (a, b)));
            pairs.map(|(a, b)| people[a] * people[b] * apart[a][b]).sum::<f64>() / all
        };
        (0..=cells.iter().copied().max().unwrap()).map(of).sum()
    }

    #[test]
    fn what_is_hidden_adds_up_and_never_gets_more_with_more_cells() {
        let people = [0.1, 0.3, 0.05, 0.25, 0.2, 0.1];
        let value: [f64; 6] = [0.0, 1.0, 0.1, 0.9, -2.0, 0.05];
        let apart: Vec<Vec<f64>> =
            value.iter().map(|a| value.iter().map(|b| (a - b) * (a - b)).collect()).collect();
        let merged = Merged::new(&people, &apart);
        let mut before = f64::INFINITY;
        for size in 1..=6 {
            let (cells, said) = merged.cells(size);
            assert_eq!(cells.iter().max(), Some(&(size as u16 - 1)));
            assert!(
                (said - hidden(cells, &people, &apart)).abs() < 1e-12 && said <= before,
                "{size}: {said}"
            );
            before = said;
        }
        assert_eq!(merged.cells(3).0, [0, 1, 0, 1, 2, 0]);
        assert_eq!(merged.cells(6).1, 0.0);
    }

    #[test]
    fn many_levels_take_no_time() {
        let apart: Vec<Vec<f64>> =
            (0..300_u32).map(|a| (0..300_u32).map(|b| f64::from(a.abs_diff(b) % 17)).collect()).collect();
        assert_eq!(Merged::new(&[1.0 / 300.0; 300], &apart).cells(300).0.len(), 300);
    }
}
