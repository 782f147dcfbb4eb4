//! What intervals of `learn::value` hold where people have a context.

use std::sync::Arc;

use reticent_device::contextual::Device;
use reticent_learn::value::ContextualEvaluation;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};
use reticent_schema::{Axis, Encoding, Field};

use super::SEED;

/// People of each of four cells, and how often each arm is good for them.
const MASSES: [f64; 4] = [0.4, 0.3, 0.2, 0.1];
const GOOD: [[f64; 3]; 4] = [[0.2, 0.5, 0.8], [0.9, 0.5, 0.1], [0.3, 0.4, 0.3], [0.6, 0.1, 0.6]];
const TARGETS: [(&str, [[f64; 3]; 4]); 3] = [
    ("the best arms", [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("even", [[1.0 / 3.0; 3]; 4]),
    ("one arm", [[0.0, 1.0, 0.0]; 4]),
];

/// A weighted mean of raw rewards, as a log without privacy gives it.
#[derive(Default)]
struct Raw {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Raw {
    fn add(&mut self, score: f64) {
        self.count += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    fn interval(&self) -> [f64; 2] {
        let mean = self.sum / self.count;
        let half = 1.96 * ((self.squares / self.count - mean * mean) / self.count).sqrt();
        [mean - half, mean + half]
    }
}

pub(super) fn value(epsilon: Epsilon, users: u64, trials: u64) {
    let levels: Vec<String> = (0..4).map(|level| format!("level {level}")).collect();
    let fields = vec![Field::Category { name: "kind".into(), levels: levels.clone() }];
    let encoding = Encoding::new(fields, vec![Axis::Field { field: "kind".into() }]).unwrap();
    let spec = Spec::new(3, encoding, epsilon).unwrap();
    // The second half of the people get arms by another lottery than the first.
    let plans = [vec![0, 1, 2], vec![0, 0, 0, 1, 2]].map(|shifts| Arc::new(plan(&spec, &shifts)));
    for (name, target) in TARGETS {
        let truth: f64 = (0..4)
            .map(|cell| MASSES[cell] * (0..3).map(|arm| target[cell][arm] * GOOD[cell][arm]).sum::<f64>())
            .sum();
        let shares: Vec<Vec<f64>> = target.iter().map(|shares| shares.to_vec()).collect();
        let (mut held, mut width) = ([0_u32; 2], [0.0; 2]);
        for log in 0..trials {
            let mut evaluation = ContextualEvaluation::new(&spec, shares.clone()).unwrap();
            let weighed = plans.each_ref().map(|plan| evaluation.weigh(plan));
            let mut raw = Raw::default();
            let mut world = SimSeed(SEED).stream(log, Stream::Environment);
            let noise = SimSeed(SEED).stream(log, Stream::Noise);
            let mut device = Device::simulated(&spec, epsilon, noise);
            for person in 0..users {
                let at = usize::from(2 * person >= users);
                device.next_person(epsilon);
                let cell = draw(&MASSES, &mut world);
                let context = device.encode(&[levels[cell].as_str().into()]).unwrap();
                let choice = device.choose(&plans[at], &context).unwrap();
                let arm = choice.arm() as usize;
                let good = world.uniform() < GOOD[cell][arm];
                let report = device.answer(choice, f64::from(u8::from(good))).unwrap();
                evaluation.add(&plans[at], &weighed[at], &report);
                let given = plans[at].probabilities(cell, 3)[arm];
                raw.add(f64::from(u8::from(good)) * target[cell][arm] / given);
            }
            for (at, [low, high]) in
                [evaluation.value().unwrap().interval, raw.interval()].into_iter().enumerate()
            {
                held[at] += u32::from((low..=high).contains(&truth));
                width[at] += (high - low) / trials as f64;
            }
        }
        let share = |held: u32| 100.0 * f64::from(held) / trials as f64;
        println!(
            "eps {epsilon}, {users} reports, {name} ({truth:.3}): held in {:.1} % of {trials} logs, width {:.4}; raw {:.1} \
             %, width {:.4}",
            share(held[0]),
            width[0],
            share(held[1]),
            width[1]
        );
    }
}

fn draw(shares: &[f64], rng: &mut SimRng) -> usize {
    let mut left = rng.uniform();
    let drawn = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    drawn.unwrap_or(shares.len() - 1)
}

/// Maps that give cell c the arm c + shift, each with either question.
fn plan(spec: &Spec, shifts: &[u8]) -> Plan {
    let map = |shift: &u8| (0..4).map(|cell: u8| (cell + shift) % 3).collect();
    let questions =
        vec![Question::outcome(spec.grid(), vec![1], 3, spec.epsilon()).unwrap(), Question::effect(vec![1])];
    let task = |map: u32| (0..2).map(move |question| Task { map, question });
    let policy = Policy {
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
