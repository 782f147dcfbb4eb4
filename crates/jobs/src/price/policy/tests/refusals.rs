//! What is refused says where, tells no value and leaves no file.

use reticent_learn::pricing::Quote;

use super::*;

#[test]
fn contexts_that_the_log_does_not_know_are_refused() {
    let folder = Folder::new();
    let out = folder.path("quotes.csv");
    for (row, words) in [
        ("4711", "bad.csv: row 9001, column `income`: outside the range"),
        ("-4711", "bad.csv: row 9001, column `income`: outside the range"),
        ("NaN", "bad.csv: row 9001, column `income`: not a finite number"),
        ("4711 EUR", "bad.csv: row 9001, column `income`: not a number"),
    ] {
        let bad = folder.write("bad.csv", &format!("income\n{}{row}\n", "50\n".repeat(9000)));
        let before = folder.files();
        for error in [
            told(write_quotes(&POLICY, &raw(&bad), &out, &Silent)),
            told(read_target(&raw(&bad), POLICY.terms(), &Silent)),
        ] {
            assert!(error.contains(words), "{words}: {error}");
        }
        assert_eq!(folder.files(), before, "no part of a file is left");
    }
    let bad = folder.write("bad.csv", "age\n4711\n");
    assert!(
        told(write_quotes(&POLICY, &raw(&bad), &out, &Silent)).contains("the header has no column `income`")
    );
    let stopped = write_quotes(&POLICY, &raw(&folder.write("fine.csv", "income\n50\n")), &out, &Stopped);
    assert!(stopped.unwrap_err().is_interrupt() && !out.exists());
}

/// Single precision may round an end of the range outwards: that is no other value.
#[test]
fn ends_of_the_range_are_inside_as_single_precision_has_them() {
    let folder = Folder::new();
    let fine = folder.write("fine.csv", "income\n100.000001\n-0\n");
    assert_eq!(write_quotes(&POLICY, &raw(&fine), &folder.path("q.csv"), &Silent).unwrap().rows, 2);
}

#[test]
fn a_context_on_the_command_line_is_read_or_refused() {
    let terms = POLICY.terms();
    let quote = |text: &str| -> Quote { POLICY.quote_values(&ask(text, terms, &[]).unwrap()).unwrap() };
    assert_eq!(quote(" income = 40 "), POLICY.quote(&[40.0]).unwrap());
    for (text, words) in [
        ("", "income has no value"),
        ("40", "COLUMN"),
        ("age=4711", "the contexts are income"),
        ("income=4711", "income is outside the range that the log declared, 0 to 100"),
        ("income=nan", "income is not a finite number"),
        ("income=4711 EUR", "income is not a finite number"),
        ("income=1,income=2", "more than once"),
    ] {
        let error = told(ask(text, terms, &[]));
        let words = words.replace("COLUMN", "CONTEXT=VALUE");
        assert!(error.starts_with("--at: ") && error.contains(&words), "{words}: {error}");
    }
}

#[test]
fn files_that_are_no_policy_are_refused_by_name() {
    let folder = Folder::new();
    let path = folder.path("policy.json");
    write_policy(&POLICY, &FITTED.guarantee, &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(read_policy(&path).unwrap().policy.quote(&[3.0]), POLICY.quote(&[3.0]));
    for (bad, words) in [
        (text.replace("\"version\":3", "\"version\":7"), "the policy has version 7"),
        (text.replace("\"version\":3", "\"version\":7,\"more\":1"), "the policy has version 7"),
        (text.replace("\"version\":3", "\"version\":\"one\""), "damaged"),
        (text[..text.len() / 2].to_string(), "cut short"),
        (text.replace("\"lower\"", "\"upper\""), "damaged"),
        (text.replace("reticent-price-policy", "poem"), "no price policy"),
        ("income\n4711\n".into(), "no price policy"),
    ] {
        let bad = folder.write("bad.json", &bad);
        let error = told(read_policy(&bad));
        assert!(error.contains("bad.json: ") && error.contains(words), "{words}: {error}");
    }
    assert!(told(read_policy(&folder.path("none.json"))).contains("none.json"));
}

#[test]
fn logs_of_other_markets_and_damaged_logs_are_refused() {
    let [a, ..] = &SHOPS.logs;
    let folder = Folder::new();
    folder.write("market.toml", &crate::price::tests::MARKET.replace("high = 25", "high = 30"));
    let other = folder.log("other.rpl", 7, 1.0, 200, 100.0);
    let error = told(fitted(&[a, &other], &Wish::default(), None));
    assert!(error.contains("a.rpl and ") && error.contains("different market files"), "{error}");
    let policy = folder.path("policy.json");
    write_policy(&POLICY, &FITTED.guarantee, &policy).unwrap();
    let error = told(Evaluate { policy: &policy, logs: &[&other], target: None }.run(&Silent));
    assert!(
        error.contains("other.rpl and the policy ") && error.contains("policy.json were made"),
        "{error}"
    );
    let bytes = std::fs::read(a).unwrap();
    let cut = folder.path("cut.rpl");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    assert!(told(fitted(&[&cut], &Wish::default(), None)).contains("cut.rpl: the log is cut short"));
    assert!(told(fitted(&[], &Wish::default(), None)).contains("no report"));
    assert!(SHOPS.folder.files() > 0);
}
