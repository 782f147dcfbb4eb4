//! People served a second, one core, through the device: `cargo bench -p reticent-lab`.
//!
//! Each benchmark serves a million people in one trial of the Bernoulli instance (20 arms), as `simulate`
//! does. The floors: `world_only` draws the reward alone, `device_only` adds the private report from a real
//! noise generator, and a naive loop recomputes all indices.

use divan::{Bencher, counter::ItemsCount};
use reticent_baselines::mab::Baseline;
use reticent_device::mab::Device;
use reticent_lab::mab::{AgentName, Environment, Experiment, Run};
use reticent_learn::mab::{Agent, AgentKind};
use reticent_privacy::{Epsilon, Ledger, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};

const PEOPLE: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn env() -> Environment {
    Environment::open("mab-bernoulli").expect("built in")
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("a valid epsilon")
}

#[divan::bench(args = [AgentName::Baseline(Baseline::Ucb1), AgentName::Baseline(Baseline::LdpUcbL), AgentName::Baseline(Baseline::LdpUcbB), AgentName::Ours(AgentKind::LdpKlUcb), AgentName::Ours(AgentKind::LdpThompson)], sample_count = 5)]
fn trial_at_epsilon_1(bencher: Bencher<'_, '_>, agent: AgentName) {
    trial(bencher, agent, 1.0);
}

#[divan::bench(args = [0.2, 0.5, 1.0, 2.0], sample_count = 5)]
fn thompson_at_epsilon(bencher: Bencher<'_, '_>, value: f64) {
    trial(bencher, AgentName::Ours(AgentKind::LdpThompson), value);
}

fn trial(bencher: Bencher<'_, '_>, agent: AgentName, value: f64) {
    let epsilon = Some(epsilon(value));
    let experiment = Experiment {
        agent: agent.into(),
        env: env(),
        epsilon,
        users: PEOPLE,
        batch: 1,
        trials: 1,
        seed: 1,
        forgers: None,
    };
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut run = Run::start(&experiment, 0).expect("a valid experiment");
        run.advance(&experiment.env, PEOPLE).expect("no device refuses");
        run.regret()
    });
}

/// The same path with noise from the operating system instead of a seed, as on people's devices.
#[divan::bench(sample_count = 5)]
fn ldp_kl_ucb_with_real_noise(bencher: Bencher<'_, '_>) {
    let (env, epsilon) = (env(), epsilon(1.0));
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut world = SimSeed(1).stream(0, Stream::Environment);
        let choices = SimSeed(1).stream(0, Stream::Agent);
        let mut agent = AgentKind::LdpKlUcb.build(20, epsilon, choices).expect("a valid agent");
        let mut device = Device::new(agent.spec(), Epsilon::MAX).expect("entropy");
        for person in 0..PEOPLE {
            if person % 1000 == 0 {
                device = Device::with_ledger(agent.spec(), Ledger::new(Epsilon::MAX)).expect("entropy");
            }
            let choice = device.choose(&agent.policy(1)).expect("its own policy");
            let reward = env.draw(choice.arm(), &mut world);
            let report = device.answer(choice, reward).expect("within budget");
            agent.absorb(&report).expect("a valid report");
        }
    });
}

#[divan::bench(sample_count = 20)]
fn world_only(bencher: Bencher<'_, '_>) {
    let env = env();
    let mut world = SimSeed(1).stream(0, Stream::Environment);
    bencher
        .counter(ItemsCount::new(PEOPLE))
        .bench_local(|| (0..PEOPLE).map(|i| env.draw((i % 20) as u32, &mut world)).sum::<f64>());
}

#[divan::bench(sample_count = 20)]
fn device_only(bencher: Bencher<'_, '_>) {
    let (env, epsilon) = (env(), epsilon(1.0));
    let spec = Spec::new(20, epsilon).expect("valid");
    let (experiment, arms) = (spec.digest(), Lottery::one(0));
    let mut policy = Policy { experiment, version: 1, question: 0, squash: Squash::CLIP, arms };
    let mut device = Device::simulated(&spec, epsilon, SimSeed(1).stream(0, Stream::Noise));
    let mut world = SimSeed(1).stream(0, Stream::Environment);
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut ones = 0_u64;
        for i in 0..PEOPLE {
            device.next_person(epsilon);
            policy.arms = Lottery::one((i % 20) as u32);
            let choice = device.choose(&policy).expect("its own policy");
            let reward = env.draw(choice.arm(), &mut world);
            let report = device.answer(choice, reward).expect("within budget");
            ones += u64::from(matches!(report.answer, Answer::Bit { bit: true, .. }));
        }
        ones
    });
}

/// LDP-UCB-B as one would write it first: all indices at each step, on the platform's floats, rewards and
/// bits from the same generators.
#[divan::bench(sample_count = 5)]
fn naive_ucb_b_loop(bencher: Bencher<'_, '_>) {
    let env = env();
    let keep = 1.0 / (1.0 + libm::exp(-1.0));
    bencher.counter(ItemsCount::new(PEOPLE)).bench_local(|| {
        let mut world = SimSeed(1).stream(0, Stream::Environment);
        let mut noise = SimSeed(1).stream(0, Stream::Noise);
        let (mut pulls, mut sums) = ([1.0_f64; 20], [0.5_f64; 20]);
        for t in 1..=PEOPLE {
            let log_t = libm::log(t as f64);
            let index = |a: usize| sums[a] / pulls[a] + (2.0 * log_t / pulls[a]).sqrt();
            let arm = (1..20).fold(0, |best, a| if index(a) > index(best) { a } else { best });
            let bit = (env.draw(arm as u32, &mut world) > 0.5) == (noise.uniform() < keep);
            pulls[arm] += 1.0;
            sums[arm] += f64::from(u8::from(bit));
        }
        pulls
    });
}
