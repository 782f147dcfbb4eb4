//! The auditor on a program in any language: it reads inputs line by line and writes what it shows, line by line.
//!
//! The program is started anew for each few thousand runs and reads the same input in each line until its standard
//! input ends. A program that buffers its output therefore works, and state that it keeps lasts no longer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

use reticent_audit::{Audit, AuditError, Claim, Finding, Observation};
use serde_json::Value;

use crate::catalogue::Effort;

/// A command, and the inputs that it is run on: each a neighbour of each other.
#[derive(Debug, Clone)]
pub struct Program {
    /// What the shell runs.
    pub command: String,
    /// Lines that the program reads.
    pub inputs: Vec<String>,
}

/// Why a program could not be audited. No message repeats what it wrote.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// It did not run.
    #[error("the command could not be run: {0}")]
    Run(#[from] std::io::Error),
    /// It failed.
    #[error("the command ended with {0}; run it by hand on one input to see why")]
    Ended(std::process::ExitStatus),
    /// It wrote something else than numbers.
    #[error(
        "line {line} of the command's output is no number, true, false, null, or list of these in JSON; an empty line \
         stands for silence"
    )]
    Line {
        /// Which line, from 1.
        line: usize,
    },
}

impl Program {
    /// Its name in tables.
    pub fn name(&self) -> &str {
        &self.command
    }

    /// Holds it to a claim.
    pub fn audit(&self, claim: Claim, effort: &Effort) -> Result<Finding, AuditError> {
        let labelled = self.inputs.iter().map(|input| (input.clone(), input.clone()));
        let audit = Audit::new(self.name(), claim).samples(effort.samples).threads(effort.threads);
        audit.labelled(labelled).run_batches(|input, runs| self.observe(input, runs))
    }

    /// So many runs on one input.
    pub fn observe(&self, input: &str, runs: usize) -> Result<Vec<Observation>, ProgramError> {
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(&self.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let read = exchange(&mut child, input, runs);
        let ended = child.wait()?;
        // A line that is wrong or too many ends the reading, and so perhaps the program.
        let read = read?;
        if ended.success() || read.len() > runs { Ok(read) } else { Err(ProgramError::Ended(ended)) }
    }
}

/// Writes all inputs from a thread of its own: a program that answers at once would otherwise wait for its reader.
fn exchange(child: &mut Child, input: &str, runs: usize) -> Result<Vec<Observation>, ProgramError> {
    let (Some(mut into), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
        return Ok(Vec::new());
    };
    let text = format!("{input}\n").repeat(runs);
    thread::scope(|scope| {
        // A program that ends early breaks the pipe; how it ended says more.
        scope.spawn(move || into.write_all(text.as_bytes()).is_ok());
        // One answer more than there are runs is wrong enough: a program may never stop.
        let lines = BufReader::new(out).lines().take(runs + 1).enumerate();
        let read: Result<Vec<_>, _> =
            lines.map(|(at, line)| observation(&line?).ok_or(ProgramError::Line { line: at + 1 })).collect();
        if read.as_ref().is_ok_and(|read| read.len() > runs) {
            // What it is still given it does not read.
            child.kill()?;
        }
        read
    })
}

/// What a line shows; none if it is not of the form.
fn observation(line: &str) -> Option<Observation> {
    if line.trim().is_empty() {
        return Some(Observation::silence());
    }
    shown(&serde_json::from_str(line).ok()?)
}

fn shown(value: &Value) -> Option<Observation> {
    Some(match value {
        Value::Null => Observation::silence(),
        Value::Bool(bit) => (*bit).into(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into(),
            (_, Some(whole)) => whole.into(),
            _ => number.as_f64()?.into(),
        },
        Value::Array(values) => {
            let all = values.iter().map(shown).collect::<Option<Vec<_>>>()?;
            all.into_iter().fold(Observation::silence(), |all, one| (all, one).into())
        }
        Value::String(_) | Value::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::Epsilon;

    #[test]
    fn lines_are_observations() {
        let values = |line: &str| observation(line).map(|seen| seen.values().to_vec());
        assert_eq!(values("0.5"), Some(vec![0.5]));
        assert_eq!(values("[true, [3, null]]"), Some(vec![1.0, 3.0]));
        assert_eq!(values(""), Some(Vec::new()));
        assert_eq!(values("1152921504606846977"), Some(vec![(1_u64 << 60) as f64, 1.0]));
        assert_eq!(values("[9223372036854775808, -3]").map(|seen| seen.len()), Some(2));
        assert!(values("yes").is_none() && values("\"a\"").is_none() && values("{}").is_none());
    }

    fn finding(command: &str) -> Result<Finding, AuditError> {
        let inputs = vec!["0".to_string(), "1".to_string()];
        let effort = Effort { samples: 20_000, threads: 2, seed: None };
        Program { command: command.into(), inputs }.audit(Claim::pure(Epsilon::new(1.0).unwrap()), &effort)
    }

    /// awk's generator, seeded by the system's: keeps a bit in 70 of 100 runs, which is ln(7/3) = 0.85, or in 90.
    #[test]
    fn a_program_is_held_to_its_claim() {
        let keeps = |share: f64| {
            let seed = "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')";
            format!("awk -v s={seed} 'BEGIN{{srand(s)}} {{print (rand()<{share})?$1:1-$1}}'")
        };
        let honest = finding(&keeps(0.7)).unwrap();
        assert!(honest.passes() && honest.measured > 0.6, "{honest}");
        let leaks = finding(&keeps(0.9)).unwrap();
        assert!(!leaks.passes() && leaks.measured > 1.5, "{leaks}");
    }

    #[test]
    fn what_is_wrong_is_said_without_what_was_written() {
        let said = |command: &str| finding(command).unwrap_err().to_string();
        assert!(said("cat >/dev/null; exit 3").contains("exit status: 3"));
        assert!(said("sed s/^/secret/").contains("line 1") && !said("sed s/^/secret/").contains("secret"));
        assert!(said("head -n 5").contains("answers came"));
        assert!(said("yes 1").contains("answers came"), "it never ends by itself");
    }
}
