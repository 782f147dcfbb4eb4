use reticent_privacy::oracle::{Aggregate, Oracle, Report as Answer};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Axis, Encoding, Field, Range};

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
        let report = device.report_numbers(&[0.6], 13.0, 0.5).unwrap();
        let channel = &spec.channels()[report.question as usize];
        counts[report.question as usize].add(channel.oracle(), &Answer::Index(report.output)).unwrap();
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
fn bad_records_are_refused_and_cost_nothing() {
    let spec = spec(1.0);
    let mut device = device(&spec);
    let before = device.ledger().spent_nano();
    for (context, price, outcome, says) in [
        (vec![f64::NAN], 1.0, 0.0, "x1"),
        (vec![], 1.0, 0.0, "1 values"),
        (vec![0.5], f64::INFINITY, 0.0, "price"),
        (vec![0.5], 1.0, f64::NAN, "outcome"),
        (vec![0.5], 1.0, f64::NEG_INFINITY, "outcome"),
    ] {
        let error = device.report_numbers(&context, price, outcome).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(device.ledger().spent_nano(), before);
    // Outside the ranges is clipped, not refused.
    device.report_numbers(&[-4.0], 1e300, -1e300).unwrap();
    assert!(matches!(device.report_numbers(&[0.5], 1.0, 1.0), Err(DeviceError::Budget(_))));
}

#[test]
fn categories_are_taken_by_name() {
    let fields = vec![Field::Category { name: "shop".into(), levels: vec!["a".into(), "b".into()] }];
    let context = Encoding::new(fields, vec![Axis::Field { field: "shop".into() }]).unwrap();
    let prices = Prices::points(vec![1.0, 2.0, 5.0]).unwrap();
    let terms = Terms::new(context, prices, Range::UNIT).unwrap();
    let spec = Spec::designed(terms, Epsilon::new(1.0).unwrap(), 1_000).unwrap();
    let mut device = device(&spec);
    assert!(device.report(&["a".into()], 2.0, 1.0).is_ok());
    device.next_person(spec.epsilon());
    let error = device.report(&["elsewhere".into()], 2.0, 1.0).unwrap_err().to_string();
    assert!(error.contains("shop") && !error.contains("elsewhere"), "{error}");
}
