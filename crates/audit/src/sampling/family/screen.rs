//! What is looked at of wide observations: which coordinates, and which two or three of them together.
//!
//! Every coordinate is cut into bits: whether it is above its median and, where all values are whole numbers, some of
//! its binary digits. What two or three bits show together is their parity, of which a one-time pad hides nothing.
//! Parities of a whole column take a few hundred machine words, so that very many sets can be tried; the few that tell
//! the neighbours apart best are handed on.

use crate::sampling::draw::in_parts;
use crate::sampling::sample::{Both, SOME, value_at};

/// Coordinates that are looked at one by one.
const COORDINATES: usize = 1024;
/// Up to so many coordinates are all looked at in pairs; of more, the best of so many pairs.
const FEW: usize = 8;
const PAIRS: usize = 28;
/// Bits of each coordinate, where coordinates are few and where they are many.
const DIGITS: u32 = 8;
const FEW_FOR_DIGITS: usize = 16;
/// Pairs of bits that are tried for each row looked at, and triples.
const PAIRS_PER_ROW: usize = 128;
const TRIPLES_PER_ROW: usize = 24;
/// Sets of bits that are handed on.
const SETS: usize = 8;

/// A yes-or-no question about one coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bit {
    pub(super) coordinate: usize,
    question: Question,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Question {
    Above(f64),
    Digit(u32),
}

impl Bit {
    pub(super) fn holds(self, seen: &[f64]) -> bool {
        let value = value_at(seen, self.coordinate);
        match self.question {
            Question::Above(level) => value > level,
            // What is missing has no digits; a cast of a large number saturates.
            Question::Digit(digit) => value.is_finite() && (value.abs() as u64) >> digit & 1 == 1,
        }
    }

    pub(super) fn words(self) -> String {
        match self.question {
            Question::Above(level) => format!("coordinate {} above {level}", self.coordinate),
            Question::Digit(digit) => format!("binary digit {digit} of coordinate {}", self.coordinate),
        }
    }
}

/// What is worth a closer look.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// Coordinates, in order.
    pub(super) coordinates: Vec<usize>,
    /// The same, those first whose own bits tell the neighbours apart best.
    pub(super) telling: Vec<usize>,
    pub(super) pairs: Vec<(usize, usize)>,
    /// Two or three bits whose parity tells the neighbours apart.
    pub(super) sets: Vec<Vec<Bit>>,
    /// What is not looked at, in words.
    pub(super) unseen: Vec<String>,
}

impl Screen {
    pub(super) fn of(runs: Both<'_>, threads: usize) -> Screen {
        let width = runs.width();
        let columns = Columns::of(runs, width, threads);
        let telling = columns.telling(width);
        let mut coordinates: Vec<usize> = telling.iter().copied().take(COORDINATES).collect();
        coordinates.sort_unstable();
        let mut screen = Screen { coordinates, telling, ..Screen::default() };
        if width > COORDINATES {
            screen.unseen.push(format!("{} of {width} coordinates, one by one", width - COORDINATES));
        }
        screen.add_pairs(&columns, width);
        screen.add_triples(&columns);
        screen
    }

    fn add_pairs(&mut self, columns: &Columns, width: usize) {
        let bits = columns.bits.len();
        let all = bits * bits.saturating_sub(1) / 2;
        let most = PAIRS_PER_ROW * columns.rows;
        let tried: Vec<[usize; 2]> = if all <= most {
            (0..bits).flat_map(|a| (a + 1..bits).map(move |b| [a, b])).collect()
        } else {
            self.unseen.push(format!("{} of {all} pairs of bits of coordinates", all - most));
            random_sets(bits, most)
        };
        let best = columns.best(&tried);
        self.pairs = if width <= FEW {
            (0..width).flat_map(|a| (a + 1..width).map(move |b| (a, b))).collect()
        } else {
            let of = |set: &Vec<Bit>| (set[0].coordinate, set[1].coordinate);
            let mut pairs: Vec<(usize, usize)> = Vec::new();
            for pair in best.iter().map(of).map(|(a, b)| (a.min(b), a.max(b))) {
                if pairs.len() < PAIRS && !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
            pairs
        };
        self.sets.extend(best.into_iter().take(SETS));
    }

    fn add_triples(&mut self, columns: &Columns) {
        let bits = columns.bits.len();
        let all = bits * bits.saturating_sub(1) * bits.saturating_sub(2) / 6;
        let most = TRIPLES_PER_ROW * columns.rows;
        let tried: Vec<[usize; 3]> = if all <= most {
            let later = |a: usize| (a + 1..bits).flat_map(move |b| (b + 1..bits).map(move |c| [a, b, c]));
            (0..bits).flat_map(later).collect()
        } else {
            self.unseen.push(format!("{} of {all} triples of bits of coordinates", all - most));
            random_sets(bits, most)
        };
        self.sets.extend(columns.best(&tried).into_iter().take(SETS));
    }
}

/// So many sets of different numbers below `below`, the same ones each time: which are tried depends on no run.
fn random_sets<const N: usize>(below: usize, count: usize) -> Vec<[usize; N]> {
    let mut state = 0x5851_f42d_4c95_7f2d_u64;
    let mut next = || {
        // The generator of Knuth's MMIX; its high half is good enough to choose by.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 32) as usize) % below
    };
    let sets = std::iter::repeat_with(|| std::array::from_fn(|_| next()));
    let differ = |set: &[usize; N]| (1..N).all(|at| !set[..at].contains(&set[at]));
    sets.filter(differ).take(count).collect()
}

/// The bits of some rows, one column of words for each question, for either neighbour.
struct Columns {
    bits: Vec<Bit>,
    words: Vec<[Vec<u64>; 2]>,
    /// Rows of each neighbour.
    counts: [f64; 2],
    rows: usize,
    threads: usize,
}

impl Columns {
    fn of(runs: Both<'_>, width: usize, threads: usize) -> Columns {
        let digits = if width <= FEW_FOR_DIGITS { DIGITS } else { 1 };
        let per_coordinate = in_parts(0..width, threads, |coordinate| {
            let asked = questions(&runs.sorted_coordinate(coordinate), digits);
            let bits = asked.into_iter().map(|question| Bit { coordinate, question });
            bits.map(|bit| (bit, packed(runs, bit))).collect::<Vec<_>>()
        });
        let (bits, words) = per_coordinate.into_iter().flatten().unzip();
        let counts = [runs.first.some(SOME).count(), runs.second.some(SOME).count()];
        let rows = counts[0].min(counts[1]);
        Columns { bits, words, counts: counts.map(|count| count as f64), rows, threads }
    }

    /// How much oftener the parity of some bits is odd under one neighbour than under the other.
    fn gap(&self, set: &[usize]) -> f64 {
        let odd = |which: usize| {
            let words = self.words[set[0]][which].len();
            let parity = |at: usize| set.iter().fold(0, |word, &bit| word ^ self.words[bit][which][at]);
            (0..words).map(|at| parity(at).count_ones()).sum::<u32>()
        };
        (f64::from(odd(0)) / self.counts[0] - f64::from(odd(1)) / self.counts[1]).abs()
    }

    /// The sets with the largest gaps, the best first.
    fn best<const N: usize>(&self, tried: &[[usize; N]]) -> Vec<Vec<Bit>> {
        let gaps = in_parts(0..tried.len(), self.threads, |at| self.gap(&tried[at]));
        let mut ranked: Vec<usize> = (0..tried.len()).collect();
        let order = |&a: &usize, &b: &usize| gaps[b].total_cmp(&gaps[a]).then(a.cmp(&b));
        if ranked.len() > PAIRS * 4 {
            ranked.select_nth_unstable_by(PAIRS * 4, order);
            ranked.truncate(PAIRS * 4);
        }
        ranked.sort_by(order);
        let of_other_coordinates = |set: &Vec<Bit>| {
            (1..set.len()).all(|at| set[..at].iter().all(|bit| bit.coordinate != set[at].coordinate))
        };
        let sets = ranked.into_iter().map(|at| tried[at].iter().map(|&bit| self.bits[bit]).collect());
        sets.filter(of_other_coordinates).collect()
    }

    /// All coordinates, those first whose own bits tell the neighbours apart best.
    fn telling(&self, width: usize) -> Vec<usize> {
        let mut gaps = vec![0.0_f64; width];
        for (at, bit) in self.bits.iter().enumerate() {
            gaps[bit.coordinate] = gaps[bit.coordinate].max(self.gap(&[at]));
        }
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by(|&a, &b| gaps[b].total_cmp(&gaps[a]));
        order
    }
}

/// What to ask about a coordinate with these values, in order.
fn questions(sorted: &[f64], digits: u32) -> Vec<Question> {
    let (Some(&low), Some(&high)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    if low == high {
        return Vec::new();
    }
    // A median that is also the highest value would be above nothing.
    let middle = sorted[sorted.len() / 2];
    let below = sorted.iter().rev().find(|value| **value < high).copied().unwrap_or(low);
    let above = Question::Above(middle.min(below));
    let whole = sorted.iter().all(|value| value.fract() == 0.0 || *value == f64::NEG_INFINITY);
    // Two values are told apart by the first question.
    let two = sorted.iter().all(|value| *value == low || *value == high);
    let digits = if whole && !two { digits } else { 0 };
    std::iter::once(above).chain((0..digits).map(Question::Digit)).collect()
}

fn packed(runs: Both<'_>, bit: Bit) -> [Vec<u64>; 2] {
    let pack = |rows: &mut dyn Iterator<Item = &[f64]>| {
        let mut words = Vec::new();
        for (at, seen) in rows.enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            if let Some(word) = words.last_mut() {
                *word |= u64::from(bit.holds(seen)) << (at % 64);
            }
        }
        words
    };
    [pack(&mut runs.first.some(SOME)), pack(&mut runs.second.some(SOME))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_split_what_they_are_asked_of() {
        assert_eq!(questions(&[1.0; 4], 8), []);
        assert_eq!(questions(&[0.0, 0.0, 1.0, 1.0, 1.0], 8), [Question::Above(0.0)]);
        assert_eq!(questions(&[0.25, 0.5, 0.75], 8), [Question::Above(0.5)]);
        assert_eq!(questions(&[0.0, 1.0, 2.0, 3.0], 2).len(), 3);
        let bit = |question| Bit { coordinate: 0, question };
        assert!(bit(Question::Digit(1)).holds(&[-6.0]) && !bit(Question::Digit(0)).holds(&[-6.0]));
        assert!(!bit(Question::Digit(0)).holds(&[]) && !bit(Question::Above(0.0)).holds(&[f64::NAN]));
    }

    #[test]
    fn random_sets_are_sets() {
        let sets: Vec<[usize; 3]> = random_sets(40, 1000);
        assert!(sets.len() == 1000 && sets.iter().all(|[a, b, c]| a != b && b != c && a != c));
        assert!((0..40).all(|number| sets.iter().any(|set| set.contains(&number))));
    }
}
