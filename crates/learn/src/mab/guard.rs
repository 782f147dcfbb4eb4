//! Reports bound to what was asked, and tests that no honest people fail.
//!
//! A report names the policy that its device followed. It counts if that policy gave its arm to somebody, and a policy
//! that was made for one person is answered once. Where many share a policy each device draws its arm from the policy's
//! lottery, so that the arm of each report has a known law; and no reward makes a bit one more often than it is kept.
//! Both laws are tested by betting against them: capital that is multiplied by 1 + tilt (x - mean), for a tilt chosen
//! before x is seen, is a martingale (or falls, where the mean is a bound), so that by Ville's inequality it ever
//! reaches 1/alpha with probability at most alpha. The tests may be looked at after every report.

use std::collections::VecDeque;

use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::mab::{Lottery, Policy, Spec};
use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::{AbsorbError, Agent};

/// How often honest reports of a whole run make any of the tests fire.
pub const FALSE_ALARMS: f64 = 0.001;
/// Policies that are remembered: reports of older ones come too late.
const KEPT: usize = 1024;
/// How much is bet on an arm's excess, and on a bit, in each of several accounts whose mean is the capital.
const TILTS: [f64; 4] = [0.05, 0.25, 1.0, 4.0];
/// No bet may lose more than this share of its account.
const MOST_LOST: f64 = 0.5;

/// What was asked of people, and whether their answers have the law of honest ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Versions below this one were published before anything was remembered: their reports are taken as they come.
    unknown_before: u64,
    /// The version of the first policy that is remembered.
    first: u64,
    policies: VecDeque<Issued>,
    arms: Vec<Watched>,
    /// Reports that named what nobody was asked.
    strays: u64,
}

/// A policy that was published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Issued {
    arms: Lottery,
    /// For one person alone.
    alone: bool,
    answered: u64,
}

/// What came of one arm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Watched {
    /// Reports of shared policies, and how many of all people's reports these gave the arm.
    answered: u64,
    assigned: f64,
    /// The logarithms of accounts that bet on more reports than assigned, and whether they ever won.
    share: [f64; TILTS.len()],
    piled: bool,
    /// Zeros and ones among all reports.
    bits: [u64; 2],
}

/// An arm of which more reports came than its policies gave it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piled {
    /// The arm.
    pub arm: usize,
    /// How many it should have had.
    pub assigned: f64,
}

/// An agent that can count an arm's reports for less.
pub trait Discounting: Agent {
    /// An arm's reports beyond those that it was assigned are no evidence: they may be all ones, or all zeros. Of the
    /// means that leaves, the arm has the one that is nearest to an average arm's.
    fn discount(&mut self, piled: Piled);
}

/// The ones and zeros of an arm without those that nobody was assigned.
pub(super) fn discounted(arms: &[Arm], Piled { arm, assigned }: Piled) -> (f64, f64) {
    let others = arms.iter().enumerate().filter(|(other, counts)| *other != arm && counts.pulls > 0);
    let (sum, count) = others.fold((0.0, 0.0), |(sum, count), (_, other)| (sum + other.mean(), count + 1.0));
    let neutral = if count > 0.0 { sum / count } else { 0.5 };
    let (ones, zeros) = arms[arm].ones_and_zeros();
    without(ones as f64, zeros as f64, assigned, neutral)
}

/// So many ones and zeros as are left when all but `assigned` are taken out: as many of either as bring the mean
/// nearest to `neutral`.
fn without(ones: f64, zeros: f64, assigned: f64, neutral: f64) -> (f64, f64) {
    let left = assigned.min(ones + zeros);
    let kept = (neutral * left).clamp((left - zeros).max(0.0), ones.min(left));
    (kept, left - kept)
}

/// What a test found.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Warning {
    /// Reports of arms that their policies gave to nobody; they were not counted. No honest device sends one.
    Strays {
        /// How many came.
        reports: u64,
    },
    /// More reports of an arm than policies gave it.
    PiledOn {
        /// The arm's number.
        arm: u32,
        /// Its name.
        name: String,
        /// Reports that came.
        reports: u64,
        /// How many should have.
        assigned: f64,
    },
    /// Bits that are ones, or zeros, more often than any reward gives.
    Impossible {
        /// The arm's number.
        arm: u32,
        /// Its name.
        name: String,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Strays { reports } => {
                write!(
                    f,
                    "{reports} reports name arms that nobody was given; they are forged and were not counted"
                )
            }
            Warning::PiledOn { name, reports, assigned, .. } => write!(
                f,
                "arm {name:?}: {reports} reports where its policies gave it about {assigned:.0}; some are forged, or \
                 people of other arms report less often"
            ),
            Warning::Impossible { name, .. } => write!(
                f,
                "arm {name:?}: its bits are ones or zeros more often than any reward gives; some are forged"
            ),
        }
    }
}

impl Guard {
    /// Before the first policy.
    pub(super) fn new(arms: u32) -> Guard {
        Guard::after(arms, 0)
    }

    /// Of an agent that has published so many policies that nobody remembers.
    pub(super) fn after(arms: u32, policies: u64) -> Guard {
        let (first, arms) = (policies + 1, vec![Watched::default(); arms as usize]);
        Guard { unknown_before: first, first, policies: VecDeque::new(), arms, strays: 0 }
    }

    /// Whether a stored guard can be one of this experiment, whose agent has made so many policies.
    pub(super) fn is_possible(&self, spec: &Spec, policies: u64) -> bool {
        let sound = |watched: &Watched| {
            watched.assigned >= 0.0 && watched.share.iter().all(|account| account.is_finite())
        };
        self.arms.len() == spec.arms() as usize
            && self.arms.iter().all(sound)
            && self.first.checked_add(self.policies.len() as u64) == policies.checked_add(1)
            && self.policies.iter().all(|issued| issued.arms.last_arm() < spec.arms())
    }

    /// Remembers a policy that about so many people get.
    #[inline]
    pub fn publish(&mut self, policy: &Policy, people: u64) {
        // One that was answered by the only person that it was for is over.
        while self.policies.front().is_some_and(|issued| issued.alone && issued.answered > 0)
            || self.policies.len() >= KEPT
        {
            self.policies.pop_front();
            self.first += 1;
        }
        self.policies.push_back(Issued { arms: policy.arms.clone(), alone: people <= 1, answered: 0 });
    }

    /// Whether a report of a policy and an arm answers what was asked.
    #[inline]
    pub fn check(&self, version: u64, arm: u32) -> Result<(), AbsorbError> {
        if version < self.unknown_before {
            return Ok(());
        }
        let Some(place) = version.checked_sub(self.first) else { return Err(AbsorbError::TooLate) };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let issued = self.policies.get(place).ok_or(AbsorbError::NotAsked)?;
        if issued.arms.probability(arm) == 0.0 {
            return Err(AbsorbError::NotAsked);
        }
        if issued.alone && issued.answered > 0 { Err(AbsorbError::TooLate) } else { Ok(()) }
    }

    /// Notes a report of what nobody was asked.
    pub fn stray(&mut self) {
        self.strays = self.strays.saturating_add(1);
    }

    /// Counts a report that was taken, and bets on its arm.
    #[inline]
    pub fn count(&mut self, version: u64, arm: u32, bit: bool) {
        self.arms[arm as usize].bits[usize::from(bit)] += 1;
        let Some(place) = version.checked_sub(self.first) else { return };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let Some(issued) = self.policies.get_mut(place) else { return };
        issued.answered += 1;
        if issued.arms.only().is_some() {
            return;
        }
        let limit = libm::log(2.0 * self.arms.len() as f64 / FALSE_ALARMS);
        for (other, tickets) in issued.arms.tickets() {
            let share = f64::from(tickets) / issued.arms.all() as f64;
            let watched = &mut self.arms[other as usize];
            watched.assigned += share;
            let hit = f64::from(u8::from(other == arm));
            for (account, tilt) in watched.share.iter_mut().zip(TILTS) {
                *account += libm::log1p(tilt.min(MOST_LOST / share) * (hit - share));
            }
            watched.piled |= other == arm && capital(&watched.share) >= limit;
        }
        self.arms[arm as usize].answered += 1;
    }

    /// The arms of which a test says that reports were piled on them.
    pub(super) fn piled(&self) -> impl Iterator<Item = Piled> + '_ {
        let arms = self.arms.iter().enumerate();
        arms.filter(|(_, watched)| watched.piled)
            .map(|(arm, watched)| Piled { arm, assigned: watched.assigned })
    }

    /// What the tests found.
    pub(super) fn warnings(&self, spec: &Spec) -> Vec<Warning> {
        let keep = RandomisedResponse::new(spec.epsilon()).keep_probability();
        let limit = libm::log(4.0 * self.arms.len() as f64 / FALSE_ALARMS);
        let mut warnings = Vec::new();
        if self.strays > 0 {
            warnings.push(Warning::Strays { reports: self.strays });
        }
        for (arm, (watched, name)) in (0..).zip(self.arms.iter().zip(spec.arm_names())) {
            let name = || name.clone();
            if watched.piled {
                let (reports, assigned) = (watched.answered, watched.assigned);
                warnings.push(Warning::PiledOn { arm, name: name(), reports, assigned });
            }
            if watched.against_bits(keep) >= limit {
                warnings.push(Warning::Impossible { arm, name: name() });
            }
        }
        warnings
    }
}

impl Watched {
    /// What bets that bits are ones, or zeros, more often than they are kept would have won, as a logarithm.
    fn against_bits(&self, keep: f64) -> f64 {
        let [zeros, ones] = self.bits.map(|bits| bits as f64);
        let won = |hits: f64, misses: f64| {
            capital(&TILTS.map(|tilt| {
                let tilt = tilt.min(MOST_LOST / keep);
                hits * libm::log1p(tilt * (1.0 - keep)) + misses * libm::log1p(-tilt * keep)
            }))
        };
        won(ones, zeros).max(won(zeros, ones))
    }
}

/// The logarithm of the accounts' mean.
fn capital(accounts: &[f64; TILTS.len()]) -> f64 {
    let most = accounts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = accounts.iter().map(|account| libm::exp(account - most)).sum();
    most + libm::log(sum / TILTS.len() as f64)
}

#[cfg(test)]
mod tests;
