//! A running trial: assign, record, stop. What it keeps is kept by a [`Keeper`] before anybody sees it.

use reticent_privacy::{EntropyError, Generator, Guarantee, Loss, NoiseRng};

use super::allocation;
use super::belief::Belief;
use super::books::{Amended, Books, Due, Event, Recorded};
use super::spec::{Steps, Stratum};
use super::{Release, TrialError, TrialSpec};

/// Where steps are kept. A step that cannot be kept does not happen.
pub(super) trait Keeper {
    fn keep(&mut self, event: &Event) -> Result<(), TrialError>;
}

/// Keeps nothing: simulations, and trials whose caller keeps the records.
pub(super) struct Forget;

impl Keeper for Forget {
    fn keep(&mut self, _: &Event) -> Result<(), TrialError> {
        Ok(())
    }
}

/// What a person gets. Its `Debug` tells the number and the epoch, which are public.
#[derive(Clone, Copy, PartialEq)]
pub struct Assignment {
    /// The person's number in the trial, from 0.
    pub number: u64,
    /// Their arm.
    pub arm: usize,
    /// The chance with which they got it.
    pub chance: f64,
    /// The epoch.
    pub epoch: usize,
}

impl std::fmt::Debug for Assignment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shape = f.debug_struct("Assignment");
        shape.field("number", &self.number).field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

/// A trial in memory. [`DurableTrial`](super::DurableTrial) is the same with a file.
///
/// ```
/// use reticent_curate::trial::{Draft, Stratum, Trial, TrialSpec, analyse};
/// let spec = TrialSpec::new(Draft::simple("pilot", 400, 1.0))?;
/// let everyone = Stratum::new(&spec, 0).expect("a trial without features has one stratum");
/// let mut trial = Trial::start(spec)?;
/// for person in 0..400 {
///     let assignment = trial.assign(everyone)?;
///     let better = person % 3 != 0 || assignment.arm == 1;
///     trial.record(assignment.number, f64::from(u8::from(better)))?;
/// }
/// trial.stop()?;
/// let effect = &analyse(trial.release()).effects[0];
/// println!("{:?}", effect.planned);
/// # Ok::<(), reticent_curate::trial::TrialError>(())
/// ```
pub struct Trial<G> {
    core: Core<G, Forget>,
}

impl<G> std::fmt::Debug for Trial<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.core.books.shape("Trial", f)
    }
}

impl Trial<NoiseRng> {
    /// A trial with noise and coins from the operating system.
    pub fn start(spec: TrialSpec) -> Result<Trial<NoiseRng>, EntropyError> {
        Ok(Trial::with_noise(spec, NoiseRng::from_os()?))
    }
}

impl<G: Generator> Trial<G> {
    /// A trial with the given generator: a seeded one is for simulation, and the release says so.
    pub fn with_noise(spec: TrialSpec, rng: G) -> Trial<G> {
        Trial { core: Core { books: Books::new(spec, G::PROVENANCE), rng, keeper: Forget } }
    }

    /// Assigns the next person. Closes an epoch first if one is due.
    pub fn assign(&mut self, stratum: Stratum) -> Result<Assignment, TrialError> {
        self.core.assign(stratum)
    }

    /// Records a person's outcome; how late it comes decides which table it goes into. One that is on record
    /// stays as it was, and a retry is safe: the answer does not tell whether it was the same.
    pub fn record(&mut self, number: u64, outcome: f64) -> Result<Recorded, TrialError> {
        self.core.record(number, outcome)
    }

    /// Records that a person's outcome will never come.
    pub fn missing(&mut self, number: u64) -> Result<Recorded, TrialError> {
        self.core.outcome(number, None)
    }

    /// Corrects the outcome that a person has on record, to none if it never came. What is in a published table
    /// stands as it is. The same correction again changes nothing, and has the same answer.
    pub fn correct(&mut self, number: u64, outcome: Option<f64>) -> Result<Amended, TrialError> {
        self.core.correct(number, outcome)
    }

    /// A person takes back their consent: no outcome of theirs will be in any table that is not published yet.
    /// Again it changes nothing, and has the same answer.
    pub fn withdraw(&mut self, number: u64) -> Result<Amended, TrialError> {
        self.core.withdraw(number)
    }

    /// Closes every epoch that has begun and the table of late outcomes. Outcomes not recorded by now count as missing.
    pub fn stop(&mut self) -> Result<(), TrialError> {
        self.core.stop()
    }

    /// What anybody may see so far.
    pub fn release(&self) -> &Release {
        self.core.books.release()
    }
}

impl TrialSpec {
    /// What a trial with this plan promises everyone in it, with noise from the operating system. What a trial
    /// that was run promises is its [release's](Release::guarantee).
    pub fn guarantee(&self) -> Guarantee {
        let pure = self.epsilon().map(|epsilon| Loss::Pure { epsilon });
        match self.rho().map(|rho| Loss::Concentrated { rho }).or(pure) {
            Some(loss) => Guarantee::central(
                loss,
                self.hidden(),
                self.neighbours(),
                "crates/curate/src/trial/guarantee.md",
            ),
            None => Guarantee::none("one person in the whole trial"),
        }
    }
}

impl TrialSpec {
    fn hidden(&self) -> &'static str {
        if self.draft().adjust.is_some() {
            "one person: their covariates, outcome, and whether it came, in the whole trial"
        } else if self.draft().public_strata {
            "one person: their outcome, whether and when it came, was corrected, or consent withdrawn, in the whole trial; features are public"
        } else {
            "one person: their features, outcome, whether and when it came, was corrected, or consent withdrawn, in the whole trial"
        }
    }

    fn neighbours(&self) -> &'static str {
        match (self.has_one_table(), self.draft().finished, self.draft().public_strata) {
            (false, ..) => {
                "one person's row replaced by any other; number and order of enrolments are public. Seen by others: all tables, chances, reports, and the assignments of everyone else. Who withdraws before their table is in it without an outcome; once published it stands, and so does what it cost"
            }
            (_, false, false) => {
                "one person's row replaced by any other; number and order of enrolments are public, and so is who got which arm: one coin for all. Seen by others: the table, reports, and all assignments. Who withdraws before the table is in it without an outcome; once published it stands, and so does what it cost"
            }
            (_, false, true) => {
                "one person's outcome replaced by any other; number and order of enrolments, features, and who got which arm are public. Seen by others: the table, reports, and all assignments. Who withdraws before the table is in it without an outcome; once published it stands, and so does what it cost"
            }
            (_, true, false) if self.draft().adjust.is_some() => {
                "one person's covariates and outcome replaced by any others; the number of people and who got which arm are public. Effects are adjusted by a predictor that is published too"
            }
            (_, true, false) => {
                "one person's features and outcome replaced by any others; the number of people and who got which arm are public. People of each stratum and arm are counted with noise"
            }
            (_, true, true) => {
                "one person's outcome replaced by any other; the number of people, their features, and who got which arm are public, and counted exactly"
            }
        }
    }
}

/// The steps, whoever keeps them.
pub(super) struct Core<G, K> {
    pub(super) books: Books,
    pub(super) rng: G,
    pub(super) keeper: K,
}

impl<G: Generator, K: Keeper> Core<G, K> {
    /// Keeps a step, then takes it. A step that this code made fits: if one does not, nothing was published.
    fn take(&mut self, event: Event) -> Result<(), TrialError> {
        self.keeper.keep(&event)?;
        self.books.apply(event).ok_or(TrialError::Damaged(0))
    }

    pub(super) fn assign(&mut self, stratum: Stratum) -> Result<Assignment, TrialError> {
        self.books.check_open()?;
        self.settle()?;
        let release = self.books.release();
        let number = release.enrolled();
        let people = release.spec().draft().people;
        let chances = self.books.open().ok_or(TrialError::Full(people))?;
        let arm = chances.draw(stratum.0 as usize, &mut self.rng);
        let chance = chances.share(stratum.0 as usize, arm);
        let epoch = self.books.schedule().epoch_of(number);
        self.take(Event::Assigned { stratum: stratum.0, arm: arm as u32 })?;
        Ok(Assignment { number, arm, chance, epoch })
    }

    fn steps(&self, outcome: f64) -> Result<Steps, TrialError> {
        self.books.release().spec().draft().outcome.steps(outcome).ok_or(TrialError::OutOfRange)
    }

    pub(super) fn record(&mut self, number: u64, outcome: f64) -> Result<Recorded, TrialError> {
        self.outcome(number, Some(self.steps(outcome)?))
    }

    pub(super) fn correct(&mut self, number: u64, outcome: Option<f64>) -> Result<Amended, TrialError> {
        let outcome = outcome.map(|outcome| self.steps(outcome)).transpose()?;
        let (amended, changes) = self.books.check_correction(number, outcome)?;
        if changes {
            self.take(Event::Corrected { number, outcome })?;
        }
        Ok(amended)
    }

    pub(super) fn withdraw(&mut self, number: u64) -> Result<Amended, TrialError> {
        let (amended, changes) = self.books.check_withdrawal(number)?;
        if changes {
            self.take(Event::Withdrawn { number })?;
        }
        Ok(amended)
    }

    pub(super) fn outcome(&mut self, number: u64, outcome: Option<Steps>) -> Result<Recorded, TrialError> {
        let recorded = self.books.check_outcome(number)?;
        if recorded.is_kept() {
            self.take(Event::Outcome { number, outcome })?;
        }
        Ok(recorded)
    }

    /// Publishes what is due.
    pub(super) fn settle(&mut self) -> Result<(), TrialError> {
        loop {
            match self.books.due() {
                Due::Nothing => return Ok(()),
                Due::Table => self.close_epoch()?,
                Due::Epoch => self.open_epoch()?,
            }
        }
    }

    fn close_epoch(&mut self) -> Result<(), TrialError> {
        let (epsilon, binary) = self.noise();
        let table = self.books.sums().release(epsilon, binary, &mut self.rng);
        self.take(Event::Table(table))
    }

    fn noise(&self) -> (Option<reticent_privacy::Epsilon>, bool) {
        let spec = self.books.release().spec();
        (spec.epsilon(), spec.draft().outcome.binary)
    }

    fn open_epoch(&mut self) -> Result<(), TrialError> {
        let (release, schedule) = (self.books.release(), self.books.schedule());
        let epoch = release.propensities().len();
        let belief = Belief::of(release, schedule);
        let blind = release.tables().is_empty();
        // With no table yet, as in a trial with a long follow-up, there is nothing to go by.
        let propensities =
            allocation::propensities(release.spec(), schedule, &belief, if blind { 0 } else { epoch });
        self.take(Event::Epoch(propensities))
    }

    pub(super) fn stop(&mut self) -> Result<(), TrialError> {
        if self.books.release().is_stopped() {
            return Ok(());
        }
        let (epsilon, binary) = self.noise();
        let spec = self.books.release().spec();
        if spec.has_one_table() {
            let whole = self.books.whole_sums().release(epsilon, &mut self.rng);
            return self.take(Event::Whole(Box::new(whole)));
        }
        let old = spec.is_old();
        while self.books.release().tables().len() < self.books.release().propensities().len() {
            self.close_epoch()?;
        }
        if old {
            let table = self.books.late_sums().release(epsilon, binary, &mut self.rng);
            return self.take(Event::Late(table));
        }
        let release = self.books.release();
        let waits = !release.spec().draft().late_is_missing;
        let epochs = if waits { release.propensities().len() } else { 0 };
        let mut late = Vec::new();
        for epoch in 0..epochs {
            late.push(self.books.late_sums_of(epoch).release(epsilon, binary, &mut self.rng));
        }
        self.take(Event::LateByEpoch(late))
    }
}
