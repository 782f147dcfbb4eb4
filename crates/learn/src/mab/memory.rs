//! What an agent on private bits keeps: the answers since the last change that it noticed, who is still to answer, and
//! how evenly it has played.

use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::balance::Balance;
use super::change::{FALSE_CHANGES, History};
use super::flight::Flight;
use super::guard::Piled;
use super::identify::Found;

/// Follows from policies and reports alone.
#[derive(Debug)]
pub(super) struct Memory {
    /// Answers since the last change.
    pub(super) arms: Vec<Arm>,
    /// How many policies there were.
    pub(super) policies: u64,
    pub(super) rest: Rest,
    /// Answers of each arm and those on their way: follows from the others.
    played: Vec<u64>,
}

/// All but the counts, which are kept since version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rest {
    flight: Flight,
    balance: Balance,
    histories: Vec<History>,
    found: Found,
    /// Changes that were noticed, and each arm's answers before the last.
    changes: u32,
    before: Vec<u64>,
}

impl Rest {
    fn after(arms: &[Arm]) -> Rest {
        let answers = arms.iter().map(|arm| arm.pulls).sum();
        let arms = arms.len();
        Rest {
            flight: Flight::default(),
            balance: Balance::after(answers),
            histories: vec![History::default(); arms],
            found: Found::default(),
            changes: 0,
            before: vec![0; arms],
        }
    }

    /// Whether a stored one can be an agent's with these counts, after so many policies.
    pub(super) fn is_possible(&self, arms: &[Arm], policies: u64) -> bool {
        let counts = |arm: &Arm| (arm.pulls, arm.ones_and_zeros().0);
        self.histories.len() == arms.len()
            && self.before.len() == arms.len()
            && self.before.iter().all(|&before| before <= 1 << 53)
            && self.histories.iter().zip(arms).all(|(history, arm)| history.is_possible(counts(arm)))
            && self.flight.is_possible(arms.len(), policies)
            && self.balance.is_possible(arms.len())
            && self.found.is_possible(arms.len())
    }
}

impl Memory {
    pub(super) fn new(arms: u32) -> Memory {
        Memory::resume(vec![Arm::default(); arms as usize], 0, None)
    }

    /// From a stored state; versions that kept counts alone watch from here on.
    pub(super) fn resume(arms: Vec<Arm>, policies: u64, rest: Option<Rest>) -> Memory {
        let rest = rest.unwrap_or_else(|| Rest::after(&arms));
        let mut played: Vec<u64> = arms.iter().map(|arm| arm.pulls).collect();
        rest.flight.arms().for_each(|arm| played[arm as usize] += 1);
        Memory { arms, policies, rest, played }
    }

    /// Answers of each arm, and those on their way.
    pub(super) fn played(&self) -> &[u64] {
        &self.played
    }

    /// So many answers of an arm and people who will, and the mean of their bits: those of people who have not answered
    /// are foreseen from the others and so many half ones and half zeros. In the middle before the first person.
    pub(super) fn seen(&self, arm: usize, halves: f64) -> (u64, f64) {
        let played = self.played[arm];
        let (ones, pulls) = (self.arms[arm].ones_and_zeros().0 as f64, self.arms[arm].pulls as f64);
        let waited = played as f64 - pulls;
        if played == 0 {
            return (0, 0.5);
        }
        let foreseen = if waited > 0.0 { waited * (ones + 0.5 * halves) / (pulls + halves) } else { 0.0 };
        (played, (ones + foreseen) / played as f64)
    }

    /// The arm that is played too little, if one is.
    #[inline]
    pub(super) fn due(&self) -> Option<u32> {
        self.rest.balance.due(&self.played)
    }

    /// The arms of many draws, which together stand for so many people: each the one that is played too little, or what
    /// `choose` says.
    pub(super) fn spread(&self, people: u64, draws: u64, mut choose: impl FnMut(u64) -> u32) -> Vec<u32> {
        let step = people as f64 / draws as f64;
        let floor = self.rest.balance.floor();
        let mut played: Vec<f64> = self.played.iter().map(|&played| played as f64).collect();
        let mut total = self.rest.balance.total() as f64;
        let draw = |number| {
            let least = (0_u32..).zip(&played).min_by(|a, b| a.1.total_cmp(b.1));
            let due = least.filter(|(_, played)| **played < floor * total).map(|(arm, _)| arm);
            let arm = due.unwrap_or_else(|| choose(number));
            played[arm as usize] += step;
            total += step;
            arm
        };
        (0..draws).map(draw).collect()
    }

    /// One person is given an arm by the newest policy; the answer are the arms of people who are waited for no more.
    #[inline]
    pub(super) fn ask(&mut self, arm: u32) -> Vec<u32> {
        self.played[arm as usize] += 1;
        let (played, mut given_up) = (&mut self.played, Vec::new());
        self.rest.flight.depart(self.policies, arm, |arm| {
            played[arm as usize] -= 1;
            given_up.push(arm);
        });
        given_up
    }

    /// Counts an answer. True if it shows that an arm has changed: then all that was known is forgotten.
    #[inline]
    pub(super) fn count(&mut self, policy: u64, arm: usize, bit: bool) -> bool {
        match self.rest.flight.arrive(policy) {
            Some(asked) if asked as usize == arm => {}
            Some(asked) => {
                self.played[asked as usize] -= 1;
                self.played[arm] += 1;
            }
            None => self.played[arm] += 1,
        }
        self.arms[arm].add(bit);
        let changed = self.rest.histories[arm].add(bit, FALSE_CHANGES / self.arms.len() as f64);
        if changed {
            self.forget();
        } else {
            self.rest.balance.count(&self.arms, &self.played);
            self.rest.found.look(&self.arms, self.rest.balance.total());
        }
        changed
    }

    /// The arm that was shown to be the best.
    pub(super) fn found(&self) -> Option<u32> {
        self.rest.found.arm()
    }

    /// How many changes were noticed.
    pub(super) fn changes(&self) -> u32 {
        self.rest.changes
    }

    /// Of reports that were piled on an arm over the whole run, what is due to those since the last change.
    pub(super) fn piled(&self, piled: Piled) -> Piled {
        let (now, before) = (self.arms[piled.arm].pulls as f64, self.rest.before[piled.arm] as f64);
        if before == 0.0 {
            return piled;
        }
        Piled { assigned: piled.assigned * now / (now + before), ..piled }
    }

    #[cold]
    fn forget(&mut self) {
        for ((arm, before), played) in self.arms.iter_mut().zip(&mut self.rest.before).zip(&mut self.played) {
            *before += arm.pulls;
            *played -= arm.pulls;
            *arm = Arm::default();
        }
        self.rest.histories.fill(History::default());
        self.rest.balance = Balance::default();
        self.rest.found = Found::default();
        self.rest.changes = self.rest.changes.saturating_add(1);
    }
}
