//! Who writes a trial's file, and by which clock. Both stay in the file, which is the curator's own: when an
//! outcome came is a person's data, and nothing of it may enter a release.

use std::fmt;
use std::str::FromStr;

use reticent_store::{Clock, Moment, SystemClock};
use serde::{Deserialize, Serialize};

/// Who took a step, as they call themselves: a name, a role, a ward. It is never guessed from the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Actor(String);

/// A text that cannot name who took a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an actor's name must have 1 to {LONGEST} bytes, and no line breaks or other control characters")]
pub struct NoActor;

const LONGEST: usize = 100;

impl Actor {
    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Whether a text can stand in one line that people read.
pub(super) fn is_plain(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.len()) && !text.chars().any(char::is_control)
}

impl FromStr for Actor {
    type Err = NoActor;

    fn from_str(text: &str) -> Result<Actor, NoActor> {
        if is_plain(text, LONGEST) { Ok(Actor(text.into())) } else { Err(NoActor) }
    }
}

impl TryFrom<String> for Actor {
    type Error = NoActor;

    fn try_from(text: String) -> Result<Actor, NoActor> {
        text.parse()
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> String {
        actor.0
    }
}

/// The name is a person's, and stays out of logs.
impl fmt::Debug for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Actor(..)")
    }
}

/// Who takes the next steps, and the clock that tells when.
pub struct Author {
    actor: Option<Actor>,
    clock: Box<dyn Clock>,
}

impl Default for Author {
    /// Nobody who is named, by the system's clock.
    fn default() -> Author {
        Author { actor: None, clock: Box::new(SystemClock) }
    }
}

impl fmt::Debug for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Author").field("named", &self.actor.is_some()).finish_non_exhaustive()
    }
}

impl Author {
    /// Somebody who is named, or nobody, by the system's clock.
    pub fn new(actor: Option<Actor>) -> Author {
        Author { actor, ..Author::default() }
    }

    /// The same by another clock: for tests.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> Author {
        Author { clock: Box::new(clock), ..self }
    }

    /// When and who.
    pub(super) fn sign(&self) -> (Moment, Option<Actor>) {
        (self.clock.now(), self.actor.clone())
    }
}
