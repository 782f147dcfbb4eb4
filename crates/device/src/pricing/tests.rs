use reticent_privacy::oracle::{Aggregate, Oracle, Report as Symbol};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Axis, Encoding, Field, Range};
use reticent_store::DurableLedger;

use super::*;

fn spec(epsilon: f64) -> Spec {
    let outcome = Range::new(0.0, 2.0).unwrap();
    let terms = Terms::new(Encoding::unit(1).unwrap(), Prices::range(0.0, 20.0).unwrap(), outcome).unwrap();
    Spec::designed(terms, Epsilon::new(epsilon).unwrap(), 100_000).unwrap()
}

fn device(spec: &Spec) -> Device<SimRng> {
    Device::simulated(spec, spec.epsilon(), SimSeed(1).stream(0, Stream::Noise))
}

/// What many people with one record send: for each question, the estimated frequencies. z-values with a
/// Bonferroni bound on all symbols; that records which differ in one thing are told apart shows that the test
/// has power.
#[test]
fn reports_say_cell_and_outcome_without_bias_and_questions_are_drawn_evenly() {
    const PEOPLE: u32 = 60_000;
    let spec = spec(2.0);
    let mut device = device(&spec);
    let mut counts: Vec<Aggregate> =
        spec.channels().iter().map(|channel| Aggregate::new(channel.oracle())).collect();
    for _ in 0..PEOPLE {
        device.next_person(spec.epsilon());
        let record = device.record_numbers(&[0.6], 13.0).unwrap();
        let report = spec.received(&device.answer(record, 0.5).unwrap()).unwrap();
        let channel = &spec.channels()[report.question as usize];
        counts[report.question as usize].add(channel.oracle(), &Symbol::Index(report.output)).unwrap();
    }
    let worst = |cell_price: f64| {
        let mut worst = 0.0_f64;
        for (channel, counts) in spec.channels().iter().zip(&counts) {
            let cell = channel.cell(&[0.6, cell_price / 20.0]) as usize;
            let frequencies = channel.oracle().estimate(counts).unwrap();
            for (symbol, frequency) in frequencies.iter().enumerate() {
                // The outcome 0.5 of 0 to 2 is good for a quarter of the people.
                let truth = if symbol / 2 == cell { [0.75, 0.25][symbol % 2] } else { 0.0 };
                let sd = (channel.oracle().variance(truth, counts.reports())
                    + truth * (1.0 - truth) / counts.reports() as f64)
                    .sqrt();
                worst = worst.max((frequency - truth).abs() / sd);
            }
        }
        worst
    };
    // 6.5 deviations: below 1e-8 for some 200 symbols together, Gaussian to that accuracy at 20,000 reports a question.
    assert!(worst(13.0) < 6.5, "{}", worst(13.0));
    assert!(worst(1.0) > 20.0, "{}", worst(1.0));
    let expected = f64::from(PEOPLE) / counts.len() as f64;
    assert!(counts.iter().all(|counts| (counts.reports() as f64 - expected).abs() < 7.0 * expected.sqrt()));
}

#[test]
fn whatever_the_sale_is_a_report_is_paid_and_sent() {
    let spec = spec(1.0);
    let mut device = device(&spec);
    for (context, price, outcome) in [
        (f64::NAN, 1.0, 0.0),
        (0.5, f64::INFINITY, 0.0),
        (0.5, f64::NAN, 0.0),
        (0.5, 1.0, f64::NEG_INFINITY),
        (-4.0, 1e300, -1e300),
    ] {
        device.next_person(spec.epsilon());
        let record = device.record_numbers(&[context], price).unwrap();
        assert_eq!(format!("{record:?}"), "Record { .. }");
        device.answer(record, outcome).unwrap();
        assert_eq!(device.ledger().left_nano(), 0);
    }
    let record = device.record_numbers(&[0.5], 1.0).unwrap();
    assert!(matches!(device.answer_missing(record), Err(DeviceError::Budget(_))));
    // How many values there are is public.
    assert!(device.record_numbers(&[], 1.0).unwrap_err().to_string().contains("1 values"));
}

#[test]
fn categories_are_taken_by_name_and_others_as_the_last() {
    let fields = vec![Field::Category { name: "shop".into(), levels: vec!["a".into(), "b".into()] }];
    let context = Encoding::new(fields, vec![Axis::Field { field: "shop".into() }]).unwrap();
    let prices = Prices::points(vec![1.0, 2.0, 5.0]).unwrap();
    let terms = Terms::new(context, prices, Range::UNIT).unwrap();
    let spec = Spec::designed(terms, Epsilon::new(1.0).unwrap(), 1_000).unwrap();
    let mut device = device(&spec);
    for shop in ["a", "elsewhere"] {
        device.next_person(spec.epsilon());
        let record = device.record(&[shop.into()], 2.0).unwrap();
        assert!(device.answer(record, 1.0).is_ok());
    }
}

#[test]
fn a_sale_is_reported_once_for_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(1.0);
    let ledger = DurableLedger::open(&folder.path().join("budget"), spec.epsilon()).unwrap();
    let mut device = DurableDevice::new(&spec, ledger).unwrap();
    let sale = |device: &mut DurableDevice, request: &str| {
        let record = device.record(&[0.5.into()], 9.0).unwrap();
        device.answer(request, record, 1.0)
    };
    let report = sale(&mut device, "sale-1").unwrap();
    assert_eq!(sale(&mut device, "sale-1").unwrap(), report);
    assert!(sale(&mut device, "sale-2").is_err());
}
