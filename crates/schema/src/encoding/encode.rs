//! From raw values to a point of the unit cube.

use super::check::Step;
use super::{ContextError, Encoding, Field, Value};

impl Encoding {
    /// Writes the point of a context, one value for each field in order. `out` is left alone if a value is refused.
    pub fn encode_values(&self, values: &[Value], out: &mut [f64]) -> Result<(), ContextError> {
        self.check_lengths(values.len(), out.len())?;
        // A category counts as the middle of its level's cell, so that the steps below see numbers only.
        let numbers = self.fields.iter().zip(values).map(|(field, value)| number(field, value));
        let numbers = numbers.collect::<Result<Vec<f64>, _>>()?;
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
        if let Some(field) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(ContextError::NotFinite { field: self.fields[field].name().to_owned() });
        }
        self.write(numbers, out);
        Ok(())
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
            Step::Scale { field, range } => range.unit(numbers[*field]),
            Step::Level { field, levels } => numbers[*field] / *levels as f64,
            Step::Project { terms, range } => {
                range.unit(terms.iter().map(|term| term.weight * term.range.unit(numbers[term.field])).sum())
            }
        }
    }
}

/// The number itself, or the level's index plus one half.
fn number(field: &Field, value: &Value) -> Result<f64, ContextError> {
    let name = || field.name().to_owned();
    match (field, value) {
        (Field::Numeric { .. }, Value::Number(x)) if x.is_finite() => Ok(*x),
        (Field::Numeric { .. }, Value::Number(_)) => Err(ContextError::NotFinite { field: name() }),
        (Field::Numeric { .. }, Value::Category(_)) => Err(ContextError::WantsNumber { field: name() }),
        (Field::Category { .. }, Value::Number(_)) => Err(ContextError::WantsLevel { field: name() }),
        (Field::Category { levels, .. }, Value::Category(level)) => {
            let index = levels.iter().position(|known| known == level);
            index.map(|i| i as f64 + 0.5).ok_or_else(|| ContextError::UnknownLevel { field: name() })
        }
    }
}
