//! Any baseline, as runs need it.

use super::{Answer, Channel, RawThompson, Ucb};

/// An agent to compare with.
#[derive(Debug)]
pub enum AnyBaseline {
    /// One that plays the largest index.
    Ucb(Ucb),
    /// One that draws.
    Thompson(Box<RawThompson>),
}

impl AnyBaseline {
    /// The arm of the next person.
    #[inline]
    pub fn choose(&mut self) -> u32 {
        match self {
            AnyBaseline::Ucb(agent) => agent.choose(),
            AnyBaseline::Thompson(agent) => agent.choose(),
        }
    }

    /// Learns from one answer, of an arm and a channel that are this agent's.
    #[inline]
    pub fn absorb(&mut self, arm: u32, answer: Answer) {
        match self {
            AnyBaseline::Ucb(agent) => agent.absorb(arm, answer),
            AnyBaseline::Thompson(agent) => agent.absorb(arm, answer),
        }
    }

    /// How many arms there are.
    pub fn arms(&self) -> u32 {
        match self {
            AnyBaseline::Ucb(agent) => agent.arms(),
            AnyBaseline::Thompson(agent) => agent.arms(),
        }
    }

    /// How rewards reach this agent.
    pub fn channel(&self) -> Channel {
        match self {
            AnyBaseline::Ucb(agent) => agent.channel(),
            AnyBaseline::Thompson(_) => Channel::Open,
        }
    }
}
