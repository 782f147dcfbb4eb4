//! A large epsilon protects next to nobody: wherever one is given, that is said.

use std::collections::BTreeSet;

use clap::ArgMatches;
use reticent_privacy::Epsilon;

use crate::stream;

/// Above this, a guess of one in a hundred can become all but certain.
const LARGE: f64 = 10.0;

/// Every epsilon of a call, of whatever option and command.
pub(crate) fn of_call(matches: &ArgMatches) {
    let mut all = BTreeSet::new();
    let mut matches = Some(matches);
    while let Some(level) = matches {
        for id in level.ids() {
            if let Ok(Some(given)) = level.try_get_many::<Epsilon>(id.as_str()) {
                all.extend(given.copied());
            }
        }
        matches = level.subcommand().map(|(_, deeper)| deeper);
    }
    all.into_iter().for_each(about);
}

/// An epsilon that a file declares.
pub(crate) fn about(epsilon: Epsilon) {
    if epsilon.value() > LARGE {
        stream::warn(format_args!(
            "epsilon {epsilon} is large: the odds of a guess about one person may grow e^{epsilon} times, which protects next to nobody (docs/epsilon.md)"
        ));
    }
}
