//! The dial's price: how many people other allocations need for the same power, and how many of them are on
//! the worse arm.

use reticent_curate::trial::TrialSpec;
use serde::Serialize;

use super::{Design, Question, search};
use crate::runner::LabError;
use crate::trial::{World, WorldError};
use reticent_jobs::Progress;

/// One allocation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turn {
    /// In words.
    pub title: String,
    /// From 0, even randomisation, to 1, welfare alone.
    pub alpha: f64,
    /// People assigned evenly at the start, as a share of all, if that is fixed.
    pub first: Option<f64>,
    /// People needed; none if more than were tried.
    pub people: Option<u64>,
    /// People on an arm that is not the best for their stratum, with so many people.
    pub on_worse_arms: Option<f64>,
}

/// No allocation is tried with more people than so many times those of the plan.
const MOST: u64 = 12;
/// A rough search is enough: a part of the trials.
const PART: u32 = 4;
/// Alphas, and the share of people who are assigned evenly first; none leaves it to the schedule.
const TURNS: [(f64, Option<f64>); 5] = [(0.0, None), (0.1, None), (0.2, None), (0.3, None), (1.0, Some(0.5))];

pub(super) fn turn(
    question: &Question,
    people: u64,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<Turn>, LabError> {
    let rough = Question {
        trials: (question.trials / PART).max(100).min(question.trials),
        most: question.most.min(people * MOST),
        ..question.clone()
    };
    TURNS.into_iter().map(|(alpha, first)| one(&rough, alpha, first, threads, progress)).collect()
}

fn one(
    question: &Question,
    alpha: f64,
    first: Option<f64>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Turn, LabError> {
    let ask = |people: u64| {
        let asked = Question { world: turned(&question.world, alpha, first, people)?, ..question.clone() };
        asked.ask(Design::Planned, people, threads, progress)
    };
    let (people, tried) = search(question, &ask)?;
    let at = tried.iter().find(|point| Some(point.people) == people);
    let title = match first {
        Some(share) => format!("even for {} % of people, then the better arm", 100.0 * share),
        None if alpha == 0.0 => "even, one table".into(),
        None => format!("alpha {alpha}"),
    };
    Ok(Turn { title, alpha, first, people, on_worse_arms: at.map(|point| point.on_worse_arms) })
}

fn turned(world: &World, alpha: f64, first: Option<f64>, people: u64) -> Result<World, WorldError> {
    let mut plan = world.spec.draft().clone();
    (plan.alpha, plan.people) = (alpha, people);
    plan.first_epoch = first.map(|share| (libm::round(share * people as f64) as u64).max(1));
    if first.is_some() {
        plan.growth = 1.0;
    }
    Ok(World { spec: TrialSpec::new(plan)?, ..world.clone() })
}
