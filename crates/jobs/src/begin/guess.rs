//! Whether a first line is a header. A record that is taken for one would get into a plan, which is public;
//! so whatever is in doubt is asked of the owner.

use crate::columns::Header;

/// No column's name is longer.
pub(super) const LONGEST: usize = 64;

/// Words that stand in records.
const VALUES: [&str; 20] = [
    "na", "n/a", "nan", "null", "none", "nil", "-", "?", "yes", "no", "true", "false", "y", "n", "m", "f",
    "male", "female", "unknown", "missing",
];

/// Whether a cell looks like somebody's value.
pub(super) fn is_value(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    cell.is_empty()
        || cell.chars().count() > LONGEST
        || cell.contains('@')
        || cell.chars().any(char::is_control)
        || VALUES.contains(&lower.as_str())
        || is_like_a_number(cell)
}

/// Amounts, dates and numbers in any form: more than a third of it digits, or a digit in front.
fn is_like_a_number(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let letters = cell.chars().filter(|letter| !letter.is_whitespace()).count();
    let first = cell.chars().find(|letter| !"+-.,$€£¥( ".contains(*letter));
    digits > 0
        && !is_numbered_word(cell)
        && (3 * digits > letters || first.is_some_and(|letter| letter.is_ascii_digit()))
}

/// A word with one or two digits behind it, as `re74` or `x1`: a name, since numbers of people are longer.
fn is_numbered_word(cell: &str) -> bool {
    let word = cell.trim_end_matches(|letter: char| letter.is_ascii_digit());
    !word.is_empty()
        && cell.len() - word.len() <= 2
        && word.chars().all(|letter| letter.is_alphabetic() || letter == '_')
}

/// Whether the first line has a word where the lines below have numbers: as headers do and records do not.
pub(super) fn differs(header: &Header) -> bool {
    let below = |place: usize| {
        let cells = header.sample.iter().filter_map(move |row| row.get(place));
        cells.filter(|cell| !cell.is_empty())
    };
    let has_numbers = |place: usize| {
        let numbers = below(place).filter(|cell| is_like_a_number(cell)).count();
        numbers > 0 && 10 * numbers >= 9 * below(place).count()
    };
    let is_word = |name: &str| !name.contains(|letter: char| letter.is_ascii_digit());
    header.names.iter().enumerate().any(|(place, name)| is_word(name) && has_numbers(place))
}

/// The first column that a plan cannot name.
pub(super) fn unusable(names: &[String]) -> Option<usize> {
    (0..names.len()).find(|&place| {
        let name = &names[place];
        name.is_empty()
            || name.chars().count() > LONGEST
            || name.chars().any(char::is_control)
            || names[..place].contains(name)
    })
}
