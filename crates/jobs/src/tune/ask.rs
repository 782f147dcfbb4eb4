//! Inputs as people write them: `age=40,weight=70`.

use reticent_curate::kernel::Input;

use super::TuneError;

/// Reads one value for each input, in the plan's order. One outside its declared range is refused: nothing was learned
/// there. What was written is not repeated in errors: it may be a person's.
pub fn ask(flag: &'static str, text: &str, inputs: &[Input]) -> Result<Vec<f64>, TuneError> {
    let fail = |fault: String| TuneError::Asked { flag, fault };
    let mut values = vec![None; inputs.len()];
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let known = part.split_once('=').and_then(|(column, value)| {
            Some((inputs.iter().position(|input| input.column == column.trim())?, value.trim()))
        });
        let Some((place, value)) = known else {
            return Err(fail(format!(
                "needs COLUMN=NUMBER, separated by commas; the plan has {}",
                listed(inputs)
            )));
        };
        let column = &inputs[place].column;
        let number = read(&inputs[place], value).map_err(fail)?;
        if values[place].replace(number).is_some() {
            return Err(fail(format!("{column} is given more than once")));
        }
    }
    let read = values.into_iter().zip(inputs).map(|(value, input)| {
        let Input { column, low, high, .. } = input;
        let missing =
            || fail(format!("{column} has no value; give COLUMN=NUMBER for each of {}", listed(inputs)));
        let outside =
            || fail(format!("{column} is outside the range that the plan declares, {low} to {high}"));
        let value = value.ok_or_else(missing)?;
        if (*low..=*high).contains(&value) { Ok(value) } else { Err(outside()) }
    });
    read.collect()
}

/// A number, or the middle of a level's cell.
fn read(Input { column, levels, .. }: &Input, text: &str) -> Result<f64, String> {
    if let Some(levels) = levels {
        let place = levels.iter().position(|level| level == text);
        return place
            .map(|place| place as f64 + 0.5)
            .ok_or_else(|| format!("{column} is none of {}", levels.join(", ")));
    }
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{column} is not a finite number"))
}

fn listed(inputs: &[Input]) -> String {
    let names: Vec<&str> = inputs.iter().map(|input| input.column.as_str()).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
