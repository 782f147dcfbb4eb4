//! A table from elsewhere, whose arms are spread over strata as they are.

use reticent_privacy::{SimSeed, Stream as Purpose};

use super::{LEVEL, at_most};
use crate::trial::{Draft, Effect, Finished, Outcome, Release, Stratum, TrialSpec, analyse};

/// People of a table: with this share on the treatment in each stratum, and these means.
struct Uneven<'a> {
    plan: Draft,
    strata: &'a [f64],
    treated: &'a [f64],
    means: &'a [[f64; 2]],
    /// From the lowest number of a stratum to the highest.
    vary: &'a [f64],
}

impl Uneven<'_> {
    fn effects(&self, seed: u64) -> Vec<Effect> {
        let declared = TrialSpec::new(self.plan.clone()).unwrap();
        let mut world = SimSeed(seed).stream(0, Purpose::Environment);
        let mut person = || {
            let mut place = world.uniform();
            let found = self.strata.iter().position(|share| {
                place -= share;
                place < 0.0
            });
            let stratum = found.unwrap_or(self.strata.len() - 1);
            let arm = usize::from(world.uniform() < self.treated[stratum]);
            let mean = self.means[stratum][arm];
            let outcome = if self.plan.outcome.binary {
                f64::from(u8::from(world.uniform() < mean))
            } else {
                mean + self.vary[stratum] * (world.uniform() - 0.5)
            };
            Finished { stratum: Stratum::new(&declared, stratum).unwrap(), arm, outcome: Some(outcome) }
        };
        let people: Vec<Finished> = (0..self.plan.people).map(|_| person()).collect();
        let on = |arm: usize| people.iter().filter(|person| person.arm == arm).count() as u64;
        let spec = declared.finished(&[on(0), on(1)]).unwrap();
        let mut noise = SimSeed(seed).stream(0, Purpose::Noise);
        analyse(&Release::of_finished(spec, people, &mut noise).unwrap()).effects
    }

    /// How many intervals of so many tables hold, in each stratum.
    fn hits(&self, tables: u64) -> Vec<u64> {
        let mut hits = vec![0; self.strata.len()];
        for seed in 0..tables {
            for effect in self.effects(8000 + seed) {
                let Some(stratum) = effect.stratum else { continue };
                let truth = self.means[stratum][1] - self.means[stratum][0];
                let one = effect.planned.unwrap().augmented;
                hits[stratum] += u64::from(one.low <= truth && truth <= one.high);
            }
        }
        hits
    }
}

fn plan(binary: bool, strata: usize) -> Draft {
    Draft {
        outcome: Outcome { binary, ..Outcome::number("y", 0.0, 1.0) },
        ..Draft::simple("uneven", 900, 1.0).with_levels("group", strata)
    }
}

/// By shares of arms over all, effects of strata held in 42 % of bootstraps of a table as this, some with the
/// other sign. Fewer hits than a coverage of 93 % has once in a million times would be a fault.
#[test]
fn arms_may_be_spread_unevenly_over_strata() {
    let tables = 300;
    for binary in [false, true] {
        for public_strata in [false, true] {
            let plan = Draft { public_strata, ..plan(binary, 2) };
            let (strata, treated) = (&[0.3, 0.7], &[0.65, 0.35]);
            let uneven =
                Uneven { plan, strata, treated, means: &[[0.2, 0.3], [0.25, 0.25]], vary: &[0.3; 2] };
            let hits = uneven.hits(tables);
            let fine = |&hits: &u64| at_most(hits, tables, 0.93) > LEVEL;
            assert!(hits.iter().all(fine), "{binary} {public_strata} {hits:?}");
        }
    }
    assert!(at_most(tables * 80 / 100, tables, 0.93) < LEVEL, "the test has power");
}

/// Declared shares by stratum take the place of counts, and make everyone's effect one within strata: a plain
/// difference would find one where there is none.
#[test]
fn a_design_by_stratum_is_followed() {
    let tables = 200;
    let observed = Some(vec![0.2, 0.8, 0.8, 0.2]);
    let (strata, treated, means) = (&[0.5, 0.5], &[0.8, 0.2], &[[0.7, 0.7], [0.3, 0.3]]);
    let holds = |observed: Option<Vec<f64>>| {
        let uneven =
            Uneven { plan: Draft { observed, ..plan(false, 2) }, strata, treated, means, vary: &[0.3; 2] };
        let everyone = |seed: u64| uneven.effects(9000 + seed).remove(0).planned.unwrap().augmented;
        let all = (0..tables).filter(|&seed| {
            let one = everyone(seed);
            one.low <= 0.0 && 0.0 <= one.high
        });
        (all.count() as u64, uneven.hits(tables))
    };
    let (everyone, strata) = holds(observed);
    assert!(at_most(everyone, tables, 0.93) > LEVEL, "{everyone}");
    assert!(strata.iter().all(|&hits| at_most(hits, tables, 0.93) > LEVEL), "{strata:?}");
    assert!(holds(None).0 < tables / 10, "the plain difference is another number");
}

/// Public strata have variances of their own: a tenth of people who vary ten times as much as the others. By
/// everyone's variance their interval held in 81 % of tables.
#[test]
fn public_strata_have_variances_of_their_own() {
    let tables = 300;
    let (strata, treated) = (&[0.9, 0.1], &[0.5, 0.5]);
    let plan = Draft { public_strata: true, people: 2000, ..plan(true, 2) };
    let uneven = Uneven { plan, strata, treated, means: &[[0.02, 0.02], [0.5, 0.5]], vary: &[0.0; 2] };
    let hits = uneven.hits(tables);
    assert!(hits.iter().all(|&hits| at_most(hits, tables, 0.93) > LEVEL), "{hits:?}");
}

/// Hidden strata too, by what is in the middle of the range: a tenth of people who vary ten times as much as the
/// others. By everyone's variance their interval held in 56 % of tables.
#[test]
fn hidden_strata_have_variances_of_their_own() {
    let tables = 300;
    let (strata, treated) = (&[0.9, 0.1], &[0.5, 0.5]);
    for people in [1000, 5000] {
        let plan = Draft { people, ..plan(false, 2) };
        let uneven = Uneven { plan, strata, treated, means: &[[0.5, 0.5], [0.5, 0.5]], vary: &[0.1, 1.0] };
        let hits = uneven.hits(tables);
        assert!(hits.iter().all(|&hits| at_most(hits, tables, 0.93) > LEVEL), "{hits:?}");
    }
}
