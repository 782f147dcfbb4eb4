//! Many trials in one world: how often intervals hold, how long they are, and what the people pay.

mod summary;

use reticent_curate::trial::{
    Analysis, Assignment, Effect, Interval, Release, Stratum, Trial, TrialError, Verdict, analyse,
};
use reticent_privacy::{SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

pub use summary::{Accuracy, Method, MethodSummary, Share, Simulated};

use super::conditions::Arrival;
use super::{World, WorldError};
use crate::runner::{LabError, Numbered, Repeated, Size, Store, run_all};
use reticent_jobs::Progress;

/// What one trial published, and the truth beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialOutcome {
    /// Its number, from 0.
    pub trial: u32,
    /// Everything that anybody may see.
    pub release: Release,
    /// What that says.
    pub analysis: Analysis,
    /// Outcome lost in all against the arm that is best for each stratum, in expectation.
    pub regret: f64,
    /// People of each stratum on an arm that is not the best for it.
    pub on_worse_arm: Vec<u64>,
    /// True effects, in the order of the analysis's; for everyone, over the people who came.
    pub effects: Vec<f64>,
    /// People of each stratum and arm.
    pub counts: Vec<Vec<u64>>,
    /// For each effect, whether the confidence sequence held at every look: after each table and at the end.
    pub held: Vec<bool>,
    /// At every look, for each effect: what the interval to decide by is, and what it settles.
    #[serde(default)]
    pub looks: Vec<Vec<Decided>>,
}

/// An effect at a look.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// People enrolled by then.
    pub people: u64,
    /// The interval to decide by.
    pub interval: Interval,
    /// What it settles.
    pub verdict: Verdict,
}

/// A world and how often to run it.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The world.
    pub world: World,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// People enrolled between two looks at whether to go on.
const SLICE: u64 = 2_000;

/// One trial, to its end.
pub fn one(world: &World, seed: u64, trial: u32) -> Result<TrialOutcome, LabError> {
    let go_on = |_: u64| true;
    let done = enrol(world, seed, trial, &go_on)?;
    done.ok_or(LabError::Interrupted { finished: 0, trials: 1 })
}

/// All trials, on several threads.
pub fn many(
    simulation: &Simulation,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<TrialOutcome>, LabError> {
    run_all(simulation, threads, &mut Store::in_memory(), progress)
}

fn enrol(
    world: &World,
    seed: u64,
    trial: u32,
    go_on: &dyn Fn(u64) -> bool,
) -> Result<Option<TrialOutcome>, LabError> {
    let stream = |purpose| SimSeed(seed).stream(u64::from(trial), purpose);
    let mut people = stream(Stream::Environment);
    let mut run = Trial::with_noise(world.spec.clone(), stream(Stream::Noise));
    let mut counts = vec![vec![0_u64; world.spec.arms()]; world.spec.strata()];
    let mut looks = Looks::new(world);
    let mut waiting = Waiting::default();
    let planned = world.spec.draft().people;
    let refused = |error: TrialError| LabError::from(WorldError::from(error));
    for person in 0..planned {
        let number = world.arrivals.sample(person, &mut people);
        let come = world.arrivals.features();
        let stratum = Stratum::new(&world.spec, number)
            .ok_or(WorldError::Strata { planned: world.spec.strata(), come })?;
        let tables = run.release().tables().len();
        let assignment = run.assign(stratum).map_err(refused)?;
        if run.release().tables().len() > tables {
            looks.look(run.release(), &analyse(run.release()), &true_effects(world, &counts));
        }
        let time = person as f64 / planned as f64;
        let outcome = world.outcome_at(number, assignment.arm, time, &mut people);
        waiting.send(world, (person, assignment), outcome, &mut people);
        waiting.deliver(person, &mut run).map_err(refused)?;
        counts[number][assignment.arm] += 1;
        let served = person + 1;
        if served.is_multiple_of(SLICE) && !go_on(SLICE) && served < planned {
            return Ok(None);
        }
    }
    go_on(planned % SLICE);
    waiting.deliver(u64::MAX, &mut run).map_err(refused)?;
    run.stop().map_err(refused)?;
    Ok(Some(TrialOutcome::new(world, trial, run.release().clone(), counts, looks)))
}

/// Outcomes on their way: when they are due, whose they are, and what they are.
#[derive(Default)]
struct Waiting(Vec<(u64, u64, f64)>);

impl Waiting {
    fn send(&mut self, world: &World, (now, who): (u64, Assignment), outcome: f64, rng: &mut SimRng) {
        let range = &world.spec.draft().outcome;
        let (is_high, last) =
            (outcome > f64::midpoint(range.low, range.high), who.arm + 1 == world.spec.arms());
        match world.conditions.arrival(who.arm, last, is_high, rng) {
            Arrival::AtOnce => self.0.push((now, who.number, outcome)),
            Arrival::After(enrolments) => self.0.push((now.saturating_add(enrolments), who.number, outcome)),
            Arrival::Never => {}
        }
    }

    fn deliver(&mut self, now: u64, run: &mut Trial<SimRng>) -> Result<(), TrialError> {
        for (_, number, outcome) in self.0.extract_if(.., |(due, ..)| *due <= now) {
            run.record(number, outcome)?;
        }
        Ok(())
    }
}

impl TrialOutcome {
    fn new(
        world: &World,
        trial: u32,
        release: Release,
        counts: Vec<Vec<u64>>,
        mut looks: Looks,
    ) -> TrialOutcome {
        let (analysis, effects) = (analyse(&release), true_effects(world, &counts));
        looks.look(&release, &analysis, &effects);
        let Looks { held, looks } = looks;
        let lost = |stratum: usize| -> f64 {
            let arms = counts[stratum].iter().enumerate();
            arms.map(|(arm, &people)| people as f64 * world.gap(stratum, arm)).sum()
        };
        let worse = |stratum: usize| -> u64 {
            let arms = counts[stratum].iter().enumerate();
            arms.filter(|(arm, _)| world.gap(stratum, *arm) > 0.0).map(|(_, people)| people).sum()
        };
        let strata = 0..world.spec.strata();
        TrialOutcome {
            trial,
            analysis,
            release,
            regret: strata.clone().map(lost).sum(),
            on_worse_arm: strata.map(worse).collect(),
            effects,
            counts,
            held,
            looks,
        }
    }
}

/// What somebody saw who looked after every table.
struct Looks {
    held: Vec<bool>,
    looks: Vec<Vec<Decided>>,
}

impl Looks {
    fn new(world: &World) -> Looks {
        let effects = (world.spec.arms() - 1) * (world.spec.strata() + 1);
        Looks { held: vec![true; effects], looks: Vec::new() }
    }

    /// Somebody looks. The truth for everyone is about the people who came so far.
    fn look(&mut self, release: &Release, analysis: &Analysis, truths: &[f64]) {
        for ((held, effect), truth) in self.held.iter_mut().zip(&analysis.effects).zip(truths) {
            *held &= (effect.anytime.low..=effect.anytime.high).contains(truth);
        }
        let decided = |effect: &Effect| Decided {
            people: release.enrolled(),
            interval: effect.deciding(),
            verdict: effect.verdict(release.spec()),
        };
        self.looks.push(analysis.effects.iter().map(decided).collect());
    }
}

/// For each arm but the control, everyone first and then each stratum: as an analysis has them.
fn true_effects(world: &World, counts: &[Vec<u64>]) -> Vec<f64> {
    let came: Vec<f64> = counts.iter().map(|arms| arms.iter().sum::<u64>() as f64).collect();
    let all: f64 = came.iter().sum();
    let of_arm = |arm: usize| {
        let effects: Vec<f64> = (0..counts.len()).map(|stratum| world.true_effect(stratum, arm)).collect();
        let everyone = effects.iter().zip(&came).map(|(effect, people)| effect * people / all).sum();
        std::iter::once(everyone).chain(effects)
    };
    (1..world.spec.arms()).flat_map(of_arm).collect()
}

impl Repeated for Simulation {
    type Trial = TrialOutcome;

    fn check(&self) -> Result<(), LabError> {
        self.size().check()?;
        self.world.arrivals.check()?;
        Ok(self.world.check()?)
    }

    fn size(&self) -> Size {
        Size { people: self.world.spec.draft().people, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<TrialOutcome>, LabError> {
        enrol(&self.world, self.seed, trial, go_on)
    }
}

impl Numbered for TrialOutcome {
    fn number(&self) -> u32 {
        self.trial
    }
}

#[cfg(test)]
mod tests;
