use reticent_protocol::pricing::Prices;

use super::*;

fn refused(folder: &Folder, text: &str) -> String {
    read_market(&folder.write("other.toml", text)).unwrap_err().to_string()
}

#[test]
fn the_example_is_a_market() {
    let folder = Folder::new();
    let market = read_market(&folder.write("example.toml", EXAMPLE)).unwrap();
    assert_eq!(market.columns(), ["income", "price", "bought"]);
    assert_eq!((market.price(), market.outcome(), market.kind()), ("price", "bought", OutcomeKind::Sale));
    let points = EXAMPLE.replace("low = 5\nhigh = 25\n# points", "points");
    let market = read_market(&folder.write("points.toml", &points)).unwrap();
    assert!(matches!(market.terms().prices(), Prices::Points(points) if points.len() == 4));
}

#[test]
fn what_cannot_be_is_said_with_its_place() {
    let folder = Folder::new();
    for (from, to, says) in [
        ("low = 0\nhigh = 100", "low = 100\nhigh = 0", "[[context]]: `income` needs a finite range"),
        ("low = 5\nhigh = 25", "low = 5", "either low and high, or points"),
        ("low = 5\nhigh = 25", "low = 5\nhigh = 25\npoints = [5, 25]", "either low and high, or points"),
        ("low = 5\nhigh = 25", "points = [25, 5]", "[price]: a list of prices"),
        ("low = 5\nhigh = 25", "low = inf\nhigh = 25", "[price]: the price range"),
        ("\"price\"", "\"income\"", "`income` is declared twice"),
        ("kind = \"sale\"", "kind = \"sale\"\nhigh = 2", "between 0 and 1"),
        ("kind = \"sale\"", "kind = \"sale\"\nlow = nan", "between 0 and 1"),
        ("kind = \"sale\"", "kind = \"reward\"", "a reward needs low and high"),
        ("kind = \"sale\"", "kind = \"reward\"\nlow = 1\nhigh = 1", "invalid range"),
        ("kind = \"sale\"", "kind = \"profit\"", "line 13"),
        ("kind = \"sale\"", "kind = \"sale\"\ncost = 3", "unknown field `cost`"),
        ("[[context]]", "[[other]]", "unknown field `other`"),
    ] {
        assert!(MARKET.contains(from), "{from}");
        let error = refused(&folder, &MARKET.replacen(from, to, 1));
        assert!(error.contains(says) && error.contains("other.toml"), "{to}: {error}");
    }
}

#[test]
fn a_context_may_be_a_category_whichever_document_declares_it() {
    let folder = Folder::new();
    let levels = MARKET.replacen("low = 0\nhigh = 100", "levels = [\"poor\", \"rich\"]", 1);
    let rule = "\n[table.columns.income]\nmissing = { level = \"poor\" }\n";
    let market = read_market(&folder.write("levels.toml", &format!("{levels}{rule}"))).unwrap();
    assert!(market.layout(false).is_ok() && market.declared().is_none());
    let document = "name = \"shop\"\nepsilon = \"1\"\n[problem]\nkind = \"pricing\"\nrecords = 1000\n\
        price = { column = \"price\", low = \"5\", high = \"25\" }\n\
        outcome = { column = \"bought\", kind = \"binary\", low = \"0\", high = \"1\" }\n\
        [problem.context]\ncolumns = [{ name = \"income\", levels = [\"poor\", \"rich\"] }]\n";
    let plain = read_market(&folder.write("plain.toml", document)).unwrap();
    let other = read_market(&folder.write("other.toml", &format!("{document}{rule}"))).unwrap();
    let digest = |market: &Market| market.declared().unwrap().digest();
    assert_eq!(digest(&plain), digest(&other), "how a table is written is no part of the experiment");
    assert_ne!(plain, other);
    assert_eq!(plain.terms(), market.terms());
    for (from, to, says) in [
        ("levels", "low = 0\nlevels", "either low and high, or levels"),
        ("\"rich\"", "\"poor\"", "level `poor` twice"),
    ] {
        let error = refused(&folder, &levels.replacen(from, to, 1));
        assert!(error.contains(says), "{error}");
    }
    let unknown = refused(&folder, &format!("{levels}\n[table.columns.age]\nmissing = \"middle\"\n"));
    assert!(unknown.contains("\"age\"]: the plan declares no column of this name"), "{unknown}");
}

#[test]
fn a_table_that_is_taken_for_a_market_is_not_quoted() {
    let folder = Folder::new();
    let error = refused(&folder, "income,price,bought\n47.11,8.15,1\n");
    assert!(error.contains("line 1") && error.contains("--example") && !error.contains("47.11"), "{error}");
}
