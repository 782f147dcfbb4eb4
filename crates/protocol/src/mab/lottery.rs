//! Which arm the next people get: a distribution that many devices draw from, each for itself.

use std::num::NonZeroU64;

use reticent_privacy::Generator;
use reticent_privacy::exact::uniform_below;
use serde::{Deserialize, Serialize};

/// Arms with tickets: each person gets the arm of one ticket, drawn evenly on their own device.
///
/// ```
/// use reticent_protocol::mab::Lottery;
/// let lottery = Lottery::new(vec![(0, 1), (2, 3)])?;
/// assert_eq!(lottery.probability(2), 0.75);
/// assert_eq!(Lottery::one(4).probability(4), 1.0);
/// # Ok::<(), reticent_protocol::mab::LotteryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u32, u32)>", into = "Vec<(u32, u32)>")]
pub struct Lottery(Tickets);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tickets {
    /// All tickets are one arm's: nothing is drawn, and nothing allocated.
    One(u32),
    Many {
        arms: Vec<(u32, u32)>,
        all: NonZeroU64,
    },
}

/// More tickets than this tell no probabilities apart that matter.
pub const MAX_TICKETS: u32 = 1 << 16;

/// Tickets that make no lottery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a lottery lists arms in increasing order, each with a ticket or more, and 1 to {MAX_TICKETS} tickets together"
)]
pub struct LotteryError;

impl Lottery {
    /// The same arm for everybody.
    #[inline]
    pub fn one(arm: u32) -> Lottery {
        Lottery(Tickets::One(arm))
    }

    /// Arms with how many tickets each has, in increasing order of the arms.
    pub fn new(arms: Vec<(u32, u32)>) -> Result<Lottery, LotteryError> {
        let ordered = arms.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let all: u64 = arms.iter().map(|&(_, tickets)| u64::from(tickets)).sum();
        let all = NonZeroU64::new(all).filter(|all| all.get() <= MAX_TICKETS.into()).ok_or(LotteryError)?;
        if !ordered || arms.iter().any(|&(_, tickets)| tickets == 0) {
            return Err(LotteryError);
        }
        Ok(Lottery(match *arms {
            // One spelling: a lottery of one arm has one ticket.
            [(arm, 1)] => Tickets::One(arm),
            [_] => return Err(LotteryError),
            _ => Tickets::Many { arms, all },
        }))
    }

    /// A ticket for each of these draws; none if there are none, or too many.
    pub fn of_draws(draws: impl IntoIterator<Item = u32>) -> Option<Lottery> {
        let mut draws: Vec<u32> = draws.into_iter().collect();
        draws.sort_unstable();
        let arms: Vec<(u32, u32)> =
            draws.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect();
        match *arms {
            [(arm, _)] => Some(Lottery::one(arm)),
            _ => Lottery::new(arms).ok(),
        }
    }

    /// The arm of one ticket. With one arm alone no randomness is used.
    #[inline]
    pub fn draw<G: Generator>(&self, rng: &mut G) -> u32 {
        match &self.0 {
            Tickets::One(arm) => *arm,
            Tickets::Many { arms, all } => {
                let mut ticket = uniform_below(*all, rng);
                for &(arm, tickets) in arms {
                    match ticket.checked_sub(tickets.into()) {
                        None => return arm,
                        Some(left) => ticket = left,
                    }
                }
                // The ticket is below the sum of all: it was found.
                arms.last().map_or(0, |&(arm, _)| arm)
            }
        }
    }

    /// The only arm, if all tickets are one's.
    #[inline]
    pub fn only(&self) -> Option<u32> {
        match &self.0 {
            Tickets::One(arm) => Some(*arm),
            Tickets::Many { .. } => None,
        }
    }

    /// How many tickets there are.
    pub fn all(&self) -> u64 {
        match &self.0 {
            Tickets::One(_) => 1,
            Tickets::Many { all, .. } => all.get(),
        }
    }

    /// Arms with their tickets.
    pub fn tickets(&self) -> Vec<(u32, u32)> {
        self.clone().into()
    }

    /// The probability of an arm.
    pub fn probability(&self, arm: u32) -> f64 {
        match &self.0 {
            Tickets::One(only) => f64::from(u8::from(*only == arm)),
            Tickets::Many { arms, all } => {
                let tickets = arms.iter().find(|(other, _)| *other == arm).map_or(0, |&(_, tickets)| tickets);
                f64::from(tickets) / all.get() as f64
            }
        }
    }

    /// The arm with the largest number.
    pub fn last_arm(&self) -> u32 {
        match &self.0 {
            Tickets::One(arm) => *arm,
            Tickets::Many { arms, .. } => arms.last().map_or(0, |&(arm, _)| arm),
        }
    }
}

impl From<Lottery> for Vec<(u32, u32)> {
    fn from(lottery: Lottery) -> Vec<(u32, u32)> {
        match lottery.0 {
            Tickets::One(arm) => vec![(arm, 1)],
            Tickets::Many { arms, .. } => arms,
        }
    }
}

impl TryFrom<Vec<(u32, u32)>> for Lottery {
    type Error = LotteryError;
    fn try_from(arms: Vec<(u32, u32)>) -> Result<Lottery, LotteryError> {
        Lottery::new(arms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use reticent_privacy::{SimSeed, Stream};

    #[test]
    fn one_spelling() {
        let bad: [&[(u32, u32)]; 6] = [
            &[],
            &[(1, 2)],
            &[(0, 0), (1, 1)],
            &[(1, 1), (0, 1)],
            &[(0, 1), (0, 1)],
            &[(0, MAX_TICKETS), (1, 1)],
        ];
        for arms in bad {
            assert_eq!(Lottery::new(arms.to_vec()), Err(LotteryError), "{arms:?}");
        }
        assert_eq!(Lottery::new(vec![(7, 1)]), Ok(Lottery::one(7)));
        assert_eq!(Lottery::of_draws([3, 3, 3]), Some(Lottery::one(3)));
        assert_eq!(Lottery::of_draws([]), None);
        assert_eq!(Lottery::of_draws([3, 1, 3]), Lottery::new(vec![(1, 1), (3, 2)]).ok());
    }

    /// 4,000 draws of probability 1/4: further than 6.2 deviations once in a billion such tests.
    #[test]
    fn tickets_are_drawn_evenly() {
        let lottery = Lottery::new(vec![(0, 1), (2, 2), (9, 1)]).unwrap();
        let mut rng = SimSeed(1).stream(0, Stream::Noise);
        let mut counts = [0_u32; 10];
        (0..4000).for_each(|_| counts[lottery.draw(&mut rng) as usize] += 1);
        assert!(counts[0].abs_diff(1000) < 170 && counts[9].abs_diff(1000) < 170, "{counts:?}");
        assert_eq!(counts[0] + counts[2] + counts[9], 4000);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(draws in prop::collection::vec(0_u32..9, 1..30)) {
            let lottery = Lottery::of_draws(draws.iter().copied()).unwrap();
            let text = serde_json::to_string(&lottery).unwrap();
            prop_assert_eq!(serde_json::from_str::<Lottery>(&text).unwrap(), lottery.clone());
            let share = draws.iter().filter(|&&arm| arm == draws[0]).count() as f64 / draws.len() as f64;
            prop_assert!((lottery.probability(draws[0]) - share).abs() < 1e-12);
        }
    }
}
