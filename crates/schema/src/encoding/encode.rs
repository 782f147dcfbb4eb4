//! From raw values to a point of the unit cube.

use super::check::Step;
use super::{ContextError, Encoding, Field, Value};
use crate::Range;

impl Encoding {
    /// Writes the point of a context, one value for each field in order. Whatever the values, there is a
    /// point: what is no number counts as the middle of its range, and what is none of a category's levels as
    /// the last. A refusal that depends on a value would tell it.
    pub fn encode_values(&self, values: &[Value], out: &mut [f64]) -> Result<(), ContextError> {
        self.check_lengths(values.len(), out.len())?;
        // A category counts as the middle of its level's cell, so that the steps below see numbers only.
        let numbers: Vec<f64> =
            self.fields.iter().zip(values).map(|(field, value)| number(field, value)).collect();
        self.write(&numbers, out);
        Ok(())
    }

    /// The same for a context of numbers alone, without allocating. An encoding with a category refuses it.
    #[inline]
    pub fn encode_numbers(&self, numbers: &[f64], out: &mut [f64]) -> Result<(), ContextError> {
        self.check_lengths(numbers.len(), out.len())?;
        if let Some(field) = self.first_category {
            return Err(ContextError::WantsLevel { field: self.fields[field].name().to_owned() });
        }
        self.write(numbers, out);
        Ok(())
    }

    /// The same for a context that a table's reader has made numbers of: a level is its place, counted from 0,
    /// plus one half.
    #[inline]
    pub fn encode_placed(&self, numbers: &[f64], out: &mut [f64]) -> Result<(), ContextError> {
        self.check_lengths(numbers.len(), out.len())?;
        self.write(numbers, out);
        Ok(())
    }

    /// Whether every value is one that was declared: for people who read a table of their own, and may be
    /// told which field is wrong. A person's device must not ask.
    pub fn check_values(&self, values: &[Value]) -> Result<(), ContextError> {
        self.check_lengths(values.len(), self.steps.len())?;
        self.fields.iter().zip(values).try_for_each(|(field, value)| check(field, value))
    }

    /// The same for numbers alone.
    pub fn check_numbers(&self, numbers: &[f64]) -> Result<(), ContextError> {
        let values: Vec<Value> = numbers.iter().map(|&number| Value::Number(number)).collect();
        self.check_values(&values)
    }

    #[inline]
    fn check_lengths(&self, values: usize, room: usize) -> Result<(), ContextError> {
        if values != self.fields.len() {
            return Err(ContextError::Values { expected: self.fields.len(), got: values });
        }
        if room != self.steps.len() {
            return Err(ContextError::Room { expected: self.steps.len(), got: room });
        }
        Ok(())
    }

    #[inline]
    fn write(&self, numbers: &[f64], out: &mut [f64]) {
        for (step, out) in self.steps.iter().zip(out) {
            *out = step.apply(numbers);
        }
    }
}

impl Step {
    #[inline]
    fn apply(&self, numbers: &[f64]) -> f64 {
        match self {
            Step::Scale { field, range } => unit(*range, numbers[*field]),
            Step::Level { field, levels } => place(numbers[*field], *levels),
            Step::Project { terms, range } => {
                let sum = terms.iter().map(|term| term.weight * unit(term.range, numbers[term.field])).sum();
                range.unit(sum)
            }
        }
    }
}

/// Where a number lies in its range; what is none lies in the middle.
#[inline]
fn unit(range: Range, number: f64) -> f64 {
    if number.is_finite() { range.unit(number) } else { 0.5 }
}

/// Where the middle of a level's cell lies; what is none lies in the last.
#[inline]
fn place(number: f64, levels: usize) -> f64 {
    let last = levels as f64 - 0.5;
    if number.is_finite() { number.clamp(0.5, last) / levels as f64 } else { last / levels as f64 }
}

/// The number itself, NaN if there is none, or the level's index plus one half.
fn number(field: &Field, value: &Value) -> f64 {
    match (field, value) {
        (Field::Numeric { .. }, Value::Number(x)) => *x,
        (Field::Numeric { .. }, Value::Category(_) | Value::Missing) => f64::NAN,
        (Field::Category { levels, .. }, Value::Category(level)) => level_of(levels, level) as f64 + 0.5,
        (Field::Category { levels, .. }, Value::Number(_) | Value::Missing) => levels.len() as f64 - 0.5,
    }
}

/// The level's place, the last for one that was not declared. Every level is compared, whichever it is, so
/// that the time does not tell its place.
fn level_of(levels: &[String], level: &str) -> usize {
    let last = levels.len() - 1;
    levels.iter().enumerate().fold(last, |found, (place, known)| if known == level { place } else { found })
}

fn check(field: &Field, value: &Value) -> Result<(), ContextError> {
    let name = || field.name().to_owned();
    match (field, value) {
        (Field::Numeric { .. }, Value::Number(x)) if x.is_finite() => Ok(()),
        (Field::Numeric { .. }, Value::Number(_) | Value::Missing) => {
            Err(ContextError::NotFinite { field: name() })
        }
        (Field::Numeric { .. }, Value::Category(_)) => Err(ContextError::WantsNumber { field: name() }),
        (Field::Category { .. }, Value::Number(_)) => Err(ContextError::WantsLevel { field: name() }),
        (Field::Category { levels, .. }, Value::Category(level)) if levels.contains(level) => Ok(()),
        (Field::Category { .. }, _) => Err(ContextError::UnknownLevel { field: name() }),
    }
}
