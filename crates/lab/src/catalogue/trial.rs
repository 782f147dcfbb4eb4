//! `private-trial`, end to end, with eight strata: all that others ever see of a whole trial.

mod adjusted;

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_curate::trial::{Draft, Outcome, Release, STEPS, Stratum, Trial, TrialError, TrialSpec, Whole};
use reticent_privacy::{Epsilon, Generator, Guarantee, NoiseRng};
use serde::Deserialize;
use serde_json::json;

use crate::trial::DesignName;

use super::{Asked, CatalogueError, Effort, Entry, Group, Sink, Subject};
use crate::named::Named;

/// The default design of adaptive trials.
pub(super) struct TrialEntry;

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    vec![Box::new(TrialEntry)]
}

const STRATA: usize = 8;
/// Two epochs of eight and sixteen: the first person's table decides the chances of the second epoch.
const PEOPLE: u64 = 24;
const FIRST: u64 = 8;

/// One person's row.
#[derive(Debug, Clone, Copy)]
struct Person {
    stratum: usize,
    /// Under each arm; none if it never comes.
    outcome: Option<[f64; 2]>,
    /// Whether it comes before the epoch's table closes.
    in_time: bool,
}

/// The people after the first, whom an attacker knows: two of each stratum early on, to make chances move.
fn other(number: u64) -> Person {
    let stratum = (number as usize * 3) % STRATA;
    Person { stratum, outcome: Some([0.0, 1.0]), in_time: true }
}

/// The default: one table at the end, everyone's coin the same.
fn one_table(epsilon: Epsilon) -> Result<TrialSpec, TrialError> {
    let plan = Draft::simple("audit", PEOPLE, epsilon.value());
    Ok(TrialSpec::new(plan.with_levels("stratum", STRATA))?)
}

/// The same with the form of a finished table, whose counts of strata and arms have more of a person.
fn finished(epsilon: Epsilon) -> Result<TrialSpec, TrialError> {
    let plan = Draft { finished: true, ..Draft::simple("audit", PEOPLE, epsilon.value()) };
    Ok(TrialSpec::new(plan.with_levels("stratum", STRATA))?)
}

/// The same with numbers, whose squares and middles are published too.
fn numbers(epsilon: Epsilon) -> Result<TrialSpec, TrialError> {
    let outcome = Outcome::number("outcome", 0.0, 1.0);
    let plan = Draft { finished: true, outcome, ..Draft::simple("audit", PEOPLE, epsilon.value()) };
    Ok(TrialSpec::new(plan.with_levels("stratum", STRATA))?)
}

fn spec(epsilon: Epsilon) -> Result<TrialSpec, TrialError> {
    let plan =
        Draft { first_epoch: Some(FIRST), alpha: 0.5, ..Draft::simple("audit", PEOPLE, epsilon.value()) };
    Ok(TrialSpec::new(plan.with_levels("stratum", STRATA))?)
}

/// A whole trial in which the first person's row is the input: its release, and the arms of everyone else.
fn run<G: Generator>(
    spec: &TrialSpec,
    first: &Person,
    rng: &mut G,
) -> Result<(Release, Vec<usize>), TrialError> {
    let mut trial = Trial::with_noise(spec.clone(), rng);
    let mut arms = Vec::new();
    for number in 0..PEOPLE {
        let person = if number == 0 { *first } else { other(number) };
        let stratum = Stratum::new(spec, person.stratum).ok_or(TrialError::NeverAssigned)?;
        let assigned = trial.assign(stratum)?;
        if number > 0 {
            arms.push(assigned.arm);
        }
        if let (Some(outcome), true) = (person.outcome, person.in_time) {
            trial.record(assigned.number, outcome[assigned.arm])?;
        }
    }
    if let (Some(outcome), false) = (first.outcome, first.in_time) {
        // The arm is told to the person alone; either outcome is the same here.
        trial.record(0, outcome[0])?;
    }
    trial.stop()?;
    Ok((trial.release().clone(), arms))
}

/// An attacker looks at the two strata between which the first person may move, in the first table and the
/// last, at the chances that follow, at others' arms, and at the odds. Effects and intervals are computed
/// from the same tables.
fn view(release: &Release, arms: &[usize]) -> Vec<f64> {
    let mut seen = Vec::new();
    if let Some(whole) = release.whole() {
        return view_of_whole(whole, arms);
    }
    for table in release.tables().iter().take(1).chain(release.late()) {
        for cell in [0, 1, 2 * STRATA - 2, 2 * STRATA - 1].map(|cell| table.cell(cell)) {
            seen.extend([cell.counts[0], cell.counts[2], cell.missing]);
        }
    }
    let chances = &release.propensities()[1];
    seen.extend([chances.share(0, 1), chances.share(STRATA - 1, 1)]);
    seen.push(arms.iter().sum::<usize>() as f64);
    seen.push(odds(release, arms));
    seen
}

/// The sums between which the first person may move, everyone's, the missing, and the odds. All arms but the
/// first person's are known, and so is that: it is the rest.
fn view_of_whole(whole: &Whole, arms: &[usize]) -> Vec<f64> {
    let last = STRATA - 1;
    let mut seen: Vec<f64> = Vec::new();
    let numbers = [&whole.sums[0], &whole.sums[last], &whole.everyone, &whole.missing, &whole.counts];
    seen.extend(numbers.into_iter().flatten().map(|&sum| sum as f64));
    let middles = whole.middles.first().into_iter().chain(whole.middles.last());
    seen.extend(whole.squares.iter().chain(middles).map(|&sum| sum as f64));
    let (one, other) = (expected(whole, arms, (0, Some(1.0))), expected(whole, arms, (last, Some(0.0))));
    let distance = |expected: &[f64]| -> f64 {
        seen.iter().zip(expected).map(|(seen, expected)| (seen - expected).abs()).sum()
    };
    // The log of the odds between the two rows, up to the noise's scale: Neyman and Pearson's test.
    let odds = distance(&other) - distance(&one);
    seen.push(odds);
    seen
}

/// The exact sums, if the first person is this one.
fn expected(whole: &Whole, arms: &[usize], (stratum, outcome): (usize, Option<f64>)) -> Vec<f64> {
    let form = &whole.form;
    let treated: u64 = arms.iter().map(|&arm| arm as u64).sum();
    let own = usize::from(whole.people[1] > treated);
    let signs = form.signs.unwrap_or([-1.0, 1.0]);
    let (mut sums, mut counts) = (vec![[0.0; 2]; STRATA], vec![0.0; 2 * STRATA]);
    let (mut everyone, mut missing) = ([0.0; 2], [0.0; 2]);
    let (mut square, mut middles) = (0.0, [0.0; STRATA]);
    let others = arms.iter().zip(1..).map(|(&arm, number)| {
        let person = other(number);
        (person.stratum, arm, person.outcome.map(|y| y[arm]))
    });
    for (stratum, arm, outcome) in others.chain([(stratum, own, outcome)]) {
        counts[2 * stratum + arm] += form.count;
        let Some(outcome) = outcome else {
            missing[arm] += form.missing;
            continue;
        };
        for (place, share) in [signs[arm], form.pooled].into_iter().enumerate() {
            sums[stratum][place] += share * (outcome - form.centre);
            everyone[place] += form.everyone * share * (outcome - form.centre);
        }
        let sign = signs[arm] * signs[arm];
        square += form.square * sign * (outcome - 0.5) * (outcome - 0.5);
        middles[stratum] += form.middle * sign * outcome * (1.0 - outcome);
    }
    let varies = if form.square > 0.0 { vec![square, middles[0], middles[STRATA - 1]] } else { Vec::new() };
    let all = [&sums[0][..], &sums[STRATA - 1], &everyone, &missing, &counts, &varies].concat();
    all.into_iter().map(|sum| sum * f64::from(STEPS)).collect()
}

/// How much more likely the first table is if the first person is well and in the first stratum than if they
/// are ill and in the last, by somebody who knows everyone else and sees their arms: the best test there is
/// between the two (Neyman and Pearson).
fn odds(release: &Release, arms: &[usize]) -> f64 {
    let half = release.spec().epsilon().map_or(0.0, |epsilon| epsilon.value() / 2.0);
    let likely = |stratum: usize, outcome: f64| -> f64 {
        let with_arm = |arm: usize| {
            let others = (1..FIRST).map(|number| (other(number), arms[number as usize - 1]));
            let same = others.filter(|(person, given)| {
                person.stratum == stratum
                    && *given == arm
                    && person.outcome.is_some_and(|y| y[arm] == outcome)
            });
            let place = if outcome == 1.0 { 2 } else { 0 };
            let rest = release.tables()[0].cell(stratum * 2 + arm).counts[place] - same.count() as f64;
            libm::exp(half * (rest.abs() - (rest - 1.0).abs()))
        };
        with_arm(0) + with_arm(1)
    };
    libm::log(likely(0, 1.0) / likely(STRATA - 1, 0.0))
}

struct Seen(Option<TrialSpec>);

impl Subject for Seen {
    type Input = Person;
    fn observe<G: Generator>(&self, first: &Person, rng: &mut G) -> Observation {
        let Some(spec) = self.0.clone() else { return Observation::silence() };
        run(&spec, first, rng)
            .map_or_else(|_| Observation::silence(), |(release, arms)| view(&release, &arms).into())
    }
}

/// A trial has many numbers: a share of the runs is enough to see what there is to see.
const SHARE: usize = 8;

impl Entry for TrialEntry {
    fn name(&self) -> &'static str {
        DesignName::PrivateTrial.name()
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        DesignName::PrivateTrial.summary()
    }

    fn example(&self) -> &'static str {
        r#"{"stratum":3,"outcome":1}"#
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        Ok(spec(epsilon).map_err(|error| parameter(&error))?.guarantee())
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let person = |stratum, outcome: Option<f64>, in_time| Person {
            stratum,
            outcome: outcome.map(|y| [y; 2]),
            in_time,
        };
        let people = [
            ("in the first stratum, well", person(0, Some(1.0), true)),
            ("in the last stratum, ill", person(STRATA - 1, Some(0.0), true)),
            ("in the first stratum, outcome late", person(0, Some(1.0), false)),
            ("in the last stratum, outcome never", person(STRATA - 1, None, true)),
        ];
        let people = people.map(|(what, person)| (format!("first person {what}"), person));
        let effort = Effort { samples: (effort.samples / SHARE).max(1000), ..*effort };
        let same = || Audit::new(self.name(), Claim::pure(epsilon)).labelled(people.clone());
        let middle =
            ("first person in the first stratum, between both ends".into(), person(0, Some(0.5), true));
        let with_middle = people.iter().cloned().chain([middle]);
        let of_numbers = Audit::new(self.name(), Claim::pure(epsilon)).labelled(with_middle);
        Ok(vec![
            effort.measure(same(), &Seen(spec(epsilon).ok()))?,
            effort.measure(same(), &Seen(one_table(epsilon).ok()))?,
            effort.measure(same(), &Seen(finished(epsilon).ok()))?,
            effort.measure(of_numbers, &Seen(numbers(epsilon).ok()))?,
            self.audit_adjusted(epsilon, &effort)?,
        ])
    }

    /// The first table of a new trial whose first person is the input.
    fn report(&self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let Input { stratum, outcome } =
            Input::deserialize(input).map_err(|_| super::misfit(self, "it has another form"))?;
        let fits = stratum < STRATA && outcome.is_none_or(|outcome| outcome == 0.0 || outcome == 1.0);
        if !fits {
            return Err(super::misfit(self, "the stratum must be below 8 and the outcome 0, 1 or null"));
        }
        let spec = spec(epsilon).map_err(|error| parameter(&error))?;
        let first = Person { stratum, outcome: outcome.map(|outcome| [outcome; 2]), in_time: true };
        let mut rng = NoiseRng::from_os()?;
        for _ in 0..count {
            let (release, _) = run(&spec, &first, &mut rng).map_err(|error| parameter(&error))?;
            out(&json!(release.tables()[0]))?;
        }
        Ok(())
    }
}

impl TrialEntry {
    /// A finished table whose effect is adjusted, held to what its concentrated loss is at a delta.
    fn audit_adjusted(&self, epsilon: Epsilon, effort: &Effort) -> Result<Finding, CatalogueError> {
        let spec = adjusted::spec(epsilon).map_err(|error| parameter(&error))?;
        let claim = adjusted::claim(&spec).unwrap_or(Claim::pure(epsilon));
        let people = [
            ("adjusted, first person well and high", adjusted::First { outcome: Some(1.0), covariate: 1.0 }),
            ("adjusted, first person ill and low", adjusted::First { outcome: Some(0.0), covariate: 0.0 }),
            ("adjusted, first person without an outcome", adjusted::First { outcome: None, covariate: 1.0 }),
        ];
        let people = people.map(|(what, first)| (what.to_string(), first));
        Ok(effort.measure(Audit::new(self.name(), claim).labelled(people), &adjusted::Seen(Some(spec)))?)
    }
}

fn parameter(error: &TrialError) -> CatalogueError {
    CatalogueError::Parameter { name: "private-trial", problem: error.to_string() }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    stratum: usize,
    outcome: Option<f64>,
}
