//! The auditor audited: on mechanisms whose loss is exactly their claim it must not cry leak more often than
//! it says, and this check must see auditors that do.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::bound::{Seen as Counted, Terms};
use super::draw::Phase;
use super::*;
use crate::testing::{LEVEL, seed};
use reticent_privacy::mechanism::{Mechanism, RandomisedResponse};
use reticent_privacy::{Epsilon, exact};

const AUDITS: u64 = 300;
const BETA: f64 = 0.05;
const RUNS: usize = 1000;
const MANY: usize = 20 * RUNS;
const INDICES: u64 = 256;

/// The p-value of "false alarms have probability at most beta".
fn consistent_p(alarms: u64) -> f64 {
    let law = Binomial::new(BETA, AUDITS).unwrap();
    if alarms == 0 { 1.0 } else { law.sf(alarms - 1) }
}

fn alarms(audit_leaks: impl Fn(SimSeed) -> bool) -> u64 {
    (0..AUDITS).filter(|&trial| audit_leaks(SimSeed(seed().0.wrapping_add(trial)))).count() as u64
}

fn epsilon() -> Epsilon {
    Epsilon::new(2.0).unwrap()
}

fn audit() -> Audit<bool> {
    Audit::new("exactly as claimed", Claim::pure(epsilon()))
        .samples(RUNS)
        .beta(BETA)
        .neighbours([false, true])
}

/// An index that says nothing and a randomised bit: many events have exactly the claimed loss.
fn release() -> impl Fn(&bool, &mut SimRng) -> (u64, bool) + Sync {
    let (indices, response) = (INDICES.try_into().unwrap(), RandomisedResponse::new(epsilon()));
    move |&bit, rng| (exact::uniform_below(indices, rng), response.release_with(bit, rng))
}

#[test]
fn false_alarms_are_as_rare_as_stated() {
    let simple = alarms(|seed| {
        let response = RandomisedResponse::new(epsilon());
        !audit().run_seeded(seed, |&bit, rng| response.release_with(bit, rng)).unwrap().passes()
    });
    assert!(consistent_p(simple) > LEVEL, "{simple} false alarms in {AUDITS}");
    let many = alarms(|seed| !audit().run_seeded(seed, release()).unwrap().passes());
    assert!(consistent_p(many) > LEVEL, "{many} false alarms in {AUDITS}");
}

/// A runner whose training runs of both inputs can be looked at.
fn with_runs<R>(seed: SimSeed, look: impl FnOnce(&dyn Runs) -> R) -> R {
    let audit = audit();
    let make = |stream| Ok(seed.stream(stream, Stream::Noise));
    look(&draw::runner(&audit.inputs, release(), make, 1))
}

#[test]
fn an_estimate_in_place_of_limits_would_be_seen() {
    let wrong = alarms(|seed| {
        with_runs(seed, |runs| {
            let terms = Terms { level: BETA / 2.0, delta: 0.0 };
            let lead = worst::find(runs, &[(0, 1)], RUNS, terms).unwrap();
            let event = lead.event.unwrap();
            let frequency = |input| runs.count(&event, input, 0..RUNS).unwrap() as f64;
            libm::log(frequency(lead.pair.0) / frequency(lead.pair.1)) > epsilon().value()
        })
    });
    assert!(consistent_p(wrong) < LEVEL, "{wrong} alarms in {AUDITS}");
}

#[test]
fn a_test_on_the_runs_that_chose_the_event_would_be_seen() {
    let wrong = alarms(|seed| {
        with_runs(seed, |runs| {
            let terms = Terms { level: BETA / 2.0, delta: 0.0 };
            let mut hits = [[0; INDICES as usize]; 2];
            for (input, hits) in hits.iter_mut().enumerate() {
                let sample = runs.sample(Phase::Training, input, MANY).unwrap();
                sample.rows().iter().filter(|row| row[1] == 1.0).for_each(|row| hits[row[0] as usize] += 1);
            }
            let seen = |hits| Counted { hits, runs: MANY as u64 };
            hits[1].iter().zip(hits[0]).any(|(&p, q)| terms.bound(seen(p), seen(q)) > epsilon().value())
        })
    });
    assert!(consistent_p(wrong) < LEVEL, "{wrong} alarms in {AUDITS}");
}
