//! What is refused leaves no file, spends nothing and tells no value.

use super::made::{Folder, json};

/// Fits and expects an error with these words; the sentinel is in the log only.
fn refused(folder: &Folder, args: &[&str], words: &str) {
    let before = folder.files();
    let output = folder.tune(&[&["fit", "plan.toml"], args].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains(words), "{error}");
    assert!(!error.contains("4711") && output.stdout.is_empty(), "{error}");
    assert_eq!(folder.files(), before, "no account and no function");
}

#[test]
fn cells_that_are_no_numbers() {
    let folder = Folder::new(10);
    let fit = ["bad.csv", "--epsilon", "1", "--out", "f.json"];
    for (row, words) in [
        ("4711,40,NaN", "row 2, column `response`: not a finite number"),
        ("4711,inf,1", "row 2, column `age`: not a finite number"),
        ("4711,,0.5", "row 2, column `age`: no value"),
        ("4711,40", "row 2: 2 columns where the header has 3"),
        ("4711x,40,0.5", "row 2, column `dose`: not a number"),
    ] {
        folder.write("bad.csv", &format!("dose,age,response\n1,20,0.5\n{row}\n2,30,0.5\n"));
        refused(&folder, &fit, words);
        refused(&folder, &["bad.csv", "--epsilon", "1", "--once", "age=40"], words);
    }
    // A fault far behind the first batch is found before anything is paid for.
    let late = "1,20,0.5\n".repeat(20_000);
    folder.write("bad.csv", &format!("dose,age,response\n{late}4711,20,NaN\n"));
    refused(&folder, &fit, "row 20001, column `response`: not a finite number");
}

#[test]
fn tables_and_calls_that_do_not_fit_the_plan() {
    let folder = Folder::new(10);
    folder.write("bad.csv", "dose,response\n4711,0.5\n");
    refused(&folder, &["bad.csv", "--epsilon", "1", "--out", "f.json"], "the header has no column `age`");
    folder.write("bad.csv", "dose,age,response\n");
    refused(&folder, &["bad.csv", "--epsilon", "1", "--out", "f.json"], "there are no rows");
    refused(&folder, &["none.csv", "--epsilon", "1", "--out", "f.json"], "none.csv");
    refused(&folder, &["log.csv", "--epsilon", "1", "--delta", "0", "--out", "f.json"], "use larger ones");
    refused(&folder, &["log.csv", "--epsilon", "1", "--once", "age=4711x"], "age is not a finite number");
    refused(&folder, &["log.csv", "--epsilon", "1", "--out", "f.json", "--plot", "f.gif"], ".svg or .png");
}

#[test]
fn what_exceeds_the_account() {
    let folder = Folder::new(500);
    let fit = |epsilon: &str, more: &[&str]| {
        let args = ["fit", "plan.toml", "log.csv", "--epsilon", epsilon, "--out", "g.json", "--force"];
        folder.tune(&[&args, more].concat())
    };
    assert_eq!(fit("2", &["--limit-epsilon", "1"]).status.code(), Some(1), "more than there ever will be");
    assert!(!folder.text("accounts/accounts.journal").contains("paid"));
    let limit = ["--limit-epsilon", "1.5", "--limit-delta", "3e-6"];
    assert!(fit("1", &limit).status.success());
    let account = folder.text("accounts/accounts.journal");
    let before = folder.text("g.json");
    let refused = fit("0.6", &[]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1)
            && error.contains("epsilon 1 and delta 0.000001 was spent. This release would exceed it"),
        "{error}"
    );
    assert_eq!((folder.text("accounts/accounts.journal"), folder.text("g.json")), (account, before));
    assert_eq!(fit("0.5", &["--limit-epsilon", "9"]).status.code(), Some(2), "the limit is for ever");
    let document = json(&fit("0.5", &["--json"]));
    assert_eq!(document["account"]["spent"]["approximate"]["epsilon"], 1.5);
    assert_eq!(fit("0.1", &[]).status.code(), Some(1), "nothing is left");
}

#[test]
fn values_outside_the_ranges_are_clipped_and_not_counted() {
    let folder = Folder::new(300);
    let log = folder.text("log.csv") + "4711,-4711,4711\n";
    folder.write("log.csv", &log);
    let output = folder.tune(&["fit", "plan.toml", "log.csv", "--epsilon", "1", "--out", "f.json"]);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("people      301") && !said.contains("clip"), "{said}");
}

/// The library that reads Parquet panics where a column's dictionary cannot be found; nothing but the refusal is said.
#[test]
fn a_damaged_parquet_log_is_told_in_one_line() {
    let folder = Folder::new(10);
    let sound = std::fs::read(folder.parquet(10)).unwrap();
    for place in sound.len() - 400..sound.len() - 8 {
        let mut damaged = sound.clone();
        damaged[place] ^= 0xff;
        std::fs::write(folder.path("damaged.parquet"), damaged).unwrap();
        let output = folder.reticent("check", &["plan.toml", "damaged.parquet"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!error.contains("panicked") && error.lines().count() <= 2, "{place}: {error}");
    }
}
