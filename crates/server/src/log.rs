//! What the service says while it runs: lines of JSON, without any report, key or address.
//!
//! A line has only what is put into it by name here and where it is said; there is no logger that libraries can reach.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::clock::SharedClock;

/// Where lines go.
#[derive(Clone)]
pub struct Log {
    write: Arc<dyn Fn(&str) + Send + Sync>,
    clock: SharedClock,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

/// One line.
#[derive(Debug)]
pub struct Said {
    level: &'static str,
    event: &'static str,
    fields: Map<String, Value>,
}

impl Said {
    /// Something that happens all the time.
    pub fn note(event: &'static str) -> Said {
        Said { level: "info", event, fields: Map::new() }
    }

    /// Something that somebody should look at.
    pub fn warning(event: &'static str) -> Said {
        Said { level: "warning", ..Said::note(event) }
    }

    /// With a field. Nothing that a client sent belongs here but names of routes and experiments.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Said {
        self.fields.insert(name.into(), value.to_string().into());
        self
    }

    /// With a number.
    #[must_use]
    pub fn count(mut self, name: &'static str, value: u64) -> Said {
        self.fields.insert(name.into(), value.into());
        self
    }
}

impl Log {
    /// Lines go to this function.
    pub fn new(clock: SharedClock, write: impl Fn(&str) + Send + Sync + 'static) -> Log {
        Log { write: Arc::new(write), clock }
    }

    /// Nobody listens.
    pub fn silent() -> Log {
        Log::new(SharedClock::default(), |_| {})
    }

    /// Says a line.
    pub fn say(&self, Said { level, event, fields }: Said) {
        let mut line = Map::new();
        line.insert("at".into(), self.clock.now().to_string().into());
        line.insert("level".into(), level.into());
        line.insert("event".into(), event.into());
        line.extend(fields);
        (self.write)(&Value::Object(line).to_string());
    }
}
