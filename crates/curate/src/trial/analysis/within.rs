//! Effects in a stratum, from the only table of a trial: by exact counts, by counts with noise, or by the coin.

use super::super::normal::two_sided;
use super::super::{Release, TrialSpec};
use super::group::LARGEST;
use super::invert::{Accepted, invert};
use super::stage::LAPLACE;
use super::view::{Measured, View};
use super::whole::{Reader, bound};

impl Reader<'_> {
    /// A stratum's effect, by what tells best how many of its people are on each arm.
    pub(super) fn within(&self, stratum: usize, arm: usize, normal: f64) -> Accepted {
        if self.spec.counts_exactly() {
            return self.difference(&self.group(stratum), arm, normal);
        }
        if self.counts_tell_more(stratum, arm) {
            return self.counted(&self.view(&self.whole.sums[stratum]), stratum, arm, normal);
        }
        self.weighted(Some(stratum), arm, normal)
    }

    /// Whether a finished table's design says how arms are spread in each stratum.
    pub(super) fn has_shares_by_stratum(&self) -> bool {
        self.spec.draft().finished && self.spec.draft().observed.is_some()
    }

    /// Whether counts with noise say more of a stratum's arms than the chances do: always where there are none.
    /// By public numbers alone.
    fn counts_tell_more(&self, stratum: usize, arm: usize) -> bool {
        let Some(share) = self.spec.designed(stratum, arm) else { return true };
        let usual = self.spec.draft().people as f64 / self.spec.strata() as f64;
        self.cell(stratum, arm).noise < usual * share * (1.0 - share)
    }

    /// The share of an arm in a stratum: by design, or as it is over all where everyone's coin was the same.
    fn share_in(&self, stratum: Option<usize>, arm: usize) -> f64 {
        match stratum {
            None => self.spec.even()[arm],
            Some(stratum) if self.has_shares_by_stratum() => designed(self.spec, stratum, arm),
            Some(_) => self.share(arm),
        }
    }

    /// People of a stratum and arm with an outcome, by what tells them best.
    pub(super) fn usual(&self, stratum: usize, arm: usize) -> f64 {
        if self.spec.counts_exactly() || self.counts_tell_more(stratum, arm) {
            return self.seen_in(stratum, arm).value;
        }
        self.people(stratum).value * self.share_in(Some(stratum), arm) * self.kept(arm)
    }

    /// By counts with noise. With `O_a` the people of the stratum seen on arm a and `T_a` their sum about the
    /// centre, `O_0 T_1 - O_1 T_0 - effect O_0 O_1` has mean zero, noise of all of them included.
    fn counted(&self, view: &View, stratum: usize, arm: usize, normal: f64) -> Accepted {
        let (control, other) = (self.seen_in(stratum, 0), self.seen_in(stratum, arm));
        let (few, many) = (control.value, other.value);
        let likely = |one: Measured| one.value.max(one.noise.sqrt()).max(1.0);
        let (on_control, on_other) = (likely(control), likely(other));
        let mut weights = vec![0.0; self.spec.arms()];
        (weights[0], weights[arm]) = (-many, few);
        let sum = view.combined(&weights);
        let pooled = view.pooled_mean(on_control, on_other, arm);
        let part = on_other / (on_control + on_other);
        let own = [self.own_spread(stratum, 0), self.own_spread(stratum, arm)];
        invert(&|effect| {
            let means = [pooled.value - effect * part, pooled.value + effect * (1.0 - part)];
            let squares = means.map(|mean| (mean * mean).max(pooled.noise).min(LARGEST));
            let spreads = [0, 1].map(|side| own[side].unwrap_or_else(|| binary_spread(means[side], pooled)));
            let sampling = few * few * on_other * spreads[1] + many * many * on_control * spreads[0];
            let of_counts = [
                control.noise * on_other * on_other * squares[0],
                other.noise * on_control * on_control * squares[1],
                effect * effect * control.noise * other.noise,
            ];
            let variance = sampling + sum.noise + of_counts.iter().sum::<f64>() + 1e-9;
            let fourth = sum.fourth + of_counts.iter().map(|one| LAPLACE * one * one).sum::<f64>();
            let bound = bound(normal, fourth / (variance * variance), 2.0 / (on_control + on_other));
            ((sum.value - effect * few * many) / variance.sqrt(), bound)
        })
    }

    /// The variance of a number in a stratum: everyone's, or its own where that seems larger, as far as everyone's
    /// allows. None of binary outcomes, whose means tell it.
    fn own_spread(&self, stratum: usize, arm: usize) -> Option<f64> {
        if self.whole.squares.is_empty() {
            return None;
        }
        let (spread, error) = self.spread(arm);
        let everyone = spread + error.sqrt() / 2.0;
        if self.whole.middles.is_empty() {
            return Some(everyone);
        }
        let (own, error) = self.group(stratum).spread(arm);
        let own = own + error.sqrt() / 4.0;
        // Nobody's variance is more than all of everyone's in their stratum alone.
        let most = everyone * self.whole.enrolled() as f64 / self.people(stratum).value.max(1.0);
        Some(own.min(most).max(everyone).min(LARGEST))
    }

    /// The square of an outcome about the centre, at most.
    fn square(&self, stratum: Option<usize>, arm: usize, pooled: f64) -> f64 {
        let reach = self.centre().max(1.0 - self.centre());
        if self.whole.squares.is_empty() && self.centre() == 0.5 {
            return LARGEST;
        }
        let own = stratum.and_then(|stratum| self.own_spread(stratum, arm));
        let spread = own.unwrap_or_else(|| {
            let (spread, error) = self.spread(arm);
            spread + error.sqrt() / 2.0
        });
        (spread + pooled * pooled).min(reach * reach)
    }

    /// A stratum's effect, whose people on each arm are known on average alone: or everyone's, by chances.
    pub(super) fn weighted(&self, stratum: Option<usize>, arm: usize, normal: f64) -> Accepted {
        let view = stratum.map_or_else(|| self.everyone.view.clone(), |one| self.view(&self.whole.sums[one]));
        let people = stratum.map_or(Measured::exact(self.whole.enrolled() as f64), |one| self.people(one));
        let chance = |arm: usize| self.share_in(stratum, arm) * self.kept(arm);
        let mut weights = vec![0.0; self.spec.arms()];
        let expected = people.value.max(people.noise.sqrt()).max(1.0);
        let pooled = view.pooled_mean(expected * chance(0), expected * chance(arm), arm).value;
        let mut of_one = 0.0;
        for (arm, sign) in [(arm, 1.0), (0, -1.0)] {
            weights[arm] = sign / chance(arm);
            // About the centre, not the mean: who is on which arm is known on average alone.
            of_one += self.square(stratum, arm, pooled) / chance(arm);
        }
        let sum = view.combined(&weights);
        invert(&|effect| {
            let counts = effect * effect * people.noise;
            let variance = expected * of_one + sum.noise + counts + 1e-9;
            let fourth = sum.fourth + LAPLACE * counts * counts;
            let bound = bound(normal, fourth / (variance * variance), 2.0 / expected);
            ((sum.value - effect * people.value) / variance.sqrt(), bound)
        })
    }

    /// Everyone's effect where arms were given by other chances in each stratum: outcomes over their chances, which
    /// a plain difference of means would take for an effect.
    pub(super) fn standardised(&self, arm: usize, normal: f64) -> Accepted {
        let people = self.whole.enrolled() as f64;
        let (mut sum, mut sampling) = (Measured::default(), 0.0);
        for (stratum, sums) in self.whole.sums.iter().enumerate() {
            let (view, group) = (self.view(sums), self.group(stratum));
            let here = self.people(stratum).value.max(1.0);
            let exact = self.spec.counts_exactly()
                && self.cell(stratum, 0).value.min(self.cell(stratum, arm).value) > 0.0;
            let chance = |arm: usize| {
                let share = if exact {
                    self.cell(stratum, arm).value / here
                } else {
                    designed(self.spec, stratum, arm)
                };
                share * self.kept(arm)
            };
            let pooled = view.pooled_mean(here * chance(0), here * chance(arm), arm).value;
            let mut weights = vec![0.0; self.spec.arms()];
            for (arm, sign) in [(arm, 1.0), (0, -1.0)] {
                weights[arm] = sign / chance(arm);
                let square =
                    if exact { group.spread(arm).0 } else { self.square(Some(stratum), arm, pooled) };
                sampling += here * square / chance(arm);
            }
            sum = sum.plus(view.combined(&weights));
        }
        let variance = sampling + sum.noise;
        let bound = bound(normal, sum.fourth / (variance * variance), 2.0 / people.max(1.0));
        let (estimate, reach) = (sum.value / people.max(1.0), bound * variance.sqrt() / people.max(1.0));
        let [low, high] = [estimate - reach, estimate + reach].map(|end| end.clamp(-1.0, 1.0));
        Accepted { estimate: estimate.clamp(-1.0, 1.0), low, high, bound }
    }
}

/// How often an even table is called uneven.
const UNEVEN: f64 = 1e-3;

/// Whether a finished table's arms are spread over strata less evenly than one coin for all would do it, wrongly
/// so in one table of a thousand.
pub fn uneven(release: &Release) -> bool {
    let Some(whole) = release.whole() else { return false };
    let spec = release.spec();
    let reader = Reader::new(spec, whole);
    let cells = (spec.strata() * spec.arms()) as f64;
    let limit = two_sided(1.0 - UNEVEN / cells);
    let off = |stratum: usize, arm: usize| {
        let (people, cell, share) = (reader.people(stratum), reader.cell(stratum, arm), reader.share(arm));
        let by_chance = people.value.max(1.0) * share * (1.0 - share);
        // Of the count, and of the others that it is compared with.
        let noise = cell.noise * (1.0 - share).powi(2) + (people.noise - cell.noise) * share * share;
        (cell.value - people.value * share).abs() / (by_chance + noise).sqrt()
    };
    spec.strata() > 1
        && (0..spec.strata()).any(|stratum| (0..spec.arms()).any(|arm| off(stratum, arm) > limit))
}

/// The variance of a binary outcome at a supposed mean about the middle: the largest that is near it.
fn binary_spread(mean: f64, pooled: Measured) -> f64 {
    let off = (mean.abs() - pooled.noise.sqrt()).clamp(0.0, 0.5);
    LARGEST - off * off
}

fn designed(spec: &TrialSpec, stratum: usize, arm: usize) -> f64 {
    spec.designed(stratum, arm).unwrap_or_else(|| spec.even()[arm])
}
