//! A baseline as a document, of the same form as the agents that ship.

use reticent_protocol::mab::MAX_ARMS;
use reticent_store::{DocumentError, Form};
use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::{Baseline, Channel, Ucb};

const FORM: Form = Form { format: "reticent-mab-agent", version: 1, called: "saved agent" };
/// 2^53: counts stay exact as floats, and far from overflow.
const MAX_ANSWERS: u64 = 1 << 53;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Text, Arms> {
    format: Text,
    version: u32,
    kind: Baseline,
    spec: Spec,
    state: State<Arms>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    arms: u32,
    channel: Channel,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum State<Arms> {
    Index { arms: Arms },
}

/// The agent as JSON.
pub fn save(kind: Baseline, agent: &Ucb) -> Result<String, serde_json::Error> {
    let Form { format, version, .. } = FORM;
    let spec = Spec { arms: agent.arms(), channel: agent.channel() };
    serde_json::to_string(&Document {
        format,
        version,
        kind,
        spec,
        state: State::Index { arms: &agent.arms },
    })
}

/// The agent that [`save`] wrote.
pub fn load(text: &str) -> Result<(Baseline, Ucb), DocumentError> {
    let document: Document<String, Vec<Arm>> = FORM.read(text)?;
    let (kind, channel, State::Index { arms }) = (document.kind, document.spec.channel, document.state);
    FORM.ensure(kind.channel(channel.epsilon()) == Ok(channel), "its channel is another agent's")?;
    let count = document.spec.arms;
    FORM.ensure((1..=MAX_ARMS).contains(&count), "it has no arms, or too many")?;
    FORM.ensure(arms.len() == count as usize, "it has counts for another number of arms")?;
    FORM.ensure(arms.iter().all(|arm| arm.is_possible(channel)), "an arm has counts that no answers give")?;
    // Room to go on counting for any number of people.
    let total = arms.iter().try_fold(0_u64, |total, arm| total.checked_add(arm.pulls));
    let few = total.is_some_and(|total| total <= MAX_ANSWERS);
    FORM.ensure(few, "it has counted more answers than there can be people")?;
    Ok((kind, Ucb::resume(arms, channel)))
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
