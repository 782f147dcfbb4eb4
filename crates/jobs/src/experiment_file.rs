//! The public document of an experiment in a file: TOML as people write it, or JSON.

use reticent_curate::kernel::KernelSpec;
use reticent_curate::trial::TrialSpec;
use reticent_learn::mab::AgentKind;
use reticent_privacy::Epsilon;
use reticent_protocol::{contextual, mab, pricing};
use reticent_schema::Experiment;
use reticent_schema::experiment::{Draft, Problem};

use crate::plan_text::{PlanFault, PlanText, json_fault, quoted};

/// What is said of a plan that names its experiment itself.
pub(crate) const NOT_BY_HAND: &str =
    "`experiment` is the digest of a public document and follows from it: give the document, or leave it out";

/// The experiment in this text; none if the text is something else, such as a plan of version 1. What is wrong
/// is said without quoting the text, unless it is a plan: a log that is taken for one must not be shown.
pub fn experiment(text: &str) -> Option<Result<Experiment, String>> {
    let text = text.trim_start_matches('\u{feff}');
    let draft = if text.trim_start().starts_with('{') { of_json(text) } else { of_toml(text)? };
    Some(
        draft
            .map_err(|fault| fault.to_string())
            .and_then(|draft| Experiment::new(draft).map_err(|error| error.to_string())),
    )
}

/// Sections that say how a table shows people: no part of the experiment.
const ABOUT_TABLES: [&str; 2] = ["table", "replay"];

fn of_json(text: &str) -> Result<Draft, PlanFault> {
    let mut whole: serde_json::Value = serde_json::from_str(text).map_err(|error| json_fault(&error))?;
    let has_problem = whole.get("problem").is_some_and(serde_json::Value::is_object);
    let sections = whole.as_object_mut().map_or(0, |sections| {
        ABOUT_TABLES.iter().filter(|section| sections.remove(**section).is_some()).count()
    });
    // The text itself, if it can be: a value no longer knows that a key stood twice.
    let read = if sections == 0 { serde_json::from_str(text) } else { serde_json::from_value(whole) };
    // The library's words quote what they do not know: of a document with a problem, and of nothing else.
    read.map_err(|error| if has_problem { quoted(&error) } else { json_fault(&error) })
}

fn of_toml(text: &str) -> Option<Result<Draft, PlanFault>> {
    let mut plan = match PlanText::parse(text) {
        Ok(plan) if plan.has("problem") => plan,
        Err(fault) if text.lines().any(|line| line.trim().starts_with("[problem")) => {
            return Some(Err(fault));
        }
        _ => return None,
    };
    for section in ABOUT_TABLES {
        if let Err(fault) = plan.take::<toml::Value>(section) {
            return Some(Err(fault));
        }
    }
    Some(plan.rest())
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
        let json = r#"{"name": "page", "epsilon": "1", "problem": {"kind": "bandit", "legs": ["a", "b"]}}"#;
        let wrong = experiment(json).unwrap().unwrap_err();
        assert!(wrong.contains("legs") && wrong.starts_with("line 1"), "{wrong}");
    }
}
