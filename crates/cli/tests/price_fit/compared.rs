//! The paper's methods on one's own sales, and sales without contexts.

use std::fmt::Write;

use reticent_privacy::{SimSeed, Stream};

use super::made::{Folder, json, said};

/// 4,000 sales to people of whom the richer pay more.
fn sales(folder: &Folder) {
    let mut rng = SimSeed(9).stream(0, Stream::Environment);
    let mut rows = String::from("income,price,bought\n");
    for _ in 0..4_000 {
        let (income, price) = (100.0 * rng.uniform(), 5.0 + 20.0 * rng.uniform());
        let share = (0.5 + (8.0 + 0.1 * income - price) / 4.0).clamp(0.02, 0.98);
        writeln!(rows, "{income:.3},{price:.3},{}", u8::from(rng.uniform() < share)).unwrap();
    }
    folder.write("sales.csv", &rows);
}

const NEAR: [&str; 10] = [
    "fit",
    "sales.csv",
    "--method",
    "nw-lcb",
    "--market",
    "market.toml",
    "--target",
    "target.csv",
    "--out",
    "near.csv",
];

#[test]
fn raw_sales_are_read_only_by_who_says_so_and_everything_written_is_marked() {
    let folder = Folder::new();
    sales(&folder);
    folder.refused(&NEAR, "if that is meant, say --not-private");
    let with = |more: &[&'static str]| -> Vec<&str> { [&NEAR[..], &["--not-private"], more].concat() };
    let text = said(&folder.price(&with(&[])));
    assert!(text.contains("guarantee   not private") && text.contains("101 prices of nw-lcb"), "{text}");
    let table = String::from_utf8(folder.read("near.csv")).unwrap();
    let (head, rows) = table.split_once('\n').unwrap();
    assert_eq!(head, "income,price,guarantee");
    assert!(rows.lines().count() == 101 && rows.lines().all(|row| row.ends_with(",not private")));
    let price = |row: &str| row.split(',').nth(1).unwrap().parse::<f64>().unwrap();
    let (poor, rich) = (price(rows.lines().nth(5).unwrap()), price(rows.lines().nth(95).unwrap()));
    assert!(poor + 3.0 < rich, "{poor} {rich}");
    // A privatised log values them beside our own.
    let valued = ["evaluate", "a.rpl", "--prices-of", "near.csv", "--price-column", "price", "--json"];
    assert!(json(&folder.price(&valued))["value"]["mean"].as_f64().unwrap() > 5.0);
}

#[test]
fn noise_of_a_seed_is_said_to_be_none() {
    let folder = Folder::new();
    sales(&folder);
    let call = NEAR.map(|word| match word {
        "nw-lcb" => "ldp-nw-lcb",
        "near.csv" => "cells.csv",
        other => other,
    });
    let with = |more: &[&'static str]| -> Vec<&str> { [&call[..], &["--not-private"], more].concat() };
    folder.refused(&with(&[]), "needs --epsilon");
    let said = json(&folder.price(&with(&["--epsilon", "8", "--json"])));
    assert_eq!((&said["method"], &said["sales"]), (&"ldp-nw-lcb".into(), &4_000.into()));
    let table = String::from_utf8(folder.read("cells.csv")).unwrap();
    let marked = ",\"simulation, not private (would be 8-DP, local model)\"";
    assert!(table.lines().skip(1).all(|row| row.ends_with(marked)), "{table}");
}

#[test]
fn what_one_method_knows_is_refused_for_the_other() {
    let folder = Folder::new();
    sales(&folder);
    for (more, words) in [
        (&["--not-private", "--epsilon", "1"][..], "--epsilon does not go with --method nw-lcb"),
        (&["--not-private", "--monotone"], "--monotone does not go with --method nw-lcb"),
        (&["--not-private", "--step", "1"], "a rule does not go with --method nw-lcb"),
        (&["--not-private", "--plot", "p.svg"], "--plot does not go with --method nw-lcb"),
    ] {
        folder.refused(&[&NEAR[..], more].concat(), words);
    }
    folder.refused(
        &["fit", "a.rpl", "--not-private", "--out", "new.json"],
        "goes with --method nw-lcb or ldp-nw-lcb",
    );
    folder.refused(
        &["fit", "sales.csv", "--method", "nw-lcb", "--not-private", "--out", "new.csv"],
        "needs --market",
    );
    let market = String::from_utf8(folder.read("market.toml")).unwrap();
    folder.write("market.toml", &market.replace("low = 5\nhigh = 25", "points = [5, 25]"));
    folder.refused(&[&NEAR[..], &["--not-private"]].concat(), "a range of prices alone");
}

#[test]
fn sales_without_contexts_have_one_price() {
    let folder = Folder::new();
    sales(&folder);
    let market = String::from_utf8(folder.read("market.toml")).unwrap();
    let start = market.find("[price]").unwrap();
    folder.write("alone.toml", &market[start..]);
    said(&folder.price(&[
        "privatise",
        "alone.toml",
        "sales.csv",
        "--epsilon",
        "4",
        "--out",
        "alone.rpl",
        "--again",
    ]));
    let text = said(&folder.price(&[
        "fit",
        "alone.rpl",
        "--out",
        "alone.json",
        "--plot",
        "alone.svg",
        "--report",
        "alone.html",
    ]));
    assert!(text.contains("a price for everybody") && !text.contains("matter"), "{text}");
    let quote = json(&folder.price(&["quote", "alone.json", "--at", "", "--json"]))["quote"].clone();
    assert!((8.0..16.0).contains(&quote["price"].as_f64().unwrap()), "{quote}");
    said(&folder.price(&["quote", "alone.json", "--contexts", "target.csv", "--out", "quotes.csv"]));
    assert_eq!(String::from_utf8(folder.read("quotes.csv")).unwrap().lines().count(), 102);
    let page = String::from_utf8(folder.read("alone.html")).unwrap();
    assert!(page.contains("What each price would earn") && !page.contains("Prices along each context"));
}
