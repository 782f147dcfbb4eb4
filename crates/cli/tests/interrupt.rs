//! Ctrl-C leaves finished trials written, and a rerun goes on to the same result.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

fn command(out: &Path, trials: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
    let args = [
        "simulate",
        "--agent",
        "ldp-ucb-b",
        "--epsilon",
        "1",
        "--users",
        "1000000",
        "--json",
        "--threads",
        "1",
    ];
    command.args(args).args(["--trials", trials]).arg("--out").arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn lines(out: &Path) -> usize {
    let files = std::fs::read_dir(out).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).map(|text| text.lines().count()).sum()
}

/// Waits until the header and two trials are on disk.
fn wait_for_two_trials(child: &mut Child, out: &Path) {
    while lines(out) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::yield_now();
    }
}

#[test]
fn ctrl_c_keeps_finished_trials_and_a_rerun_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut child = command(&out, "1000").spawn().unwrap();
    wait_for_two_trials(&mut child, &out);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty(), "no half result");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("the same command goes on from there"), "{message}");

    let kept = lines(&out) - 1;
    let trials = (kept + 1).to_string();
    let rerun = command(&out, &trials).output().unwrap();
    let fresh = command(&folder.path().join("fresh"), &trials).output().unwrap();
    let regrets =
        |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["regret"]["per_trial"].clone();
    assert_eq!(regrets(&rerun.stdout), regrets(&fresh.stdout));
    assert_eq!(regrets(&rerun.stdout).as_array().unwrap().len(), kept + 1);
}
