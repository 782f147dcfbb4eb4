//! How many people a plan needs: power by simulation, at sizes of a public grid.

mod dial;
mod search;

use reticent_curate::trial::{Better, Effect, TrialSpec};
use reticent_privacy::{Guarantee, Provenance};
use serde::Serialize;

pub use dial::Turn;
pub use search::{fit, grid, search};

use super::simulate::{Share, Simulated, Simulation, TrialOutcome, many};
use super::{Arrivals, World, WorldError};
use crate::reproduce::mark;
use crate::runner::LabError;
use reticent_chart::plot::{Axis, Chart, Series};
use reticent_jobs::Progress;

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The world that the trial is planned for; its number of people does not matter.
    pub world: World,
    /// The wanted power.
    pub power: f64,
    /// Whether each stratum must have it, or only everyone together.
    pub every_stratum: bool,
    /// The arm need not be better: it must not be worse by this or more, in units of the outcome.
    pub margin: Option<f64>,
    /// No more people than this can be had.
    pub most: u64,
    /// Trials at each size.
    pub trials: u32,
    /// The seed: the same people come at each size and to each design.
    pub seed: u64,
}

/// The plan itself, or what one would like to compare it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// As planned.
    Planned,
    /// The same without privacy.
    NotPrivate,
    /// Even randomisation to the end, with the plan's privacy.
    Even,
    /// Even randomisation without privacy: the classical trial.
    Classical,
}

/// What a design does at one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The design.
    pub design: Design,
    /// People.
    pub people: u64,
    /// Share of trials whose interval for the last arm excludes zero, or being worse by the margin; with
    /// `every_stratum`, in the stratum that has the least. Of several arms, intervals that hold together.
    pub power: Share,
    /// The same, made to rise with the number of people.
    pub fitted: f64,
    /// People on an arm that is not the best for their stratum, mean over trials.
    pub on_worse_arms: f64,
    /// Half the length of the interval for everyone, mean over trials.
    pub half_width: f64,
    /// The same for strata, the longest.
    pub half_width_of_strata: f64,
}

/// What `trial plan --json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct Planned {
    /// People needed; none if more than may be had.
    pub people: Option<u64>,
    /// The wanted power.
    pub power: f64,
    /// Whether each stratum must have it.
    pub every_stratum: bool,
    /// Trials at each size.
    pub trials: u32,
    /// The seed.
    pub seed: u64,
    /// What the trial promises each person.
    pub guarantee: Guarantee,
    /// Where the noise came from: here always a seed.
    pub provenance: Provenance,
    /// All designs at that size, or at the largest: fresh trials, since those that chose the size look better
    /// than they are.
    pub designs: Vec<Point>,
    /// What the dial costs: other allocations, each with the people that it needs for the same power.
    pub dial: Vec<Turn>,
    /// The sizes that were tried.
    pub tried: Vec<Point>,
    /// The same sizes without privacy, if they were asked for.
    pub tried_without_privacy: Vec<Point>,
    /// The plan for so many people.
    pub spec: TrialSpec,
}

impl Design {
    /// All of them.
    pub const ALL: [Design; 4] = [Design::Planned, Design::NotPrivate, Design::Even, Design::Classical];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Design::Planned => "as planned",
            Design::NotPrivate => "without privacy",
            Design::Even => "even randomisation (alpha 0)",
            Design::Classical => "even, without privacy",
        }
    }

    /// The world as this design meets it, with so many people.
    pub fn world(self, world: &World, people: u64) -> Result<World, WorldError> {
        let mut plan = world.spec.draft().clone();
        plan.people = people;
        if matches!(self, Design::NotPrivate | Design::Classical) {
            (plan.private, plan.epsilon) = (false, None);
        }
        if matches!(self, Design::Even | Design::Classical) {
            plan.alpha = 0.0;
        }
        let mut world = World { spec: TrialSpec::new(plan)?, ..world.clone() };
        if let Arrivals::Blocks { people: all, .. } = &mut world.arrivals {
            *all = people;
        }
        Ok(world)
    }
}

impl Question {
    /// One design at one size.
    pub fn ask(
        &self,
        design: Design,
        people: u64,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Point, LabError> {
        let world = design.world(&self.world, people)?;
        let simulation = Simulation { world, trials: self.trials, seed: self.seed };
        progress.begin(&format!("{people} people, {}", design.title()));
        let trials = many(&simulation, threads, progress)?;
        let simulated = Simulated::new(&simulation, &trials)?;
        let none = LabError::Interrupted { finished: 0, trials: self.trials };
        let intervals = simulated.planned().ok_or(none)?;
        let power = self.power_in(&trials);
        let longest = |all: &[super::simulate::Accuracy]| {
            all.iter().map(|one| one.width.mean / 2.0).fold(0.0, f64::max)
        };
        Ok(Point {
            design,
            people,
            power,
            fitted: power.share,
            on_worse_arms: simulated.on_worse_arms.mean,
            half_width: longest(&intervals.everyone),
            half_width_of_strata: longest(&intervals.strata),
        })
    }
}

impl Question {
    /// The share of trials that show what the last arm is asked to show.
    fn power_in(&self, trials: &[TrialOutcome]) -> Share {
        let spec = &self.world.spec;
        let last = spec.arms() - 1;
        let shows = |effect: &Effect| {
            let several = last > 1;
            let planned = effect.planned.map(|all| all.augmented);
            let Some(interval) = planned.map(|one| if several { effect.simultaneous } else { one }) else {
                return false;
            };
            match (self.margin, spec.better()) {
                (None, _) => interval.low > 0.0 || interval.high < 0.0,
                (Some(margin), Better::Higher) => interval.low > -margin,
                (Some(margin), Better::Lower) => interval.high < margin,
            }
        };
        let wanted: Vec<Option<usize>> =
            if self.every_stratum { (0..spec.strata()).map(Some).collect() } else { vec![None] };
        let of = |stratum: Option<usize>| {
            let effects = trials.iter().filter_map(|trial| {
                trial.analysis.effects.iter().find(|one| one.arm == last && one.stratum == stratum)
            });
            Share::of(effects.filter(|effect| shows(effect)).count(), trials.len())
        };
        wanted
            .into_iter()
            .map(of)
            .fold(Share::of(1, 1), |least, one| if one.share <= least.share { one } else { least })
    }

    /// The designs that differ from each other: a plan without privacy is its own baseline.
    fn designs(&self, people: u64) -> Result<Vec<Design>, WorldError> {
        let mut specs = Vec::new();
        let mut designs = Vec::new();
        for design in Design::ALL {
            let spec = design.world(&self.world, people)?.spec;
            if !specs.contains(&spec) {
                specs.push(spec);
                designs.push(design);
            }
        }
        Ok(designs)
    }
}

/// Answers the question; `with_curve` asks for the sizes without privacy too.
pub fn answer(
    question: &Question,
    with_curve: bool,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Planned, LabError> {
    let ask = |design, people| question.ask(design, people, threads, progress);
    let (people, tried) = search(question, &|people| ask(Design::Planned, people))?;
    let size = people.unwrap_or(question.most);
    let fresh = Question { seed: question.seed.wrapping_add(1), ..question.clone() };
    let mut designs = Vec::new();
    for design in question.designs(size)? {
        designs.push(fresh.ask(design, size, threads, progress)?);
    }
    let dial = people.map_or(Ok(Vec::new()), |people| dial::turn(question, people, threads, progress))?;
    let mut tried_without_privacy = Vec::new();
    if with_curve && question.world.spec.epsilon().is_some() {
        for point in &tried {
            tried_without_privacy.push(ask(Design::NotPrivate, point.people)?);
        }
        fit(&mut tried_without_privacy);
    }
    Ok(Planned {
        people,
        power: question.power,
        every_stratum: question.every_stratum,
        trials: question.trials,
        seed: question.seed,
        guarantee: question.world.spec.guarantee(),
        provenance: Provenance::Simulation,
        designs,
        dial,
        tried,
        tried_without_privacy,
        spec: Design::Planned.world(&question.world, size)?.spec,
    })
}

/// Power against people, with a band of two standard errors.
pub fn chart(planned: &Planned) -> Chart {
    let line = |name: String, points: &[Point]| {
        let at = |point: &Point| (point.people as f64, point.fitted);
        let band = |point: &Point| {
            let reach = 2.0 * point.power.error;
            ((point.fitted - reach).max(0.0), (point.fitted + reach).min(1.0))
        };
        Series::measured(name, points.iter().map(at).collect()).with_band(points.iter().map(band).collect())
    };
    let epsilon = planned.spec.epsilon().map_or("without privacy".into(), |epsilon| format!("ε = {epsilon}"));
    let mut series = vec![line(epsilon, &planned.tried)];
    if !planned.tried_without_privacy.is_empty() {
        series.push(line("without privacy".into(), &planned.tried_without_privacy));
    }
    let ends = planned.tried.iter().map(|point| (point.people as f64, planned.power));
    series.push(Series::bound("wanted", ends.collect()));
    Chart {
        title: format!("Power of {}", planned.spec.draft().name),
        subtitle: Some(format!(
            "Share of {} simulated trials at each size whose interval excludes zero; bands are two standard errors",
            planned.trials
        )),
        x: Axis::log("people"),
        y: Axis::linear("power"),
        series,
        note: Some(mark(planned.seed)),
    }
}

#[cfg(test)]
mod tests;
