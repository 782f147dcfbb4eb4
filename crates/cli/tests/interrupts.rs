//! Ctrl-C ends every command, whatever it does, and leaves nothing half written.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;

use std::process::{Command, Stdio};

use desk::Desk;
use reticent_lab::clock::Stopwatch;

/// What is promised is a second; a busy machine gets another.
const SECONDS: f64 = 2.0;

/// Work for hours, or a wait for a pipe that nobody writes into.
const CALLS: [&str; 23] = [
    "report ldp-thompson --epsilon 1 --input 0.5 --count 1000000000000",
    "tune plan pipe",
    "tune fit dose.toml pipe --epsilon 1 --out out.json",
    "tune predict pipe --at age=40",
    "simulate --epsilon 1 --users 100000000000",
    "simulate --epsilon 1 --env symmetric --users 1000000000",
    "simulate --env data:pipe --epsilon 1",
    "reproduce mab-fig2a --out figures",
    "tour --out tour",
    "audit --all --samples 100000000",
    "audit ldp-thompson --epsilon 1 --samples 100000000",
    "trial simulate --people 10000000 --epsilon 1 --trials 10000",
    "trial plan --better higher --effect 0.001 --epsilon 1 --trials 100000 --max-people 1000000",
    "trial run trial.toml --data people.csv --seed 1 --shuffles 1000000",
    "trial run trial.toml --data pipe",
    "trial start pipe --state new.journal",
    "price privatise market.toml pipe --epsilon 1 --out out.rpl",
    "price privatise pipe sales.csv --epsilon 1 --out out.rpl",
    "price fit pipe --out out.json",
    "price quote pipe --at income=3",
    "price evaluate pipe pipe",
    "check pipe",
    "experiment pipe",
];

/// The process at work: it hears of signals, and has used a fifth of a second or waits.
fn is_at_work(id: u32, waits: bool) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
    let hears = u64::from_str_radix(caught, 16).is_ok_and(|signals| signals & 2 != 0);
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    hears && if waits { fields.first() == Some(&"S") } else { ticks(11) + ticks(12) >= 20 }
}

#[test]
fn ctrl_c_ends_every_command_within_a_second() {
    let desk = Desk::with_tables();
    assert!(Command::new("mkfifo").arg(desk.path("pipe")).status().unwrap().success());
    let before = desk.files();
    for call in CALLS {
        let mut child = desk.command(call).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while !is_at_work(child.id(), call.contains("pipe")) {
            assert!(child.try_wait().unwrap().is_none(), "{call}: it ended before it could be interrupted");
            std::thread::yield_now();
        }
        let watch = Stopwatch::start();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let (seconds, said) = (watch.seconds(), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(130), "{call}: {said}");
        assert!(seconds < SECONDS, "{call}: {seconds} s");
        assert!(!said.contains("panicked"), "{call}: {said}");
    }
    // Trials that were finished, and the accounts that a release would have been charged to.
    let kept = |path: &std::path::PathBuf| {
        path.components().any(|part| part.as_os_str() == "trials" || part.as_os_str() == "home")
    };
    let after: Vec<_> = desk.files().into_iter().filter(|path| !kept(path)).collect();
    assert_eq!(after, before, "nothing half written, and no locks");
}
