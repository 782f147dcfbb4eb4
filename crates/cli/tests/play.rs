//! Made-up people against a real service: three commands from nothing to what was learned, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;

use desk::served::{Served, create};
use desk::{Desk, PAGE};
use reticent_server::run::Remote;
use serde_json::Value;

#[test]
fn people_are_counted_once_and_the_service_learns() {
    let desk = Desk::with_tables();
    let served = Served::start(&desk);
    let key = create(&desk, "page.toml");
    let at = format!("--server {} --key {key}", served.address);
    // Even play would give red to a third. A policy is public a quarter of a second after it was made: people who came
    // all at once would all follow the first.
    let call = format!(
        "play page.toml {at} --people 6000 --rate 1500 --batch 50 --chances 0.1,0.1,0.9 --refresh 0.05 --json"
    );
    let played: Value = serde_json::from_str(&desk.done(&call)).unwrap();
    assert_eq!((&played["taken"], &played["refused"]), (&6000.into(), &serde_json::json!({})));
    assert!(played["on_best_arm_at_the_end"].as_f64().unwrap() > 0.8, "{played}");
    let one = desk.done(&format!("play page.toml {at} --people 20 --connections 3"));
    assert!(one.contains("20 reports") && one.contains("operating system"), "{one}");
}

/// What README says: an example, served from its folder; and people, who find the service by its folder.
#[test]
fn the_first_private_report_takes_two_commands() {
    let desk = Desk::with_tables();
    let example = desk.done("experiment --example");
    std::fs::create_dir(desk.path("examples")).unwrap();
    desk.write("examples/page.toml", &example);
    let _served = Served::start_with(&desk, "--experiments examples");
    let said = desk.done("play examples/page.toml --data served --people 30");
    assert!(said.contains("taken       30 reports"), "{said}");
}

#[test]
fn what_cannot_be_played_is_refused_with_why() {
    let desk = Desk::with_tables();
    let served = Served::start(&desk);
    let key = create(&desk, "page.toml");
    desk.write("other.toml", &PAGE.replace("\"1\"\nreport", "\"2\"\nreport"));
    desk.write("clinic.toml", CLINIC);
    let refusals = [
        (format!("play page.toml --server {}", served.address), "need a key"),
        (format!("play other.toml --server {} --key {key}", served.address), "another one"),
        (format!("play page.toml --server {} --key rk_none", served.address), "refuses"),
        (format!("play clinic.toml --server {} --key {key}", served.address), "have no devices"),
        (
            format!("play page.toml --server {} --key {key} --chances 0.5", served.address),
            "one from 0 to 1 for each",
        ),
        (format!("play page.toml --server {} --key {key} --rate 0", served.address), "above 0"),
        (format!("play page.toml --server http://127.0.0.1:9 --key {key} --patience 1"), "cannot be reached"),
    ];
    for (call, why) in refusals {
        let output = desk.output(&call);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(why), "{call}: {said}");
        assert!(!said.contains(&key), "{call}: a key is not repeated: {said}");
    }
}

#[test]
fn an_experiment_that_is_over_is_not_played() {
    let desk = Desk::with_tables();
    let served = Served::start(&desk);
    let key = create(&desk, "page.toml");
    let remote = Remote::of_folder(&desk.path("served")).unwrap();
    let stop = Remote::experiment_path("landing page", "/stop");
    assert!(remote.ask("POST", &stop, None).unwrap().is_done());
    let output = desk.output(&format!("play page.toml --server {} --key {key} --people 50", served.address));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("takes no more reports"), "{said}");
}

const CLINIC: &str = "name = \"clinic\"\nepsilon = 1\n[problem]\nkind = \"trial\"\narms = [\"no\", \"yes\"]\npeople = 20\n\
    better = \"higher\"\noutcome = { column = \"came\", kind = \"binary\", low = 0, high = 1 }\n";

/// What `make run` shows without a terminal.
#[test]
fn the_demo_learns_from_each_kind_and_ends_by_itself() {
    let desk = Desk::with_tables();
    let said = desk.done("demo --data demo --listen 127.0.0.1:0 --for 5s --rate 400");
    let learned = |name: &str| {
        let line = said.lines().find(|line| line.trim_start().starts_with(&format!("{name}:")));
        line.unwrap_or_else(|| panic!("{name} in {said}")).to_string()
    };
    for name in ["landing-page", "offer-for-whom", "tea-prices"] {
        assert!(!learned(name).contains(" 0 reports"), "{said}");
    }
    assert!(learned("dose").contains("a function was released"), "{said}");
    assert!(learned("reminder-letters").contains("people"), "{said}");
    // Again, on the same folder: what was learned goes on.
    let again = desk.done("demo --data demo --listen 127.0.0.1:0 --for 1s --rate 10");
    assert!(again.contains("landing-page: "), "{again}");
}
