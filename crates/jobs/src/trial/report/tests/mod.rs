mod flow;

use reticent_curate::trial::{Better, Draft, Stratum, Trial, TrialSpec, analyse};
use reticent_privacy::{SimSeed, Stream};
use serde_json::Value;

use super::*;

const MARK: &str = "simulation, not private; seed 4";

fn release(plan: Draft, people: u64, stop: bool) -> Release {
    let spec = TrialSpec::new(plan).unwrap();
    let strata: Vec<Stratum> = (0..spec.strata()).map(|one| Stratum::new(&spec, one).unwrap()).collect();
    let stream = |purpose| SimSeed(4).stream(0, purpose);
    let (mut world, mut trial) =
        (stream(Stream::Environment), Trial::with_noise(spec, stream(Stream::Noise)));
    for person in 0..people {
        let one = trial.assign(strata[person as usize % strata.len()]).unwrap();
        let chance = if one.arm == 0 { 0.3 } else { 0.7 };
        if person % 10 == 9 {
            trial.missing(one.number).unwrap();
        } else {
            trial.record(one.number, f64::from(u8::from(world.uniform() < chance))).unwrap();
        }
    }
    if stop {
        trial.stop().unwrap();
    }
    trial.release().clone()
}

fn html(release: &Release) -> String {
    page(&document(release, &analyse(release), Some(4))).finish("end")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Programs rely on these names: a change here is a new version.
#[test]
fn the_document_keeps_its_keys() {
    let release = release(Draft::simple("keys", 800, 2.0).with_levels("group", 2), 800, true);
    let document = document(&release, &analyse(&release), Some(4));
    let value = serde_json::to_value(&document).unwrap();
    assert_eq!((&value["format"], &value["version"]), (&"reticent-trial-report".into(), &4.into()));
    let top = [
        "checks",
        "complete",
        "effects",
        "enrolled",
        "epochs",
        "flow",
        "format",
        "guarantee",
        "noise",
        "noise_in_a_count",
        "spec",
        "stopped",
        "strata",
        "version",
        "welfare",
    ];
    assert_eq!(keys(&value), top);
    assert_eq!(keys(&value["epochs"][0]), ["cells", "closed", "end", "start"]);
    assert_eq!(keys(&value["epochs"][0]["cells"][0]), ["arm", "chance", "missing", "people", "stratum"]);
    assert_eq!(
        keys(&value["effects"][0]),
        ["against", "anytime", "arm", "planned", "simultaneous", "stratum"]
    );
    assert_eq!(
        keys(&value["effects"][0]["planned"]),
        ["augmented", "difference_in_means", "inverse_propensity"]
    );
    assert_eq!(keys(&value["effects"][0]["anytime"]), ["estimate", "high", "low"]);
    assert_eq!(keys(&value["strata"][0]), ["arms", "name", "noise"]);
    assert_eq!(keys(&value["strata"][0]["arms"][0]), ["arm", "mean", "missing", "people", "variance"]);
    assert_eq!(keys(&value["welfare"]), ["on_worse_arms", "regret"]);
    assert_eq!(keys(&value["flow"]), ["arms", "enrolled", "tabled"]);
    assert_eq!(
        keys(&value["flow"]["arms"][0]),
        ["analysed", "arm", "assigned", "in_time", "late", "without"]
    );
    assert_eq!(keys(&value["flow"]["arms"][0]["assigned"]), ["noise", "people"]);
    assert_eq!(keys(&value["checks"][0]), ["name", "rings", "told", "z"]);
    assert_eq!(value["effects"][1]["stratum"], "group = 0");
    assert!(value["effects"][0]["stratum"].is_null());
    assert_eq!(serde_json::from_value::<Document>(value).unwrap(), document);
}

#[test]
fn the_page_says_what_a_participant_may_want_to_know() {
    let release = release(Draft::simple("sleep", 900, 1.0), 900, true);
    let noise = document(&release, &analyse(&release), Some(4)).noise_in_a_count;
    let html = html(&release);
    assert!(html.contains("at most e^1 = 2.7 times more likely"));
    assert!(
        html.contains("one ε = 1, whatever the number of features, arms and analyses: one table of sums")
    );
    // One signed sum moves by 1, the pooled one by at most 0.8 more: sqrt(2) times that over epsilon.
    assert!((1.41..2.6).contains(&noise), "{noise}");
    assert!(html.contains("people make (one standard deviation)"));
    assert!(html.contains("treatment rather than control raised the mean of outcome by 0."));
    assert!(html.contains(MARK) && html.contains("This report is of a simulation"));
    assert!(html.contains("augmented (default)") && html.contains("this trial"));
    for section in [
        "Flow of people",
        "Effects",
        "Checks",
        "Allocation over time",
        "What was assumed",
        "This design, to copy",
    ] {
        assert!(html.contains(section), "{section}");
    }
}

#[test]
fn an_average_does_not_hide_its_strata() {
    let html = html(&release(Draft::simple("strata", 3000, 2.0).with_levels("group", 2), 3000, true));
    assert!(html.contains(
        "better than control for 2 (group = 0; group = 1), worse for none, and undecided for 0 of 2."
    ));
}

#[test]
fn a_baseline_says_that_it_protects_nobody() {
    let plan = Draft { private: false, epsilon: None, ..Draft::simple("open", 300, 1.0) };
    let html = html(&release(plan, 300, true));
    assert!(html.contains("This trial is not private.") && !html.contains("If you took part"));
}

#[test]
fn before_the_planned_end_only_anytime_intervals_are_shown() {
    for stop in [false, true] {
        let html = html(&release(Draft::simple("early", 2000, 1.0), 700, stop));
        assert!(html.contains("valid at the planned end alone"));
        assert!(!html.contains("inverse propensity</th>") && !html.contains("this trial</title>"));
        assert!(html.contains(if stop {
            "Stopped early: 700 of 2,000"
        } else {
            "Still running: 700 of 2,000"
        }));
    }
}

#[test]
fn names_are_escaped_wherever_they_stand() {
    let mut plan = Draft::simple("<script>alert(1)</script>", 600, 1.0).with_levels("<b>&\"group", 2);
    plan.arms = vec!["<img src=x onerror=1>".into(), "a<u>b".into(), "c".into()];
    plan.outcome.column = "<i>pain</i>".into();
    let html = html(&release(plan, 600, true));
    for raw in ["<script", "<img", "<b>&", "<u>", "<i>"] {
        assert!(!html.contains(raw), "{raw}");
    }
    assert!(html.contains("&lt;script&gt;") && html.contains("&lt;img src=x"));
}

#[test]
fn nothing_enrolled_is_a_page_too() {
    let html = html(&release(Draft::simple("empty", 2000, 1.0), 0, false));
    assert!(html.contains("Still running: 0 of 2,000"));
    assert!(!html.contains("NaN") && !html.contains("inf "));
}

#[test]
fn all_three_files_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let release = release(Draft::simple("files", 300, 1.0), 300, true);
    let written = write(folder.path(), &release, &analyse(&release), Some(4)).unwrap();
    let json: Document = serde_json::from_str(&std::fs::read_to_string(written.json).unwrap()).unwrap();
    assert_eq!(json.enrolled, 300);
    assert!(std::fs::read_to_string(written.page).unwrap().starts_with("<!doctype html>"));
    let again: Release = serde_json::from_str(&std::fs::read_to_string(written.release).unwrap()).unwrap();
    assert_eq!(again, release, "whoever doubts the report can compute it again");
}

#[test]
fn the_page_says_which_side_is_better() {
    let mut plan = Draft::simple("deaths", 900, 1.0);
    assert!(html(&release(plan.clone(), 900, true)).contains("Right of zero is better"));
    plan.better = Some(Better::Lower);
    assert!(html(&release(plan, 900, true)).contains("Left of zero is better"));
}
