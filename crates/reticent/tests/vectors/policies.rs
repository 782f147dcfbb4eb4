//! Policies: bytes and JSON of the same policy, and what an experiment's device makes of it, or a refusal.

use reticent::privacy::oracle::OracleKind;
use reticent::protocol::mab::{Lottery, Policy, Spec, Squash};
use reticent::protocol::{contextual, pricing};
use serde_json::{Value, json};

use super::{Kind, experiments, hex, refused, unhex};

pub(super) const KIND: Kind = Kind {
    name: "policies",
    about: "The bytes of a policy (hexadecimal) and its kind, and its form in JSON, or a refusal.",
    inputs,
    output,
};

/// Policies of the first two experiments of `experiments.json`.
pub(super) fn bandit_policies() -> Vec<Policy> {
    let specs: Vec<Spec> = experiments::documents()[..2]
        .iter()
        .map(|document| Spec::of(experiments::experiment(document).unwrap()).unwrap())
        .collect();
    let lotteries = [
        Lottery::one(0),
        Lottery::one(2),
        Lottery::new(vec![(0, 1), (1, 1), (2, 1)]).unwrap(),
        Lottery::new(vec![(0, 250), (2, 6)]).unwrap(),
    ];
    let mut policies = Vec::new();
    for spec in &specs {
        for (version, arms) in (1..).zip(&lotteries) {
            let (experiment, squash) = (spec.digest(), Squash::over(spec.reward()));
            policies.push(Policy { experiment, version, question: 0, squash, arms: arms.clone() });
        }
    }
    let step = Squash::line(0.25, 0.25).unwrap();
    policies.push(Policy { question: 3, squash: step, version: 300, ..policies[0].clone() });
    policies
}

/// A policy of the third experiment: two maps and a question of each kind.
pub(super) fn contextual_policies() -> Vec<contextual::Policy> {
    let build = |document: &Value| {
        let spec = contextual::Spec::of(experiments::experiment(document).unwrap().draft()).unwrap();
        let (arms, cells, axes) = (spec.arms(), spec.grid().cells(), spec.grid().sizes().to_vec());
        let halves: Vec<u32> = axes.iter().map(|size| size.div_ceil(2)).collect();
        let questions = vec![
            contextual::Question::outcome(spec.grid(), halves.clone(), arms, spec.epsilon()).unwrap(),
            contextual::Question::effect(axes.clone()),
            contextual::Question::effect(halves.clone()),
            contextual::Question::place(spec.grid(), halves, spec.epsilon()).unwrap(),
        ];
        let map = |shift: usize| (0..cells).map(|cell| ((cell / 7 + shift) % arms as usize) as u8).collect();
        let tasks = (0..4).map(|i| contextual::Task { map: i % 2, question: i }).collect();
        let experiment = spec.digest();
        contextual::Policy {
            experiment,
            source: None,
            version: 9,
            questions,
            maps: vec![map(0), map(1)],
            tasks,
            cells: None,
        }
    };
    experiments::documents()[2..5].iter().map(build).collect()
}

/// What the fourth experiment asks the people of its source: they have their arms, so there are no maps.
pub(super) fn source_policy() -> contextual::Policy {
    let spec =
        contextual::Spec::of(experiments::experiment(&experiments::documents()[3]).unwrap().draft()).unwrap();
    let loss = spec.epsilon_of(Some(0)).unwrap();
    let questions = vec![
        contextual::Question::outcome(spec.grid(), vec![8], spec.arms(), loss).unwrap(),
        contextual::Question::place(spec.grid(), vec![4], loss).unwrap(),
        contextual::Question::effect(vec![16]),
    ];
    let tasks = (0..3).map(|question| contextual::Task { map: 0, question }).collect();
    contextual::Policy {
        experiment: spec.digest(),
        source: Some(0),
        version: 2,
        questions,
        maps: Vec::new(),
        tasks,
        cells: None,
    }
}

/// Policies with cells of their own, each with the number of its experiment: as they may be, and, as the second says,
/// as they may not.
pub(super) fn policies_with_cells() -> [Vec<(usize, contextual::Policy)>; 2] {
    use contextual::AxisCells::{Cuts, Even, Levels};
    let documents = experiments::documents();
    let policy = |at: usize, cells: Vec<contextual::AxisCells>| {
        let spec = contextual::Spec::of(experiments::experiment(&documents[at]).unwrap().draft()).unwrap();
        let many: u32 = cells.iter().map(contextual::AxisCells::size).product();
        let map = |shift: u32| (0..many).map(|cell| ((cell + shift) % spec.arms()) as u8).collect();
        let questions = vec![contextual::Question::effect(cells.iter().map(|_| 1).collect())];
        let tasks = [0, 1].map(|map| contextual::Task { map, question: 0 }).to_vec();
        let experiment = spec.digest();
        let (maps, cells) = (vec![map(0), map(1)], Some(cells));
        (at, contextual::Policy { experiment, source: None, version: 12, questions, maps, tasks, cells })
    };
    let fine = vec![
        policy(2, vec![Cuts(vec![1, 700, 2048, 4095]), Levels(vec![0, 1, 0])]),
        policy(2, vec![Even(5), Even(3)]),
        policy(4, vec![Cuts(vec![2048])]),
        policy(4, vec![Cuts(Vec::new())]),
    ];
    let refused = [
        vec![Cuts(vec![7]), Levels(vec![1, 0, 0])],
        vec![Cuts(vec![7]), Levels(vec![0, 1])],
        vec![Cuts(vec![7, 7]), Even(1)],
        vec![Cuts(vec![0]), Even(1)],
        vec![Cuts(vec![4096]), Even(1)],
        vec![Even(2), Even(4)],
        vec![Even(2), Even(2)],
        vec![Even(2), Cuts(vec![7])],
        vec![Levels(vec![0, 1]), Even(1)],
        vec![Even(2)],
        vec![Even(600), Even(2)],
    ];
    [fine, refused.into_iter().map(|cells| policy(2, cells)).collect()]
}

/// Policies of the fourth experiment, each with one thing that does not fit it.
pub(super) fn hostile_contextual_policies() -> Vec<contextual::Policy> {
    let good = contextual_policies().remove(1);
    let changed = |change: &dyn Fn(&mut contextual::Policy)| {
        let mut policy = good.clone();
        change(&mut policy);
        policy
    };
    let design = |to: [u32; 2]| {
        changed(&|p| {
            p.questions[3].about =
                contextual::About::Place { oracle: OracleKind::HadamardResponse, design: to };
        })
    };
    vec![
        changed(&|p| p.experiment = contextual_policies()[0].experiment),
        changed(&|p| p.maps[1][31] = 3),
        changed(&|p| p.maps[1].truncate(31)),
        changed(&|p| p.maps[1].push(0)),
        changed(&|p| p.maps.clear()),
        changed(&|p| p.tasks.clear()),
        changed(&|p| p.tasks[3].map = 2),
        changed(&|p| p.tasks[3].question = 4),
        changed(&|p| p.questions[3].widths = vec![0]),
        changed(&|p| p.questions[3].widths = vec![33]),
        changed(&|p| p.questions[3].widths = vec![4, 1]),
        changed(&|p| p.questions[3].widths = Vec::new()),
        // Fewer rows than symbols: some outputs would tell the symbol. And numbers that never end.
        design([1, 1]),
        design([1, 0]),
        design([0, 1]),
        design([1, u32::MAX]),
        changed(&|p| {
            let design = [1, u32::MAX];
            p.questions[3].about =
                contextual::About::Place { oracle: OracleKind::ProjectiveGeometry, design };
        }),
    ]
}

/// Bytes that no writer writes, inside a policy's body.
fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let bandit = |body: &[u8]| [&bandit_policies()[0].encode()[..35], body].concat();
    let line = |low: f64, high: f64| {
        bandit(&[&[0, 1][..], &low.to_le_bytes(), &high.to_le_bytes(), &[1, 0, 1]].concat())
    };
    let mut all = vec![
        ("bandit", bandit(&[0, 2, 1, 0, 1])),
        ("bandit", bandit(&[0, 0, 0])),
        ("bandit", bandit(&[0, 0, 1, 0, 2])),
        ("bandit", bandit(&[0, 0, 2, 0, 1, 0, 1])),
        ("bandit", bandit(&[0, 0, 2, 1, 1, 0, 1])),
        ("bandit", bandit(&[0, 0, 2, 0, 0, 1, 1])),
        ("bandit", bandit(&[0, 0, 2, 0, 1, 1, 0x80, 0x80, 4])),
        ("bandit", bandit(&[0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f])),
        ("bandit", bandit(&[0x80, 0, 0, 1, 0, 1])),
        ("bandit", line(1.0, 0.0)),
        ("bandit", line(f64::NAN, 1.0)),
        ("bandit", line(0.0, f64::INFINITY)),
        ("bandit", line(-1e308, 1e308)),
    ];
    let head = contextual_policies()[0].encode()[..35].to_vec();
    let contextual = |body: &[u8]| [&head[..], body].concat();
    // No question, one task; then maps: a run of nothing, two runs of one arm, too many cells, an arm beyond a byte.
    for map in [&[1, 1, 0, 0][..], &[1, 2, 1, 0, 1, 0], &[1, 1, 0x81, 8, 0], &[1, 1, 1, 0x80, 2]] {
        all.push(("contextual", contextual(&[&[0, 0, 1, 0, 0], map].concat())));
    }
    all.push(("contextual", contextual(&[0, 0x81, 2])));
    all.push(("contextual", contextual(&[0, 1, 1, 1, 3])));
    all.push(("contextual", contextual(&[0, 1, 1, 1, 0, 5, 1, 0])));
    let head = tables()[0].encode()[..35].to_vec();
    let price = 1.0_f64.to_le_bytes();
    let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    let prices = |parts: &[&[u8]]| [&head[..], &parts.concat()].concat();
    all.push(("prices", prices(&[&[1], &huge, &[1], &price, &huge, &[0]])));
    all.push(("prices", prices(&[&[1, 0, 1], &price])));
    all.push(("prices", prices(&[&[1, 2, 1], &price, &[3, 0]])));
    all.push(("prices", prices(&[&[1, 2, 1], &price, &[2, 1]])));
    all.push(("prices", prices(&[&[1, 2, 1], &price, &[1, 0, 1, 0]])));
    all.push(("prices", prices(&[&[1, 2, 2], &price, &price, &[2, 0]])));
    all.push(("prices", prices(&[&[1, 2, 1], &f64::NAN.to_le_bytes(), &[2, 0]])));
    all
}

fn tables() -> Vec<pricing::Table> {
    let document = &experiments::documents()[5];
    let experiment = experiments::experiment(document).unwrap().digest();
    let prices = vec![4.99, 9.99, 14.99, 19.99];
    [vec![0, 0, 1, 3], vec![2, 2, 2, 2], vec![3, 2, 1, 0]]
        .into_iter()
        .zip(1..)
        .map(|(map, version)| pricing::Table::new(experiment, version, vec![4], prices.clone(), map).unwrap())
        .collect()
}

fn inputs() -> Vec<Value> {
    let mut all: Vec<(&str, Vec<u8>)> = Vec::new();
    all.extend(bandit_policies().iter().map(|policy| ("bandit", policy.encode())));
    all.extend(contextual_policies().iter().map(|policy| ("contextual", policy.encode())));
    all.extend(tables().iter().map(|table| ("prices", table.encode())));
    for (kind, bytes) in [all[2].clone(), all[9].clone(), all[12].clone()] {
        // Cut short at the seams, too long, another version, another kind.
        for cut in [0, 1, 2, 33, 34, 35, bytes.len() - 1] {
            all.push((kind, bytes[..cut].to_vec()));
        }
        all.push((kind, [bytes.clone(), vec![0]].concat()));
        for (at, byte) in [(0, 1), (0, 3), (1, 0), (1, 4)] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            all.push((kind, changed));
        }
    }
    all.push(("contextual", source_policy().encode()));
    all.extend(damaged());
    let with_cells = policies_with_cells();
    all.extend(with_cells.iter().flatten().map(|(_, policy)| ("contextual", policy.encode())));
    // Cells of a form that is none, of no axis, and cut short.
    let without = contextual_policies()[0].encode();
    all.push(("contextual", [&without[..], &[1, 3, 1]].concat()));
    all.push(("contextual", [&without[..], &[0]].concat()));
    let bytes = with_cells[0][0].1.encode();
    all.push(("contextual", bytes[..bytes.len() - 1].to_vec()));
    all.into_iter().map(|(kind, bytes)| json!({ "kind": kind, "bytes": hex(&bytes) })).collect()
}

fn output(input: &Value) -> Value {
    let bytes = unhex(&input["bytes"]);
    let json = match input["kind"].as_str().unwrap() {
        "bandit" => Policy::decode(&bytes).ok().map(|policy| serde_json::to_value(policy).unwrap()),
        "contextual" => {
            contextual::Policy::decode(&bytes).ok().map(|policy| serde_json::to_value(policy).unwrap())
        }
        _ => pricing::Table::decode(&bytes).ok().map(|table| serde_json::to_value(table).unwrap()),
    };
    json.unwrap_or_else(refused)
}
