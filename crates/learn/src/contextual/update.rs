//! From the counts of one policy to what is believed, and when that happens.

use super::belief::Data;
use super::systems::Systems;
use super::tally::{Arms, Expected};
use super::{Contextual, FIRST_BATCH};

/// A policy serves a tenth of all people before it, and of a half-life.
const GROWTH: u64 = 10;
/// Masses, lengths and amplitude are looked at again after so many times as many people.
const RESHAPE_GROWTH: f64 = 1.3;
const RESHAPE_FROM: u64 = 200;

impl Contextual {
    /// Takes in all reports that came so far, and makes a new policy. Happens by itself when enough people
    /// have reported; call it once after the sources' reports, so that the first people profit.
    pub fn refresh(&mut self) {
        let reshape = self.is_time_to_reshape();
        let systems = self.take_in_reports(reshape);
        if reshape {
            self.reshaped = self.people;
        }
        self.next_refresh = self.people + self.batch();
        self.close_old_policies();
        if self.is_full() {
            // Rationed: a policy that is still in its window is not given up for a new one.
            return;
        }
        let systems = if reshape { self.with_better_cells().unwrap_or(systems) } else { systems };
        let version = self.plan().policy().version + 1;
        // Only questions that this agent makes, on its own grid: they cannot be refused, and if they were, the old
        // policy stays.
        let published = self.publish(version, &systems);
        debug_assert!(published.is_ok(), "{published:?}");
    }

    /// How many people the next policy serves.
    fn batch(&self) -> u64 {
        let most = self.options.half_life.map_or(u64::MAX, |people| people / GROWTH);
        (self.people / GROWTH).min(most).max(FIRST_BATCH)
    }

    /// Whether where people are and how rewards vary is to be looked at again: when there are so many times
    /// as many people, or the memory is of others.
    fn is_time_to_reshape(&self) -> bool {
        let since = self.people - self.reshaped;
        let forgotten = self.options.half_life.is_some_and(|half_life| since >= half_life / 2);
        let grown = self.people as f64 >= RESHAPE_GROWTH * self.reshaped as f64;
        self.people >= RESHAPE_FROM && (grown || forgotten) || (self.people == 0 && !self.sources.is_empty())
    }

    /// Folds the counts into the statistics and updates the belief.
    pub(super) fn take_in_reports(&mut self, reshape: bool) -> Systems {
        let fresh: u64 = self.open.iter().map(|open| open.tally.reports()).sum();
        if let Some(half_life) = self.options.half_life {
            let share = libm::exp2(-(fresh as f64) / half_life as f64);
            self.target.keep(share);
            self.sources.iter_mut().for_each(|source| source.keep(share));
        }
        self.fold_policies();
        let fresh_sources = self.options.half_life.is_some()
            || self.source_plans.iter().any(|(_, tally)| tally.reports() > 0);
        for (source, (plan, tally)) in self.source_plans.iter_mut().enumerate() {
            let expected = Expected {
                masses: &self.belief.source_masses[source],
                even: &self.belief.even(),
                arms: Arms::Behaviour(&self.spec.sources()[source].behaviour),
                mean: &self.belief.mean,
            };
            tally.fold(plan, &expected, &mut self.sources[source]);
        }
        self.learn(reshape, fresh_sources)
    }

    /// Learns again from all that was counted.
    pub(super) fn learn(&mut self, reshape: bool, fresh_sources: bool) -> Systems {
        let data = Data { target: &self.target, sources: &self.sources, fresh_sources };
        let systems = self.belief.update(&self.spec, &self.kernel, data, reshape, &mut self.remembered);
        self.information = systems.information();
        systems
    }
}
