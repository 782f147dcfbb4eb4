use reticent_privacy::mechanism::RandomisedResponse;
use reticent_privacy::oracle::Oracle;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::Report;
use reticent_protocol::contextual::{self, Asked, Plan, Question, Task};
use reticent_schema::{Axis, Encoding, Field};

use super::*;

fn spec() -> Spec {
    Spec::new(3, Epsilon::new(1.0).unwrap()).unwrap()
}

#[test]
fn only_policies_of_the_experiment_are_evaluated() {
    for bad in [vec![1.0], vec![0.5, 0.5, 0.5], vec![1.5, -0.5, 0.0], vec![f64::NAN, 1.0, 0.0]] {
        assert_eq!(Evaluation::new(&spec(), bad).unwrap_err(), TargetError);
    }
}

#[test]
fn what_says_nothing_of_the_target_is_not_used() {
    let mut evaluation = Evaluation::new(&spec(), vec![0.5, 0.5, 0.0]).unwrap();
    let lacks = Lottery::new(vec![(0, 1), (2, 1)]).unwrap();
    (0..100).for_each(|_| evaluation.add(&lacks, 0, true));
    evaluation.add(&lacks, 1, true);
    assert_eq!((evaluation.value(), evaluation.reports, evaluation.used), (None, 100, 0));
}

/// 200 logs of 2,000 reports whose lottery follows what was learned: of intervals that hold with probability 0.95 fewer
/// than 176 of 200 hold once in 30,000 times. The guess that leaves the lottery out is off by six deviations and more.
#[test]
fn holds_although_the_lottery_learns() {
    let keep = RandomisedResponse::new(Epsilon::new(1.0).unwrap()).keep_probability();
    let (means, target) = ([0.2, 0.5, 0.8], vec![0.6, 0.2, 0.2]);
    let truth = 0.6 * 0.2 + 0.2 * 0.5 + 0.2 * 0.8;
    let held = (0..200_u64).filter(|&log| {
        let mut rng = SimSeed(11).stream(log, Stream::Environment);
        let mut evaluation = Evaluation::new(&spec(), target.clone()).unwrap();
        let mut ones = [1_u32; 3];
        for person in 0..2_000 {
            let lottery = if person % 100 == 0 || person < 100 {
                Lottery::new(vec![(0, 40 + ones[0]), (1, 40 + ones[1]), (2, 40 + ones[2])]).unwrap()
            } else {
                Lottery::new(vec![(0, 1), (1, 2), (2, 7)]).unwrap()
            };
            let arm = lottery.draw(&mut rng);
            let reward = rng.uniform() < means[arm as usize];
            let bit = reward == (rng.uniform() < keep);
            ones[arm as usize] += u32::from(bit);
            evaluation.add(&lottery, arm, bit);
        }
        let value = evaluation.value().unwrap();
        (value.interval[0]..=value.interval[1]).contains(&truth)
    });
    let held = held.count();
    assert!(held >= 176, "{held}");
}

/// People of four cells, three arms and two questions, under plans that give arms with other probabilities as the log
/// goes on.
struct Contexts {
    spec: contextual::Spec,
    plans: [Plan; 2],
}

const MASSES: [f64; 4] = [0.4, 0.3, 0.2, 0.1];
const GOOD: [[f64; 3]; 4] = [[0.2, 0.5, 0.8], [0.9, 0.5, 0.1], [0.3, 0.4, 0.3], [0.6, 0.1, 0.6]];

impl Contexts {
    fn new() -> Contexts {
        let levels = (0..4).map(|level| format!("level {level}")).collect();
        let fields = vec![Field::Category { name: "kind".into(), levels }];
        let encoding = Encoding::new(fields, vec![Axis::Field { field: "kind".into() }]).unwrap();
        let spec = contextual::Spec::new(3, encoding, Epsilon::new(2.0).unwrap()).unwrap();
        assert_eq!(spec.grid().cells(), 4);
        let plans = [vec![0, 1, 2], vec![0, 0, 0, 1, 2]].map(|shifts| plan(&spec, &shifts));
        Contexts { spec, plans }
    }
}

/// One person: the report, and the cell, arm and reward that only a simulation knows.
fn one_person(plan: &Plan, rng: &mut SimRng) -> (Report, usize, usize, bool) {
    let task = (rng.uniform() * plan.policy().tasks.len() as f64) as usize;
    let mut left = rng.uniform();
    let cell = MASSES.iter().position(|mass| {
        left -= mass;
        left < 0.0
    });
    let cell = cell.unwrap_or(3);
    let arm = usize::from(plan.map(task)[cell]);
    let good = rng.uniform() < GOOD[cell][arm];
    let channel = plan.channel(task);
    let symbol = channel.place_and_arm(cell as u32, arm as u32);
    let answer = match channel.asked() {
        Asked::Outcome(oracle) => oracle.randomise(oracle.domain().clip(2 * symbol + u32::from(good)), rng),
        Asked::Effect(oracle) => oracle.randomise(oracle.domain().clip(symbol), good, rng),
        Asked::Place(_) => unreachable!("no plan here asks where people are"),
    };
    let policy = plan.policy();
    let (experiment, question) = (policy.experiment.prefix(), task as u32);
    let report = Report { experiment, policy: policy.version, source: None, question, answer: answer.into() };
    (report, cell, arm, good)
}

/// Maps that give cell c the arm c + shift, each with either question.
fn plan(spec: &contextual::Spec, shifts: &[u8]) -> Plan {
    let map = |shift: &u8| (0..4).map(|cell: u8| (cell + shift) % 3).collect();
    let questions =
        vec![Question::outcome(spec.grid(), vec![1], 3, spec.epsilon()).unwrap(), Question::effect(vec![1])];
    let task = |map: u32| (0..2).map(move |question| Task { map, question });
    let policy = contextual::Policy {
        experiment: spec.digest(),
        source: None,
        version: 1,
        questions,
        maps: shifts.iter().map(map).collect(),
        tasks: (0..shifts.len() as u32).flat_map(task).collect(),
        cells: None,
    };
    Plan::new(spec, policy).unwrap()
}

/// 1,000 logs of 1,000 reports: of intervals that hold with probability 0.95 fewer than 915 hold once in a million
/// times. Widths are printed beside those of raw rewards.
#[test]
fn holds_for_policies_of_contexts() {
    let contexts = Contexts::new();
    let targets: [(&str, [[f64; 3]; 4]); 3] = [
        ("the best arms", [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        ("even", [[1.0 / 3.0; 3]; 4]),
        ("one arm", [[0.0, 1.0, 0.0]; 4]),
    ];
    for (name, target) in targets {
        let truth: f64 = (0..4)
            .map(|cell| MASSES[cell] * (0..3).map(|arm| target[cell][arm] * GOOD[cell][arm]).sum::<f64>())
            .sum();
        let probabilities: Vec<Vec<f64>> = target.iter().map(|shares| shares.to_vec()).collect();
        let (mut held, mut width, mut raw_width) = (0, 0.0, 0.0);
        for log in 0..1_000 {
            let mut rng = SimSeed(12).stream(log, Stream::Environment);
            let mut evaluation = ContextualEvaluation::new(&contexts.spec, probabilities.clone()).unwrap();
            let weighed = contexts.plans.each_ref().map(|plan| evaluation.weigh(plan));
            let mut raw = Sums::default();
            for person in 0..1_000 {
                let at = usize::from(person >= 500);
                let plan = &contexts.plans[at];
                let (report, cell, arm, good) = one_person(plan, &mut rng);
                evaluation.add(plan, &weighed[at], &report);
                let given = plan.probabilities(cell, 3)[arm];
                let sign = if good { 1.0 } else { -1.0 };
                raw.add(1.0, 0.5 + 0.5 * sign * target[cell][arm] / given);
            }
            let value = evaluation.value().unwrap();
            held += u32::from((value.interval[0]..=value.interval[1]).contains(&truth));
            width += value.interval[1] - value.interval[0];
            let [low, high] = raw.value([0.0, 1.0], 1, 1).interval;
            raw_width += high - low;
        }
        println!("{name}: held in {held} of 1000, width {:.4}, raw {:.4}", width / 1e3, raw_width / 1e3);
        assert!(held >= 915, "{name}: {held}");
    }
}
