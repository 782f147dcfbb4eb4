//! Whose answers are still on their way.
//!
//! A person who was given an arm and has not reported yet will most likely report it: an agent that does not count
//! them gives the same arm to everybody until the first report is back.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Policies for one person that are waited for: those who never answer are given up then.
const WAITED: usize = 1024;

/// The arms of policies for one person each that nobody has answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Flight {
    /// The version of the first policy that is waited for.
    first: u64,
    /// Its arm and those after it; none once it is answered.
    arms: VecDeque<Option<u32>>,
}

impl Flight {
    /// One person was given an arm by this policy; `give_up` hears the arms of those who are waited for no more.
    #[inline]
    pub(super) fn depart(&mut self, version: u64, arm: u32, mut give_up: impl FnMut(u32)) {
        // Policies for many that came between have no place, but a number.
        while !self.arms.is_empty() && version - self.first >= WAITED as u64 {
            self.arms.pop_front().flatten().into_iter().for_each(&mut give_up);
            self.first += 1;
            self.trim();
        }
        if self.arms.is_empty() {
            self.first = version;
        }
        while self.first + (self.arms.len() as u64) < version {
            self.arms.push_back(None);
        }
        self.arms.push_back(Some(arm));
    }

    /// Somebody answered this policy: their arm, if they were waited for.
    #[inline]
    pub(super) fn arrive(&mut self, version: u64) -> Option<u32> {
        let place = usize::try_from(version.checked_sub(self.first)?).ok()?;
        let arm = self.arms.get_mut(place)?.take();
        self.trim();
        arm
    }

    /// The arms of all who are waited for.
    pub(super) fn arms(&self) -> impl Iterator<Item = u32> + '_ {
        self.arms.iter().flatten().copied()
    }

    /// Whether a stored one can be one of so many arms and policies.
    pub(super) fn is_possible(&self, arms: usize, policies: u64) -> bool {
        let next = self.first.checked_add(self.arms.len() as u64);
        self.arms.len() <= WAITED
            && next.is_some_and(|next| next <= policies.saturating_add(1))
            && self.arms().all(|arm| (arm as usize) < arms)
    }

    #[inline]
    fn trim(&mut self) {
        while let Some(None) = self.arms.front() {
            self.arms.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody(_: u32) {
        panic!("nobody is given up");
    }

    #[test]
    fn who_answers_is_waited_for_no_more() {
        let mut flight = Flight::default();
        flight.depart(1, 7, nobody);
        flight.depart(2, 8, nobody);
        assert_eq!(flight.arrive(2), Some(8));
        assert_eq!(flight.arrive(2), None, "once");
        assert_eq!(flight.arms().collect::<Vec<_>>(), [7]);
        assert_eq!(flight.arrive(1), Some(7));
        assert_eq!(flight, Flight { first: 3, arms: VecDeque::new() });
        // Policies for many in between have no place.
        flight.depart(9, 1, nobody);
        assert_eq!(flight.arrive(8), None);
        flight.depart(12, 2, nobody);
        assert_eq!((flight.arrive(10), flight.arrive(12)), (None, Some(2)));
    }

    #[test]
    fn who_never_answers_is_given_up() {
        let mut flight = Flight::default();
        let mut given_up = Vec::new();
        (1..=2_000).for_each(|version| flight.depart(version, version as u32, |arm| given_up.push(arm)));
        assert_eq!((given_up.len(), given_up[0]), (2_000 - WAITED, 1));
        assert!(flight.is_possible(2_001, 2_000) && !flight.is_possible(2_000, 2_000));
        assert!(!flight.is_possible(2_001, 1_999));
        flight.depart(1_000_000, 5, |arm| given_up.push(arm));
        assert_eq!((given_up.len(), flight.arms.len()), (2_000, 1));
    }
}
