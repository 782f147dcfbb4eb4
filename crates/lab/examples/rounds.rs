//! What is gained by drawing actions in rounds from released functions, beside even actions in one round, at the same
//! total epsilon: each person is in one round's release alone.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example rounds -- smooth 10 1
//! cargo run --release -p reticent-lab --example rounds -- branin 10 21 0 6 8 10
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use reticent_curate::kernel::{
    Collector, Draft, Family, Form, Input, Kernel, KernelSpec, Points, Population, Records, Release,
    ReleaseLoss, Reward, Shape, Sketch, Surface,
};
use reticent_lab::kernel::Target;
use reticent_privacy::{Delta, Epsilon, SimRng, SimSeed, Stream};

const PEOPLE: usize = 10_000;
const CONTEXTS: usize = 200;
/// Every tenth person is looked at for what was lost in the trial.
const LOOKED_AT: usize = 10;
const BOUND: f64 = 1.3;
const NOISE: f64 = 0.1;
const BAND: f64 = 1.959_963_984_540_054;

/// How a trial is played.
#[derive(Clone, Copy)]
struct Design {
    name: &'static str,
    /// Shares of the people in each round; those of the last are not released if `stop`.
    rounds: &'static [f64],
    stop: bool,
    /// The share of even actions after the first round.
    even: f64,
    /// Functions drawn; none for the best action of the mean.
    draws: usize,
    /// How far actions are moved at random, either way.
    jitter: f64,
}

const ONE: Design =
    Design { name: "one round, even", rounds: &[1.0], stop: false, even: 1.0, draws: 0, jitter: 0.0 };

const DESIGNS: [Design; 11] = [
    ONE,
    Design { name: "two, half even", rounds: &[0.5, 0.5], even: 0.5, draws: 16, jitter: 0.05, ..ONE },
    Design { name: "two, a fifth even", rounds: &[0.5, 0.5], even: 0.2, draws: 16, jitter: 0.05, ..ONE },
    Design { name: "four, half even", rounds: &[0.25; 4], even: 0.5, draws: 16, jitter: 0.05, ..ONE },
    Design { name: "four, a fifth even", rounds: &[0.25; 4], even: 0.2, draws: 16, jitter: 0.05, ..ONE },
    Design { name: "two, all even", rounds: &[0.5, 0.5], ..ONE },
    Design { name: "half even, then the best", rounds: &[0.5, 0.5], stop: true, even: 0.0, ..ONE },
    Design { name: "quarter even, then the best", rounds: &[0.25, 0.75], stop: true, even: 0.0, ..ONE },
    // Looked at after the others.
    Design {
        name: "two, a tenth even, moved less",
        rounds: &[0.5, 0.5],
        even: 0.1,
        draws: 16,
        jitter: 0.02,
        ..ONE
    },
    Design { name: "two, mostly the best", rounds: &[0.5, 0.5], even: 0.1, draws: 0, jitter: 0.05, ..ONE },
    Design { name: "seven tenths, then the best", rounds: &[0.7, 0.3], stop: true, even: 0.0, ..ONE },
];

struct World {
    target: Target,
    setting: KernelSpec,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (trials, seed): (u64, u64) = (words[1].parse().unwrap(), words[2].parse().unwrap());
    // All, or those with these places in the list.
    let wanted = |place: usize| words.len() == 3 || words[3..].contains(&place.to_string());
    let designs: Vec<Design> =
        (0..DESIGNS.len()).filter(|&place| wanted(place)).map(|place| DESIGNS[place]).collect();
    let mut table: Vec<Vec<[f64; 4]>> = vec![Vec::new(); designs.len()];
    for trial in 0..trials {
        let world = world(&words[0], &mut SimSeed(seed).stream(trial, Stream::Source));
        for (design, rows) in designs.iter().zip(&mut table) {
            let row = play(&world, design, SimSeed(seed), trial);
            println!("{} {trial} {}: {row:.4?}", words[0], design.name);
            rows.push(row);
        }
    }
    for (design, rows) in designs.iter().zip(&table) {
        let shown: Vec<String> = (0..4).map(|place| spread(rows.iter().map(|row| row[place]))).collect();
        println!(
            "{:<28} final {} in trial {} error {} band at best {}",
            design.name, shown[0], shown[1], shown[2], shown[3]
        );
        let beside = rows.iter().zip(&table[0]).map(|(row, one)| row[0] - one[0]);
        println!("{:<28}   beside one round {}", "", spread(beside));
    }
}

/// Mean (standard deviation).
fn spread(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    format!("{mean:.4} ({:.4})", square.sqrt())
}

fn world(name: &str, rng: &mut SimRng) -> World {
    let (target, rank) = match name {
        "smooth" => {
            let kernel = Kernel::product(Family::MaternFiveHalves, &[0.3, 0.3]).unwrap();
            (Target::rkhs(&kernel, 1, 30, rng), 200)
        }
        "branin" => (Target::branin(), 200),
        "hartmann-3" => (Target::hartmann_three(), 200),
        _ => (Target::peak(rng), 300),
    };
    let input = |column: String| Input { column, low: 0.0, high: 1.0, length: 0.3, levels: None };
    let plan = Draft {
        experiment: None,
        actions: (0..target.actions()).map(|i| input(format!("action {i}"))).collect(),
        contexts: (0..target.contexts()).map(|i| input(format!("context {i}"))).collect(),
        reward: Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: 0.1 },
        kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank },
    };
    World { target, setting: plan.try_into().unwrap() }
}

/// Final loss, mean loss of the people in the trial, root mean square error, band at the recommended action.
fn play(world: &World, design: &Design, seed: SimSeed, trial: u64) -> [f64; 4] {
    let target = &world.target;
    let (mut people, mut noise) =
        (seed.stream(trial, Stream::Environment), seed.stream(trial, Stream::Noise));
    let mut agent = seed.stream(trial, Stream::Agent);
    let released = design.rounds.len() - usize::from(design.stop);
    let people_released: f64 = design.rounds[..released].iter().sum();
    let (mut releases, mut lost): (Vec<(Release, usize)>, f64) = (Vec::new(), 0.0);
    for (round, share) in design.rounds.iter().enumerate() {
        let count = (share * PEOPLE as f64) as usize;
        let contexts: Vec<Vec<f64>> = (0..count).map(|_| target.context(&mut people)).collect();
        let surface = (round > 0).then(|| combined(&releases));
        let actions = actions(design, target, surface.as_ref(), &contexts, &mut agent);
        let mut points = Points::new(target.actions() + target.contexts());
        for (action, context) in actions.iter().zip(&contexts) {
            points.push(&[action.as_slice(), context].concat());
        }
        let values = target.values(&points);
        let some = contexts.iter().zip(&values).step_by(LOOKED_AT);
        lost += LOOKED_AT as f64 * some.map(|(context, value)| target.best(context) - value).sum::<f64>();
        if round == released {
            break;
        }
        let mut records = Records::new(points.dimensions());
        for (place, value) in values.into_iter().enumerate() {
            records.push(&points.point(place), (value + NOISE * people.normal()) / BOUND);
        }
        // So that all rounds have the same sketch, the one for all their people with all their noise.
        let share = count as f64 / (people_released * PEOPLE as f64);
        let spread = (released as f64).sqrt() * share;
        releases.push((release(world, &records, spread, &mut noise), count));
    }
    let mut exam = seed.stream(1000 + trial, Stream::Source);
    let [loss, error, band] = judged(target, &combined(&releases), &mut exam);
    [loss, lost / PEOPLE as f64, error, band]
}

/// A round's release, with a sketch for noise that is so many times its own.
fn release(world: &World, records: &Records, spread: f64, noise: &mut SimRng) -> Release {
    let budget = ReleaseLoss::new(Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
    let people = records.len() as u64;
    let sketch = Sketch::new(&world.setting, &Population::Uniform, people, budget.sigma() * spread);
    let mut collector = Collector::of_sketch(sketch, budget, 1);
    collector.add(records).unwrap();
    collector.release_with(noise).unwrap()
}

/// One release of all rounds' people: sums of sums, with the noise of all.
fn combined(releases: &[(Release, usize)]) -> Surface {
    let mut all = serde_json::to_value(&releases[0].0).unwrap();
    let numbers = releases[0].0.rank();
    let sum = (0..numbers).map(|place| releases.iter().map(|(one, _)| one.noisy()[place]).sum::<i64>());
    all["noisy"] = sum.collect::<Vec<i64>>().into();
    all["people"] = releases.iter().map(|(_, people)| people).sum::<usize>().into();
    let sigma = all["sigma"].as_f64().unwrap();
    all["sigma"] = (sigma * (releases.len() as f64).sqrt()).into();
    Surface::read(&serde_json::from_value(all).unwrap(), 1).unwrap()
}

fn actions(
    design: &Design,
    target: &Target,
    surface: Option<&Surface>,
    contexts: &[Vec<f64>],
    rng: &mut SimRng,
) -> Vec<Vec<f64>> {
    let mut even = |_| -> Vec<f64> { (0..target.actions()).map(|_| rng.uniform()).collect() };
    let mut out: Vec<Vec<f64>> = contexts.iter().map(&mut even).collect();
    let Some(surface) = surface else { return out };
    let functions: Vec<Surface> = (0..design.draws).map(|_| surface.drawn(|| rng.normal())).collect();
    let chosen: Vec<Option<usize>> = contexts
        .iter()
        .map(|_| {
            (rng.uniform() >= design.even).then(|| (rng.uniform() * design.draws.max(1) as f64) as usize)
        })
        .collect();
    for number in 0..design.draws.max(1) {
        let own: Vec<usize> = (0..contexts.len()).filter(|&person| chosen[person] == Some(number)).collect();
        let some: Vec<Vec<f64>> = own.iter().map(|&person| contexts[person].clone()).collect();
        let best = functions.get(number).unwrap_or(surface).recommended(&some);
        for (place, &person) in own.iter().enumerate() {
            let moved = |x: &f64| {
                let (low, high) = ((x - design.jitter).max(0.0), (x + design.jitter).min(1.0));
                low + (high - low) * rng.uniform()
            };
            out[person] = best[place].place.iter().map(moved).collect();
        }
    }
    out
}

fn judged(target: &Target, surface: &Surface, rng: &mut SimRng) -> [f64; 3] {
    let contexts: Vec<Vec<f64>> = (0..CONTEXTS).map(|_| target.context(rng)).collect();
    let best = surface.recommended(&contexts);
    let mut points = Points::new(target.actions() + target.contexts());
    for (place, context) in contexts.iter().enumerate() {
        points.push(&[best[place].place.as_slice(), context].concat());
    }
    let (values, told) = (target.values(&points), surface.at(&points));
    let lost = contexts.iter().zip(&values).map(|(context, value)| target.best(context) - value);
    let held = told
        .iter()
        .zip(&values)
        .filter(|(one, v)| (BOUND * one.mean - **v).abs() <= BAND * BOUND * one.deviation);
    let everywhere = Points::halton(0..1000, target.actions() + target.contexts());
    let truth = target.values(&everywhere);
    let off = surface.at(&everywhere).into_iter().zip(truth).map(|(one, v)| (BOUND * one.mean - v).powi(2));
    [
        lost.sum::<f64>() / CONTEXTS as f64,
        (off.sum::<f64>() / 1000.0).sqrt(),
        held.count() as f64 / CONTEXTS as f64,
    ]
}
