//! Which columns are wanted, and how each cell of them becomes a number.

use super::CellFault;
use super::format::{DateFormat, FormatError, Missing, NumberFormat, TableFormat, Writing, wrong};

/// What a plan wants of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    name: String,
    meaning: Meaning,
    may_be_lost: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Meaning {
    Number,
    Range { low: f64, high: f64, clip: bool },
    Points { points: Vec<f64>, clip: bool },
    Levels(Vec<String>),
}

impl Wanted {
    /// Any finite number.
    pub fn number(name: &str) -> Wanted {
        Wanted { name: name.into(), meaning: Meaning::Number, may_be_lost: false }
    }

    /// A number of a range, as exactly as single precision can say; or any number, which somebody clips.
    pub fn range(name: &str, low: f64, high: f64, clip: bool) -> Wanted {
        Wanted { meaning: Meaning::Range { low, high, clip }, ..Wanted::number(name) }
    }

    /// One of a list of numbers, as exactly; or any, which somebody clips.
    pub fn points(name: &str, points: &[f64], clip: bool) -> Wanted {
        Wanted { meaning: Meaning::Points { points: points.to_vec(), clip }, ..Wanted::number(name) }
    }

    /// One of these levels. It becomes its place, counted from 0, plus one half: the middle of its cell.
    pub fn levels(name: &str, levels: &[String]) -> Wanted {
        Wanted { meaning: Meaning::Levels(levels.to_vec()), ..Wanted::number(name) }
    }

    /// The same, where a missing value may be declared to be `lost`: it becomes a NaN.
    #[must_use]
    pub fn or_lost(mut self) -> Wanted {
        self.may_be_lost = true;
        self
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The wanted columns of a table, in the order in which they are given.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub(super) delimiter: Option<u8>,
    pub(super) columns: Vec<Column>,
}

/// A wanted column, ready to be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    cells: Cells,
    bounds: Bounds,
    blanks: Vec<Vec<u8>>,
    /// What a missing value counts as; none if it is refused.
    missing: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
enum Cells {
    Number(NumberFormat),
    YesNo {
        yes: Vec<String>,
        no: Vec<String>,
        ends: (f64, f64),
    },
    Date(DateFormat),
    /// Sorted, each with its place; and the place of all others.
    Levels {
        levels: Vec<(String, usize)>,
        other: Option<usize>,
    },
}

/// Where a value may lie: as exactly as a column of single precision can say.
#[derive(Debug, Clone, PartialEq)]
struct Bounds {
    within: Within,
    clip: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Within {
    Anywhere,
    Range(f64, f64),
    Points(Vec<f64>),
}

impl Layout {
    /// The wanted columns as a table that is so written has them.
    pub fn new(format: &TableFormat, wanted: &[Wanted]) -> Result<Layout, FormatError> {
        let columns = wanted.iter().map(|one| Column::new(format, one)).collect::<Result<_, _>>()?;
        Ok(Layout { delimiter: format.delimiter()?, columns })
    }

    /// Columns of plain numbers.
    pub fn numbers(names: &[&str]) -> Layout {
        let columns = names.iter().map(|name| Column::plain(name)).collect();
        Layout { delimiter: None, columns }
    }

    /// The names of the wanted columns.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.columns.iter().map(|column| column.name.as_str())
    }
}

impl Column {
    fn plain(name: &str) -> Column {
        Column {
            name: name.into(),
            cells: Cells::Number(NumberFormat::default()),
            bounds: Bounds { within: Within::Anywhere, clip: false },
            blanks: Vec::new(),
            missing: None,
        }
    }

    fn new(format: &TableFormat, wanted: &Wanted) -> Result<Column, FormatError> {
        let Wanted { name, meaning, .. } = wanted;
        let bounds = Bounds::of(meaning);
        let cells = match meaning {
            Meaning::Levels(levels) => level_cells(format, name, levels)?,
            _ if format.other(name).is_some() => {
                return Err(wrong(name, "`other` is for a column that has levels"));
            }
            _ => match format.writing(name)? {
                Writing::Number(number) => Cells::Number(number),
                Writing::Date(date) => Cells::Date(date),
                Writing::YesNo { yes, no } => Cells::YesNo { yes, no, ends: meaning.ends() },
            },
        };
        let missing = wanted.missing(&format.missing(name))?;
        Ok(Column { name: name.clone(), cells, bounds, blanks: format.blanks(), missing })
    }

    /// The number that a cell of text is.
    #[inline]
    pub(super) fn read(&self, cell: &[u8]) -> Result<f64, CellFault> {
        let cell = cell.trim_ascii();
        if cell.is_empty() || self.blanks.iter().any(|blank| blank == cell) {
            return self.missing();
        }
        let number = match &self.cells {
            Cells::Number(format) => format.read(cell)?,
            Cells::Date(format) => format.read(cell)?,
            Cells::YesNo { yes, no, ends } => yes_or_no(cell, yes, no, *ends)?,
            Cells::Levels { levels, other } => level(cell, levels, *other)?,
        };
        self.bounds.check(number)
    }

    /// The number that a cell is which was a number already.
    #[inline]
    pub(super) fn read_number(&self, number: f64) -> Result<f64, CellFault> {
        match &self.cells {
            Cells::Number(_) if number.is_nan() && self.missing.is_some() => self.missing(),
            Cells::Number(_) if number.is_finite() => self.bounds.check(number),
            Cells::Number(_) => Err(CellFault::NotFinite),
            _ if number.is_nan() => self.missing(),
            // Levels and answers that are numbers are spelled as short as can be.
            _ => self.read(number.to_string().as_bytes()),
        }
    }

    /// The number that an instant is, in seconds after the first moment of 1970.
    pub(super) fn read_instant(&self, seconds: f64) -> Result<f64, CellFault> {
        match &self.cells {
            Cells::Date(date) => self.bounds.check(date.counted(seconds)),
            _ => Err(CellFault::NotANumber),
        }
    }

    /// The number that a truth value is.
    pub(super) fn read_truth(&self, truth: bool) -> Result<f64, CellFault> {
        match &self.cells {
            Cells::Number(_) => self.bounds.check(f64::from(u8::from(truth))),
            Cells::YesNo { ends, .. } => Ok(if truth { ends.1 } else { ends.0 }),
            _ => self.read(if truth { b"true" } else { b"false" }),
        }
    }

    /// What a cell without a value counts as.
    #[inline]
    pub(super) fn missing(&self) -> Result<f64, CellFault> {
        self.missing.ok_or(CellFault::Missing)
    }

    /// Whether cells are dates.
    pub(super) fn is_date(&self) -> bool {
        matches!(self.cells, Cells::Date(_))
    }

    /// Whether a number that was read lies outside its range, where somebody clips it.
    pub(super) fn is_clipped(&self, number: f64) -> bool {
        self.bounds.clip && !number.is_nan() && !self.bounds.hold(number)
    }
}

impl Wanted {
    fn missing(&self, rule: &Missing) -> Result<Option<f64>, FormatError> {
        let wrong = |fault| Err(wrong(&self.name, fault));
        match (rule, &self.meaning) {
            (Missing::Refuse, _) => Ok(None),
            (Missing::Lost, _) if self.may_be_lost => Ok(Some(f64::NAN)),
            (Missing::Lost, _) => wrong("missing = \"lost\" is for the outcome of a trial"),
            (Missing::Middle, Meaning::Range { low, high, .. }) => Ok(Some(f64::midpoint(*low, *high))),
            (Missing::Middle, Meaning::Points { points, .. }) => {
                let ends = points.first().zip(points.last());
                Ok(ends.map(|(low, high)| f64::midpoint(*low, *high)))
            }
            (Missing::Middle, _) => wrong("missing = \"middle\" is for a number with low and high"),
            (Missing::Level(level), Meaning::Levels(levels)) => match place(levels, level) {
                Some(place) => Ok(Some(middle(place))),
                None => wrong("missing = { level = .. } names none of the column's levels; add it to them"),
            },
            (Missing::Level(_), _) => wrong("missing = { level = .. } is for a column that has levels"),
        }
    }
}

impl Meaning {
    /// What no and yes are.
    fn ends(&self) -> (f64, f64) {
        match self {
            Meaning::Range { low, high, .. } => (*low, *high),
            Meaning::Points { points, .. } => {
                (points.first().copied().unwrap_or(0.0), points.last().copied().unwrap_or(1.0))
            }
            Meaning::Number | Meaning::Levels(_) => (0.0, 1.0),
        }
    }
}

impl Bounds {
    fn of(meaning: &Meaning) -> Bounds {
        match meaning {
            Meaning::Number | Meaning::Levels(_) => Bounds { within: Within::Anywhere, clip: false },
            Meaning::Range { low, high, clip } => {
                // The ends may have been rounded to single precision.
                Bounds { within: Within::Range(low - slack(*low), high + slack(*high)), clip: *clip }
            }
            Meaning::Points { points, clip } => {
                Bounds { within: Within::Points(points.clone()), clip: *clip }
            }
        }
    }

    #[inline]
    fn check(&self, number: f64) -> Result<f64, CellFault> {
        if self.clip || self.hold(number) {
            return Ok(number);
        }
        Err(match self.within {
            Within::Points(_) => CellFault::NotListed,
            _ => CellFault::Outside,
        })
    }

    #[inline]
    fn hold(&self, number: f64) -> bool {
        match &self.within {
            Within::Anywhere => true,
            Within::Range(low, high) => (*low..=*high).contains(&number),
            Within::Points(points) => points.iter().any(|point| (number - point).abs() <= slack(*point)),
        }
    }
}

fn slack(end: f64) -> f64 {
    end.abs() * f64::from(f32::EPSILON)
}

fn level_cells(format: &TableFormat, name: &str, levels: &[String]) -> Result<Cells, FormatError> {
    if format.is_of_numbers(name) {
        return Err(wrong(name, "the column has levels, which are texts: only `missing` and `other` apply"));
    }
    let other = match format.other(name) {
        None => None,
        Some(other) => {
            let unknown = wrong(name, "`other` names none of the column's levels; add it to them");
            Some(place(levels, &other).ok_or(unknown)?)
        }
    };
    let mut sorted: Vec<(String, usize)> = levels.iter().cloned().zip(0..).collect();
    sorted.sort();
    Ok(Cells::Levels { levels: sorted, other })
}

fn place(levels: &[String], level: &str) -> Option<usize> {
    levels.iter().position(|known| known == level)
}

fn middle(place: usize) -> f64 {
    place as f64 + 0.5
}

#[inline]
fn level(cell: &[u8], levels: &[(String, usize)], other: Option<usize>) -> Result<f64, CellFault> {
    let found = levels.binary_search_by(|(level, _)| level.as_bytes().cmp(cell));
    let place = found.ok().map(|at| levels[at].1).or(other);
    place.map(middle).ok_or(CellFault::NoLevel)
}

fn yes_or_no(cell: &[u8], yes: &[String], no: &[String], ends: (f64, f64)) -> Result<f64, CellFault> {
    let any = |texts: &[String]| texts.iter().any(|text| text.as_bytes().eq_ignore_ascii_case(cell));
    match (any(yes), any(no)) {
        (true, _) => Ok(ends.1),
        (_, true) => Ok(ends.0),
        _ => Err(CellFault::NeitherYesNorNo),
    }
}
