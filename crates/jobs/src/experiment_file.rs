//! The public document of an experiment in a file: TOML as people write it, or JSON.

use reticent_curate::kernel::KernelSpec;
use reticent_curate::trial::TrialSpec;
use reticent_learn::mab::AgentKind;
use reticent_privacy::Epsilon;
use reticent_protocol::{contextual, mab, pricing};
use reticent_schema::Experiment;
use reticent_schema::experiment::{Draft, Problem};

/// What is said of a plan that names its experiment itself.
pub(crate) const NOT_BY_HAND: &str =
    "`experiment` is the digest of a public document and follows from it: give the document, or leave it out";

/// The experiment in this text; none if the text is something else, such as a plan of version 1. What is wrong
/// is said without quoting the text: a log that is taken for a plan must not be shown.
pub fn experiment(text: &str) -> Option<Result<Experiment, String>> {
    let text = text.trim_start_matches('\u{feff}');
    let draft: Draft = if text.trim_start().starts_with('{') {
        match serde_json::from_str(text) {
            Ok(draft) => draft,
            Err(error) => return Some(Err(format!("line {}: not an experiment in JSON", error.line()))),
        }
    } else {
        let mut table =
            toml::from_str::<toml::Table>(text).ok().filter(|table| table.contains_key("problem"))?;
        // How a table shows a trial's people is no part of the experiment.
        let read = if table.remove("replay").is_some() { table.try_into() } else { toml::from_str(text) };
        match read {
            Ok(draft) => draft,
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
                return Some(Err(format!("line {line}: {}", error.message())));
            }
        }
    };
    Some(Experiment::new(draft).map_err(|error| error.to_string()))
}

/// The loss that the experiment in this text declares, if it is one.
pub fn declared_epsilon(text: &str) -> Option<Epsilon> {
    Some(experiment(text)?.ok()?.epsilon())
}

/// The experiment with its problem's own checks made, and what those choose written out.
pub fn complete(experiment: Experiment) -> Result<Experiment, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    match experiment.problem() {
        Problem::Bandit(bandit) => {
            let known = AgentKind::ALL.map(AgentKind::name);
            agent_is_known(bandit.agent.name.as_deref(), &known)?;
            mab::Spec::of(experiment).map(Into::into).map_err(|e| text(&e))
        }
        Problem::Contextual(problem) => {
            agent_is_known(problem.agent.name.as_deref(), &["ldp-contextual"])?;
            contextual::Spec::of(experiment.draft()).map(Into::into).map_err(|e| text(&e))
        }
        Problem::Pricing(_) => {
            pricing::Spec::of(experiment.draft()).map(|spec| spec.experiment().clone()).map_err(|e| text(&e))
        }
        Problem::Trial(_) => TrialSpec::of(&experiment).map(|_| experiment).map_err(|e| text(&e)),
        Problem::Tuning(_) => KernelSpec::of(&experiment).map(|_| experiment).map_err(|e| text(&e)),
        _ => Err("the experiment is of a kind that this version does not know".into()),
    }
}

fn agent_is_known(name: Option<&str>, known: &[&str]) -> Result<(), String> {
    match name {
        Some(name) if !known.contains(&name) => {
            Err(format!("no agent of this problem has that name; choose {}", known.join(", ")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "name = \"page\"\nepsilon = 1\n[problem]\nkind = \"bandit\"\narms = [\"a\", \"b\"]\n";

    #[test]
    fn toml_and_json_are_the_same_experiment() {
        let toml = experiment(TOML).unwrap().unwrap();
        let json = experiment(&toml.to_json().unwrap()).unwrap().unwrap();
        assert_eq!(toml.digest(), json.digest());
        assert!(experiment("name = \"an old plan\"").is_none());
        assert!(experiment("a,b\n1,2\n").is_none());
        let wrong = experiment(&TOML.replace("arms", "legs")).unwrap().unwrap_err();
        assert!(wrong.starts_with("line ") && wrong.contains("legs"), "{wrong}");
        let secret = experiment("{\"person\": \"Ada\"}").unwrap().unwrap_err();
        assert!(!secret.contains("Ada"));
    }
}
