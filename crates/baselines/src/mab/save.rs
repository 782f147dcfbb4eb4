//! A baseline as a document, of the same form as the agents that ship.

use std::error::Error;

use reticent_learn::mab::{self as learn, Agent, AgentKind};
use reticent_privacy::SimRng;
use reticent_protocol::mab::MAX_ARMS;
use reticent_store::{DocumentError, Form};
use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::{AnyBaseline, Baseline, Channel, RawThompson, Ucb};

const FORM: Form = Form { format: "reticent-mab-agent", version: 1, called: "saved agent" };
/// 2^53: counts stay exact as floats, and far from overflow.
const MAX_ANSWERS: u64 = 1 << 53;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Text, Arms, Coins> {
    format: Text,
    version: u32,
    kind: Baseline,
    spec: Spec,
    state: State<Arms, Coins>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    arms: u32,
    channel: Channel,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum State<Arms, Coins> {
    Index {
        arms: Arms,
    },
    /// The agent's own document, whole, and the coins that round its rewards.
    Thompson {
        agent: String,
        coins: Coins,
    },
}

/// The agent as JSON.
pub fn save(kind: Baseline, agent: &AnyBaseline) -> Result<String, Box<dyn Error + Send + Sync>> {
    let Form { format, version, .. } = FORM;
    let spec = Spec { arms: agent.arms(), channel: agent.channel() };
    let state = match agent {
        AnyBaseline::Ucb(agent) => State::Index { arms: &agent.arms },
        AnyBaseline::Thompson(agent) => {
            State::Thompson { agent: learn::save(&agent.agent)?, coins: &agent.coins }
        }
    };
    Ok(serde_json::to_string(&Document { format, version, kind, spec, state })?)
}

/// The agent that [`save`] wrote.
pub fn load(text: &str) -> Result<(Baseline, AnyBaseline), DocumentError> {
    let document: Document<String, Vec<Arm>, SimRng> = FORM.read(text)?;
    let (kind, channel) = (document.kind, document.spec.channel);
    FORM.ensure(kind.channel(channel.epsilon()) == Ok(channel), "its channel is another agent's")?;
    let count = document.spec.arms;
    FORM.ensure((1..=MAX_ARMS).contains(&count), "it has no arms, or too many")?;
    let is_thompson = kind == Baseline::Thompson;
    let arms = match document.state {
        State::Index { arms } if !is_thompson => arms,
        State::Thompson { agent, coins } if is_thompson => {
            let agent = learn::load(&agent)?;
            let fits = agent.kind() == AgentKind::LdpThompson && agent.spec().arms() == count;
            FORM.ensure(fits, "it holds another agent")?;
            return Ok((kind, AnyBaseline::Thompson(Box::new(RawThompson::resume(agent, coins)))));
        }
        _ => return Err(FORM.impossible("its state is another agent's")),
    };
    FORM.ensure(arms.len() == count as usize, "it has counts for another number of arms")?;
    FORM.ensure(arms.iter().all(|arm| arm.is_possible(channel)), "an arm has counts that no answers give")?;
    // Room to go on counting for any number of people.
    let total = arms.iter().try_fold(0_u64, |total, arm| total.checked_add(arm.pulls));
    let few = total.is_some_and(|total| total <= MAX_ANSWERS);
    FORM.ensure(few, "it has counted more answers than there can be people")?;
    Ok((kind, AnyBaseline::Ucb(Ucb::resume(arms, channel, kind.index()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What version 1 wrote must be read for ever.
    #[test]
    fn golden_document() {
        let text = r#"{"format":"reticent-mab-agent","version":1,"kind":"ldp-ucb-b","spec":{"arms":2,"channel":{"bernoulli":{"epsilon":1.0}}},"state":{"index":{"arms":[{"pulls":3,"sum":2,"carry":0},{"pulls":1,"sum":0,"carry":0}]}}}"#;
        let (kind, agent) = load(text).unwrap();
        assert_eq!(save(kind, &agent).unwrap(), text);
        let broken = |from: &str, to: &str| load(&text.replace(from, to)).unwrap_err().to_string();
        assert!(broken("version\":1", "version\":2").contains("version 2"));
        assert!(broken("reticent-mab-agent", "other").contains("not a saved agent"));
        assert!(broken("\"sum\":2", "\"sum\":4").contains("no answers give"));
        assert!(broken("\"arms\":2", "\"arms\":3").contains("another number of arms"));
        assert!(broken("ldp-ucb-b", "ldp-ucb-l").contains("channel"));
        assert!(broken("ldp-ucb-b", "ldp-ucb-x").contains("unknown variant"));
    }
}
