//! The result of an experiment as a document.

use reticent_privacy::{Epsilon, Guarantee, Provenance};
use serde::Serialize;

use super::{Experiment, Trial};
use crate::runner::{LabError, is_one_by_one};
use crate::stats::{Summary, arm_shares};
use reticent_chart::numbers::count;

/// What `simulate --json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The agent.
    pub agent: String,
    /// The environment.
    pub env: String,
    /// The loss asked for; agents that are not private ignore it, and `guarantee` says so.
    pub epsilon: Option<Epsilon>,
    /// People in a trial.
    pub users: u64,
    /// People between two refreshes of the policy.
    #[serde(skip_serializing_if = "is_one_by_one")]
    pub batch: u64,
    /// Independent trials.
    pub trials: u32,
    /// The seed.
    pub seed: u64,
    /// What the agent promises each person: here nothing but what it would be, since a seed made the noise.
    pub guarantee: Guarantee,
    /// Where the noise came from: here always a seed.
    pub provenance: Provenance,
    /// Regret after all people.
    pub regret: Regret,
    /// Regret after fewer.
    pub curve: Vec<CurvePoint>,
    /// How soon people get the best arm; none if a kept trial did not count it.
    pub best_arm: Option<BestArm>,
    /// Share of people who got each arm, averaged over trials.
    pub share_per_arm: Vec<f64>,
    /// How long the trials took, on all threads together.
    pub seconds: f64,
    /// People served in a second of that time.
    pub users_per_second: f64,
}

/// Pseudo-regret: what people lost, in reward, against always giving the best arm.
#[derive(Debug, Clone, Serialize)]
pub struct Regret {
    /// Mean and spread over trials.
    #[serde(flatten)]
    pub summary: Summary,
    /// Each trial's.
    pub per_trial: Vec<f64>,
}

/// Regret after some of the people.
#[derive(Debug, Clone, Serialize)]
pub struct CurvePoint {
    /// How many.
    pub users: u64,
    /// Mean and spread over trials.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Most people: when so large a share of those who come get the best arm, it counts as found.
pub const GOAL: f64 = 0.8;

/// How soon people get the best arm, or one that is as good.
#[derive(Debug, Clone, Serialize)]
pub struct BestArm {
    /// Of the people after the point before and up to this one, the share who got it: mean and spread over trials.
    pub share: Vec<CurvePoint>,
    /// The share that counts as found.
    pub goal: f64,
    /// After so many people at least that share gets it, on average over trials and from then on; none if that is not
    /// reached. Known to the next point of the curve.
    pub people_until_goal: Option<u64>,
}

impl BestArm {
    fn of(experiment: &Experiment, trials: &[Trial]) -> Option<BestArm> {
        let points = experiment.checkpoints();
        let whole = trials.iter().all(|trial| trial.on_best.len() == points.len());
        let starts: Vec<u64> = std::iter::once(0).chain(points.iter().copied()).collect();
        let share_at = |place: usize| -> Vec<f64> {
            let people = (points[place] - starts[place]).max(1) as f64;
            let before = |trial: &Trial| place.checked_sub(1).map_or(0, |before| trial.on_best[before]);
            trials.iter().map(|trial| (trial.on_best[place] - before(trial)) as f64 / people).collect()
        };
        let share =
            |place: usize| Some(CurvePoint { users: points[place], summary: Summary::of(&share_at(place))? });
        let places = whole.then_some(0..points.len())?;
        let share: Vec<CurvePoint> = places.map(share).collect::<Option<_>>()?;
        let from = share.iter().rposition(|point| point.summary.mean < GOAL).map_or(0, |last| last + 1);
        let people_until_goal = share.get(from).map(|_| starts[from]);
        Some(BestArm { share, goal: GOAL, people_until_goal })
    }

    /// In words: how soon, and what comes after.
    pub fn words(&self) -> String {
        let last = self.share.last().map_or(0.0, |point| point.summary.mean);
        let goal = 100.0 * self.goal;
        match self.people_until_goal {
            Some(0) => format!("{goal:.0} % of people get it from the start"),
            Some(people) => format!(
                "after about {} people {goal:.0} % of those who come get it; at the end {:.1} %",
                count(two_digits(people)),
                100.0 * last
            ),
            None => {
                format!("not yet given to {goal:.0} % of those who come; at the end to {:.1} %", 100.0 * last)
            }
        }
    }
}

/// As many digits as the points of a curve are apart.
fn two_digits(people: u64) -> u64 {
    let unit = 10_u64.pow(people.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (people + unit / 2) / unit * unit
}

impl Outcome {
    /// From all trials of an experiment. `seconds` is for the `fresh` trials of this run, the others were stored.
    pub fn new(
        experiment: &Experiment,
        trials: &[Trial],
        fresh: usize,
        seconds: f64,
    ) -> Result<Outcome, LabError> {
        let per_trial: Vec<f64> = trials.iter().map(Trial::regret).collect();
        let summary = Summary::of(&per_trial)
            .ok_or(LabError::Interrupted { finished: 0, trials: experiment.trials })?;
        let at = |i: usize| -> Vec<f64> { trials.iter().filter_map(|t| t.curve.get(i).copied()).collect() };
        let curve = experiment.checkpoints().into_iter().enumerate();
        let curve = curve
            .filter_map(|(i, users)| Some(CurvePoint { users, summary: Summary::of(&at(i))? }))
            .collect();
        let served = fresh as f64 * experiment.users as f64;
        Ok(Outcome {
            agent: experiment.agent.name(),
            env: experiment.env.name().to_string(),
            epsilon: experiment.epsilon,
            users: experiment.users,
            batch: experiment.batch,
            trials: experiment.trials,
            seed: experiment.seed,
            guarantee: experiment.agent.guarantee(experiment.epsilon)?.made_with(Provenance::Simulation),
            provenance: Provenance::Simulation,
            regret: Regret { summary, per_trial },
            curve,
            best_arm: BestArm::of(experiment, trials),
            share_per_arm: arm_shares(trials.iter().map(|trial| &*trial.pulls)),
            seconds,
            users_per_second: if served > 0.0 { served / seconds } else { 0.0 },
        })
    }
}
