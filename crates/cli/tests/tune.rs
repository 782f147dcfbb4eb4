//! `reticent tune` as people use it: a log becomes a function once, the account remembers, and what is
//! refused leaves no trace.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "tune/compared.rs"]
mod compared;
#[path = "tune/made.rs"]
mod made;
#[path = "tune/refusals.rs"]
mod refusals;

use std::path::Path;

use made::{Folder, best_dose, json};
use reticent_curate::kernel::{Population, ReleaseLoss};
use reticent_jobs::Progress;
use reticent_jobs::account::Purse;
use reticent_jobs::columns::RawTable;
use reticent_jobs::tune::{Fit, Log, read_plan};
use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};
use reticent_store::accounts::{Accounts, Permission};

struct Quiet;

impl Progress for Quiet {
    fn trial(&self, _: usize, _: usize) {}
    fn stop(&self) -> bool {
        false
    }
}

/// The numbers that a seeded generator would release.
fn seeded(folder: &Folder, log: &Path, threads: usize) -> Vec<i64> {
    let setting = read_plan(&folder.path("plan.toml")).unwrap().setting;
    let log = &RawTable::plain(log).unwrap();
    let (epsilon, delta) = (Epsilon::new(4.0).unwrap(), Delta::new(1e-6).unwrap());
    let accounts = Accounts::open(&folder.path("accounts")).unwrap();
    let purse = Purse { accounts: &accounts, allowed: Permission::default(), notice: &|_| {} };
    let (population, pilot, old_account) = (Population::Uniform, None, None);
    let setting = &setting;
    let fit =
        Fit { setting, population: &population, log, epsilon, delta, pilot, purse, old_account, threads };
    let rows = Log::new(log, setting).count(&Quiet).unwrap();
    let collector = fit.collect_all(rows, ReleaseLoss::new(epsilon, delta).unwrap(), &Quiet).unwrap();
    let release = collector.release_with(&mut SimSeed(5).stream(0, Stream::Noise)).unwrap();
    assert_eq!(release.people(), rows.rows);
    release.noisy().to_vec()
}

#[test]
fn csv_parquet_and_threads_make_no_difference() {
    let folder = Folder::new(9000);
    let csv = seeded(&folder, &folder.path("log.csv"), 1);
    assert_eq!(csv, seeded(&folder, &folder.parquet(9000), 2));
    let other = Folder::new(9001);
    assert_ne!(csv, seeded(&other, &other.path("log.csv"), 1), "one person more is seen");
}

#[test]
fn a_log_becomes_a_function_that_finds_the_best_dose() {
    let folder = Folder::new(20_000);
    let document = json(&folder.tune(&[
        "fit",
        "plan.toml",
        "log.csv",
        "--epsilon",
        "4",
        "--out",
        "f.json",
        "--plot",
        "f.svg",
        "--json",
    ]));
    assert_eq!(document["people"], 20_000);
    assert_eq!(document["stored"], false);
    assert_eq!(document["guarantee"]["loss"]["approximate"]["epsilon"], 4.0);
    assert_eq!(document["account"]["file"], "accounts/accounts.journal");
    assert!(document["expected_error"].as_f64().unwrap() < 0.1, "{document}");
    assert!(folder.text("f.svg").starts_with("<svg"));
    // A tenth of the range. Of 100 such fits to fresh logs, the worst was off by 0.48 at one of these ages,
    // and half were off by less than 0.22 at all of them.
    for age in [25.0, 40.0, 54.0, 70.0, 85.0] {
        let found = json(&folder.tune(&["predict", "f.json", "--at", &format!("age={age}"), "--json"]));
        let dose = found["action"]["dose"].as_f64().unwrap();
        assert!((dose - best_dose(age)).abs() < 1.0, "age {age}: {dose} instead of {}", best_dose(age));
        let [low, mean, high] = ["low", "mean", "high"].map(|key| found[key].as_f64().unwrap());
        assert!(low < mean && mean < high && (mean - 0.9).abs() < 0.1, "{found}");
        assert!(found["supported"] == true && found["usual"] == false, "doses are even: {found}");
        let worse = json(&folder.tune(&[
            "predict",
            "f.json",
            "--at",
            &format!("age={age}"),
            "--action",
            "dose=0",
            "--json",
        ]));
        assert!(worse["best"] == false && worse["mean"].as_f64().unwrap() < mean);
    }
    let outside = folder.tune(&["predict", "f.json", "--at", "age=4711"]);
    assert_eq!(outside.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&outside.stderr),
        "error: --at: age is outside the range that the plan declares, 18 to 90\n"
    );
}

#[test]
fn many_contexts_are_predicted_from_file_to_file() {
    let folder = Folder::new(3000);
    folder.done(&["fit", "plan.toml", "log.csv", "--epsilon", "4", "--out", "f.json"]);
    folder.done(&["predict", "f.json", "--contexts", "log.csv", "--out", "p.csv"]);
    let text = folder.text("p.csv");
    assert_eq!(
        (text.lines().next(), text.lines().count()),
        (Some("age,dose,mean,low,high,supported,usual"), 3001)
    );
    assert!(!folder.tune(&["predict", "f.json", "--contexts", "log.csv", "--out", "p.csv"]).status.success());
    folder.done(&[
        "predict",
        "f.json",
        "--contexts",
        "log.csv",
        "--out",
        "p.csv",
        "--force",
        "--plot",
        "p.png",
    ]);
    assert_eq!(text, folder.text("p.csv"));
}

#[test]
fn the_same_release_again_is_the_stored_one() {
    let folder = Folder::new(500);
    let fit = |out| folder.tune(&["fit", "plan.toml", "log.csv", "--epsilon", "1", "--out", out]);
    assert!(fit("f.json").status.success());
    let (function, account) = (folder.text("f.json"), folder.text("accounts/accounts.journal"));
    assert_eq!(fit("f.json").status.code(), Some(2), "a file that exists is not replaced");
    let again = fit("g.json");
    assert!(String::from_utf8_lossy(&again.stdout).starts_with("released before from this log: "));
    assert_eq!((folder.text("g.json"), folder.text("accounts/accounts.journal")), (function, account));
}

#[test]
fn one_action_is_paid_by_pure_epsilon_and_near_the_best() {
    let folder = Folder::new(20_000);
    let args = [
        "fit",
        "plan.toml",
        "log.csv",
        "--epsilon",
        "2",
        "--once",
        "age=54",
        "--limit-epsilon",
        "3",
        "--json",
    ];
    let document = json(&folder.tune(&args));
    assert_eq!(document["guarantee"]["loss"]["pure"]["epsilon"], 2.0);
    assert_eq!(document["account"]["spent"]["pure"]["epsilon"], 2.0);
    // None of 100 such choices from fresh logs was off by more than 0.4, which costs a reward of 0.002; this
    // margin costs 0.027, and a choice that bad is exponentially unlikely.
    let dose = document["action"]["dose"].as_f64().unwrap();
    assert!((dose - best_dose(54.0)).abs() < 1.5, "{dose}");
    let again = json(&folder.tune(&args));
    assert!(again["stored"] == true && again["action"] == document["action"]);
    let other = folder.tune(&["fit", "plan.toml", "log.csv", "--epsilon", "2", "--once", "age=30"]);
    assert_eq!(other.status.code(), Some(1), "another context costs another epsilon");
}

#[test]
fn a_pilot_is_of_some_people_and_the_release_of_the_others() {
    let folder = Folder::new(6000);
    let fit = ["fit", "plan.toml", "log.csv", "--epsilon", "4", "--pilot", "3", "--out", "f.json", "--json"];
    let document = json(&folder.tune(&fit));
    assert_eq!(document["people"], 4000, "every third is in the pilot");
    assert_eq!(
        document["account"]["spent"]["approximate"]["epsilon"], 4.0,
        "both together cost what one costs"
    );
    let found = json(&folder.tune(&["predict", "f.json", "--at", "age=54", "--json"]));
    assert!((found["action"]["dose"].as_f64().unwrap() - best_dose(54.0)).abs() < 1.5, "{found}");
    let again = json(&folder.tune(&[&fit[..], &["--force"]].concat()));
    assert_eq!(again["stored"], true);
}

#[test]
fn no_file_serves_two_purposes() {
    let folder = Folder::new(100);
    let fit =
        |more: &[&str]| folder.tune(&[&["fit", "plan.toml", "log.csv", "--epsilon", "1"][..], more].concat());
    for more in [
        ["--out", "log.csv", "--force"],
        ["--out", "./plan.toml", "--force"],
        ["--out", "log.csv.account", "--force"],
    ] {
        let refused = fit(&more);
        assert!(!refused.status.success(), "{more:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("this is the"), "{refused:?}");
    }
    for flag in ["--contexts", "--public"] {
        let refused = fit(&["--out", "f.json", flag, "log.csv"]);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("of other people"), "{refused:?}");
    }
    assert!(!folder.path("f.json").exists() && !folder.path("log.csv.account").exists());
}

#[test]
fn an_edited_log_is_another_log_of_the_same_people() {
    let folder = Folder::new(500);
    folder.done(&["fit", "plan.toml", "log.csv", "--epsilon", "1", "--out", "f.json"]);
    let text = folder.text("log.csv");
    let (head, rest) = text.split_once('\n').unwrap();
    let (first, rest) = rest.split_once('\n').unwrap();
    folder.write("moved.csv", &format!("{head}\n{rest}{first}\n"));
    let fit = ["fit", "plan.toml", "moved.csv", "--epsilon", "1", "--json", "--out"];
    let moved = json(&folder.tune(&[&fit[..], &["g.json"]].concat()));
    assert_eq!((&moved["stored"], folder.text("g.json")), (&true.into(), folder.text("f.json")));
    folder.write("moved.csv", &format!("{head}\n{rest}5,50,0.5\n"));
    let refused = folder.tune(&[&fit[..], &["h.json"]].concat());
    assert!(refused.status.code() == Some(1) && !folder.path("h.json").exists(), "it would cost again");
    let again = json(&folder.tune(&[&fit[..], &["h.json", "--again"]].concat()));
    assert_eq!(again["account"]["spent_before"]["approximate"]["epsilon"], 1.0);
    assert_eq!(again["account"]["spent"]["approximate"]["epsilon"], 2.0);
}

/// What version 2 of an account's file beside a log was.
#[test]
fn an_account_beside_the_log_is_taken_over() {
    let folder = Folder::new(300);
    folder.write(
        "log.csv.account",
        "{\"reticent-account\":{\"version\":1,\"epsilon\":2.0,\"delta\":0.000001}}\n\
         {\"paid\":{\"loss\":{\"approximate\":{\"epsilon\":1.5,\"delta\":0.000001}}}}\n",
    );
    let fit = ["fit", "plan.toml", "log.csv", "--out", "f.json", "--epsilon"];
    let refused = folder.tune(&[&fit[..], &["1", "--again"]].concat());
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1) && error.contains("epsilon 1.5 and delta 0.000001 was spent"),
        "{error}"
    );
    let once =
        folder.tune(&["fit", "plan.toml", "log.csv", "--once", "age=40", "--epsilon", "0.5", "--json"]);
    assert_eq!(json(&once)["account"]["spent"]["approximate"]["epsilon"], 2.0);
}
