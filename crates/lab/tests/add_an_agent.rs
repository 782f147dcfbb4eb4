//! Follows `docs/development.md`, "Add an agent": an agent of one's own, outside the project, is run through the
//! device, repeated and kept, stopped and continued, drawn and audited like any other.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use reticent_audit::{Audit, Claim, Observation, Verdict};
use reticent_chart::page::Page;
use reticent_jobs::Silent;
use reticent_lab::catalogue::{Effort, Subject, audit_agent};
use reticent_lab::contextual;
use reticent_lab::mab::reproduce::{Figure, Line, add};
use reticent_lab::mab::{
    AgentName, Environment, Experiment, Playable, Player, Run, Seat, Start, Trial, load, save,
};
use reticent_lab::named::Named;
use reticent_lab::reproduce::Options;
use reticent_lab::runner::{LabError, Repeated, Store, run_all};
use reticent_learn::mab::{AbsorbError, Agent, ArmEstimate};
use reticent_privacy::{Epsilon, Generator, Guarantee, SimRng, SimSeed, Stream};
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};
use reticent_protocol::{Answer, Report};

/// All arms in turn for a while, then the best of them for ever.
#[derive(Debug)]
struct ExploreFirst {
    spec: Spec,
    explore: u64,
    answers: u64,
    ones: Vec<u64>,
}

impl ExploreFirst {
    fn new(spec: Spec, explore: u64) -> ExploreFirst {
        let ones = vec![0; spec.arms() as usize];
        ExploreFirst { spec, explore, answers: 0, ones }
    }
}

impl Agent for ExploreFirst {
    fn policy(&mut self, _people: u64) -> Policy {
        let best = (0..self.ones.len()).max_by_key(|&arm| self.ones[arm]).unwrap_or(0) as u32;
        let arm =
            if self.answers < self.explore { (self.answers % self.ones.len() as u64) as u32 } else { best };
        let (experiment, version) = (self.spec.digest(), self.answers);
        Policy { experiment, version, question: 0, squash: Squash::CLIP, arms: Lottery::one(arm) }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let Answer::Bit { arm, bit } = report.answer else { return Err(AbsorbError::OtherAnswer) };
        let arms = self.ones.len() as u32;
        let ones = self.ones.get_mut(arm as usize).ok_or(AbsorbError::UnknownArm { arm, arms })?;
        // Equal pulls while exploring: ones alone rank the arms.
        if self.answers < self.explore {
            *ones += u64::from(bit);
        }
        self.answers += 1;
        Ok(())
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        Vec::new()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

/// What experiments make players of.
#[derive(Debug)]
struct ExploreFirstAgents;

const EXPLORE: u64 = 40_000;

/// All that the agent knows, as text.
fn form(agent: &ExploreFirst) -> Result<String, reticent_lab::mab::PlayerError> {
    Ok(serde_json::to_string(&(agent.spec.epsilon(), agent.answers, &agent.ones))?)
}

impl Playable for ExploreFirstAgents {
    fn name(&self) -> String {
        "explore-first".into()
    }

    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
        AgentName::DEFAULT.guarantee(epsilon.unwrap_or(Epsilon::MAX)).map_err(LabError::Player)
    }

    fn player(&self, start: Start) -> Result<Box<dyn Player>, LabError> {
        let spec = Spec::new(start.arms, start.epsilon.unwrap_or(Epsilon::MAX));
        let agent = ExploreFirst::new(spec.map_err(|error| LabError::Player(error.into()))?, EXPLORE);
        Ok(Box::new(Seat::new(agent, start.noise).in_batches(start.batch).saved_by(form)))
    }

    fn load(&self, text: &str, noise: SimRng) -> Result<Option<Box<dyn Player>>, LabError> {
        let wrong = |error: Box<dyn std::error::Error + Send + Sync>| LabError::Player(error);
        let (epsilon, answers, ones): (Epsilon, u64, Vec<u64>) =
            serde_json::from_str(text).map_err(|error| wrong(error.into()))?;
        let spec = Spec::new(ones.len() as u32, epsilon).map_err(|error| wrong(error.into()))?;
        let agent = ExploreFirst { spec, explore: EXPLORE, answers, ones };
        Ok(Some(Box::new(Seat::new(agent, noise).saved_by(form))))
    }
}

fn epsilon() -> Epsilon {
    Epsilon::new(2.0).unwrap()
}

fn experiment(users: u64, trials: u32) -> Experiment {
    let env = Environment::open("mab-bernoulli").unwrap();
    let agent = Arc::new(ExploreFirstAgents);
    Experiment { agent, env, epsilon: Some(epsilon()), users, batch: 1, trials, seed: 1, forgers: None }
}

#[test]
fn an_agent_of_ones_own_learns_through_the_device() {
    let env = Environment::open("mab-bernoulli").unwrap();
    let agent = ExploreFirst::new(Spec::new(env.arms(), epsilon()).unwrap(), EXPLORE);
    assert_eq!(agent.guarantee().to_string(), "2-DP, local model");

    let player = Seat::new(agent, SimSeed(1).stream(0, Stream::Noise));
    let mut run = Run::new(&env, Box::new(player), SimSeed(1).stream(0, Stream::Environment));
    run.advance(&env, 49_000).unwrap();
    let explored = run.regret();
    run.advance(&env, 50_000).unwrap();
    // 2000 bits an arm: the best is 0.076 ahead on the bits, with a deviation of the difference of 0.013. Being wrong
    // against any of five close rivals has probability below 5 * P(z > 5.9) = 1e-8.
    assert_eq!(run.regret(), explored, "only the best arm is played after exploring");
}

#[test]
fn its_trials_are_kept_and_a_saved_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(45_000, 3);
    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    let whole = run_all(&experiment, 2, &mut store, &Silent).unwrap();
    drop(store);
    let kept: Store<Trial> = Store::open(folder.path(), &experiment.key()).unwrap();
    assert_eq!(kept.first(3), whole, "what was kept is what was run");

    let path = folder.path().join("run.json");
    let half = Experiment { users: 20_000, ..experiment.clone() };
    let mut stopped = Run::start(&half, 0).unwrap();
    stopped.advance(&half.env, 20_000).unwrap();
    save(&path, &half, &stopped).unwrap();
    let mut continued = load(&path, &experiment).unwrap();
    assert!(continued.complete(&experiment, |_| true).unwrap());
    assert_eq!(continued.regret(), whole[0].regret(), "stopped and continued is never stopped");
    assert_eq!(experiment.run(1, &|_| true).unwrap().unwrap(), whole[1]);
}

#[test]
fn it_stands_in_a_figure_beside_ours() {
    let folder = tempfile::tempdir().unwrap();
    let own: Arc<dyn Playable> = Arc::new(ExploreFirstAgents);
    let figure = Figure {
        id: "explore-first",
        title: "Explore first",
        caption: "An agent of one's own",
        env: "mab-bernoulli",
        users: 5_000,
        trials: 2,
        lines: vec![Line::new(own, Some(epsilon())), Line::new(AgentName::DEFAULT, Some(epsilon()))],
        bounds: Vec::new(),
    };
    let options = Options {
        out: folder.path().to_path_buf(),
        keep_trials: true,
        threads: 1,
        seed: 1,
        quick: false,
        data: None,
    };
    let mut page = Page::new("Mine", "and theirs", "seeded");
    add(&mut page, &[figure], &options, &Silent).unwrap();
    let page = page.finish("");
    assert!(page.contains("explore-first ε = 2") && page.contains("ldp-thompson ε = 2"));
    let csv = std::fs::read_to_string(folder.path().join("explore-first.csv")).unwrap();
    assert!(csv.contains("explore-first,explore-first,mab-bernoulli,2,2,1,5000,"), "{csv}");
}

fn effort() -> Effort {
    Effort { samples: 20_000, threads: 1, seed: Some(SimSeed(3)) }
}

#[test]
fn it_is_audited_as_ours_are_and_so_is_a_mechanism_of_ones_own() {
    let explore = |spec: Spec, _: SimRng| ExploreFirst::new(spec, 2);
    let finding = audit_agent("explore-first", epsilon(), &effort(), explore).unwrap();
    assert_eq!(finding.verdict, Verdict::Passes);
    assert!(finding.measured > 1.0, "the first bit alone shows most of the loss: {}", finding.measured);

    let coin = |keep: u64| {
        Audit::new("coin", Claim::pure(epsilon()))
            .labelled([("no", false), ("yes", true)])
            .samples(effort().samples)
            .run_seeded(SimSeed(3), move |input, rng| Coin { keep }.observe(input, rng))
    };
    assert_eq!(coin(88).unwrap().verdict, Verdict::Passes, "e^2 / (1 + e^2) is 0.8808");
    assert_eq!(coin(93).unwrap().verdict, Verdict::Leaks, "the auditor can see");
}

/// Tells the truth in so many of a hundred cases.
struct Coin {
    keep: u64,
}

impl Subject for Coin {
    type Input = bool;
    fn observe<G: Generator>(&self, input: &bool, rng: &mut G) -> Observation {
        let hundred = std::num::NonZeroU64::new(100).unwrap();
        let keep = reticent_privacy::exact::uniform_below(hundred, rng) < self.keep;
        Observation::from(vec![f64::from(u8::from(*input == keep))])
    }
}

/// Gives everybody an arm by lot, and learns nothing.
#[derive(Debug)]
struct ByLot(SimRng);

impl contextual::Player for ByLot {
    fn aid(&mut self, _: u32, _: &contextual::env::Record) -> Result<(), reticent_lab::mab::PlayerError> {
        Ok(())
    }

    fn serve(
        &mut self,
        person: &contextual::env::Person<'_>,
        world: &mut SimRng,
    ) -> Result<(u32, f64), reticent_lab::mab::PlayerError> {
        let arm = u32::from(self.0.uniform() < 0.5);
        Ok((arm, person.reward(arm, world)))
    }
}

#[derive(Debug)]
struct ByLotAgents;

impl contextual::Playable for ByLotAgents {
    fn name(&self) -> String {
        "by-lot".into()
    }

    fn guarantee(&self, _: Option<Epsilon>) -> Result<Guarantee, LabError> {
        Ok(Guarantee::none("nothing is asked of anybody"))
    }

    fn player(
        &self,
        _: &contextual::Experiment,
        _: SimRng,
        choices: SimRng,
    ) -> Result<Box<dyn contextual::Player>, LabError> {
        Ok(Box::new(ByLot(choices)))
    }
}

#[test]
fn a_contextual_agent_of_ones_own_is_repeated_kept_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let world = contextual::env::World::open("symmetric", &contextual::env::WorldOptions::default()).unwrap();
    let mut experiment = contextual::Experiment::new(contextual::AgentName::DEFAULT, world, None);
    experiment.own = Some(Arc::new(ByLotAgents));
    (experiment.users, experiment.trials) = (2_000, 4);
    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    let whole = run_all(&experiment, 2, &mut store, &Silent).unwrap();
    drop(store);
    let kept: Store<contextual::Trial> = Store::open(folder.path(), &experiment.key()).unwrap();
    assert_eq!(kept.first(4), whole);
    let outcome = contextual::Outcome::new(&experiment, &whole, 4, 1.0).unwrap();
    assert_eq!(outcome.agent, "by-lot");
    // Half of 8000 people: five deviations are 0.028.
    let best = outcome.best_arm.as_ref().unwrap();
    let on_best = whole.iter().map(|trial| *trial.on_best.last().unwrap() as f64).sum::<f64>() / 8_000.0;
    assert!((on_best - 0.5).abs() < 0.028 && best.people_until_goal.is_none(), "{on_best}");
    let lines = [(contextual::label(&experiment), &outcome)];
    let chart = contextual::regret_chart("By lot", String::new(), &lines, 1).svg();
    assert!(chart.contains("by-lot, not private"));
}
