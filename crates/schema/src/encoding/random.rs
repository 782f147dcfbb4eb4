//! Random sign projections (Achlioptas 2003): public, so a seeded generator may draw them.

use reticent_privacy::{SimSeed, Stream};

use super::check::axis_count;
use super::{Axis, EncodingError, Field};

/// The last trial that has streams: no experiment with the same seed gets to it.
const TRIAL: u64 = (1 << 60) - 1;

/// Axes on signs that differ, up to their direction, from those of every other axis.
pub(super) fn axes(fields: &[Field], count: usize, seed: u64) -> Result<Vec<Axis>, EncodingError> {
    axis_count(count)?;
    // n signs have 2^(n - 1) directions; with more than MAX_AXES of them there are always enough.
    if fields.len() < 8 && count > (1 << fields.len()) / 2 {
        return Err(EncodingError::FewSigns { fields: fields.len(), axes: count });
    }
    let mut rng = SimSeed(seed).stream(TRIAL, Stream::Environment);
    let mut drawn: Vec<Vec<bool>> = Vec::new();
    while drawn.len() < count {
        let signs: Vec<bool> = fields.iter().map(|_| rng.uniform() < 0.5).collect();
        let mirrored: Vec<bool> = signs.iter().map(|sign| !sign).collect();
        if !drawn.contains(&signs) && !drawn.contains(&mirrored) {
            drawn.push(signs);
        }
    }
    Ok(drawn.iter().enumerate().map(|(i, signs)| axis(fields, i, signs)).collect())
}

/// Scaled fields are in [0, 1], so the sum lies between minus the number of negative signs and that of positive ones.
/// Both are whole numbers, so that rounding cannot carry a sum past them.
fn axis(fields: &[Field], index: usize, signs: &[bool]) -> Axis {
    let weight = |(field, sign): (&Field, &bool)| (field.name().to_owned(), if *sign { 1.0 } else { -1.0 });
    let positive = signs.iter().filter(|sign| **sign).count();
    Axis::Projection {
        name: format!("projection-{}", index + 1),
        weights: fields.iter().zip(signs).map(weight).collect(),
        low: -((signs.len() - positive) as f64),
        high: positive as f64,
    }
}
