//! One person who comes back: at which of their visits they report.
//!
//! A lifetime loss can be split over m visits or spent at one. Split, each report tells about (1/m)^2 as much, and
//! all m together 1/m: one report with all of it is worth more (`docs/mab.md` has the regret of both). [`Visits`]
//! says at which visit to report, once in each period, and is to be asked before the visit has an outcome. At all
//! other visits the person gets an arm like everybody, and the device is silent. `guarantee.md` has the proof that
//! this tells nothing.

use std::num::NonZeroU64;

use reticent_privacy::Generator;
use reticent_privacy::exact::uniform_below;
use serde::{Deserialize, Serialize};

/// At which visit of a period a person reports. Public, and the same for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The first, however many will follow: whether they do says nothing. The default.
    #[default]
    First,
    /// One of the first so many, drawn evenly when the period begins. For rewards of which first visits are no fair
    /// sample. Who comes less often may never report: their coming is then part of what is seen.
    OneOf(NonZeroU64),
}

/// The visits of one person to one experiment, as their device keeps them.
///
/// ```
/// use reticent_device::visits::{Turn, Visits};
/// use reticent_privacy::NoiseRng;
/// let mut noise = NoiseRng::from_os()?;
/// let mut visits = Visits::new(Turn::First);
/// assert!(visits.arrive(1, &mut noise), "the first visit of a period is reported");
/// assert!(!visits.arrive(1, &mut noise), "the others are not");
/// assert!(visits.arrive(2, &mut noise), "another period, another loss from the person's budget");
/// assert!(!visits.arrive(1, &mut noise), "a clock that goes back begins no period");
/// # Ok::<(), reticent_privacy::EntropyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visits {
    turn: Turn,
    current: Option<Period>,
}

/// A period that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Period {
    number: u64,
    /// Visits so far.
    came: u64,
    /// The visit that is reported, counted from 0.
    answers: u64,
}

impl Visits {
    /// Before the first visit.
    pub fn new(turn: Turn) -> Visits {
        Visits { turn, current: None }
    }

    /// One more visit, in the period of this number; whether it is to be reported. Ask before there is an outcome, and
    /// keep what this leaves on the disk before the report is sent.
    pub fn arrive<G: Generator>(&mut self, period: u64, noise: &mut G) -> bool {
        let begins = self.current.as_ref().is_none_or(|current| period > current.number);
        if begins {
            let answers = match self.turn {
                Turn::First => 0,
                Turn::OneOf(visits) => uniform_below(visits, noise),
            };
            self.current = Some(Period { number: period, came: 0, answers });
        }
        let Some(current) = &mut self.current else { return false };
        let reports = current.number == period && current.came == current.answers;
        current.came = current.came.saturating_add(1);
        reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimRng, SimSeed, Stream};

    fn noise() -> SimRng {
        SimSeed(3).stream(0, Stream::Noise)
    }

    /// 4,000 periods of four visits: each visit reports in a quarter of them, within 6.2 deviations.
    #[test]
    fn one_visit_of_a_period_reports_and_which_is_even() {
        let (mut noise, mut visits) = (noise(), Visits::new(Turn::OneOf(NonZeroU64::new(4).unwrap())));
        let mut reported = [0_u32; 4];
        for period in 0..4_000 {
            let reports: Vec<usize> = (0..9).filter(|_| visits.arrive(period, &mut noise)).collect();
            assert_eq!(reports.len(), 1);
            reported[reports[0]] += 1;
        }
        assert!(reported.iter().all(|count| count.abs_diff(1_000) < 170), "{reported:?}");
    }

    #[test]
    fn kept_and_read_again_it_goes_on() {
        let (mut noise, mut visits) = (noise(), Visits::new(Turn::First));
        assert!(visits.arrive(7, &mut noise));
        let text = serde_json::to_string(&visits).unwrap();
        let mut again: Visits = serde_json::from_str(&text).unwrap();
        assert_eq!(again, visits);
        assert!(!again.arrive(7, &mut noise) && again.arrive(8, &mut noise));
        let damaged = text.replace("came", "cane");
        assert!(serde_json::from_str::<Visits>(&damaged).is_err());
    }
}
