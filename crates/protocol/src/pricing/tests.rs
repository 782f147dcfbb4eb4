use reticent_privacy::Epsilon;

use super::*;
use reticent_schema::{Axis, Encoding, Field, Range};

const SOLD: Range = Range::UNIT;

fn spec(dimension: usize, epsilon: f64, records: u64) -> Spec {
    let terms =
        Terms::new(Encoding::unit(dimension).unwrap(), Prices::range(0.0, 1.0).unwrap(), SOLD).unwrap();
    Spec::designed(terms, Epsilon::new(epsilon).unwrap(), records).unwrap()
}

#[test]
fn questions_get_finer_with_records_and_with_epsilon() {
    let cells = |spec: &Spec| spec.channels().iter().map(Channel::cells).max().unwrap();
    let (few, more, loud) = (spec(1, 1.0, 100_000), spec(1, 1.0, 10_000_000), spec(1, 4.0, 100_000));
    assert!(cells(&few) < cells(&more) && cells(&few) < cells(&loud), "{few:?} {more:?} {loud:?}");
    assert!((16..=40).contains(&cells(&few)), "{}", cells(&few));
}

#[test]
fn each_axis_is_asked_about_as_often_as_the_others() {
    for dimension in [1, 2, 3, 5, 7, 10] {
        for (epsilon, records) in [(0.1, 1_000), (1.0, 100_000), (4.0, 10_000_000)] {
            let spec = spec(dimension, epsilon, records);
            let asked =
                |axis: usize| spec.channels().iter().filter(|channel| channel.parts()[axis] > 1).count();
            let counts: Vec<usize> = (0..dimension).map(asked).collect();
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(*least >= 1 && most - least <= 3, "{dimension} {epsilon} {records}: {counts:?}");
            assert!(spec.report_bytes() <= 3, "{dimension} {epsilon} {records}");
        }
    }
}

#[test]
fn every_code_is_one_report_and_every_point_has_a_cell() {
    let spec = spec(2, 1.0, 50_000);
    for code in 0..spec.codes() {
        assert_eq!(spec.code(spec.report(code).unwrap()), Ok(code));
    }
    assert_eq!(spec.report(spec.codes()), Err(ReportError::Unknown));
    assert!(spec.code(Report { question: 99, output: 0 }).is_err());
    for channel in spec.channels() {
        for point in [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [f64::NAN, 2.0, -1.0]] {
            assert!((channel.cell(&point) as usize) < channel.cells());
        }
    }
}

#[test]
fn reading_runs_the_same_checks_as_building() {
    let spec = spec(1, 1.0, 1_000);
    let text = serde_json::to_string(&spec).unwrap();
    let read = |text: &str| serde_json::from_str::<Spec>(text).map_err(|error| error.to_string());
    assert_eq!(read(&text).unwrap(), spec);
    for (from, to, says) in [
        (r#""range":[0.0,1.0]"#, r#""range":[1.0,0.0]"#, "price range"),
        (r#""low":0.0,"high":1.0}"#, r#""low":1.0,"high":1.0}"#, "range"),
        (r#""design":["#, r#""design":[7"#, "design"),
        (r#""parts":["#, r#""parts":[5"#, "parts"),
        (r#""questions""#, r#""answers""#, "answers"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let error = read(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn listed_prices_and_categories_have_cells_of_their_own() {
    let prices = Prices::points(vec![4.99, 9.99, 14.99]).unwrap();
    assert!((prices.unit(9.99) - 0.5).abs() < 1e-12 && (prices.unit(6.0) - 1.0 / 6.0).abs() < 1e-12);
    assert!((prices.unit(-3.0) - 1.0 / 6.0).abs() < 1e-12 && (prices.unit(1e9) - 5.0 / 6.0).abs() < 1e-12);
    assert!(prices.holds(4.99) && !prices.holds(5.0));
    let levels = vec!["a".into(), "b".into(), "c".into(), "d".into()];
    let fields = vec![Field::Category { name: "shop".into(), levels }];
    let context = Encoding::new(fields, vec![Axis::Field { field: "shop".into() }]).unwrap();
    let terms = Terms::new(context, prices, SOLD).unwrap();
    assert_eq!(terms.finest(), [4, 3]);
    assert_eq!(terms.cuts(0), [1, 2, 4]);
    assert!(Prices::points(vec![1.0, 1.0]).is_err() && Prices::points(vec![1.0]).is_err());
    assert!(Prices::range(f64::MIN, f64::MAX).is_err());
    let many = Encoding::unit(12).unwrap();
    assert_eq!(Terms::new(many, Prices::range(0.0, 1.0).unwrap(), SOLD), Err(TermsError::Axes));
    let levels = (0..65).map(|level| level.to_string()).collect();
    let fields = vec![Field::Category { name: "shop".into(), levels }];
    let shops = Encoding::new(fields, vec![Axis::Field { field: "shop".into() }]).unwrap();
    assert_eq!(Terms::new(shops, Prices::range(0.0, 1.0).unwrap(), SOLD), Err(TermsError::Axes));
}
