//! `reticent price` with rules, with anybody's prices and with a page for people.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "shared with another test")]
#[path = "price_fit/made.rs"]
mod made;

use made::{Folder, json, said};
use serde_json::Value;

fn prices(folder: &Folder, table: &str) -> Vec<(f64, f64)> {
    let text = String::from_utf8(folder.read(table)).unwrap();
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').take(2).map(|cell| cell.parse().unwrap()).collect();
        (cells[0], cells[1])
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn quotes_keep_to_rules_and_the_file_says_what_they_cost() {
    let folder = Folder::new();
    let rules =
        ["--ending", ".99,.49", "--rises-with", "income", "--min-volume", "0.6", "--max-mean-price", "11"];
    let fit = ["fit", "a.rpl", "--out", "p.json", "--target", "target.csv", "--report", "p.html", "--json"];
    let document = json(&folder.price(&[&fit[..], &rules].concat()));
    let kept = &document["rules"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(kept["each"].as_array().unwrap().len(), 4);
    assert!(number(&kept["volume"]["low"]) >= 0.5999 && kept["sure"] == true, "{kept}");
    assert!(number(&kept["mean_price"]) <= 11.0 + 1e-9);
    // Both are estimates of what was chosen with care: rules may cost or spare a little, but not gain surely.
    assert!(number(&kept["without"]["high"]) > number(&kept["with"]["mean"]), "{kept}");
    let stored: Value = serde_json::from_slice(&folder.read("p.json")).unwrap();
    assert_eq!((&stored["rules"]["asked"], &stored["version"]), (&kept["asked"], &3.into()));
    assert_eq!(stored["logs"][0]["reports"], 12_000);

    said(&folder.price(&["quote", "p.json", "--contexts", "target.csv", "--out", "q.csv"]));
    let quotes = prices(&folder, "q.csv");
    assert_eq!(quotes.len(), 101);
    for pair in quotes.windows(2) {
        assert!(pair[0].1 <= pair[1].1, "{pair:?}");
    }
    for (_, price) in &quotes {
        let cents = (price * 100.0).round() as i64 % 100;
        assert!(cents == 99 || cents == 49, "{price}");
    }
    let mean = quotes.iter().map(|(_, price)| price).sum::<f64>() / 101.0;
    assert!(mean <= 11.0 + 1e-9);
    let text = said(&folder.price(&["quote", "p.json", "--at", "income=50"]));
    assert!(text.contains("prices that never fall as income grows"), "{text}");

    let page = String::from_utf8(folder.read("p.html")).unwrap();
    for words in
        ["<svg", "What this page can tell about a customer", "a volume of at least 0.6", "What was assumed"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
}

#[test]
fn a_table_need_not_have_what_prices_are_blind_to() {
    let folder = Folder::new();
    let fit = ["fit", "a.rpl", "--out", "p.json", "--blind-to", "income", "--json"];
    let document = json(&folder.price(&fit));
    assert_eq!(document["choice"]["caution"], Value::Null, "one context, and it is not looked at");
    let one = json(&folder.price(&["quote", "p.json", "--at", "", "--json"]));
    let other = json(&folder.price(&["quote", "p.json", "--at", "income=3", "--json"]));
    assert_eq!(one["quote"]["price"], other["quote"]["price"]);
}

#[test]
fn the_prices_of_a_table_are_valued_beside_the_policy() {
    let folder = Folder::new();
    said(&folder.price(&["fit", "b.rpl", "--out", "p.json"]));
    said(&folder.price(&["quote", "p.json", "--contexts", "target.csv", "--out", "q.parquet"]));
    let call = ["evaluate", "p.json", "a.rpl", "--prices-of", "q.parquet", "--json"];
    let own = json(&folder.price(&call));
    let gain = |document: &Value, what: &str| document[what]["mean"].as_f64().unwrap();
    assert!(gain(&own, "gain_over_policy").abs() < 1e-9, "the policy's own prices: {own}");
    assert_eq!(own["people"], 101);
    let rows: Vec<String> = (0..101).map(|income| format!("{income},24")).collect();
    folder.write("dear.csv", &format!("income,offer\n{}\n", rows.join("\n")));
    let dear = ["--prices-of", "dear.csv", "--price-column", "offer"];
    let worse = json(&folder.price(&[&["evaluate", "p.json", "a.rpl", "--json"], &dear[..]].concat()));
    assert!(worse["gain_over_policy"]["high"].as_f64().unwrap() < 0.0, "{worse}");
    let alone = said(&folder.price(&[&["evaluate", "a.rpl"], &dear[..]].concat()));
    assert!(alone.contains("which favours it") && alone.contains("24 on average"), "{alone}");
    let trained = folder.price(&["evaluate", "p.json", "b.rpl"]);
    let warning = String::from_utf8_lossy(&trained.stderr).into_owned();
    assert!(warning.contains("the policy was learned from b.rpl"), "{warning}");
}

#[test]
fn rules_that_cannot_be_kept_are_refused() {
    let folder = Folder::new();
    let fit = ["fit", "a.rpl", "--out", "x.json"];
    let refused = |rules: &[&str], words: &str| folder.refused(&[&fit[..], rules].concat(), words);
    refused(&["--min-volume", "1.5"], "the volume cannot be 1.5");
    refused(&["--max-mean-price", "2"], "the lowest price to choose from is 5");
    refused(&["--rises-with", "income", "--falls-with", "income"], "both rise with and fall with");
    refused(&["--blind-to", "sex"], "the log's contexts are income");
    refused(&["--ending", ".99", "--min", "6", "--max", "6.5"], "there are no prices that end in .99");
    refused(&["--step", "0"], "above 0");
    refused(&["--ending", "x"], "must be a decimal");
    refused(&["--step", "1", "--ending", ".5"], "cannot be used with");
    refused(&["--fallback", "9", "--rises-with", "income"], "fallback");
    refused(
        &["--fallback", "9", "--ending", ".99"],
        "the fallback price is none of the prices that end in .99",
    );
    refused(&["--objective", "outcome", "--min-volume", "0.3"], "outcomes that are demand");
    folder.write("far.csv", "income,price\n50,4711\n");
    folder.refused(&["evaluate", "b.rpl", "--prices-of", "far.csv"], "row 1, column `price`: outside");
    folder.refused(&["evaluate", "b.rpl"], "name the policy first");
    folder.refused(&["evaluate", "b.rpl", "--prices-of", "far.csv", "--price-column", "income"], "no price");
}
