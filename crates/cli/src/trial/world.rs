//! The made-up world that both commands try a plan in.

use std::path::PathBuf;

use reticent_curate::trial::{Better, Draft, Outcome, TrialSpec};
use reticent_jobs::trial::replay::TrialFile;
use reticent_lab::runner::LabError;
use reticent_lab::trial::{Arrivals, Conditions, Delay, Noise, World, WorldError};
use reticent_privacy::Epsilon;

use crate::CliError;

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("privacy").required(true).args(["epsilon", "no_privacy", "spec"])))]
pub(crate) struct WorldArgs {
    /// The plan that will run: its arms, outcome, features, epsilon and schedule
    #[arg(value_name = "SPEC.toml", conflicts_with_all = ["strata", "range", "alpha", "confidence", "better", "ratio", "expected", "follow_up", "first_epoch"])]
    spec: Option<PathBuf>,
    /// The whole trial's privacy loss for each person
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// Exact counts that protect nobody, as a baseline
    #[arg(long)]
    no_privacy: bool,
    /// The true effect, in units of the outcome, of the last arm against the first; arms between have evenly less
    #[arg(long, value_name = "D", default_value_t = 0.3, allow_negative_numbers = true)]
    effect: f64,
    /// The effect's sign alternates over strata
    #[arg(long)]
    alternate: bool,
    /// The control's mean outcome
    #[arg(long, value_name = "MEAN", default_value_t = 0.35, allow_negative_numbers = true)]
    base: f64,
    /// Outcomes vary like a normal variable with this standard deviation, cut off at the range [default: they
    /// are 0 or 1]
    #[arg(long)]
    sd: Option<f64>,
    /// The outcome's least and largest value, declared beforehand
    #[arg(long, value_name = "LOW,HIGH", default_value = "0,1", value_parser = range, allow_hyphen_values = true)]
    range: (f64, f64),
    /// Strata: effects are wanted for each
    #[arg(long, value_name = "M", default_value_t = 1)]
    strata: usize,
    /// Share of people in each stratum, separated by commas [default: equal]
    #[arg(long, value_name = "SHARES", value_delimiter = ',', allow_negative_numbers = true)]
    shares: Option<Vec<f64>>,
    /// Who comes when: stationary shares, seasons, or stratum after stratum
    #[arg(long, value_name = "LAW", default_value = "stationary", value_parser = ["stationary", "seasonal", "blocks"])]
    arrivals: String,
    /// Which outcomes are good ones
    #[arg(long, value_name = "WAY", value_parser = ["higher", "lower"])]
    better: Option<String>,
    /// Share of people whose outcome never comes, one for all arms or one for each, separated by commas
    #[arg(long, value_name = "SHARES", value_delimiter = ',')]
    lost: Vec<f64>,
    /// Share of people on the last arm whose outcome never comes if it is in the lower half of the range: no design can
    /// see that
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    lost_if_low: f64,
    /// Enrolments that an epoch's table waits for outcomes after its last person
    #[arg(long, value_name = "N", default_value_t = 0)]
    follow_up: u64,
    /// People of the first epoch: tables are published before the end [default: by alpha]
    #[arg(long, value_name = "N")]
    first_epoch: Option<u64>,
    /// Late outcomes: enrolments by which they are late, and the chance of a high and of a low one to be
    #[arg(long, value_name = "N,HIGH,LOW", value_parser = late)]
    late: Option<Delay>,
    /// How far all means move alike from the first person to the last
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    trend: f64,
    /// How far the last arm's mean moves besides: an effect that drifts
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    drift: f64,
    /// People on each arm for one on the first, separated by commas [default: the same on all]
    #[arg(long, value_name = "RATIO", value_delimiter = ',')]
    ratio: Option<Vec<f64>>,
    /// The mean outcome that is expected beforehand, by public knowledge
    #[arg(long, value_name = "MEAN", allow_negative_numbers = true)]
    expected: Option<f64>,
    /// From 0, even randomisation with one table at the end, to 1, pure welfare
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    alpha: f64,
    /// How often intervals must hold
    #[arg(long, default_value_t = 0.95, allow_negative_numbers = true)]
    confidence: f64,
}

/// More strata than any table has cells.
const MOST_STRATA: usize = 1 << 16;

impl WorldArgs {
    /// Whether it was said which outcomes are good ones.
    pub(super) fn says_better(&self) -> bool {
        self.better.is_some() || self.spec.is_some()
    }

    /// The plan that will run, if one is named: its people and arms.
    pub(super) fn planned(&self) -> Result<Option<TrialSpec>, CliError> {
        Ok(self.spec.as_deref().map(|path| TrialFile::read(path)?.spec()).transpose()?)
    }

    /// The world with so many people and arms.
    pub(super) fn world(&self, name: &str, people: u64, arms: usize) -> Result<World, CliError> {
        let spec = match self.planned()? {
            Some(spec) => spec,
            None => TrialSpec::new(self.plan(name, people, arms)?)
                .map_err(|error| LabError::from(WorldError::from(error)))?,
        };
        let (arms, people) = (spec.arms(), spec.draft().people);
        let shares = self.shares(spec.strata())?;
        let arrivals = match self.arrivals.as_str() {
            "seasonal" => Arrivals::Seasonal { shares, period: (people / 4).max(1) },
            "blocks" => Arrivals::Blocks { shares, people },
            _ => Arrivals::Stationary { shares },
        };
        arrivals.check().map_err(LabError::from)?;
        let mean = |stratum: usize, arm: usize| {
            let sign = if self.alternate && stratum % 2 == 1 { -1.0 } else { 1.0 };
            self.base + sign * self.effect * arm as f64 / (arms - 1) as f64
        };
        let means =
            (0..spec.strata()).map(|stratum| (0..arms).map(|arm| mean(stratum, arm)).collect()).collect();
        let noise = self.sd.map_or(Noise::Coin, |sd| Noise::Normal { sd });
        let lost = if self.lost.len() == 1 { vec![self.lost[0]; arms] } else { self.lost.clone() };
        let (delay, trend, drift) = (self.late, self.trend, self.drift);
        let conditions = Conditions { lost, lost_if_low: self.lost_if_low, delay, trend, drift };
        let world = World { spec, arrivals, means, noise, conditions };
        world.check().map_err(LabError::from)?;
        Ok(world)
    }

    fn plan(&self, name: &str, people: u64, arms: usize) -> Result<Draft, CliError> {
        if !(1..=MOST_STRATA).contains(&self.strata) {
            return Err(CliError::Usage(format!("--strata must be between 1 and {MOST_STRATA}")));
        }
        if !(2..=64).contains(&arms) {
            return Err(CliError::Usage("--arms must be between 2 and 64, the control among them".into()));
        }
        let mut plan = Draft::simple(name, people, 1.0);
        (plan.epsilon, plan.private) = (self.epsilon.map(Epsilon::value), !self.no_privacy);
        (plan.alpha, plan.confidence) = (self.alpha, self.confidence);
        (plan.follow_up, plan.first_epoch) = (self.follow_up, self.first_epoch);
        if self.better.as_deref() == Some("lower") {
            plan.better = Some(Better::Lower);
        }
        if arms > 2 {
            plan.arms = (0..arms)
                .map(|arm| if arm == 0 { "control".into() } else { format!("treatment {arm}") })
                .collect();
        }
        let (low, high) = self.range;
        let expected = self.expected;
        plan.outcome = Outcome { low, high, binary: self.sd.is_none(), expected, ..plan.outcome };
        plan.ratio.clone_from(&self.ratio);
        Ok(if self.strata > 1 { plan.with_levels("group", self.strata) } else { plan })
    }

    fn shares(&self, strata: usize) -> Result<Vec<f64>, CliError> {
        let shares = self.shares.clone().unwrap_or_else(|| vec![1.0; strata]);
        if shares.len() != strata {
            let text =
                format!("--shares has {} numbers for {strata} strata: give one for each", shares.len());
            return Err(CliError::Usage(text));
        }
        Ok(shares)
    }
}

/// Enrolments and two chances.
fn late(text: &str) -> Result<Delay, String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let delay = match parts[..] {
        [enrolments, high, low] => (enrolments.parse().ok().zip(high.parse().ok()).zip(low.parse().ok()))
            .map(|((enrolments, high), low)| Delay { enrolments, high, low }),
        _ => None,
    };
    delay.ok_or_else(|| "a number and two chances are needed, as in --late 200,0.5,0.1".to_string())
}

/// Two numbers with a comma between them.
fn range(text: &str) -> Result<(f64, f64), String> {
    let both = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    both.ok_or_else(|| "two numbers are needed, as in --range 0,100".to_string())
}
