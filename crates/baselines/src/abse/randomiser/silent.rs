//! A broken baseline: what the paper's published code does.

use reticent_privacy::{Guarantee, SimRng};

use super::{Choice, Randomiser, Refusal};
use crate::abse::{Answer, Policy, Report};

impl Randomiser<SimRng> {
    /// **Not private.** The report of the authors' published code: only the pairs of the person's own bin get
    /// noise, all others are exactly 0, so that whoever reads the report sees the bin. It exists to show that
    /// the auditor catches it and how much better it looks than the truth; only simulations have it. Its
    /// server is [`Abse::published`](crate::abse::agent::Abse::published).
    pub fn answer_silent(
        &mut self,
        policy: &Policy,
        choice: &Choice,
        reward: f64,
    ) -> Result<Report, Refusal> {
        let (pair, reward) = self.prepare(policy, choice, reward)?;
        if self.spec.epsilon().is_none() {
            return Err(Refusal::NotPrivate);
        }
        let mut values = vec![0; 2 * policy.pairs()];
        let (start, end) = (policy.start(choice.bin()), policy.start(choice.bin() + 1));
        let own = pair.map(|pair| pair - start);
        self.values.add(&mut values[2 * start..2 * end], None, own, reward, &mut self.noise);
        Ok(Report { version: policy.version(), source: None, answer: Answer::Values(values) })
    }

    /// What [`answer_silent`](Self::answer_silent) promises: nothing, at any epsilon.
    pub fn silent_guarantee(&self) -> Guarantee {
        Guarantee::none("one report: the context, arm and reward of one person at one visit")
    }
}
