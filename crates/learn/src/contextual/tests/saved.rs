//! Saved, loaded and continued is never stopped.

use super::*;
use proptest::prelude::*;
use reticent_store::DocumentError;

fn truth() -> Truth {
    Truth { masses: vec![0.1, 0.2, 0.3, 0.4], good: vec![vec![0.9, 0.7, 0.3, 0.1], vec![0.5; 4]] }
}

/// A small agent whose sources have reported.
pub(super) fn small(epsilon: f64, sources: usize, half_life: Option<u64>) -> Contextual {
    let sources = (0..sources).map(|i| source(&format!("source {i}"), 2.0, 60, &[0.4, 0.6])).collect();
    let mut agent = agent(spec(&[4], 2, epsilon, sources), half_life, 1);
    for number in 0..agent.spec().sources().len() {
        hear(&mut agent, number, &truth(), &mut rng(number as u64));
    }
    agent
}

/// Serves people with a stream that depends on their number alone.
pub(super) fn people(agent: &mut Contextual, from: u64, to: u64) {
    for person in from..to {
        serve(agent, &truth(), 1, &mut rng(1000 + person));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn continued_is_never_stopped(
        stop in 0_u64..400,
        sources in 0_usize..3,
        half_life in proptest::option::of(40_u64..500),
        epsilon in prop_oneof![Just(1.0), Just(3.0)],
        early in any::<bool>(),
    ) {
        let mut straight = small(epsilon, sources, half_life);
        let mut stopped = small(epsilon, sources, half_life);
        if early {
            straight.refresh();
            stopped.refresh();
        }
        people(&mut straight, 0, 450);
        people(&mut stopped, 0, stop);
        let text = save(&stopped).unwrap();
        let mut continued = load(&text).unwrap();
        prop_assert_eq!(save(&continued).unwrap(), text);
        people(&mut continued, stop, 450);
        prop_assert_eq!(save(&continued).unwrap(), save(&straight).unwrap());
        prop_assert_eq!(continued.insight(), straight.insight());
    }
}

/// Written by version 1 of the format, with a source and three policies; it must be read for ever.
const GOLDEN: &str = include_str!("agent-v1.json");

#[test]
fn the_first_format_is_read_for_ever() {
    let mut agent = load(GOLDEN).unwrap();
    let saved = save(&agent).unwrap();
    assert_eq!(save(&load(&saved).unwrap()).unwrap(), saved);
    assert!(saved.contains("\"version\":2,\"experiment\":{\"format\":\"reticent-experiment\""));
    assert_eq!((agent.people(), agent.plan().policy().version), (50, 2));
    assert_eq!(agent.spec().sources()[0].name, "source 0");
    assert_eq!(agent.insight().sources[0].reports, 60.0);
    let old = agent.open[0].plan.clone();
    agent.absorb(&truth().person(&old, &mut rng(5)).2).unwrap();
    people(&mut agent, 50, 400);
    assert_eq!(agent.people(), 401);
}

#[test]
fn other_documents_are_named() {
    let error = |from: &str, to: &str| {
        assert!(GOLDEN.contains(from));
        load(&GOLDEN.replacen(from, to, 1)).unwrap_err()
    };
    assert!(
        matches!(error("reticent-contextual-agent", "x"), DocumentError::Format { found, .. } if found == "x")
    );
    assert!(matches!(error("\"version\":1", "\"version\":3"), DocumentError::Version { found: 3, .. }));
    assert!(matches!(error("\"people\":50", "\"people\":50,\"x\":1"), DocumentError::Syntax { .. }));
    assert!(matches!(error("\"half_life\":null", "\"half_life\":39"), DocumentError::Impossible { .. }));
}

#[test]
fn a_half_life_shorter_than_a_policy_is_refused() {
    let options = Options { half_life: Some(39) };
    let built = Contextual::new(spec(&[4], 2, 1.0, vec![]), options, rng(0));
    assert!(matches!(built, Err(BuildError::HalfLife)));
}
