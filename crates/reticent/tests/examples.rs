//! Every example runs, and what it asserts holds.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/audit.rs"]
mod audit;
#[path = "../examples/bandit.rs"]
mod bandit;
#[path = "../examples/contextual.rs"]
mod contextual;
#[path = "../examples/dose.rs"]
mod dose;
#[path = "../examples/price.rs"]
mod price;
#[path = "../examples/trial.rs"]
mod trial;

#[test]
fn audit_runs() {
    audit::main().unwrap();
}

#[test]
fn bandit_runs() {
    bandit::main().unwrap();
}

#[test]
fn contextual_runs() {
    contextual::main().unwrap();
}

#[test]
fn dose_runs() {
    dose::main().unwrap();
}

#[test]
fn price_runs() {
    price::main().unwrap();
}

#[test]
fn trial_runs() {
    trial::main().unwrap();
}

/// An example that nobody runs is forgotten.
#[test]
fn no_example_is_left_out() {
    let tests = include_str!("examples.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(tests.contains(&format!("{module}::main()")), "{name} is not run");
    }
}
