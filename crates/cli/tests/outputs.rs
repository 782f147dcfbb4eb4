//! Where results go is settled before the work: nothing is replaced by accident, by link or by race.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;

use desk::Desk;

/// Each command that writes, up to its output option, and the file that it must not replace. Work that would take
/// minutes shows that the place is looked at first.
const WRITERS: [(&str, &str); 16] = [
    ("tour --out", "taken/index.html"),
    ("reproduce mab-fig1a --out", "taken/index.html"),
    ("simulate --epsilon 1 --users 10000000000 --plot", "taken.svg"),
    ("simulate --epsilon 1 --users 10000000000 --trials 1 --save", "taken.json"),
    ("simulate --epsilon 1 --env symmetric --users 10000000 --plot", "taken.svg"),
    ("audit --all --samples 100000000 --out", "taken/index.html"),
    ("audit --broken --samples 100000000 --out", "taken/broken.html"),
    ("trial plan --better higher --effect 0.01 --epsilon 1 --trials 100000 --plot", "taken.svg"),
    ("trial plan --better higher --effect 0.01 --epsilon 1 --trials 100000 --write-spec", "taken.toml"),
    ("trial simulate --people 1000000 --epsilon 1 --trials 1000 --out", "taken/simulation.json"),
    ("trial run trial.toml --data people.csv --out", "taken/report.json"),
    ("trial stop --state clinic.journal --yes --out", "taken/release.json"),
    ("trial report taken/release.json --out", "taken/effects.csv"),
    ("tune fit dose.toml log.csv --epsilon 1 --out", "taken.json"),
    ("price privatise market.toml sales.csv --epsilon 1 --out", "taken.rpl"),
    ("price fit sales.rpl --out", "taken.json"),
];

/// What the option is given for a file: the file itself, or the folder that it is in.
fn given(file: &str) -> &str {
    file.split_once('/').map_or(file, |(folder, _)| folder)
}

fn taken(desk: &Desk) {
    std::fs::create_dir_all(desk.path("taken")).unwrap();
    for (_, file) in WRITERS {
        desk.write(file, "mine");
    }
}

#[test]
fn nothing_is_replaced_without_force_and_that_is_known_at_once() {
    let desk = Desk::with_tables();
    taken(&desk);
    desk.done("trial start trial.toml --state clinic.journal");
    let before = desk.files();
    for (call, file) in WRITERS {
        let call = format!("{call} {}", given(file));
        let output = desk.output(&call);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {said}");
        // A folder may hold several of these files: the first that is in the way is named.
        assert!(said.contains(" exists; choose another name, or replace it with --force"), "{call}: {said}");
        assert!(output.stdout.is_empty());
        assert_eq!(std::fs::read(desk.path(file)).unwrap(), b"mine");
    }
    assert_eq!(desk.files(), before, "no lock and no half of a file is left");
}

#[test]
fn a_folder_that_cannot_be_made_is_known_at_once() {
    let desk = Desk::with_tables();
    desk.write("file", "mine");
    desk.done("trial start trial.toml --state clinic.journal");
    for (call, file) in WRITERS {
        let call = format!("{call} file/below/{}", given(file));
        let output = desk.output(&call);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {said}");
        assert!(said.starts_with("error: cannot write file/below"), "{call}: {said}");
    }
}

#[test]
fn force_replaces_and_links_stay() {
    let desk = Desk::with_tables();
    std::fs::create_dir(desk.path("kept")).unwrap();
    desk.write("kept/curve.svg", "mine");
    std::os::unix::fs::symlink("kept/curve.svg", desk.path("link.svg")).unwrap();
    let call = "simulate --epsilon 1 --users 100 --trials 1 --plot link.svg";
    assert_eq!(desk.output(call).status.code(), Some(2));
    desk.done(&format!("{call} --force"));
    assert!(std::fs::symlink_metadata(desk.path("link.svg")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(desk.path("kept/curve.svg")).unwrap().starts_with("<svg"));
    // Two names of one file would leave one of the results.
    let both = "simulate --epsilon 1 --users 100 --trials 1 --plot same.svg --save same.svg";
    let said = String::from_utf8(desk.output(both).stderr).unwrap();
    assert!(said.contains("two different files"), "{said}");
}

#[test]
fn of_two_commands_with_one_output_one_succeeds() {
    let desk = Desk::with_tables();
    let start = |epsilon: &str| {
        let call = format!("price privatise market.toml sales.csv --epsilon {epsilon} --out race.rpl");
        desk.command(&call).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn()
    };
    let all: Vec<_> = ["1", "2", "3", "4", "5", "6"].map(|epsilon| start(epsilon).unwrap()).into();
    let outputs: Vec<_> = all.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let (won, lost): (Vec<_>, Vec<_>) = outputs.iter().partition(|output| output.status.success());
    assert_eq!(won.len(), 1);
    for output in lost {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("another command is writing race.rpl") || said.contains("race.rpl exists"),
            "{said}"
        );
    }
    desk.done("check race.rpl");
}

#[test]
fn what_goes_into_a_device_replaces_nothing() {
    let desk = Desk::with_tables();
    let said = desk.done("price privatise market.toml sales.csv --epsilon 1 --out /dev/null --quiet");
    assert!(said.contains("1,500 rows"), "{said}");
}
