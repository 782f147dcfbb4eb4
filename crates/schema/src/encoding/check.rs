//! Checks what was declared, and resolves names to positions.

use std::collections::BTreeSet;

use super::{Axis, AxisKind, EncodingError, Field, MAX_AXES};
use crate::Range;

/// One field of a projection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Term {
    pub(super) field: usize,
    pub(super) range: Range,
    pub(super) weight: f64,
}

/// How one coordinate is computed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Scale { field: usize, range: Range },
    Level { field: usize, levels: usize },
    Project { terms: Vec<Term>, range: Range },
}

/// The checked range of what is called `name`.
fn range(name: &str, low: f64, high: f64) -> Result<Range, EncodingError> {
    Range::new(low, high).map_err(|_| EncodingError::Range(name.to_owned()))
}

impl Step {
    pub(super) fn kind(&self) -> AxisKind {
        match self {
            Step::Scale { .. } | Step::Project { .. } => AxisKind::Numeric,
            Step::Level { levels, .. } => AxisKind::Category(*levels),
        }
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        match self {
            Step::Scale { range, .. } | Step::Project { range, .. } => (range.low(), range.high()),
            Step::Level { levels, .. } => (0.0, *levels as f64),
        }
    }
}

/// How each axis is computed, if everything declared is sound.
pub(super) fn steps(fields: &[Field], axes: &[Axis]) -> Result<Vec<Step>, EncodingError> {
    axis_count(axes.len())?;
    if axes.is_empty() && !fields.is_empty() {
        return Err(EncodingError::Axes(0));
    }
    names(fields.iter().map(Field::name))?;
    names(axes.iter().map(Axis::name))?;
    fields.iter().try_for_each(check_field)?;
    axes.iter().map(|axis| step(fields, axis)).collect()
}

/// Whether a cube may have this many axes: none where nothing is known of anybody.
pub(super) fn axis_count(count: usize) -> Result<(), EncodingError> {
    if count <= MAX_AXES { Ok(()) } else { Err(EncodingError::Axes(count)) }
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), EncodingError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(EncodingError::NoName);
        }
        if !seen.insert(name) {
            return Err(EncodingError::SameName(name.to_owned()));
        }
    }
    Ok(())
}

fn check_field(field: &Field) -> Result<(), EncodingError> {
    match field {
        Field::Numeric { name, low, high } => range(name, *low, *high).map(|_| ()),
        Field::Category { name, levels } if levels.len() < 2 => Err(EncodingError::FewLevels(name.clone())),
        Field::Category { name, levels } => {
            let mut seen = BTreeSet::new();
            match levels.iter().find(|level| !seen.insert(*level)) {
                Some(level) => Err(EncodingError::SameLevel { field: name.clone(), level: level.clone() }),
                None => Ok(()),
            }
        }
    }
}

fn step(fields: &[Field], axis: &Axis) -> Result<Step, EncodingError> {
    match axis {
        Axis::Field { field } => {
            let index = find(fields, field, field)?;
            Ok(match &fields[index] {
                Field::Numeric { name, low, high } => {
                    Step::Scale { field: index, range: range(name, *low, *high)? }
                }
                Field::Category { levels, .. } => Step::Level { field: index, levels: levels.len() },
            })
        }
        Axis::Projection { name, weights, low, high } => {
            if fields.iter().any(|field| field.name() == name) {
                return Err(EncodingError::SameName(name.clone()));
            }
            let ends = range(name, *low, *high)?;
            Ok(Step::Project { terms: terms(fields, name, weights)?, range: ends })
        }
    }
}

fn terms(fields: &[Field], projection: &str, weights: &[(String, f64)]) -> Result<Vec<Term>, EncodingError> {
    if weights.is_empty() {
        return Err(EncodingError::NoWeights(projection.to_owned()));
    }
    // No partial sum exceeds this one.
    if weights.iter().all(|(_, w)| w.is_finite())
        && !weights.iter().map(|(_, w)| w.abs()).sum::<f64>().is_finite()
    {
        return Err(EncodingError::Overflow(projection.to_owned()));
    }
    let mut seen = BTreeSet::new();
    let term = |(name, weight): &(String, f64)| {
        let field = find(fields, projection, name)?;
        if !weight.is_finite() || *weight == 0.0 || !seen.insert(field) {
            return Err(EncodingError::Weight { projection: projection.to_owned(), field: name.clone() });
        }
        Ok(Term { field, range: numeric(&fields[field])?, weight: *weight })
    };
    weights.iter().map(term).collect()
}

fn find(fields: &[Field], axis: &str, name: &str) -> Result<usize, EncodingError> {
    let unknown = || EncodingError::UnknownField { axis: axis.to_owned(), field: name.to_owned() };
    fields.iter().position(|field| field.name() == name).ok_or_else(unknown)
}

fn numeric(field: &Field) -> Result<Range, EncodingError> {
    match field {
        Field::Numeric { name, low, high } => range(name, *low, *high),
        Field::Category { name, .. } => Err(EncodingError::NotNumeric { field: name.clone() }),
    }
}
