//! A plan as a file that a trial can be started from.

use std::fmt::Write;

use reticent_curate::trial::{Draft, TrialSpec};

/// The plan as TOML, with a word on each choice.
pub fn plan_file(spec: &TrialSpec) -> String {
    let plan = spec.draft();
    let mut text =
        String::from("# The plan of a trial: public and fixed before the first person is enrolled.\n");
    let mut line = |key: &str, value: String, why: &str| {
        let why = if why.is_empty() { String::new() } else { format!("  # {why}") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{key} = {value}{why}");
    };
    line("name", quoted(&plan.name), "");
    line("arms", list(&plan.arms), "the control first");
    line("people", plan.people.to_string(), "who will be enrolled");
    if let Some(better) = plan.better {
        line("better", quoted(better.word()), "which outcomes are good ones: higher or lower");
    }
    if let Some(epsilon) = plan.epsilon {
        line("epsilon", number(epsilon), "the whole trial's privacy loss for each person");
    }
    if !plan.private {
        line("private", "false".into(), "protects nobody");
    }
    line("alpha", number(plan.alpha), "0 is even randomisation, 1 is welfare alone");
    line("confidence", number(plan.confidence), "how often intervals hold");
    line("follow_up", plan.follow_up.to_string(), "enrolments until an epoch's outcomes are in");
    if plan.late_is_missing {
        line("late_is_missing", "true".into(), "outcomes after their epoch's table count as missing");
    }
    if let Some(ratio) = &plan.ratio {
        let ratio: Vec<String> = ratio.iter().copied().map(number).collect();
        line("ratio", format!("[{}]", ratio.join(", ")), "people on each arm, for one on the first");
    }
    if plan.public_strata {
        line("public_strata", "true".into(), "features are no secret: only outcomes are hidden");
    }
    if let Some(spending) = plan.spending {
        line("spending", quoted(spending.name()), "of the chance to be wrong, over the looks");
    }
    if let Some(margin) = plan.margin {
        line("margin", number(margin), "worse by less than this is not inferior");
    }
    if let Some(worthwhile) = plan.worthwhile {
        line("worthwhile", number(worthwhile), "surely less good than this is futile");
    }
    if let Some(first) = plan.first_epoch {
        line("first_epoch", first.to_string(), "people assigned evenly at the start");
    }
    line("growth", number(plan.growth), "how much longer each epoch is than the one before");
    text + &tables(plan)
}

fn tables(plan: &Draft) -> String {
    let outcome = &plan.outcome;
    let mut text = format!(
        "\n[outcome]\ncolumn = {}\nlow = {}\nhigh = {}\nbinary = {}\n",
        quoted(&outcome.column),
        number(outcome.low),
        number(outcome.high),
        outcome.binary
    );
    if outcome.clip {
        let _ = writeln!(text, "clip = true  # outcomes beyond the range count as its nearest end");
    }
    if let Some(expected) = outcome.expected {
        let _ = writeln!(text, "expected = {}  # the mean, by public knowledge", number(expected));
    }
    for feature in &plan.features {
        let _ = write!(text, "\n[[feature]]\ncolumn = {}\n", quoted(&feature.column));
        if let Some(levels) = &feature.levels {
            let _ = writeln!(text, "levels = {}", list(levels));
        }
        if let Some(bins) = &feature.bins {
            let bins: Vec<String> = bins.iter().copied().map(number).collect();
            let _ = writeln!(text, "bins = [{}]", bins.join(", "));
        }
    }
    text
}

/// All digits, and always with a point or an exponent: a float in TOML too.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A text as TOML writes it.
pub(crate) fn quoted(word: &str) -> String {
    let mut text = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reticent_curate::trial::{Draft, Outcome, Spending, TrialSpec};
    use reticent_schema::Feature;

    use super::plan_file;

    proptest! {
        #[test]
        fn a_written_plan_reads_the_same(
            name in any::<String>(),
            arm in "[^c].{0,8}",
            (epsilon, alpha, low) in (1e-3..20.0, 0.0..1.0, -1e6..1e6),
            levels in prop::collection::btree_set("x\\PC{0,6}x|y", 2..5),
            bound in any::<i32>(),
        ) {
            let mut plan = Draft::simple(&name, 700, epsilon);
            plan.arms[1] = arm;
            plan.alpha = alpha;
            plan.first_epoch = Some(70);
            plan.outcome = Outcome {
                clip: bound > 0,
                expected: (bound % 2 == 0).then_some(low + 0.5),
                ..Outcome::number(&name, low, low + 1.5)
            };
            plan.ratio = (bound % 3 == 0).then(|| vec![1.0, 2.0]);
            plan.spending = (bound % 5 == 0).then_some(Spending::Pocock);
            (plan.margin, plan.worthwhile) = ((bound % 2 == 0).then_some(0.5), (bound % 3 == 0).then_some(0.25));
            let bins = Some(vec![f64::from(bound), f64::from(bound) + 0.1]);
            plan.features = vec![
                Feature { column: name, levels: Some(levels.into_iter().collect()), bins: None },
                Feature { column: "age".into(), levels: None, bins },
            ];
            let spec = TrialSpec::new(plan).unwrap();
            let text = plan_file(&spec);
            let read: TrialSpec = toml::from_str(&text).unwrap();
            prop_assert_eq!(read, spec, "{}", text);
        }
    }
}
