//! The text of a plan that is begun.

use std::fmt::Write;

use super::{BeginError, Purpose};
use crate::columns::{Header, format};
use crate::trial::quoted;

/// Which columns are what, as far as the owner says.
#[derive(Debug, Clone, Default)]
pub struct Roles {
    /// The price, or what can be set, or the arm that people got.
    pub cause: Option<String>,
    /// What came of it.
    pub outcome: Option<String>,
}

const WHY: &str = "\
# Replace every \"?\" from what you knew before you saw the data. Ranges and levels are not taken from the table,
# because this file is public and what is published repeats it: the smallest and the largest value of a column are
# somebody's, and so is a level that one person has. No noise would hide them. A range that is too wide costs
# accuracy; one that is too narrow clips.
";

/// A commented plan with the columns' names, and blanks for all that a person must declare.
pub fn begin(purpose: Purpose, header: &Header, roles: &Roles) -> Result<String, BeginError> {
    let cause_flag = match purpose {
        Purpose::Price => "--price",
        Purpose::Tune => "--action",
        Purpose::Trial => "--arm",
    };
    let outcome_flag = if purpose == Purpose::Tune { "--reward" } else { "--outcome" };
    for (flag, role) in [(cause_flag, &roles.cause), (outcome_flag, &roles.outcome)] {
        if role.as_ref().is_some_and(|role| !header.names.contains(role)) {
            return Err(BeginError::NoColumn { flag });
        }
    }
    let taken = |name: &&String| Some(*name) != roles.cause.as_ref() && Some(*name) != roles.outcome.as_ref();
    let others: Vec<&String> = header.names.iter().filter(taken).collect();
    let mut text = first_words(purpose, header);
    let blank = || "?".to_string();
    let role = |role: &Option<String>| quoted(&role.clone().unwrap_or_else(blank));
    let (given, came) = (role(&roles.cause), role(&roles.outcome));
    text += &match purpose {
        Purpose::Price => price(&others, &given, &came),
        Purpose::Tune => tune(&others, &given, &came),
        Purpose::Trial => trial(&others, &given, &came),
    };
    text += &table(header);
    Ok(text)
}

fn first_words(purpose: Purpose, header: &Header) -> String {
    let next = match purpose {
        Purpose::Price => "reticent price privatise THIS.toml TABLE --epsilon 1 --out LOG.rpl",
        Purpose::Tune => "reticent tune fit THIS.toml TABLE --epsilon 1 --out FUNCTION.json",
        Purpose::Trial => "reticent trial run THIS.toml --data TABLE",
    };
    let names: Vec<String> = header.names.iter().map(|name| quoted(name)).collect();
    let mut list = String::new();
    let mut line = String::from("#");
    for name in names {
        if line.len() + name.len() > 100 {
            list += &line;
            list += "\n";
            line = String::from("#");
        }
        line += " ";
        line += &name;
    }
    format!(
        "# Begun from the names in a table's header, and from nothing else of it:\n{list}{line}\n# Next:\n#   reticent check THIS.toml TABLE\n#   {next}\n#\n{WHY}"
    )
}

fn contexts(others: &[&String]) -> String {
    let mut text = String::from(
        "\n# What is known about a person beforehand. Delete the sections that you do not need: each costs accuracy.\n",
    );
    for name in others {
        let _ = write!(text, "[[context]]\ncolumn = {}\nlow = \"?\"\nhigh = \"?\"\n", quoted(name));
        text += "# levels = [\"?\", \"?\"]   # in place of low and high, if the column holds words: all that can occur\n\n";
    }
    text
}

fn price(others: &[&String], price: &str, outcome: &str) -> String {
    contexts(others)
        + &format!(
            "# The price that was asked: a range, or the list of all prices there are.\n[price]\ncolumn = {price}\nlow = \"?\"\nhigh = \"?\"\n# points = [\"?\"]\n\n\
            # What came of it. \"sale\": whether somebody bought, 0 or 1. \"reward\": revenue or profit itself, which needs low and high.\n\
            [outcome]\nkind = \"sale\"\ncolumn = {outcome}\n# low = \"?\"\n# high = \"?\"\n"
        )
}

fn tune(others: &[&String], action: &str, reward: &str) -> String {
    format!(
        "\n# What can be set. In the table it must have been drawn without looking at the person, evenly over the range.\n\
        [[action]]\ncolumn = {action}\nlow = \"?\"\nhigh = \"?\"\n{}\n\n\
        # What comes of it, larger being better. The noise grows with the range.\n\
        [reward]\ncolumn = {reward}\nlow = \"?\"\nhigh = \"?\"\n",
        contexts(others).trim_end()
    )
}

fn trial(others: &[&String], arm: &str, outcome: &str) -> String {
    let mut text = format!(
        "\nname = \"?\"\narms = [\"?\", \"?\"]      # the control first\npeople = \"?\"          # who will be enrolled: a number, known beforehand\n\
        better = \"?\"          # \"higher\" or \"lower\": which outcomes are good ones\n\
        epsilon = \"?\"         # the whole trial's privacy loss for each person, such as 1.0\n\
        observed = [\"?\", \"?\"]  # the share of each arm in the table's design, such as [0.5, 0.5]\n\n\
        [outcome]\ncolumn = {outcome}\nlow = \"?\"\nhigh = \"?\"\n\n\
        # How the table shows arms: what stands in the column for each arm, in their order.\n\
        [replay]\narm_column = {arm}\narm_values = [\"?\", \"?\"]\n\n\
        # For whom effects are wanted. Delete the sections that you do not need: each makes groups smaller.\n"
    );
    for name in others {
        let _ = write!(text, "[[feature]]\ncolumn = {}\nlevels = [\"?\", \"?\"]\n", quoted(name));
        text += "# bins = [\"?\"]   # in place of levels, for a number: bounds between groups\n\n";
    }
    text
}

fn table(header: &Header) -> String {
    let example = match header.delimiter {
        None | Some(',') => format::EXAMPLE.to_string(),
        Some(mark) => {
            let shown = if mark == '\t' { "tab".to_string() } else { mark.to_string() };
            let rest = format::EXAMPLE
                .lines()
                .filter(|line| !line.starts_with("# [table]") && !line.starts_with("# delimiter"));
            let mut lines: Vec<String> = rest.map(String::from).collect();
            lines.insert(1, format!("[table]\ndelimiter = {}", quoted(&shown)));
            lines.join("\n") + "\n"
        }
    };
    format!("\n{example}")
}
