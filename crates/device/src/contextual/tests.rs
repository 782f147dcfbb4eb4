use std::f64::consts::E;

use super::*;
use reticent_privacy::oracle::{self, Aggregate, Oracle};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::contextual::{Asked, Policy, Question, Source, Spec, Task};
use reticent_schema::Encoding;
use reticent_store::DurableLedger;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn spec() -> Spec {
    let source = Source { name: "old".into(), epsilon: epsilon(4.0), people: 100, behaviour: vec![0.5, 0.5] };
    Spec::new(2, Encoding::unit(2).unwrap(), epsilon(1.0)).unwrap().with_sources(vec![source]).unwrap()
}

/// Two maps, each constant, and a question of each kind.
fn plan(source: Option<u32>) -> Arc<Plan> {
    let spec = spec();
    let loss = spec.epsilon_of(source).unwrap();
    let questions = vec![
        Question::outcome(spec.grid(), vec![8, 16], 2, loss).unwrap(),
        Question::effect(vec![16, 8]),
        Question::place(spec.grid(), vec![8, 8], loss).unwrap(),
    ];
    let map = |i| if source.is_some() { 0 } else { i % 2 };
    let tasks = (0..6).map(|i| Task { map: map(i), question: i % 3 }).collect();
    let maps = if source.is_some() { vec![] } else { vec![vec![0; 256], vec![1; 256]] };
    let policy =
        Policy { experiment: spec.digest(), source, version: 5, questions, maps, tasks, cells: None };
    Arc::new(Plan::new(&spec, policy).unwrap())
}

fn device() -> Device<SimRng> {
    Device::simulated(&spec(), epsilon(1e3), SimSeed(3).stream(0, Stream::Noise))
}

fn symbol(answer: Answer) -> oracle::Report {
    match answer {
        Answer::Symbol(symbol) => symbol,
        Answer::Bit { .. } => unreachable!("a bandit's answer"),
    }
}

/// All people stand at one place with one reward; each oracle must find them there.
#[test]
fn reports_say_where_people_are_what_they_got_and_how_it_went() {
    const PEOPLE: u64 = 120_000;
    let (plan, mut device) = (plan(None), device());
    let mut answers = vec![Vec::new(); 6];
    for _ in 0..PEOPLE {
        device.next_person(epsilon(1.0));
        let context = device.encode_numbers(&[0.9, 0.2]).unwrap();
        let choice = device.choose(&plan, &context).unwrap();
        let arm = choice.arm();
        let report = device.answer(choice, 0.75).unwrap();
        assert_eq!((report.source, report.policy, report.question % 2), (None, 5, arm));
        let report = Report::decode(&report.encode()).unwrap();
        answers[report.question as usize].push(symbol(report.answer));
    }
    for (task, answers) in answers.iter().enumerate() {
        let arm = task % 2;
        let reports = answers.len();
        // Tasks are drawn evenly: binomial with 6 deviations.
        assert!((reports as f64 - 20_000.0).abs() < 6.0 * (PEOPLE as f64 * 5.0 / 36.0).sqrt());
        let (signs, variance) = match plan.channel(task).asked() {
            Asked::Outcome(oracle) | Asked::Place(oracle) => {
                let mut aggregate = Aggregate::new(oracle);
                for answer in answers {
                    aggregate.add(oracle, answer).unwrap();
                }
                (oracle.estimate(&aggregate).unwrap(), oracle.variance(1.0, 1).max(oracle.variance(0.0, 1)))
            }
            Asked::Effect(oracle) => {
                let mut counts = vec![0; oracle.shape().cells()];
                for answer in answers {
                    oracle.shape().count(answer, &mut counts).unwrap();
                }
                (oracle.estimate(&counts), oracle.variance())
            }
        };
        // x1 = 0.9 is the second half, x2 = 0.2 the first.
        let expected: Vec<(usize, f64)> = match plan.channel(task).asked() {
            Asked::Outcome(_) => vec![(2 * (2 + arm) + 1, 0.75), (2 * (2 + arm), 0.25)],
            Asked::Effect(_) => vec![(arm, 0.5)],
            Asked::Place(_) => vec![(2, 1.0)],
        };
        let deviation = ((variance + 0.25) / reports as f64).sqrt();
        for (symbol, estimate) in signs.into_iter().enumerate() {
            let truth = expected.iter().find(|(s, _)| *s == symbol).map_or(0.0, |(_, share)| *share);
            // 26 estimates beyond 6 deviations with probability 2e-9 each.
            assert!((estimate - truth).abs() < 6.0 * deviation, "task {task} symbol {symbol}: {estimate}");
        }
    }
}

/// Attack: a server writes a spec and reads a value off who stays silent.
#[test]
fn whatever_the_record_is_a_report_is_paid_and_sent() {
    let (plan, mut device) = (plan(None), device());
    for bad in [f64::NAN, f64::INFINITY] {
        device.next_person(epsilon(1.0));
        let context = device.encode_numbers(&[0.5, bad]).unwrap();
        let choice = device.choose(&plan, &context).unwrap();
        device.answer(choice, bad).unwrap();
        assert_eq!(device.ledger().spent_nano(), 1_000_000_000);
    }
    device.next_person(epsilon(1.0));
    let context = device.encode(&["a word".into(), Value::Missing]).unwrap();
    assert_eq!(format!("{context:?}"), "Context { .. }");
    let choice = device.choose(&plan, &context).unwrap();
    assert_eq!(format!("{choice:?}"), "Choice { .. }");
    device.answer_missing(choice).unwrap();
    let choice = device.choose(&plan, &context).unwrap();
    assert!(matches!(device.answer(choice, 0.5), Err(DeviceError::Budget(_))));
}

#[test]
fn people_of_a_source_answer_by_its_plan_and_pay_its_loss() {
    let (target, source, mut device) = (plan(None), plan(Some(0)), device());
    device.next_person(epsilon(4.0));
    let context = device.encode_numbers(&[0.5, 0.5]).unwrap();
    assert!(matches!(device.choose(&source, &context), Err(DeviceError::OtherPlan)));
    assert!(matches!(device.answer_record(&target, &context, 0, 1.0), Err(DeviceError::OtherPlan)));
    let report = device.answer_record(&source, &context, 1, 1.0).unwrap();
    assert_eq!(report.source, Some(0));
    assert_eq!(device.ledger().spent_nano(), 4_000_000_000);
    // An arm that the experiment does not have is no reason for silence.
    device.next_person(epsilon(4.0));
    assert!(device.answer_record(&source, &context, 2, 1.0).is_ok());
}

#[test]
fn a_retry_after_a_restart_gets_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("budget");
    let plan = plan(None);
    let open = || DurableDevice::new(&spec(), DurableLedger::open(&path, epsilon(1.0)).unwrap()).unwrap();
    let mut device = open();
    let context = device.encode(&[0.1.into(), 0.2.into()]).unwrap();
    let choice = device.choose("visit-1", &plan, &context).unwrap();
    let report = device.answer("visit-1", choice, 0.4).unwrap();
    drop(device);
    let mut device = open();
    let choice = device.choose("visit-1", &plan, &context).unwrap();
    assert_eq!(device.answer("visit-1", choice, 0.9).unwrap(), report);
    let choice = device.choose("visit-2", &plan, &context).unwrap();
    assert!(device.answer("visit-2", choice, 0.9).is_err());
}

/// A plan that was checked for a larger loss or another grid is not followed: it would send more than is paid
/// for, or fall silent by cell.
#[test]
fn a_plan_of_another_experiment_is_refused() {
    let mut device = device();
    let context = device.encode_numbers(&[0.9, 0.9]).unwrap();
    let other = |spec: Spec| {
        let questions = vec![Question::effect(vec![1; spec.grid().sizes().len()])];
        let maps = vec![vec![0; spec.grid().cells()]];
        let (experiment, tasks) = (spec.digest(), vec![Task { map: 0, question: 0 }]);
        let policy = Policy { experiment, source: None, version: 5, questions, maps, tasks, cells: None };
        Arc::new(Plan::new(&spec, policy).unwrap())
    };
    let louder = other(Spec::new(2, Encoding::unit(2).unwrap(), epsilon(8.0)).unwrap());
    let smaller = other(Spec::new(2, Encoding::unit(1).unwrap(), epsilon(1.0)).unwrap());
    for wrong in [&louder, &smaller] {
        assert!(matches!(device.choose(wrong, &context), Err(DeviceError::OtherPlan)));
    }
    assert_eq!(device.ledger().spent_nano(), 0);
}

/// The plan of an experiment whose arms are private: one map, by halves of the first axis.
fn private_arms(arms: f64) -> (Spec, Arc<Plan>) {
    let spec = Spec::new(2, Encoding::unit(1).unwrap(), epsilon(1.0)).unwrap();
    let spec = spec.with_private_arms(epsilon(arms)).unwrap();
    let cells = spec.grid().cells();
    let map = (0..cells).map(|cell| u8::from(2 * cell >= cells)).collect();
    let (questions, tasks) = (vec![Question::effect(vec![32])], vec![Task { map: 0, question: 0 }]);
    let experiment = spec.digest();
    let policy =
        Policy { experiment, source: None, version: 0, questions, maps: vec![map], tasks, cells: None };
    let plan = Plan::new(&spec, policy).unwrap();
    (spec, Arc::new(plan))
}

/// Attack: whoever sees the arm knows the half. With private arms it is e^1 : 1, within 6 deviations of 4,000
/// coins; without, all or nothing.
#[test]
fn a_private_arm_hides_the_context_and_is_paid_for_before_it_is_shown() {
    let (spec, plan) = private_arms(1.0);
    let mut device = Device::simulated(&spec, epsilon(1.0), SimSeed(4).stream(0, Stream::Noise));
    let mut shown = [0_u32; 2];
    for _ in 0..4_000 {
        device.next_person(epsilon(2.0));
        let context = device.encode_numbers(&[0.9]).unwrap();
        let choice = device.choose(&plan, &context).unwrap();
        assert_eq!(device.ledger().spent_nano(), 1_000_000_000);
        shown[choice.arm() as usize] += 1;
        device.answer(choice, 0.5).unwrap();
        assert_eq!(device.ledger().spent_nano(), 2_000_000_000);
    }
    let own = 4_000.0 * E / (1.0 + E);
    assert!((f64::from(shown[1]) - own).abs() < 6.0 * 28.1, "{shown:?}");
}

#[test]
fn a_private_arm_is_shown_once_for_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("budget");
    let (spec, plan) = private_arms(0.01);
    let open = || DurableDevice::new(&spec, DurableLedger::open(&path, epsilon(2.0)).unwrap()).unwrap();
    let mut device = open();
    let context = device.encode(&[0.9.into()]).unwrap();
    let first: Vec<u32> =
        (0..40).map(|visit| device.choose(&visit.to_string(), &plan, &context).unwrap().arm()).collect();
    assert!(first.contains(&0) && first.contains(&1), "forty fair coins");
    drop(device);
    let mut device = open();
    for (visit, &arm) in first.iter().enumerate() {
        assert_eq!(device.choose(&visit.to_string(), &plan, &context).unwrap().arm(), arm);
    }
    assert_eq!(device.wallet().ledger().spent_nano(), 400_000_000);
}
