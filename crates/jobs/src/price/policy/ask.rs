//! A context as people write it: `age=40,income=0.3`.

use reticent_protocol::pricing::Terms;
use reticent_schema::{Field, Value};

use super::PolicyFileError;

/// Reads one value for each field of the context; those that nothing looks at may be left out. What was written is not
/// repeated in errors: it may be a person's.
pub fn ask(text: &str, terms: &Terms, blind: &[String]) -> Result<Vec<Value>, PolicyFileError> {
    let fields = terms.context().fields();
    let names: Vec<&str> = fields.iter().map(Field::name).collect();
    let fail = |fault: String| PolicyFileError::Asked(fault);
    let mut values: Vec<Option<Value>> = vec![None; fields.len()];
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let known = part.split_once('=').and_then(|(name, value)| {
            Some((names.iter().position(|known| *known == name.trim())?, value.trim()))
        });
        let Some((place, value)) = known else {
            let all = names.join(", ");
            return Err(fail(format!("needs CONTEXT=VALUE, separated by commas; the contexts are {all}")));
        };
        let value = read(&fields[place], value).map_err(fail)?;
        if values[place].replace(value).is_some() {
            return Err(fail(format!("{} is given more than once", names[place])));
        }
    }
    let all = values.into_iter().zip(fields);
    all.map(|(value, field)| {
        let (all, name) = (names.join(", "), field.name());
        let unseen = blind.iter().any(|blind| blind == name).then(|| any(field));
        value
            .or(unseen)
            .ok_or_else(|| fail(format!("{name} has no value; give CONTEXT=VALUE for each of {all}")))
    })
    .collect()
}

/// Some value of a field.
fn any(field: &Field) -> Value {
    match field {
        Field::Numeric { low, high, .. } => f64::midpoint(*low, *high).into(),
        Field::Category { levels, .. } => levels.first().map_or("", String::as_str).into(),
    }
}

fn read(field: &Field, text: &str) -> Result<Value, String> {
    match field {
        Field::Numeric { name, low, high } => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            let number = number.ok_or_else(|| format!("{name} is not a finite number"))?;
            let inside = (*low..=*high).contains(&number);
            let outside = || format!("{name} is outside the range that the log declared, {low} to {high}");
            if inside { Ok(number.into()) } else { Err(outside()) }
        }
        Field::Category { name, levels } if !levels.iter().any(|level| level == text) => {
            Err(format!("{name} is none of {}", levels.join(", ")))
        }
        Field::Category { .. } => Ok(text.into()),
    }
}
