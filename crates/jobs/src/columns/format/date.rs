//! Dates as people write them, counted in a unit from a day that the plan declares.

use super::super::CellFault;

const DAY: i64 = 86_400;

/// How a column's dates are written, and what they count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DateFormat {
    pieces: Vec<Piece>,
    /// In seconds after the first moment of 1970.
    origin: i64,
    /// In seconds.
    unit: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Number { part: Part, least: usize, most: usize },
    Mark(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

/// What a pattern is made of, the longer before the shorter.
const PARTS: [(&str, Part, usize, usize); 11] = [
    ("YYYY", Part::Year, 4, 4),
    ("MM", Part::Month, 2, 2),
    ("M", Part::Month, 1, 2),
    ("DD", Part::Day, 2, 2),
    ("D", Part::Day, 1, 2),
    ("hh", Part::Hour, 2, 2),
    ("h", Part::Hour, 1, 2),
    ("mm", Part::Minute, 2, 2),
    ("m", Part::Minute, 1, 2),
    ("ss", Part::Second, 2, 2),
    ("s", Part::Second, 1, 2),
];

/// Units by name, in seconds.
const UNITS: [(&str, f64); 6] = [
    ("seconds", 1.0),
    ("minutes", 60.0),
    ("hours", 3600.0),
    ("days", 86_400.0),
    ("weeks", 604_800.0),
    // The mean year of the calendar.
    ("years", 31_556_952.0),
];

impl DateFormat {
    /// What is wrong with a pattern, an origin or a unit.
    pub(super) fn new(pattern: &str, origin: &str, unit: &str) -> Result<DateFormat, &'static str> {
        let pieces = pieces(pattern)
            .ok_or("`date` needs YYYY, MM (or M) and DD (or D) once each, such as \"DD.MM.YYYY\"")?;
        let iso = pieces_of_iso();
        let origin = seconds(&iso, origin.as_bytes())
            .ok_or("`origin` is a day that exists, written as \"2024-01-31\"")?;
        let unit = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| *seconds);
        let unit = unit.ok_or("`unit` is one of seconds, minutes, hours, days, weeks and years")?;
        Ok(DateFormat { pieces, origin, unit })
    }

    /// How many units after the origin a cell's date is.
    pub(crate) fn read(&self, cell: &[u8]) -> Result<f64, CellFault> {
        let seconds = seconds(&self.pieces, cell).ok_or(CellFault::NotADate)?;
        Ok(self.counted(seconds as f64))
    }

    /// The same for seconds after the first moment of 1970.
    pub(crate) fn counted(&self, seconds: f64) -> f64 {
        (seconds - self.origin as f64) / self.unit
    }
}

fn pieces_of_iso() -> Vec<Piece> {
    pieces("YYYY-MM-DD").unwrap_or_default()
}

fn pieces(pattern: &str) -> Option<Vec<Piece>> {
    let mut rest = pattern;
    let mut pieces = Vec::new();
    while let Some(first) = rest.bytes().next() {
        let known = PARTS.iter().find_map(|one| Some((one, rest.strip_prefix(one.0)?)));
        if let Some((&(_, part, least, most), after)) = known {
            pieces.push(Piece::Number { part, least, most });
            rest = after;
        } else if first.is_ascii() && !first.is_ascii_digit() {
            pieces.push(Piece::Mark(first));
            rest = &rest[1..];
        } else {
            return None;
        }
    }
    let count = |wanted: Part| {
        pieces.iter().filter(|piece| matches!(piece, Piece::Number { part, .. } if *part == wanted)).count()
    };
    let once = [Part::Year, Part::Month, Part::Day].map(count) == [1; 3];
    let clock = [Part::Hour, Part::Minute, Part::Second].map(count).iter().all(|&count| count <= 1);
    (once && clock).then_some(pieces)
}

fn seconds(pieces: &[Piece], mut cell: &[u8]) -> Option<i64> {
    let (mut year, mut month, mut day) = (0, 0, 0);
    let (mut hour, mut minute, mut second) = (0, 0, 0);
    for piece in pieces {
        match *piece {
            Piece::Mark(mark) => cell = cell.strip_prefix(&[mark])?,
            Piece::Number { part, least, most } => {
                let length = cell.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
                if length < least {
                    return None;
                }
                let (digits, rest) = cell.split_at(length);
                let number = digits.iter().fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
                cell = rest;
                match part {
                    Part::Year => year = number,
                    Part::Month => month = number,
                    Part::Day => day = number,
                    Part::Hour => hour = number,
                    Part::Minute => minute = number,
                    Part::Second => second = number,
                }
            }
        }
    }
    let clock = hour < 24 && minute < 60 && second < 61;
    if !cell.is_empty()
        || !clock
        || !(1..=12).contains(&month)
        || !(1..=length_of(year, month)).contains(&day)
    {
        return None;
    }
    Some(days_before(year, month, day) * DAY + hour * 3600 + minute * 60 + second)
}

fn length_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the first of 1970, by years that begin in March: a leap day is then the year's last.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + (153 * month + 2) / 5 + day - 719_469
}

/// The day and, unless it is midnight, the time of so many seconds after the first moment of 1970.
pub(crate) fn iso(seconds: f64) -> String {
    let whole = libm::floor(seconds);
    let days = libm::floor(whole / DAY as f64);
    let clock = (whole - days * DAY as f64) as i64;
    let (year, month, day) = day_of(days as i64);
    if clock == 0 && whole == seconds {
        return format!("{year:04}-{month:02}-{day:02}");
    }
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    let mut text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
    if whole != seconds {
        let micros = libm::round((seconds - whole) * 1e6) as i64;
        text.push_str(format!(".{micros:06}").trim_end_matches('0'));
    }
    text
}

fn day_of(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let within = days - era * 146_097;
    let of_era = (within - within / 1460 + within / 36_524 - within / 146_096) / 365;
    let of_year = within - (365 * of_era + of_era / 4 - of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: &str, cell: &str) -> Option<f64> {
        DateFormat::new(pattern, "2024-01-01", "days").unwrap().read(cell.as_bytes()).ok()
    }

    #[test]
    fn days_are_counted_from_the_origin_whatever_the_pattern() {
        for (pattern, cell, days) in [
            ("YYYY-MM-DD", "2024-01-01", 0.0),
            ("DD.MM.YYYY", "29.02.2024", 59.0),
            ("D.M.YYYY", "1.3.2024", 60.0),
            ("MM/DD/YYYY", "12/31/2023", -1.0),
            ("YYYYMMDD", "20250101", 366.0),
            ("YYYY-MM-DDThh:mm:ssZ", "2024-01-02T12:00:00Z", 1.5),
            ("YYYY-MM-DD", "1970-01-01", -19_723.0),
        ] {
            assert_eq!(read(pattern, cell), Some(days), "{pattern} {cell}");
        }
        let weeks = DateFormat::new("YYYY-MM-DD", "2024-01-01", "weeks").unwrap();
        assert_eq!(weeks.read(b"2024-01-15").unwrap(), 2.0);
    }

    #[test]
    fn days_that_do_not_exist_are_none() {
        for cell in ["2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "2024-01-011", "01.02.2024", "x"] {
            assert_eq!(read("YYYY-MM-DD", cell), None, "{cell}");
        }
        for pattern in ["", "YYYY", "DD.MM.YY", "YYYY-MM-DD DD", "YYYY-MM-DD5"] {
            assert!(DateFormat::new(pattern, "2024-01-01", "days").is_err(), "{pattern}");
        }
        assert!(DateFormat::new("YYYY-MM-DD", "2024-02-30", "days").is_err());
        assert!(DateFormat::new("YYYY-MM-DD", "2024-02-01", "moons").is_err());
    }

    #[test]
    fn what_is_written_out_is_read_again() {
        let format = DateFormat::new("YYYY-MM-DD", "1970-01-01", "days").unwrap();
        for day in (-400_000..400_000).step_by(97) {
            assert_eq!(format.read(iso(f64::from(day) * 86_400.0).as_bytes()), Ok(f64::from(day)), "{day}");
        }
        assert_eq!(iso(1.0), "1970-01-01 00:00:01");
        assert_eq!(iso(0.25), "1970-01-01 00:00:00.25");
    }
}
