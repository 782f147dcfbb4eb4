//! Contextual people served a second on one core, and what the parts cost: `cargo bench -p reticent-lab
//! --bench contextual`.
//!
//! `people` serves half a million people as `simulate` does, refreshes included; `world_only` is its floor.
//! `choose` and `answer` are the device's share, `absorb` the server's; `refresh` makes a policy from the
//! statistics of many reports.

use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use reticent_device::contextual::Device;
use reticent_lab::contextual::env::{World, WorldOptions};
use reticent_lab::contextual::{AgentName, Experiment, Run};
use reticent_learn::contextual::{Contextual, Options};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Spec};
use reticent_schema::Encoding;

const PEOPLE: u64 = 500_000;

fn main() {
    divan::main();
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("a valid epsilon")
}

fn world(dims: usize, arms: u32) -> World {
    let options = WorldOptions { dims: Some(dims), arms: Some(arms), target_group: None };
    World::open("exponential-code", &options).expect("built in")
}

#[divan::bench(args = [1.0, 4.0], sample_count = 5)]
fn people(bencher: Bencher<'_, '_>, loss: f64) {
    let mut experiment = Experiment::new(AgentName::LdpContextual, world(2, 3), Some(epsilon(loss)));
    experiment.users = PEOPLE;
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut run = Run::start(&experiment, 0).expect("a valid experiment");
        run.complete(&experiment, &|_| true).expect("no device refuses")
    });
}

#[divan::bench(sample_count = 5)]
fn world_only(bencher: Bencher<'_, '_>) {
    let world = world(2, 3);
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut rng = SimSeed(1).stream(0, Stream::Environment);
        let mut crowd = world.crowd(PEOPLE, &mut rng);
        let mut total = 0.0;
        for _ in 0..PEOPLE {
            let person = crowd.next(&mut rng).expect("no end");
            total += person.reward(0, &mut rng) + person.regret(0);
        }
        total
    });
}

/// An agent that has heard from `people` people, who have no preference.
fn experienced(dims: usize, arms: u32, loss: f64, people: u64) -> (Contextual, Device<SimRng>) {
    let spec = Spec::new(arms, Encoding::unit(dims).expect("small"), epsilon(loss)).expect("a valid spec");
    let mut device = Device::simulated(&spec, Epsilon::MAX, SimSeed(1).stream(0, Stream::Noise));
    let mut agent =
        Contextual::new(spec, Options::default(), SimSeed(1).stream(0, Stream::Agent)).expect("sound");
    let mut world = SimSeed(1).stream(0, Stream::Environment);
    let mut point = vec![0.0; dims];
    for _ in 0..people {
        for x in &mut point {
            *x = world.uniform();
        }
        let plan = Arc::clone(agent.plan());
        device.next_person(Epsilon::MAX);
        let context = device.encode_numbers(&point).expect("numbers");
        let choice = device.choose(&plan, &context).expect("the target's plan");
        let report = device.answer(choice, world.uniform()).expect("a number");
        agent.absorb(&report).expect("the current policy");
    }
    (agent, device)
}

#[divan::bench(args = [1.0, 4.0])]
fn choose_and_answer(bencher: Bencher<'_, '_>, loss: f64) {
    let (agent, mut device) = experienced(2, 3, loss, 2_000);
    let plan: Arc<Plan> = Arc::clone(agent.plan());
    bencher.bench_local(|| {
        device.next_person(Epsilon::MAX);
        let context = device.encode_numbers(&[0.3, 0.7]).expect("numbers");
        let choice = device.choose(&plan, &context).expect("the target's plan");
        device.answer(choice, 0.4).expect("a number")
    });
}

#[divan::bench]
fn choose(bencher: Bencher<'_, '_>) {
    let (agent, mut device) = experienced(2, 3, 4.0, 2_000);
    let plan: Arc<Plan> = Arc::clone(agent.plan());
    bencher.bench_local(|| {
        let context = device.encode_numbers(&[0.3, 0.7]).expect("numbers");
        device.choose(&plan, &context).expect("the target's plan").arm()
    });
}

/// Dimensions, arms.
#[divan::bench(args = [(1, 3), (2, 2), (2, 3), (2, 10), (2, 50), (3, 3), (5, 3), (10, 3)], sample_count = 5)]
fn refresh(bencher: Bencher<'_, '_>, (dims, arms): (usize, u32)) {
    let (mut agent, _) = experienced(dims, arms, 4.0, 2_000);
    bencher.bench_local(|| agent.refresh());
}
