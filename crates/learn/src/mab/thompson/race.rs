//! Which arm's posterior draw is largest, without drawing for every arm.
//!
//! The leader (most answers) draws first. A rival matters only if its own draw is larger. So we fix a floor
//! that the leader's draw rarely falls below, and for each rival an exponential curve above its posterior's
//! tail beyond the floor, of mass M. With probability M the curve is hit; a hit that falls under the density
//! is an exact draw from the tail, and everything else means "this rival stayed below the floor", where it
//! cannot win. One uniform number tells that no curve was hit, which is the usual case. Rivals whose curve is
//! too heavy draw in full, and so does everybody if the leader falls below the floor. The winner has exactly
//! the law of the naive race; a test compares them.

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

use super::posterior::{Beta, Tail};

/// A rival whose tail curve has more mass than this draws in full.
const HEAVY: f64 = 0.25;
/// The leader's draw falls below the floor about once in 160 rounds.
const FLOOR_DEVIATIONS: f64 = 2.5;
/// Below this many answers of the leader a floor is not worth its upkeep.
const FEW: f64 = 64.0;

/// The part of the race's state that choices depend on; the rest follows from it and the counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Floor {
    leader: u32,
    level: f64,
    /// Answers of the leader at which the floor is set anew.
    renew_at: f64,
}

#[derive(Debug)]
pub(super) struct Race {
    posteriors: Vec<Beta>,
    tails: Vec<Option<Tail>>,
    floor: Floor,
    heavy: Vec<usize>,
    /// Probability that no light rival's curve is hit.
    quiet: f64,
}

impl Floor {
    /// No floor yet: everybody draws.
    pub(in super::super) const START: Floor = Floor { leader: 0, level: 2.0, renew_at: FEW };

    /// Whether a saved floor can be one.
    pub(in super::super) fn is_possible(&self, arms: usize) -> bool {
        (self.leader as usize) < arms && self.level.is_finite() && self.renew_at >= FEW
    }
}

impl Race {
    pub(super) fn new(posteriors: &[Beta], floor: Floor) -> Race {
        let tails = posteriors.iter().map(|p| p.tail(floor.level)).collect();
        let mut race = Race { posteriors: posteriors.to_vec(), tails, floor, heavy: Vec::new(), quiet: 1.0 };
        race.sort_rivals();
        race
    }

    pub(super) fn floor(&self) -> Floor {
        self.floor
    }

    /// Takes in one arm's new posterior.
    #[inline]
    pub(super) fn update(&mut self, arm: usize, posterior: Beta) {
        self.posteriors[arm] = posterior;
        if posterior.observations() >= self.floor.renew_at && self.is_ahead(arm) {
            self.renew(arm);
        } else if arm != self.floor.leader as usize {
            self.tails[arm] = posterior.tail(self.floor.level);
            self.sort_rivals();
        }
    }

    /// Only the leader, or a rival that overtakes it, moves the floor.
    fn is_ahead(&self, arm: usize) -> bool {
        let leader = self.floor.leader as usize;
        arm == leader || self.posteriors[arm].observations() > self.posteriors[leader].observations()
    }

    /// A floor for a new or a better-known leader; again when its answers have grown by a 32nd.
    fn renew(&mut self, leader: usize) {
        let posterior = self.posteriors[leader];
        let renew_at = posterior.observations() * (1.0 + 1.0 / 32.0);
        self.floor = Floor { leader: leader as u32, level: posterior.below_mean(FLOOR_DEVIATIONS), renew_at };
        self.tails = self.posteriors.iter().map(|p| p.tail(self.floor.level)).collect();
        self.sort_rivals();
    }

    fn sort_rivals(&mut self) {
        self.heavy.clear();
        self.quiet = 1.0;
        for (arm, tail) in self.tails.iter().enumerate() {
            match tail {
                _ if arm == self.floor.leader as usize => {}
                Some(tail) if tail.mass <= HEAVY => self.quiet *= 1.0 - tail.mass,
                _ => self.heavy.push(arm),
            }
        }
    }

    #[inline]
    pub(super) fn winner(&self, rng: &mut SimRng) -> usize {
        let leader = self.floor.leader as usize;
        let mut best = (leader, self.posteriors[leader].draw(rng));
        if best.1 < self.floor.level {
            self.full_draws(0..self.posteriors.len(), &mut best, rng);
            return best.0;
        }
        self.full_draws(self.heavy.iter().copied(), &mut best, rng);
        let u = rng.uniform();
        if u >= self.quiet {
            self.tail_draws(u - self.quiet, &mut best, rng);
        }
        best.0
    }

    #[inline]
    fn full_draws(&self, arms: impl Iterator<Item = usize>, best: &mut (usize, f64), rng: &mut SimRng) {
        for arm in arms.filter(|&arm| arm != self.floor.leader as usize) {
            let draw = self.posteriors[arm].draw(rng);
            if draw > best.1 {
                *best = (arm, draw);
            }
        }
    }

    /// At least one curve was hit. `excess` is uniform on [0, 1 - quiet) and tells which was the first; those after it
    /// are hit independently.
    #[cold]
    fn tail_draws(&self, mut excess: f64, best: &mut (usize, f64), rng: &mut SimRng) {
        let mut none_so_far = Some(1.0);
        for (arm, tail) in self.light_rivals() {
            let hit = match none_so_far {
                Some(probability) => {
                    let first_here = probability * tail.mass;
                    let hit = excess < first_here;
                    excess -= first_here;
                    none_so_far = (!hit).then_some(probability - first_here);
                    hit
                }
                None => rng.uniform() < tail.mass,
            };
            if let Some(draw) = hit.then(|| self.posteriors[arm].draw_tail(tail, rng)).flatten()
                && draw > best.1
            {
                *best = (arm, draw);
            }
        }
    }

    fn light_rivals(&self) -> impl Iterator<Item = (usize, &Tail)> {
        let leader = self.floor.leader as usize;
        let tails = self.tails.iter().enumerate().filter(move |&(arm, _)| arm != leader);
        tails
            .filter_map(|(arm, tail)| tail.as_ref().filter(|tail| tail.mass <= HEAVY).map(|tail| (arm, tail)))
    }
}
