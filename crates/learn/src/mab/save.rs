//! An agent as a document: saved, loaded and continued is the same as never stopped, bit for bit.
//!
//! The document holds counts, the stage, and the state of the agent's own generator; whatever follows from
//! them is rebuilt. Reading it goes through the same checks as building, and refuses what no run can have
//! produced.

use reticent_privacy::SimRng;
use reticent_protocol::mab::{Spec, Squash};
use reticent_store::{DocumentError, Form};
use serde::{Deserialize, Serialize};

use super::agent_kind::{AgentKind, AnyAgent, Engine};
use super::arm::Arm;
use super::guard::Guard;
use super::memory::{Memory, Rest};
use super::thompson::Floor;
use super::unbounded::Search;
use super::{Agent, KlUcb, Thompson, TopTwo, Unbounded};

/// Version 1 stored no document of the experiment and no number of policies, version 2 not what was asked, version 3
/// counts alone.
const FORM: Form = Form { format: "reticent-mab-agent", version: 4, called: "saved agent" };
/// 2^53: counts stay exact as floats, and far from overflow.
const MAX_ANSWERS: u64 = 1 << 53;

/// Owned when read, borrowed when written, so that saving copies nothing and generators stay unclonable.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Text, Of, Arms, Found, Rng, Asked, More> {
    format: Text,
    version: u32,
    kind: AgentKind,
    #[serde(alias = "spec")]
    experiment: Of,
    /// How many policies there were.
    #[serde(default)]
    policies: u64,
    /// What was asked of people.
    #[serde(default = "nothing")]
    guard: Option<Asked>,
    /// What is kept beside counts.
    #[serde(default = "nothing")]
    memory: Option<More>,
    state: State<Arms, Found, Rng>,
}

/// What an earlier version says of what was asked.
fn nothing<T>() -> Option<T> {
    None
}

/// One form per implementation.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum State<Arms, Found, Rng> {
    Index {
        arms: Arms,
    },
    Thompson {
        squash: Squash,
        stage: u32,
        arms: Arms,
        rng: Rng,
        floor: Floor,
        /// Where an unbounded agent still looks for the rewards.
        search: Option<Found>,
    },
}

type Read = Document<String, Spec, Vec<Arm>, Search, SimRng, Guard, Rest>;

/// The agent could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the agent cannot be saved: {0}")]
pub struct SaveError(#[from] serde_json::Error);

/// The agent as JSON.
pub fn save(agent: &AnyAgent) -> Result<String, SaveError> {
    let (memory, state) = match &agent.engine {
        Engine::KlUcb(agent) => (&agent.memory, State::Index { arms: &agent.memory.arms }),
        Engine::Thompson(agent) | Engine::TopTwo(TopTwo { agent }) => {
            (&agent.memory, thompson_state(agent, None))
        }
        Engine::Unbounded(Unbounded { agent, search }) => {
            (&agent.memory, thompson_state(agent, search.as_ref()))
        }
    };
    let Form { format, version, .. } = FORM;
    let (kind, experiment, guard) = (agent.kind, agent.spec(), Some(&agent.guard));
    let (policies, memory) = (memory.policies, Some(&memory.rest));
    let document = Document { format, version, kind, experiment, policies, guard, memory, state };
    Ok(serde_json::to_string(&document)?)
}

fn thompson_state<'a>(
    agent: &'a Thompson,
    search: Option<&'a Search>,
) -> State<&'a Vec<Arm>, &'a Search, &'a SimRng> {
    let (squash, stage) = agent.question();
    State::Thompson { squash, stage, arms: &agent.memory.arms, rng: &agent.rng, floor: agent.floor(), search }
}

/// The agent that [`save`] wrote.
pub fn load(text: &str) -> Result<AnyAgent, DocumentError> {
    let Read { kind, experiment: spec, policies, guard, memory: rest, state, .. } =
        FORM.read_since(1, text)?;
    FORM.ensure(policies <= MAX_ANSWERS, "it has made more policies than there can be people")?;
    let guard = guard.unwrap_or_else(|| Guard::after(spec.arms(), policies));
    FORM.ensure(guard.is_possible(&spec, policies), "what it asked contradicts its policies")?;
    let engine = match state {
        State::Index { arms } => {
            let memory = checked(arms, policies, rest, &spec)?;
            (kind == AgentKind::LdpKlUcb).then(|| Engine::KlUcb(KlUcb::resume(spec, memory)))
        }
        State::Thompson { squash, stage, arms, rng, floor, search } => {
            FORM.ensure(floor.is_possible(arms.len()), "its floor is out of range")?;
            let found = search.as_ref().is_none_or(|s| s.is_possible() && s.epsilon() == spec.epsilon());
            FORM.ensure(found, "its search is out of range")?;
            let memory = checked(arms, policies, rest, &spec)?;
            let plain = search.is_none() && (squash, stage) == (Squash::over(spec.reward()), 0);
            let agent = Thompson::resume(spec, (squash, stage), memory, rng, floor);
            match kind {
                AgentKind::LdpThompson if plain => Some(Engine::Thompson(agent)),
                AgentKind::LdpTopTwo if plain => Some(Engine::TopTwo(TopTwo { agent })),
                AgentKind::LdpThompsonUnbounded => Some(Engine::Unbounded(Unbounded { search, agent })),
                _ => None,
            }
        }
    };
    let engine = engine.ok_or_else(|| FORM.impossible("its state is another agent's"))?;
    Ok(AnyAgent { kind, engine, guard })
}

fn checked(arms: Vec<Arm>, policies: u64, rest: Option<Rest>, spec: &Spec) -> Result<Memory, DocumentError> {
    FORM.ensure(arms.len() == spec.arms() as usize, "it has counts for another number of arms")?;
    // Room to go on counting for any number of people.
    let total = arms.iter().try_fold(0_u64, |total, arm| total.checked_add(arm.pulls));
    let few = total.is_some_and(|total| total <= MAX_ANSWERS);
    FORM.ensure(few, "it has counted more answers than there can be people")?;
    let sound = rest.as_ref().is_none_or(|rest| rest.is_possible(&arms, policies));
    FORM.ensure(sound, "what it remembers contradicts its counts")?;
    Ok(Memory::resume(arms, policies, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use reticent_privacy::{Epsilon, SimSeed, Stream};
    use reticent_protocol::{Answer, Report};

    /// Feeds an agent answers that depend on the policy and the round alone.
    fn play(agent: &mut AnyAgent, rounds: std::ops::Range<u64>) -> Vec<u32> {
        rounds
            .map(|round| {
                let policy = agent.policy(1);
                let arm = policy.arms.last_arm();
                let mut rng = SimSeed(9).stream(round, Stream::Environment);
                let reward = 0.3 * f64::from(arm) + rng.normal();
                let x = policy.squash.apply(reward).clamp(0.0, 1.0);
                let answer = Answer::Bit { arm, bit: rng.uniform() < x };
                let (experiment, question) = (policy.experiment.prefix(), policy.question);
                let report = Report { experiment, policy: policy.version, source: None, question, answer };
                agent.absorb(&report).unwrap();
                arm
            })
            .collect()
    }

    fn agent(kind: AgentKind) -> AnyAgent {
        let epsilon = Epsilon::new(4.0).unwrap();
        kind.build(4, epsilon, SimSeed(2).stream(0, Stream::Agent)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn saved_loaded_and_continued_is_never_stopped(kind in 0..AgentKind::ALL.len(), stop in 0_u64..4_000) {
            let kind = AgentKind::ALL[kind];
            let mut straight = agent(kind);
            let before = play(&mut straight, 0..stop);
            let mut stopped = agent(kind);
            prop_assert_eq!(play(&mut stopped, 0..stop), before);
            let text = save(&stopped).unwrap();
            let mut loaded = load(&text).unwrap();
            prop_assert_eq!(save(&loaded).unwrap(), text);
            prop_assert_eq!(play(&mut loaded, stop..5_000), play(&mut straight, stop..5_000));
            prop_assert_eq!(save(&loaded).unwrap(), save(&straight).unwrap());
        }

        /// Damage that is still JSON is refused, or gives an agent that works.
        #[test]
        fn no_damage_panics(kind in 0..AgentKind::ALL.len(), at in 0.0_f64..1.0, with in "[0-9eE.,:\\-\\[\\]{}a-f\"]{1,4}", rounds in 0_u64..3_000) {
            let mut agent = agent(AgentKind::ALL[kind]);
            play(&mut agent, 0..rounds);
            let mut text = save(&agent).unwrap();
            let at = (at * text.len() as f64) as usize;
            text.replace_range(at..(at + with.len()).min(text.len()), &with);
            if let Ok(mut agent) = load(&text) {
                play(&mut agent, 0..50);
            }
        }

        #[test]
        fn every_cut_is_refused(kind in 0..AgentKind::ALL.len(), cut in 0.0_f64..1.0) {
            let mut agent = agent(AgentKind::ALL[kind]);
            play(&mut agent, 0..300);
            let text = save(&agent).unwrap();
            prop_assert!(load(&text[..(cut * text.len() as f64) as usize]).is_err());
        }
    }

    /// What version 1 wrote must be read for ever, and what version 4 writes.
    #[test]
    fn golden_documents() {
        let old = r#"{"format":"reticent-mab-agent","version":1,"kind":"ldp-kl-ucb","spec":{"arms":2,"channel":{"bernoulli":{"epsilon":1.0}}},"state":{"index":{"arms":[{"pulls":3,"sum":2,"carry":0},{"pulls":1,"sum":0,"carry":0}]}}}"#;
        let text = save(&load(old).unwrap()).unwrap();
        assert_eq!(text, NEW);
        assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
        let broken = |from: &str, to: &str| load(&old.replace(from, to)).unwrap_err().to_string();
        assert!(broken("version\":1", "version\":5").contains("version 5"));
        assert!(broken("reticent-mab-agent", "other").contains("not a saved agent"));
        assert!(broken("\"sum\":2", "\"sum\":4").contains("no answers give"));
        assert!(broken("\"arms\":2", "\"arms\":3").contains("another number of arms"));
        assert!(broken("ldp-kl-ucb", "ldp-thompson").contains("another agent's"));
        assert!(broken("bernoulli", "laplace").contains("cannot be read"));
        assert!(broken("ldp-kl-ucb", "ldp-ucb-b").contains("unknown variant"));
    }

    const NEW: &str = r#"{"format":"reticent-mab-agent","version":4,"kind":"ldp-kl-ucb","experiment":{"format":"reticent-experiment","version":2,"name":"bandit","epsilon":"1","unit":"one report: the reward of one person at one visit (the arm is chosen by the server and public)","report_window_days":7,"problem":{"kind":"bandit","arms":["0","1"],"reward":{"low":"0","high":"1"},"agent":{}}},"policies":0,"guard":{"unknown_before":1,"first":1,"policies":[],"arms":[{"answered":0,"assigned":0.0,"share":[0.0,0.0,0.0,0.0],"piled":false,"bits":[0,0]},{"answered":0,"assigned":0.0,"share":[0.0,0.0,0.0,0.0],"piled":false,"bits":[0,0]}],"strays":0},"memory":{"flight":{"first":0,"arms":[]},"balance":{"least":0,"share":0.0,"total":4},"histories":[{"blocks":[],"open":[0,0]},{"blocks":[],"open":[0,0]}],"found":{"arm":null,"next":0},"changes":0,"before":[0,0]},"state":{"index":{"arms":[{"pulls":3,"sum":2,"carry":0},{"pulls":1,"sum":0,"carry":0}]}}}"#;
}
