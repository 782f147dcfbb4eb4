//! One log, what is learned from it, and how good that is for more people like those in it.

use reticent_curate::kernel::{
    Collector, Estimate, KernelSpec, Points, Population, Records, Release, ReleaseLoss, Surface,
};
use reticent_privacy::{Delta, Epsilon, SimRng, SimSeed, Stream};
use serde::{Deserialize, Serialize};

use super::likely::Likely;
use super::world::World;
use crate::kernel::targets::in_context;
use crate::kernel::{MethodError, Target, best_on};
use crate::runner::{Finished, LabError, Repeated, Size, StoreKey};

/// A log of so many people, many times.
#[derive(Debug, Clone, Copy)]
pub struct LogExperiment {
    /// What kind of log.
    pub world: World,
    /// People in it.
    pub people: u64,
    /// The privacy loss.
    pub epsilon: Epsilon,
    /// Independent trials, each with its own function and people.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// What one log showed. Losses are against the best action of each context.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// What the released function's actions lose.
    pub loss: f64,
    /// What those of a Gaussian process on raw data lose, with lengths and noise by likelihood.
    pub raw: f64,
    /// What the best action for everybody loses.
    pub constant: f64,
    /// What an action for everybody loses that is learned from a release of the same loss, of a plan without contexts.
    pub private_constant: f64,
    /// What even actions lose.
    pub uniform: f64,
    /// What actions as the log has them lose.
    pub own: f64,
    /// How far the released function is from the truth for people like those in the log: root mean square.
    pub error: f64,
    /// The same, as the release itself says.
    pub expected_error: f64,
    /// Share of such people within the 95 % band.
    pub band: f64,
    /// Share of recommended actions within it.
    pub band_at_best: f64,
    /// The mean width of bands at recommended actions.
    pub width_at_best: f64,
    /// Share of recommended actions that people of the context got, as far as the release tells.
    pub supported: f64,
    /// Share of these within the band; 1 if there are none.
    pub band_at_supported: f64,
    /// What the likeliest action of each context loses, as the release tells it; 0 where it does not.
    pub usual: f64,
    /// Share of even actions that are supported.
    pub supported_even: f64,
    /// Share of these within the band; 1 if there are none.
    pub band_at_supported_even: f64,
    /// Whether the release says that bands may not hold.
    pub doubtful: bool,
}

/// A finished trial.
pub type LogTrial = Finished<Learned>;

/// What the numbers of a trial depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogKey {
    series: u32,
    world: String,
    people: u64,
    epsilon: Epsilon,
    seed: u64,
}

/// Bumped whenever the same seed gives other numbers.
const SERIES: u32 = 3;
/// Contexts for which actions are chosen, and people for whom bands are looked at.
const CONTEXTS: usize = 200;
const PEOPLE: usize = 1000;
/// Even actions in each context.
const EVEN: usize = 20;
const DELTA: f64 = 1e-6;
const BAND: f64 = 1.959_963_984_540_054;

impl StoreKey for LogKey {
    fn file_name(&self) -> String {
        let LogKey { world, people, epsilon, seed, .. } = self;
        format!("kernel-log-{world}-eps{epsilon}-n{people}-seed{seed}.jsonl")
    }
}

impl LogExperiment {
    /// What the results depend on.
    pub fn key(&self) -> LogKey {
        let LogExperiment { world, people, epsilon, seed, .. } = *self;
        LogKey { series: SERIES, world: world.id.to_string(), people, epsilon, seed }
    }

    /// A trial without the Gaussian process on raw data, whose loss is then no number.
    pub fn alone(&self, trial: u64) -> Result<Learned, MethodError> {
        self.learn(trial, false)
    }

    fn learn(&self, trial: u64, beside: bool) -> Result<Learned, MethodError> {
        let stream = |purpose| SimSeed(self.seed).stream(trial, purpose);
        let mut source = stream(Stream::Source);
        let target = self.world.target(&mut source).map_err(reticent_curate::kernel::DraftError::from)?;
        let exam = Exam::new(self.world, &target, &mut source);
        let log = self.world.log(&target, self.people as usize, &mut stream(Stream::Environment));
        let mut noise = stream(Stream::Noise);
        let plan = self.world.plan(&target, true)?;
        let surface = Surface::read(&self.release(&plan, &log, &mut noise)?, 1)?;
        let bare = self.world.plan(&target, false)?;
        let alone = Surface::read(&self.release(&bare, &actions_alone(&log, &target), &mut noise)?, 1)?;
        let raw = if beside { Some(Likely::fit(plan.kernel(), &log)?) } else { None };
        let candidates = Points::candidates(target.actions());
        let everybody = alone.best_scaled(&[]);
        let (error, band) = exam.surface(&surface);
        let (recommended, even) = (exam.recommended(&surface), exam.even(&surface));
        Ok(Learned {
            loss: exam.loss(|context| surface.best_scaled(context)),
            raw: raw.map_or(f64::NAN, |raw| {
                exam.loss(|context| best_on(&candidates, |points| raw.values(points), context))
            }),
            constant: exam.constant(&candidates),
            private_constant: exam.loss(|_| everybody.clone()),
            uniform: exam.uniform(&mut stream(Stream::Agent)),
            own: exam.own(self.world, &mut stream(Stream::Agent)),
            error,
            expected_error: self.world.bound() * surface.typical_error(),
            band,
            band_at_best: recommended.band,
            width_at_best: recommended.width,
            supported: recommended.supported,
            usual: exam.usual(&surface),
            supported_even: even.supported,
            band_at_supported_even: even.band_at_supported,
            band_at_supported: recommended.band_at_supported,
            doubtful: surface.people().is_some_and(reticent_curate::kernel::People::is_doubtful),
        })
    }

    fn release(&self, plan: &KernelSpec, log: &Records, rng: &mut SimRng) -> Result<Release, MethodError> {
        let delta = Delta::new(DELTA).unwrap_or(Delta::ZERO);
        let budget = ReleaseLoss::new(self.epsilon, delta)?;
        let mut collector = Collector::new(plan, &Population::Uniform, self.people, budget, 1)?;
        collector.add(log)?;
        Ok(collector.release_with(rng)?)
    }
}

/// The same people as if nothing were known of them.
fn actions_alone(log: &Records, target: &Target) -> Records {
    let mut out = Records::new(target.actions());
    for (place, (reward, beyond)) in log.rewards().iter().zip(log.beyond()).enumerate() {
        let further = if *beyond { 2.0 * reward } else { *reward };
        out.push(&log.points().point(place)[..target.actions()], further);
    }
    out
}

impl Repeated for LogExperiment {
    type Trial = LogTrial;

    fn size(&self) -> Size {
        Size { people: self.people, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<LogTrial>, LabError> {
        if !go_on(0) {
            return Ok(None);
        }
        let outcome = self.learn(u64::from(trial), true)?;
        go_on(self.people);
        Ok(Some(LogTrial { trial, outcome }))
    }
}

/// More people of a log.
struct Exam<'a> {
    target: &'a Target,
    bound: f64,
    contexts: Vec<Vec<f64>>,
    best: Vec<f64>,
    people: Points,
}

impl Exam<'_> {
    fn new<'a>(world: World, target: &'a Target, rng: &mut SimRng) -> Exam<'a> {
        let contexts: Vec<Vec<f64>> = (0..CONTEXTS).map(|_| world.context(target.contexts(), rng)).collect();
        let best = contexts.iter().map(|context| target.best(context)).collect();
        let people = world.people(target, PEOPLE, rng);
        Exam { target, bound: world.bound(), contexts, best, people }
    }

    fn loss(&self, mut policy: impl FnMut(&[f64]) -> Vec<f64>) -> f64 {
        let one = |(context, best): (&Vec<f64>, &f64)| best - self.target.value(&policy(context), context);
        mean(self.contexts.iter().zip(&self.best).map(one))
    }

    /// What the best candidate for everybody loses.
    fn constant(&self, candidates: &Points) -> f64 {
        let mut sums = vec![0.0; candidates.len()];
        for (context, best) in self.contexts.iter().zip(&self.best) {
            let values = self.target.values(&in_context(candidates, context));
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += best - value);
        }
        sums.into_iter().fold(f64::INFINITY, f64::min) / CONTEXTS as f64
    }

    fn uniform(&self, rng: &mut SimRng) -> f64 {
        let actions = self.target.actions();
        mean((0..EVEN).map(|_| self.loss(|_| (0..actions).map(|_| rng.uniform()).collect())))
    }

    /// Root mean square error, and the share within the band.
    fn surface(&self, surface: &Surface) -> (f64, f64) {
        let pairs = surface.at(&self.people).into_iter().zip(self.target.values(&self.people));
        let apart: Vec<(f64, f64)> =
            pairs.map(|(one, truth)| (self.bound * one.mean - truth, self.bound * one.deviation)).collect();
        let square = mean(apart.iter().map(|(off, _)| off * off));
        (square.sqrt(), mean(apart.iter().map(|(off, deviation)| f64::from(off.abs() <= BAND * deviation))))
    }

    /// What actions as people got them lose.
    fn own(&self, world: World, rng: &mut SimRng) -> f64 {
        mean((0..EVEN).map(|_| self.loss(|context| world.action(self.target.actions(), context, rng))))
    }

    fn usual(&self, surface: &Surface) -> f64 {
        let known = surface.usual_scaled(&self.contexts[0]).is_some();
        if known { self.loss(|context| surface.usual_scaled(context).unwrap_or_default()) } else { 0.0 }
    }

    /// What is said of even actions.
    fn even(&self, surface: &Surface) -> Said {
        let (actions, mut points) = (self.target.actions(), Points::new(self.people.dimensions()));
        for (number, context) in self.contexts.iter().cycle().take(5 * CONTEXTS).enumerate() {
            let action = Points::halton(number..number + 1, actions).point(0);
            points.push(&[action, context.clone()].concat());
        }
        self.said(&points, &surface.at(&points))
    }

    fn recommended(&self, surface: &Surface) -> Said {
        let (mut points, mut estimates) = (Points::new(self.people.dimensions()), Vec::new());
        for (one, context) in surface.recommended(&self.contexts).into_iter().zip(&self.contexts) {
            points.push(&[one.place.as_slice(), context].concat());
            estimates.push(one.estimate);
        }
        self.said(&points, &estimates)
    }

    fn said(&self, points: &Points, estimates: &[Estimate]) -> Said {
        let values = self.target.values(points);
        let inside = |(one, truth): (&Estimate, &f64)| {
            let off = (self.bound * one.mean - truth).abs();
            (f64::from(off <= BAND * self.bound * one.deviation), one.supported)
        };
        let each: Vec<(f64, bool)> = estimates.iter().zip(&values).map(inside).collect();
        let supported: Vec<f64> = each.iter().filter(|one| one.1).map(|one| one.0).collect();
        let width = |one: &Estimate| 2.0 * BAND * self.bound * one.deviation;
        Said {
            band: mean(each.iter().map(|one| one.0)),
            width: mean(estimates.iter().map(width)),
            supported: mean(each.iter().map(|one| f64::from(one.1))),
            band_at_supported: if supported.is_empty() { 1.0 } else { mean(supported.into_iter()) },
        }
    }
}

/// What is said of actions: shares within bands, their mean width, and shares that are supported.
struct Said {
    band: f64,
    width: f64,
    supported: f64,
    band_at_supported: f64,
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}
