//! What time it is, for journals that say when. Nothing else may depend on it.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A second of the calendar, in UTC, written as `2026-11-18T05:50:03Z` and always as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    /// After the first moment of 1970.
    seconds: i64,
}

/// A text that is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no moment: it must be written as 2026-11-18T05:50:03Z")]
pub struct NoMoment;

const DAY: i64 = 86_400;
/// The last second of the year 9999: later years have more digits.
const LAST: i64 = 253_402_300_799;

impl Moment {
    /// So many seconds after the first moment of 1970; the nearest that can be written, if it is before that or
    /// after the year 9999.
    pub fn from_unix(seconds: i64) -> Moment {
        Moment { seconds: seconds.clamp(0, LAST) }
    }

    /// Seconds after the first moment of 1970.
    pub fn unix(self) -> i64 {
        self.seconds
    }
}

/// Year, month and day of a day after the first of 1970. Years begin in March here, so that the leap day is a
/// year's last; 400 of them have 146,097 days.
fn date(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month, of_month)
}

/// The day of a date, by the same years.
fn day((year, month, of_month): (i64, i64, i64)) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + of_month - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, of_month) = date(self.seconds.div_euclid(DAY));
        let second = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl FromStr for Moment {
    type Err = NoMoment;

    fn from_str(text: &str) -> Result<Moment, NoMoment> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        let parts = (|| {
            let date = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
            Some((date, part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?))
        })();
        let (date, second) = parts.ok_or(NoMoment)?;
        let moment = Moment::from_unix(day(date).saturating_mul(DAY).saturating_add(second));
        // A day that no month has, or another spelling, is written otherwise.
        if moment.to_string() == text { Ok(moment) } else { Err(NoMoment) }
    }
}

impl TryFrom<String> for Moment {
    type Error = NoMoment;

    fn try_from(text: String) -> Result<Moment, NoMoment> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.to_string()
    }
}

/// Who tells the time: tests bring their own.
pub trait Clock: Send {
    /// Now.
    fn now(&self) -> Moment;
}

/// The operating system's clock. It can be wrong, and go backwards when it is put right.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the Clock")]
    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::from_unix(i64::try_from(since.as_secs()).unwrap_or(LAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_and_read_as_the_calendar_has_it() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_763_444_999, "2025-11-18T05:49:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment::from_unix(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Moment::from_unix(seconds)));
        }
        // Every day of nine centuries, one after the other.
        for number in 0..330_000 {
            assert_eq!(day(date(number)), number);
        }
        assert_eq!(Moment::from_unix(i64::MAX).unix(), LAST);
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "2026-11-18",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-18T24:00:00Z",
            "2026-11-18T05:50:03+01:00",
            "2026-11-18 05:50:03Z",
            "-026-11-18T05:50:03Z",
            "1969-12-31T23:59:59Z",
            "2026-11-1\u{e9}T05:50:03Z",
        ] {
            assert_eq!(text.parse::<Moment>(), Err(NoMoment), "{text}");
        }
    }
}
