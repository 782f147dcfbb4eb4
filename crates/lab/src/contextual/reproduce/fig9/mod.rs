//! Figure 9: what the behaviour policy, the shift and the order of sources do.

mod order;
mod quality;

use super::{Bench, Measured, Panel, Section, note};
use crate::contextual::AgentName;
use crate::reproduce::ReproduceError;

const WORLD: &str = "exponential-code";
const TRIALS: u32 = 20;
/// In each of the two sources; the text does not say.
const SOURCE_PEOPLE: u64 = 5000;
const AGENTS: [AgentName; 2] = [AgentName::LdpContextual, AgentName::LdpAbseTuned];

const CAPTION: [&str; 2] = [
    "Two sources, world exponential-code. The text does not say how large they are: 5,000 people each is our choice. (a) by κ, the evenness \
     of the sources' arms, with γ = 0.2; (b) by γ, with κ = 1; both with 40,000 people and ε = 2. The dashed line is ldp-contextual without sources.",
    "(c) Two sources with ε_m = 2 and ε_m = 8 (γ = 0, κ = 1), in either order. The paper's agent removes arms after each source, so that a noisy one \
     may remove the best arm before a better one has spoken. ldp-contextual adds all reports to one posterior: the order changes \
     the draws of the noise and nothing else, so that what difference there is, is chance.",
];

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Figure 9: the quality and the order of sources",
        captions: CAPTION.iter().map(ToString::to_string).collect(),
        ..Section::default()
    };
    quality::add(bench, &mut section)?;
    order::add(bench, &mut section)?;
    Ok(section)
}
