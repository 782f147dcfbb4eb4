//! Regret through the service is regret in the simulator: the same people, seeds, batches and noise, once with the
//! agent beside its devices and once with it behind the service's store, fold and published bytes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;
use std::time::Duration;

use reticent_device::{contextual, mab};
use reticent_lab::contextual as lab_contextual;
use reticent_lab::contextual::env::{Person, Record, World, WorldOptions};
use reticent_lab::mab::{Crowd, Environment, Player, PlayerError, Run, Seat};
use reticent_learn::mab::AgentKind;
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Policy, Spec};
use reticent_protocol::{Report, ReportId, mab::Policy as Lots, mab::Spec as Arms};
use reticent_schema::{Encoding, Experiment};
use reticent_server::store::{Memory, Settings};
use reticent_server::{Log, Received, Service, SharedClock};
use tokio::runtime::Runtime;

const BATCH: u64 = 150;
const PEOPLE: u64 = 1_500;
const SEED: u64 = 21;

/// The service, asked for policies and sent reports, a batch after the other.
struct Behind {
    runtime: Runtime,
    service: Arc<Service>,
    name: String,
    sent: u64,
    waiting: Vec<Report>,
}

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Behind")
    }
}

impl Behind {
    fn new(experiment: Experiment, batch: Option<u64>) -> Behind {
        let runtime = Runtime::new().unwrap();
        let name = experiment.name().to_string();
        let service = runtime.block_on(async {
            let store = Arc::new(Memory::new().unwrap());
            let service = Service::start(store, SharedClock::default(), Log::silent()).await.unwrap();
            let settings = Settings { batch, keep_reports_seconds: 0 };
            assert!(service.create_with(experiment, settings, SimSeed(SEED), "test").await.unwrap());
            service
        });
        Behind { runtime, service, name, sent: 0, waiting: Vec::new() }
    }

    /// The policy as its bytes are published.
    fn policy(&self) -> Vec<u8> {
        self.service.seat(&self.name).unwrap().view().policy.as_ref().unwrap().bytes.clone()
    }

    /// Keeps a report; a whole batch is sent, and folded before anybody goes on. Yes if there may be a new policy.
    fn report(&mut self, report: Report) -> bool {
        self.waiting.push(report);
        if (self.waiting.len() as u64) < BATCH {
            return false;
        }
        let one = |(at, report): (u64, Report)| Received {
            id: ReportId(u128::from(at).to_be_bytes()),
            report: Some(report),
        };
        let reports: Vec<Received> = (self.sent..).zip(self.waiting.drain(..)).map(one).collect();
        self.sent += reports.len() as u64;
        let (service, name, sent) = (&self.service, &self.name, self.sent);
        self.runtime.block_on(async {
            assert_eq!(service.take(name, reports).await.unwrap(), []);
            while service.seat(name).unwrap().view().marks.folded < sent {
                tokio::time::sleep(Duration::from_millis(5)).await;
                service.refresh().await.unwrap();
            }
        });
        true
    }
}

#[derive(Debug)]
struct Bandit {
    behind: Behind,
    device: mab::Device<SimRng>,
    lifetime: Epsilon,
    policy: Lots,
}

impl Player for Bandit {
    fn serve(&mut self, mut crowd: Crowd<'_>) -> Result<(), PlayerError> {
        for _ in 0..crowd.people {
            self.device.next_person(self.lifetime);
            let choice = self.device.choose(&self.policy)?;
            let reward = crowd.reward(choice.arm());
            if self.behind.report(self.device.answer(choice, reward)?) {
                self.policy = Lots::decode(&self.behind.policy())?;
            }
        }
        Ok(())
    }
}

#[test]
fn a_bandit_loses_through_the_service_what_it_loses_in_the_simulator() {
    let text = r#"{"name": "page", "epsilon": "2", "problem": {"kind": "bandit", "arms":
        ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"]}}"#;
    let spec = Arms::of(Experiment::from_json(text).unwrap()).unwrap();
    let env = Environment::open("mab-bernoulli").unwrap();
    assert_eq!(env.arms(), spec.arms());
    let stream = |purpose| SimSeed(SEED).stream(0, purpose);
    let alone =
        Seat::new(AgentKind::DEFAULT.for_spec(spec.clone(), stream(Stream::Agent)), stream(Stream::Noise));
    let behind = Behind::new(spec.clone().into(), Some(BATCH));
    let bandit = Bandit {
        policy: Lots::decode(&behind.policy()).unwrap(),
        behind,
        device: mab::Device::simulated(&spec, spec.epsilon(), stream(Stream::Noise)),
        lifetime: spec.epsilon(),
    };
    let regret = |player: Box<dyn Player>| {
        let mut run = Run::new(&env, player, stream(Stream::Environment));
        run.advance(&env, PEOPLE).unwrap();
        run.regret()
    };
    let (simulated, served) = (regret(Box::new(alone.in_batches(BATCH))), regret(Box::new(bandit)));
    assert_eq!(simulated, served, "to the last bit");
    let even: f64 = env.gaps().iter().sum::<f64>() / env.gaps().len() as f64 * PEOPLE as f64;
    assert!(served < 0.95 * even, "and it learned: {served} of {even}");
}

#[derive(Debug)]
struct Contextual {
    behind: Behind,
    device: contextual::Device<SimRng>,
    spec: Spec,
    plan: Arc<Plan>,
}

impl lab_contextual::Player for Contextual {
    fn aid(&mut self, _: u32, _: &Record) -> Result<(), PlayerError> {
        Err("there are no sources here".into())
    }

    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError> {
        self.device.next_person(self.spec.epsilon());
        let context = self.device.encode_placed(person.context())?;
        let choice = self.device.choose(&self.plan, &context)?;
        let arm = choice.arm();
        let reward = person.reward(arm, world);
        if self.behind.report(self.device.answer(choice, reward)?) {
            self.plan = Arc::new(Plan::new(&self.spec, Policy::decode(&self.behind.policy())?)?);
        }
        Ok((arm, reward))
    }
}

#[test]
fn a_contextual_bandit_loses_through_the_service_what_it_loses_in_the_simulator() {
    let world = World::open("exponential", &WorldOptions::default()).unwrap();
    let epsilon = Epsilon::new(8.0).unwrap();
    let mut experiment =
        lab_contextual::Experiment::new("ldp-contextual".parse().unwrap(), world.clone(), Some(epsilon));
    (experiment.users, experiment.batch, experiment.seed) = (PEOPLE, BATCH, SEED);
    let spec = Spec::new(world.arms(), Encoding::unit(world.dims()).unwrap(), epsilon).unwrap();
    let behind = Behind::new(spec.clone().into(), None);
    let plan = Arc::new(Plan::new(&spec, Policy::decode(&behind.policy()).unwrap()).unwrap());
    let noise = SimSeed(SEED).stream(0, Stream::Noise);
    let device = contextual::Device::simulated(&spec, Epsilon::MAX, noise);
    let served = Box::new(Contextual { behind, device, spec, plan });
    let runs = [
        lab_contextual::Run::start(&experiment, 0).unwrap(),
        lab_contextual::Run::with_player(&experiment, 0, served),
    ];
    let [simulated, served] = runs.map(|mut run| {
        assert!(run.complete(&experiment, &|_| true).unwrap());
        run.finish(0)
    });
    assert_eq!(simulated.regret, served.regret, "to the last bit");
    assert_eq!(simulated.pulls, served.pulls);
    assert!(served.regret.last().unwrap() > &0.0);
}
