//! Maps from cells to arms, drawn from the posterior.
//!
//! A map is one draw of every arm's function (and of whom to trust), and gives each coarse cell of its
//! question the arm that is best there on average. A cell departs from its coarse cell only where the
//! posterior is sure: elsewhere one arm in the whole coarse cell makes the report say more.

use reticent_privacy::SimRng;

use super::belief::Belief;
use super::blocks::PARTITIONS;
use super::structure::Structure;
use super::systems::{OnCells, Systems};
use super::trust;

/// Deviations by which an arm must be ahead for a cell to depart from its coarse cell.
const SURE: f64 = 1.0;

/// Maps are drawn with so much of the posterior's deviation: they try less of what is not known. One of so many is
/// drawn with all of it, or what was missed at first would stay so.
const NARROW: f64 = 0.5;
const WIDE_EVERY: usize = 2;

/// What a person may be expected to lose, in units of the range of rewards, by maps that depart from the arm that is
/// best for all.
const BUDGET: f64 = 0.005;

/// What a map takes for true: a hypothesis about the sources, and what rewards depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hypothesis {
    trust: usize,
    pub(super) structure: Structure,
    /// Which of the partitions, if blocks are what matters.
    partition: usize,
}

impl Hypothesis {
    pub(super) fn draw(belief: &Belief, rng: &mut SimRng) -> Hypothesis {
        let trust = trust::draw(&belief.trust, rng.uniform());
        let structure = belief.structures.draw(rng.uniform());
        let partition = match structure {
            Structure::Blocks => (rng.uniform() * PARTITIONS as f64) as usize,
            _ => 0,
        };
        Hypothesis { trust, structure, partition }
    }
}

/// One map for each hypothesis and the coarsening (for each cell its coarse cell) that goes with it.
pub(super) fn maps(
    belief: &Belief,
    systems: &Systems,
    drawn: &[(Hypothesis, Vec<u32>)],
    rng: &mut SimRng,
) -> Vec<Vec<u8>> {
    let many = belief.trust.len() * Structure::ALL.len();
    let mut known: Vec<Option<Vec<OnCells<'_>>>> = (0..many * systems.blocks.len()).map(|_| None).collect();
    let mut chosen: Vec<Chosen<'_>> = Vec::with_capacity(drawn.len());
    for (number, (Hypothesis { trust, structure, partition }, coarse)) in drawn.iter().enumerate() {
        let spread = if number % WIDE_EVERY == 0 { 1.0 } else { NARROW };
        let posteriors = known[partition * many + trust * Structure::ALL.len() + *structure as usize]
            .get_or_insert_with(|| systems.posteriors(&belief.trust[*trust].weights, *structure, *partition));
        let functions = posteriors.iter().map(|posterior| posterior.sample(spread, rng));
        chosen.push(Chosen::new(belief, functions.collect(), coarse));
    }
    take_back(belief, &mut chosen, BUDGET);
    chosen.iter().map(|chosen| chosen.map(belief)).collect()
}

/// What a map does in each of its patches.
struct Chosen<'a> {
    functions: Vec<Vec<f64>>,
    coarse: &'a [u32],
    /// The arm that is best for all people together.
    base: usize,
    leaders: Vec<usize>,
}

impl<'a> Chosen<'a> {
    fn new(belief: &Belief, functions: Vec<Vec<f64>>, coarse: &'a [u32]) -> Chosen<'a> {
        let arms = functions.len();
        let patches = coarse.iter().max().map_or(0, |&last| last as usize + 1);
        let (mut sums, mut totals) = (vec![0.0; patches * arms], vec![0.0; arms]);
        for (cell, &place) in coarse.iter().enumerate() {
            for (arm, function) in functions.iter().enumerate() {
                sums[place as usize * arms + arm] += belief.masses[cell] * function[cell];
                totals[arm] += belief.masses[cell] * function[cell];
            }
        }
        let leaders = sums.chunks_exact(arms).map(|sums| best(arms, |arm| sums[arm])).collect();
        Chosen { coarse, base: best(arms, |arm| totals[arm]), leaders, functions }
    }

    /// For each patch its people, what they are expected to lose by not getting the arm that is best for all, and how
    /// unsure that is. Of a gain only what is surely there counts: what is not may be a mistake about where people are.
    fn losses(&self, belief: &Belief) -> Vec<[f64; 3]> {
        let mut losses = vec![[0.0; 3]; self.leaders.len()];
        let mut doubts = vec![0.0; self.leaders.len()];
        for (cell, &place) in self.coarse.iter().enumerate() {
            let leader = self.leaders[place as usize];
            let loss = belief.mean[self.base][cell] - belief.mean[leader][cell];
            losses[place as usize][0] += belief.masses[cell];
            losses[place as usize][1] += belief.masses[cell] * loss / 2.0;
            doubts[place as usize] += belief.masses[cell] * doubt(belief, self.base, leader, cell) / 2.0;
        }
        for ([_, loss, its], doubt) in losses.iter_mut().zip(doubts) {
            *its = doubt;
            if *loss < 0.0 {
                *loss = (*loss + doubt).min(0.0);
            }
        }
        losses
    }

    fn map(&self, belief: &Belief) -> Vec<u8> {
        let arms = self.functions.len();
        self.coarse
            .iter()
            .enumerate()
            .map(|(cell, &place)| {
                let leader = self.leaders[place as usize];
                let here = best(arms, |arm| self.functions[arm][cell]);
                (if is_surely_better(belief, here, leader, cell) { here } else { leader }) as u8
            })
            .collect()
    }
}

/// What the people of a patch are expected to lose by not getting the arm that its map takes to be best for all, and
/// its deviation.
struct Departure {
    map: usize,
    patch: usize,
    mass: f64,
    loss: f64,
    doubt: f64,
}

/// Takes back what people are expected to lose most by for what could be learned of it (a loss over its variance: Russo
/// and Van Roy 2018), until all together they lose no more than the budget beside the
/// arms that are best for all: what is gained elsewhere may be spent too. Conservative bandits (Wu, Shariff, Lattimore
/// and Szepesvari 2016), with an arm that is learned as well in place of a known one.
fn take_back(belief: &Belief, chosen: &mut [Chosen<'_>], budget: f64) {
    let mut departures: Vec<Departure> = Vec::new();
    for (map, one) in chosen.iter().enumerate() {
        let losses = one.losses(belief).into_iter().enumerate();
        departures.extend(losses.map(|(patch, [mass, loss, doubt])| Departure {
            map,
            patch,
            mass,
            loss,
            doubt,
        }));
    }
    let mut total: f64 = departures.iter().map(|departure| departure.loss).sum();
    let most = budget * chosen.len() as f64;
    departures.retain(|departure| departure.loss > 0.0);
    let key = |departure: &Departure| {
        let Departure { mass, loss, doubt, .. } = departure;
        loss * mass / (doubt * doubt)
    };
    departures.sort_by(|a, b| key(b).total_cmp(&key(a)));
    for Departure { map, patch, loss, .. } in departures {
        if total <= most {
            break;
        }
        total -= loss;
        chosen[map].leaders[patch] = chosen[map].base;
    }
}

fn is_surely_better(belief: &Belief, arm: usize, other: usize, cell: usize) -> bool {
    let ahead = belief.mean[arm][cell] - belief.mean[other][cell];
    arm != other && ahead > SURE * doubt(belief, arm, other, cell)
}

/// The deviation of the difference of two arms in a cell.
fn doubt(belief: &Belief, arm: usize, other: usize, cell: usize) -> f64 {
    let square = |arm: usize| belief.deviation[arm][cell] * belief.deviation[arm][cell];
    (square(arm) + square(other)).sqrt()
}

fn best(arms: usize, value: impl Fn(usize) -> f64) -> usize {
    (1..arms).fold(0, |best, arm| if value(arm) > value(best) { arm } else { best })
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Kernel;
    use super::*;
    use reticent_privacy::Epsilon;
    use reticent_protocol::contextual::Spec;
    use reticent_schema::Encoding;

    /// Of four quarters the first arm is believed to be better in all but the last, by 0, 0.4, 0.8 and -0.2.
    fn belief() -> Belief {
        let spec = Spec::new(2, Encoding::unit(1).unwrap(), Epsilon::new(1.0).unwrap()).unwrap();
        let spec = spec.with_cells(vec![4]).unwrap();
        let mut belief = Belief::new(&spec, &Kernel::new(&spec, spec.grid()));
        belief.mean = vec![vec![0.0, 0.4, 0.8, -0.2], vec![0.0; 4]];
        belief
    }

    #[test]
    fn the_dearest_departures_are_taken_back_until_sure_gains_pay_for_the_rest() {
        let (mut belief, coarse) = (belief(), [0, 1, 2, 3]);
        belief.deviation = vec![vec![0.0; 4]; 2];
        // A draw in which the first arm is best for all together, and the second in each quarter but the second.
        let drawn = || vec![vec![-0.1, 9.0, -0.1, -0.1], vec![0.0; 4]];
        let leaders = |belief: &Belief, budget: f64| {
            let mut chosen = [Chosen::new(belief, drawn(), &coarse)];
            assert_eq!((chosen[0].base, &*chosen[0].leaders), (0, &[1, 0, 1, 1][..]));
            take_back(belief, &mut chosen, budget);
            chosen[0].leaders.clone()
        };
        // The third quarter would cost 0.1 a person, and the last gains 0.025.
        assert_eq!(leaders(&belief, 0.08), [1, 0, 1, 1]);
        assert_eq!(leaders(&belief, 0.07), [1, 0, 0, 1]);
        assert_eq!(leaders(&belief, 0.0), [1, 0, 0, 1]);
        // A gain that is as large as its deviation pays for nothing.
        belief.deviation[0][3] = 0.2;
        assert_eq!(leaders(&belief, 0.08), [1, 0, 0, 1]);
        assert_eq!(leaders(&belief, 0.11), [1, 0, 1, 1]);
    }
}
