use proptest::collection::vec;
use proptest::prelude::*;
use reticent_privacy::Epsilon;
use reticent_protocol::pricing::{Prices, Terms};
use reticent_schema::{Encoding, Range};

use super::*;

fn spec(dimension: usize, epsilon: f64, records: u64) -> Spec {
    let sold = Range::UNIT;
    let terms =
        Terms::new(Encoding::unit(dimension).unwrap(), Prices::range(0.0, 1.0).unwrap(), sold).unwrap();
    Spec::designed(terms, Epsilon::new(epsilon).unwrap(), records).unwrap()
}

/// Specs whose reports have one, two and three bytes.
fn specs() -> [Spec; 3] {
    let specs = [spec(1, 1.0, 10), spec(1, 4.0, 100_000), spec(3, 4.0, 1 << 40)];
    assert_eq!(specs.each_ref().map(Spec::report_bytes), [1, 2, 3]);
    specs
}

fn payload(spec: &Spec, codes: &[u32]) -> Vec<u8> {
    codes.iter().flat_map(|code| code.to_le_bytes()[..spec.report_bytes()].to_vec()).collect()
}

#[test]
fn a_foreign_code_anywhere_is_refused_and_nothing_is_counted() {
    for spec in specs() {
        let mut tally = Tally::new(&spec);
        for place in [0, 1, 70_000, 99_999] {
            let mut codes = vec![0; 100_000];
            codes[place] = spec.codes();
            assert_eq!(tally.add_payload(&payload(&spec, &codes)), Err(TallyError::Report));
        }
        if spec.report_bytes() > 1 {
            assert_eq!(tally.add_payload(&[0; 7]), Err(TallyError::Length));
        }
        assert_eq!(tally.add(Report { question: 64, output: 0 }), Err(TallyError::Report));
        assert_eq!(tally, Tally::new(&spec));
        tally.add_payload(&payload(&spec, &vec![spec.codes() - 1; 100_001])).unwrap();
        assert_eq!((tally.reports(), tally.counts().last()), (100_001, Some(&100_001)));
    }
}

#[test]
fn more_than_can_be_counted_is_refused() {
    let [spec, other, _] = specs();
    let mut json = serde_json::to_value(Tally::new(&spec)).unwrap();
    json["counts"][1] = u64::MAX.into();
    let mut full: Tally = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(full.reports(), u64::MAX);
    assert_eq!(full.add(Report { question: 0, output: 0 }), Err(TallyError::Many));
    assert_eq!(full.add_payload(&[0]), Err(TallyError::Many));
    assert_eq!(full.merge(&full.clone()), Err(TallyError::Many));
    assert_eq!(full.merge(&Tally::new(&other)), Err(TallyError::Spec));
    assert_eq!(full.counts()[0], 0);
    json["counts"][0] = 1.into();
    assert!(serde_json::from_value::<Tally>(json.clone()).unwrap_err().to_string().contains("more reports"));
    json["counts"].as_array_mut().unwrap().pop();
    assert!(serde_json::from_value::<Tally>(json.clone()).unwrap_err().to_string().contains("one count"));
    json["reports"] = 1.into();
    assert!(serde_json::from_value::<Tally>(json).is_err());
}

proptest! {
    /// Many equal reports and few, in parts and at once, one by one and as bytes.
    #[test]
    fn however_they_come_the_counts_are_the_same(which in 0_usize..3, numbers in vec(any::<u32>(), 0..4000), kinds in 1_u32..1000, cut in any::<prop::sample::Index>()) {
        let spec = &specs()[which];
        let codes: Vec<u32> = numbers.iter().map(|number| number % kinds % spec.codes()).collect();
        let mut one_by_one = Tally::new(spec);
        for &code in &codes {
            one_by_one.add(spec.report(code).unwrap()).unwrap();
        }
        let (mut whole, mut part, mut rest) = (Tally::new(spec), Tally::new(spec), Tally::new(spec));
        whole.add_payload(&payload(spec, &codes)).unwrap();
        let (first, last) = codes.split_at(cut.index(codes.len() + 1));
        part.add_payload(&payload(spec, first)).unwrap();
        rest.add_payload(&payload(spec, last)).unwrap();
        part.merge(&rest).unwrap();
        prop_assert!(whole == one_by_one && whole == part);
        prop_assert_eq!(whole.reports(), codes.len() as u64);
        let again: Tally = serde_json::from_str(&serde_json::to_string(&whole).unwrap()).unwrap();
        prop_assert_eq!(again, whole);
    }
}
