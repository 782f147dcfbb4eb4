//! Calls and files that are refused.

use super::made::{Folder, said};

/// A folder with a policy too.
fn with_policy() -> Folder {
    let folder = Folder::new();
    said(&folder.price(&["fit", "a.rpl", "--out", "p.json"]));
    folder
}

#[test]
fn logs_that_are_cut_foreign_or_of_another_market_are_refused() {
    let folder = with_policy();
    let market = String::from_utf8(folder.read("market.toml")).unwrap();
    folder.write("market.toml", &market.replace("high = 25", "high = 30"));
    folder.log("wide.rpl", 500, "1", 100.0);
    let log = folder.read("a.rpl");
    std::fs::write(folder.path("cut.rpl"), &log[..log.len() / 2]).unwrap();
    let fit = |logs: &[&str], words: &str| {
        folder.refused(&[&["fit"], logs, &["--out", "new.json", "--plot", "new.svg"]].concat(), words);
    };
    fit(&["a.rpl", "wide.rpl"], "a.rpl and wide.rpl were made with different market files");
    fit(&["cut.rpl"], "cut.rpl: the log is cut short");
    fit(&["a.rpl", "a.rpl"], "hold the same reports");
    fit(&["target.csv"], "target.csv: this is no privatised log");
    fit(&["none.rpl"], "none.rpl");
    folder.refused(
        &["evaluate", "p.json", "wide.rpl"],
        "wide.rpl and the policy p.json were made with different",
    );
    folder.refused(&["evaluate", "p.json", "cut.rpl"], "cut.rpl: the log is cut short");
    folder.refused(&["evaluate", "a.rpl", "a.rpl"], "a.rpl");
}

#[test]
fn policies_that_are_none_are_refused() {
    let folder = with_policy();
    let text = String::from_utf8(folder.read("p.json")).unwrap();
    for (bad, words) in [
        (text.replace("\"version\":3", "\"version\":7"), "bad.json: the policy has version 7"),
        (text[..text.len() / 2].to_string(), "bad.json: the policy is damaged (it is cut short"),
        (text.replace("\"density\":[", "\"density\":[5,"), "bad.json: the policy is damaged"),
        ("income\n4711\n".into(), "bad.json: this is no price policy"),
    ] {
        folder.write("bad.json", &bad);
        folder.refused(&["quote", "bad.json", "--at", "income=50"], words);
        folder.refused(&["evaluate", "bad.json", "b.rpl"], words);
    }
}

#[test]
fn contexts_are_refused_with_row_and_column() {
    let folder = with_policy();
    for (row, words) in [
        ("4711", "bad.csv: row 9001, column `income`: outside the range that the log declared"),
        ("-4711", "bad.csv: row 9001, column `income`: outside the range that the log declared"),
        ("NaN", "bad.csv: row 9001, column `income`: not a finite number"),
        ("4711 EUR", "bad.csv: row 9001, column `income`: not a number"),
    ] {
        folder.write("bad.csv", &format!("income\n{}{row}\n", "50\n".repeat(9000)));
        folder.refused(
            &["quote", "p.json", "--contexts", "bad.csv", "--out", "q.csv", "--plot", "q.svg"],
            words,
        );
        folder.refused(&["fit", "a.rpl", "--target", "bad.csv", "--out", "new.json"], words);
        folder.refused(&["evaluate", "p.json", "b.rpl", "--target", "bad.csv"], words);
    }
    folder.write("bad.csv", "age\n4711\n");
    let words = "bad.csv: the header has no column `income`";
    folder.refused(&["quote", "p.json", "--contexts", "bad.csv", "--out", "q.csv"], words);
    folder.refused(&["fit", "a.rpl", "--target", "bad.csv", "--out", "new.json"], words);
    for (at, words) in [
        ("income=4711", "--at: income is outside the range"),
        ("income=nan", "--at: income is not a finite number"),
        ("age=4711", "--at: needs CONTEXT=VALUE"),
        ("", "--at: income has no value"),
    ] {
        folder.refused(&["quote", "p.json", "--at", at], words);
    }
}

#[test]
fn wishes_that_make_no_sense_are_refused() {
    let folder = with_policy();
    for (more, words) in [
        (&["--prices", "9.99,30"][..], "within the prices of the log"),
        (&["--prices", "cheap"], "a price is a finite number"),
        (&["--prices", "9,nan"], "a price is a finite number"),
        (&["--min", "26"], "--min and --max leave no price"),
        (&["--min", "12", "--max", "11"], "--min and --max leave no price"),
        (&["--fallback", "26"], "the fallback price must lie"),
        (&["--confidence", "1"], "the confidence must lie"),
        (&["--objective", "profit"], "--objective profit needs --cost"),
        (&["--objective", "outcome", "--cost", "1"], "--cost goes with"),
        (&["--plot", "p.gif"], ".svg or .png"),
        (&["--plot", "new.json"], "this is the file of --out"),
    ] {
        folder.refused(&[&["fit", "a.rpl", "--out", "new.json"], more].concat(), words);
    }
    folder.refused(&["fit", "a.rpl", "--out", "a.rpl", "--force"], "this is the log");
    folder.refused(&["fit", "a.rpl", "--out", "p.json"], "--force");
    folder.refused(
        &["fit", "a.rpl", "--target", "target.csv", "--out", "target.csv", "--force"],
        "this is the target sample",
    );
    folder.refused(&["quote", "p.json"], "--at");
    folder.refused(
        &["quote", "p.json", "--contexts", "target.csv", "--out", "p.json", "--force"],
        "this is the policy",
    );
}
