//! What an experiment's check refuses.

use reticent_privacy::TrustModel;

use super::*;
use crate::named::Named;

fn error(experiment: &Experiment) -> ContextualError {
    match experiment.check() {
        Err(LabError::Contextual(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_refusal_has_its_reason() {
    for agent in AgentName::ALL.iter().copied().filter(|agent| agent.needs_epsilon()) {
        let without = Experiment { epsilon: None, ..few(agent, 100, 1) };
        assert!(matches!(error(&without), ContextualError::NeedsEpsilon(kind) if kind == agent));
    }
    for agent in AgentName::ALL.iter().copied().filter(|agent| !agent.uses_sources()) {
        let aided = with_sources(few(agent, 100, 1), &["people=10,epsilon=1"]);
        assert!(matches!(error(&aided), ContextualError::NoSources(kind) if kind == agent));
    }
    let transfer = experiment(AgentName::LdpAbseTransfer, 1.0, 100, 1);
    assert!(matches!(error(&transfer), ContextualError::NeedsSources(AgentName::LdpAbseTransfer)));
    for agent in AgentName::ALL.iter().copied().filter(|&agent| agent != AgentName::LdpContextual) {
        let forgetful = Experiment { half_life: Some(1000), ..few(agent, 100, 1) };
        assert!(matches!(error(&forgetful), ContextualError::NoForgetting(kind) if kind == agent));
    }
    let short = Experiment { half_life: Some(1), ..few(AgentName::LdpContextual, 100, 1) };
    assert!(matches!(error(&short), ContextualError::Build(_)));
    let many = vec!["people=10,epsilon=1"; 33];
    let crowded = with_sources(few(AgentName::LdpContextual, 100, 1), &many);
    assert!(matches!(error(&crowded), ContextualError::Spec(_)));
}

#[test]
fn impossible_sizes_are_refused() {
    for (users, trials) in [(0, 1), (1, 0)] {
        let experiment = few(AgentName::LdpContextual, users, trials);
        assert!(matches!(experiment.check(), Err(LabError::Size { .. })));
    }
}

#[test]
fn what_can_be_run_is_not_refused() {
    for &agent in AgentName::ALL {
        few(agent, 100, 1).check().unwrap();
        if agent.uses_sources() {
            with_sources(few(agent, 100, 1), &["people=10,epsilon=1"; 2]).check().unwrap();
        }
    }
    Experiment { epsilon: None, ..few(AgentName::Abse, 100, 1) }.check().unwrap();
}

#[test]
fn names_are_found_and_others_are_not() {
    for &agent in AgentName::ALL {
        assert_eq!(agent.name().parse::<AgentName>().unwrap(), agent);
        let promise = agent.guarantee(loss(1.0)).unwrap();
        assert_eq!(promise.trust_model == TrustModel::NoPrivacy, !agent.is_private());
        assert!(!agent.summary().is_empty());
    }
    assert!("ldp-contextua".parse::<AgentName>().unwrap_err().to_string().contains("reticent list"));
}
