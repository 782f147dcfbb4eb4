//! `reticent price fit`, `quote` and `evaluate` as people use them, on logs of two sites; what is refused
//! leaves no trace and tells no value.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "price_fit/compared.rs"]
mod compared;
#[path = "price_fit/made.rs"]
mod made;
#[path = "price_fit/refusals.rs"]
mod refusals;

use made::{Folder, json, said};

#[test]
fn two_sites_give_one_policy_whatever_their_order() {
    let folder = Folder::new();
    let fit = |logs: [&str; 2], out: &str| {
        json(&folder.price(&["fit", logs[0], logs[1], "--out", out, "--target", "target.csv", "--json"]))
    };
    let (one, other) = (fit(["a.rpl", "b.rpl"], "ab.json"), fit(["b.rpl", "a.rpl"], "ba.json"));
    assert_eq!(folder.read("ab.json"), folder.read("ba.json"));
    assert_eq!((&one["value"], &one["best_single_price"]), (&other["value"], &other["best_single_price"]));
    assert_eq!((&one["reports"], &one["target_contexts"]), (&24_000.into(), &101.into()));
    assert_eq!((&one["earns"], &one["logs"][0]["file"]), (&"revenue".into(), &"a.rpl".into()));
    assert_eq!(one["logs"][1]["guarantee"]["loss"]["pure"]["epsilon"], 2.0);
    assert!(one["overlap"]["covered"].as_f64().unwrap() > 0.8);
    let (low, mean) = (one["value"]["low"].as_f64().unwrap(), one["value"]["mean"].as_f64().unwrap());
    // In truth the best prices earn 10.9 on average.
    assert!(low < mean && (8.5..12.5).contains(&mean), "{mean}");
}

#[test]
fn a_policy_is_fitted_quoted_drawn_and_valued() {
    let folder = Folder::new();
    let fit = ["fit", "a.rpl", "--out", "p.json", "--prices", "9.99,6.99,14.99", "--plot", "p.png"];
    let text = said(&folder.price(&fit));
    for words in [
        "a price by income, for the highest revenue",
        "12-DP, local model for each record of a.rpl",
        "reports     12,000",
        "prices      6.99, 9.99, 14.99",
        "income matters",
        "of the log's own people",
        "95 % interval",
        "for everybody",
        "policy      p.json",
        "drawn       p.png",
        "--at \"income=50\"",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(folder.read("p.png").starts_with(b"\x89PNG"));
    let quote = |income: u32| {
        let at = format!("income={income}");
        json(&folder.price(&["quote", "p.json", "--at", &at, "--json"]))["quote"].clone()
    };
    let (poor, rich) = (quote(5), quote(95));
    assert!(poor["price"].as_f64().unwrap() < rich["price"].as_f64().unwrap(), "{poor} {rich}");
    let text = said(&folder.price(&["quote", "p.json", "--at", "income=95"]));
    assert!(text.starts_with("14.99\n") && text.contains("at least") && text.contains("as dense"), "{text}");
    quotes_of_a_table(&folder);
    value_by_another_log(&folder);
    let svg = said(&folder.price(&["quote", "p.json", "--plot", "p.svg"]));
    assert!(svg.contains("drawn in p.svg") && folder.read("p.svg").starts_with(b"<svg"));
}

fn quotes_of_a_table(folder: &Folder) {
    let many = ["quote", "p.json", "--contexts", "target.csv", "--out", "quotes.csv"];
    assert!(said(&folder.price(&many)).contains("101 quotes written to quotes.csv"));
    let quotes = String::from_utf8(folder.read("quotes.csv")).unwrap();
    let last: Vec<&str> = quotes.lines().last().unwrap().split(',').collect();
    assert_eq!((quotes.lines().count(), last[0], last[1], last[4]), (102, "100", "14.99", "false"));
    folder.parquet("target.parquet");
    let parquet = ["quote", "p.json", "--contexts", "target.parquet", "--out", "same.csv", "--json"];
    assert_eq!(json(&folder.price(&parquet))["rows"], 101);
    assert_eq!(folder.read("same.csv"), folder.read("quotes.csv"));
    let again = folder.price(&many);
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"), "a file that exists is not replaced");
}

fn value_by_another_log(folder: &Folder) {
    let held_out = ["evaluate", "p.json", "b.rpl", "--target", "target.csv"];
    let text = said(&folder.price(&held_out));
    for words in [
        "by logs of 12,000 reports",
        "101 target contexts",
        "one price",
        "the logs that the policy was learned from",
        "as smooth as it seems",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let document = json(&folder.price(&[&held_out[..], &["--json"]].concat()));
    assert_eq!((&document["reports"], &document["confidence"]), (&12_000.into(), &0.95.into()));
    let value = |what: &str, end: &str| document[what][end].as_f64().unwrap();
    assert!(
        value("value", "low") < value("value", "mean") && value("value", "mean") < value("value", "high")
    );
    assert!([6.99, 9.99, 14.99].contains(&value("best_single_price", "price")));
    assert!(value("mean_price", "price") > 6.99);
}

#[test]
fn costs_bounds_and_fallbacks_are_kept() {
    let folder = Folder::new();
    let call = [
        "fit",
        "a.rpl",
        "--out",
        "p.json",
        "--cost",
        "6",
        "--min",
        "8",
        "--max",
        "20",
        "--fallback",
        "12",
        "--monotone",
    ];
    let document = json(&folder.price(&[&call[..], &["--json", "--confidence", "0.9"]].concat()));
    assert_eq!(document["earns"], "profit");
    let objective = &document["objective"];
    assert_eq!((&objective["fallback"], &objective["monotone"]), (&12.0.into(), &true.into()));
    let prices = objective["prices"].as_array().unwrap();
    assert_eq!((&prices[0], prices.last().unwrap(), prices.len()), (&8.0.into(), &20.0.into(), 49));
    for income in [0, 50, 100] {
        let at = format!("income={income}");
        let document = json(&folder.price(&["quote", "p.json", "--at", &at, "--json"]));
        let price = document["quote"]["price"].as_f64().unwrap();
        assert!((8.0..=20.0).contains(&price), "{price}");
    }
}

/// A log of the poor, asked about the rich.
#[test]
fn a_market_that_the_log_does_not_cover_is_warned_about() {
    let folder = Folder::new();
    folder.log("poor.rpl", 12_000, "4", 30.0);
    folder.write("rich.csv", "income\n70\n80\n90\n100\n");
    let output = folder.price(&["fit", "poor.rpl", "--out", "p.json", "--target", "rich.csv"]);
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && warning.contains("warning: the log has next to no records"),
        "{warning}"
    );
}
