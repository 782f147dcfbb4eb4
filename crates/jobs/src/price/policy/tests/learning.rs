//! Logs become policies, policies become quotes and charts.

use super::*;

#[test]
fn the_order_of_logs_does_not_matter_and_the_rich_pay_more() {
    let [a, b, _] = &SHOPS.logs;
    let (one, other) =
        (fitted(&[a, b], &Wish::default(), None).unwrap(), fitted(&[b, a], &Wish::default(), None).unwrap());
    let text = |policy: &Policy| serde_json::to_string(policy).unwrap();
    assert_eq!(text(&one.policy), text(&other.policy));
    assert_eq!((one.worth, one.single), (other.worth, other.single));
    assert_eq!(one.sources[0].file, *a);
    assert_eq!(one.sources[1].guarantee.to_string(), other.sources[0].guarantee.to_string());
    assert_eq!(one.policy.learned().reports, 50_000);
    assert_eq!(one.policy.objective().earns, Earns::Margin { cost: 0.0 });
    let price = |income: f64| one.policy.quote(&[income]).unwrap().price;
    // The best prices are 7.1 and 13.5.
    assert!((6.0..=10.0).contains(&price(10.0)) && (11.5..=16.0).contains(&price(90.0)));
    assert!(one.overlap.covered > 0.95 && one.target.is_none());
}

#[test]
fn wishes_become_objectives_that_fit_the_market() {
    let terms = POLICY.terms();
    let prices = |wish: Wish| wish.objective(terms).unwrap().prices;
    let usual = prices(Wish::default());
    assert_eq!((usual.len(), usual[0], usual[48]), (49, 5.0, 25.0));
    let listed = Wish { prices: vec![19.99, 9.99, 9.99, 14.99], ..Wish::default() };
    assert_eq!(prices(listed.clone()), [9.99, 14.99, 19.99]);
    assert_eq!(prices(Wish { min: Some(10.0), ..listed.clone() }), [14.99, 19.99]);
    let narrow = prices(Wish { min: Some(10.0), max: Some(12.0), ..Wish::default() });
    assert_eq!((narrow.len(), narrow[0], narrow[48]), (49, 10.0, 12.0));
    assert_eq!(prices(Wish { min: Some(12.0), max: Some(12.0), ..Wish::default() }), [12.0]);
    for (wish, words) in [
        (Wish { prices: vec![9.0, 47.0], ..Wish::default() }, "within the prices of the log"),
        (Wish { prices: vec![47.0], ..Wish::default() }, "the prices of the log"),
        (Wish { min: Some(30.0), ..Wish::default() }, "--min and --max"),
        (Wish { confidence: Some(1.0), ..Wish::default() }, "confidence"),
        (Wish { fallback: Some(1.0), ..Wish::default() }, "fallback"),
        (Wish { prices: vec![f64::NAN], ..Wish::default() }, "prices"),
        (Wish { earns: Some(Earns::Margin { cost: f64::NAN }), ..Wish::default() }, "cost"),
    ] {
        let error = told(wish.objective(terms));
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn quotes_of_a_table_are_those_of_its_rows() {
    let folder = Folder::new();
    let rows =
        (0..20_000).map(|i| format!("x,{}\n", f64::from(i % 1001) / 10.0)).collect::<Vec<String>>().concat();
    let contexts = folder.write("people.csv", &format!("name,income\n{rows}"));
    let out = folder.path("quotes.csv");
    let written = write_quotes(&POLICY, &raw(&contexts), &out, &Silent).unwrap();
    assert_eq!((written.rows, written.fallbacks), (20_000, 0));
    let text = std::fs::read_to_string(&out).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("income,price,mean,lower,fallback,density"));
    for (i, line) in lines.enumerate().step_by(997) {
        let cells: Vec<&str> = line.split(',').collect();
        let quote = POLICY.quote(&[cells[0].parse().unwrap()]).unwrap();
        assert_eq!(cells[0].parse::<f64>().unwrap(), (i % 1001) as f64 / 10.0);
        assert_eq!(cells[1].parse::<f64>().unwrap(), quote.price);
        assert!((cells[3].parse::<f64>().unwrap() - quote.lower).abs() < 1e-6);
        assert_eq!(cells[4], "false");
    }
    assert_eq!(text.lines().count(), 20_001);
}

#[test]
fn a_policy_is_drawn_with_its_names_and_choices() {
    let svg = charts(&POLICY, &FITTED.guarantee);
    for words in ["The price by income", "revenue of the quoted price", "income = 50", "50,000 privatised"] {
        assert!(svg.contains(words), "{words}");
    }
    // A ring for each of three contexts.
    assert_eq!(svg.matches(" r=\"6.50\"").count(), 3);
    assert!(reticent_chart::plot::png(&svg, 1.0).unwrap().len() > 10_000);
}

#[test]
fn large_samples_are_thinned_evenly() {
    let folder = Folder::new();
    let rows =
        (0..120_001).map(|i| format!("{}\n", f64::from(i) / 1200.01)).collect::<Vec<String>>().concat();
    let path = folder.write("people.csv", &format!("income\n{rows}"));
    let target = read_target(&raw(&path), POLICY.terms(), &Silent).unwrap();
    assert_eq!((target.rows(), target.points.len()), (120_001, 30_001));
    let mean = target.points.iter().map(|point| point[0]).sum::<f64>() / 30_001.0;
    assert!((mean - 0.5).abs() < 1e-4, "{mean}");
    let few = folder.write("few.csv", "income\n0\n25\n100\n");
    let target = read_target(&raw(&few), POLICY.terms(), &Silent).unwrap();
    assert_eq!(target.points, [[0.0], [0.25], [1.0]]);
}
