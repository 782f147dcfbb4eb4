//! The command that made a design, to be copied: what decides its numbers, and nothing of the machine it ran on.

use std::ffi::OsStr;
use std::path::Path;

/// Options that take a value and decide only where results go or how fast they come.
const WHERE: [&str; 4] = ["--plot", "--write-spec", "--threads", "--color"];
/// The same without a value.
const HOW: [&str; 6] = ["--json", "--force", "--quiet", "-q", "-v", "-vv"];

/// This call in one line.
pub(super) fn command() -> String {
    line(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
}

/// A plan's file with the call that made it.
pub(super) fn in_plan(plan: &str, command: &str) -> String {
    format!("# Made by: {command}\n{plan}")
}

fn line(words: impl Iterator<Item = String>) -> String {
    let (mut kept, mut skip) = (vec!["reticent".to_string()], false);
    for word in words {
        let is = |name: &&str| word == **name;
        if std::mem::take(&mut skip) || HOW.iter().any(is) {
            continue;
        }
        if WHERE.iter().any(is) {
            skip = true;
        } else if !WHERE.iter().any(|name| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
        {
            kept.push(quoted(&word));
        }
    }
    kept.join(" ")
}

/// A word as a shell takes it. Of a path only the name is kept: folders are the machine's.
fn quoted(word: &str) -> String {
    let word = match Path::new(word).file_name().and_then(OsStr::to_str) {
        Some(name) if word.contains('/') => name,
        _ => word,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,=:+".contains(c);
    let shown: String = word.chars().filter(|c| !c.is_control()).collect();
    if !shown.is_empty() && shown.chars().all(plain) {
        return shown;
    }
    format!("'{}'", shown.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_is_kept_and_where_it_ran_is_not() {
        let said = "trial plan --better higher --effect 0.15 --plot /home/someone/p.svg --write-spec=x.toml --json \
                    --threads 2 --seed 7 /home/someone/plan.toml";
        let made = line(said.split_whitespace().map(String::from));
        assert_eq!(made, "reticent trial plan --better higher --effect 0.15 --seed 7 plan.toml");
    }

    #[test]
    fn words_are_quoted_for_a_shell_and_stay_in_one_line() {
        let words = ["trial", "plan", "two words", "it's", "a\nb", ""].map(String::from);
        assert_eq!(line(words.into_iter()), "reticent trial plan 'two words' 'it'\\''s' ab ''");
    }
}
