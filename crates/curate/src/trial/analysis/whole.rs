//! Effects from the only table of a trial with one. Arms are public here, so that means are sums over known
//! numbers of people; see `validity.md`.

use super::super::TrialSpec;
use super::super::adjusted::Predictor;
use super::super::spec::STEPS;
use super::super::whole::Whole;
use super::Estimator;
use super::group::{Group, LARGEST};
use super::invert::Accepted;
use super::stage::LAPLACE;
use super::view::{Measured, Noise, View};

/// The table in people, with all that is needed to read it.
pub(super) struct Reader<'a> {
    pub(super) spec: &'a TrialSpec,
    pub(super) whole: &'a Whole,
    /// Of each published number, in people before it is divided by its share.
    noise: Noise,
    /// How much of an outcome's range one unit of the table is: of an adjusted table more than all.
    scale: f64,
    pub(super) everyone: Group,
}

impl<'a> Reader<'a> {
    pub(super) fn new(spec: &'a TrialSpec, whole: &'a Whole) -> Reader<'a> {
        let adjusted = spec.draft().adjust.is_some();
        let kurtosis = if adjusted { 0.0 } else { LAPLACE };
        let noise = Noise { variance: whole.form.noise_variance(spec), kurtosis };
        let scale = if adjusted { 2.0 * Predictor::new(spec, &whole.moments).reach() } else { 1.0 };
        let missing = |arm: usize| Measured::new(in_people(whole.missing[arm]), whole.form.missing, noise);
        let seen: Vec<Measured> = (0..spec.arms())
            .map(|arm| {
                let people = whole.people[arm] as f64;
                let lost = missing(arm);
                // Noise may make them more than there are: cutting that off would make them too few on average.
                Measured { value: (people - lost.value).max(0.5), ..lost }
            })
            .collect();
        let everyone = Group { seen, centre: whole.form.centre, ..Group::default() };
        let mut reader = Reader { spec, whole, noise, scale, everyone };
        (reader.everyone.view, reader.everyone.squares) = (reader.view_of_everyone(), reader.squares(None));
        if adjusted {
            reader.everyone.middles = reader.middles(0);
        }
        reader
    }

    /// People without an outcome, of an arm.
    pub(super) fn missing(&self, arm: usize) -> f64 {
        in_people(self.whole.missing[arm]) / self.whole.form.missing
    }

    pub(super) fn centre(&self) -> f64 {
        self.whole.form.centre
    }

    /// One deviation of the noise in the number of people without an outcome.
    pub(super) fn noise_in_people(&self) -> f64 {
        self.noise.variance.sqrt() / self.whole.form.missing
    }

    /// The share of an arm's people whose outcome came.
    pub(super) fn kept(&self, arm: usize) -> f64 {
        (self.everyone.seen[arm].value / (self.whole.people[arm] as f64).max(1.0)).clamp(0.02, 1.0)
    }

    /// People of a stratum and arm, with or without an outcome. Where they are counted with noise, those of an
    /// arm are made to add up to what is known exactly.
    pub(super) fn cell(&self, stratum: usize, arm: usize) -> Measured {
        let (arms, strata) = (self.spec.arms(), self.spec.strata() as f64);
        if strata == 1.0 {
            return Measured::exact(self.whole.people[arm] as f64);
        }
        if let Some(&people) = self.whole.cells.get(stratum * arms + arm) {
            return Measured::exact(people as f64);
        }
        let counted = |&count: &i64| Measured::new(in_people(count), self.whole.form.count, self.noise);
        let of_arm = self.whole.counts.iter().skip(arm).step_by(arms);
        let left = self.whole.people[arm] as f64 - of_arm.map(|count| counted(count).value).sum::<f64>();
        let one = counted(&self.whole.counts[stratum * arms + arm]);
        let rest = 1.0 - 1.0 / strata;
        Measured {
            value: one.value + left / strata,
            noise: one.noise * rest,
            fourth: one.fourth * rest.powi(4),
        }
    }

    /// People of a stratum, with or without an outcome.
    pub(super) fn people(&self, stratum: usize) -> Measured {
        (0..self.spec.arms()).fold(Measured::default(), |sum, arm| sum.plus(self.cell(stratum, arm)))
    }

    /// People of a stratum and arm with an outcome: as many as the arm has over all.
    pub(super) fn seen_in(&self, stratum: usize, arm: usize) -> Measured {
        let (cell, seen) = (self.cell(stratum, arm), self.everyone.seen[arm]);
        let (kept, all) = (self.kept(arm), (self.whole.people[arm] as f64).max(1.0));
        let part = cell.value / all;
        let mut people = cell.times(kept);
        people.noise += part * part * seen.noise;
        people
    }

    /// The actual share of an arm.
    pub(super) fn share(&self, arm: usize) -> f64 {
        (self.whole.people[arm] as f64 / (self.whole.enrolled() as f64).max(1.0)).max(1e-3)
    }

    fn shares(&self) -> Vec<f64> {
        let form = &self.whole.form;
        if form.signs.is_some() { vec![1.0, form.pooled] } else { vec![1.0; self.spec.arms()] }
    }

    pub(super) fn view(&self, sums: &[i64]) -> View {
        let sums = sums.iter().zip(self.shares());
        let sums = sums.map(|(&sum, share)| Measured::new(in_people(sum), share, self.noise));
        View { signs: self.whole.form.signs, sums: sums.collect() }
    }

    /// Everyone's sums: strata's together, and those published for everyone, by their precision.
    fn view_of_everyone(&self) -> View {
        let mut all = View { signs: self.whole.form.signs, sums: Vec::new() };
        for sums in &self.whole.sums {
            all.add(&self.view(sums));
        }
        let part = self.whole.form.everyone;
        if part > 0.0 {
            let direct: Vec<Measured> = (self.whole.everyone.iter().zip(self.shares()))
                .map(|(&sum, share)| Measured::new(in_people(sum), share * part, self.noise))
                .collect();
            for (sum, direct) in all.sums.iter_mut().zip(direct) {
                *sum = sum.average(direct);
            }
        }
        all
    }

    /// Squares of a stratum, where they are known, or of everyone.
    fn squares(&self, stratum: Option<usize>) -> Vec<Measured> {
        let form = &self.whole.form;
        let kinds = form.squares(self.spec.arms()).max(1);
        let mut sums = vec![Measured::default(); self.whole.squares.len().min(kinds)];
        for (part, squares) in self.whole.squares.chunks(kinds).enumerate() {
            if stratum.is_none_or(|one| one == part) {
                for (sum, &square) in sums.iter_mut().zip(squares) {
                    *sum = sum.plus(Measured::new(in_people(square), form.square, self.noise));
                }
            }
        }
        sums
    }

    /// Sums of y (1 - y) of a stratum, where they were published.
    fn middles(&self, stratum: usize) -> Vec<Measured> {
        let form = &self.whole.form;
        let kinds = form.middles(self.spec.arms());
        let middles = self.whole.middles.iter().skip(stratum * kinds).take(kinds);
        middles.map(|&sum| Measured::new(in_people(sum), form.middle, self.noise)).collect()
    }

    /// A stratum.
    pub(super) fn group(&self, stratum: usize) -> Group {
        Group {
            view: self.view(&self.whole.sums[stratum]),
            seen: (0..self.spec.arms()).map(|arm| self.seen_in(stratum, arm)).collect(),
            squares: if self.spec.counts_exactly() { self.squares(Some(stratum)) } else { Vec::new() },
            middles: self.middles(stratum),
            centre: self.centre(),
        }
    }

    /// A mean in [0, 1], of a stratum or of everyone. A stratum's is drawn to everyone's as far as it is noise.
    pub(super) fn mean_of(&self, stratum: Option<usize>, arm: usize) -> f64 {
        let everyone = self.everyone.mean(arm);
        let about = stratum.map_or(everyone, |stratum| {
            let people = self.usual(stratum, arm).max(1.0);
            let sum = self.view(&self.whole.sums[stratum]).sum_of(arm);
            let prior = sum.noise / (people * LARGEST);
            (sum.value + prior * everyone) / (people + prior)
        });
        (about * self.scale + self.centre()).clamp(0.0, 1.0)
    }

    /// The variance of an outcome on an arm, over everyone, and the variance that noise gives to it.
    pub(super) fn spread(&self, arm: usize) -> (f64, f64) {
        self.everyone.spread(arm)
    }

    /// The variance of an outcome on an arm, or of what covariates leave of it, on the scale from 0 to 1.
    pub(super) fn variance_of_one(&self, arm: usize) -> f64 {
        self.scale * self.scale * self.spread(arm).0
    }

    /// An effect, for a stratum or for everyone.
    pub(super) fn effect(
        &self,
        stratum: Option<usize>,
        arm: usize,
        estimator: Estimator,
        normal: f64,
    ) -> Accepted {
        // The only stratum is everyone.
        let stratum = stratum.filter(|_| self.spec.strata() > 1);
        match stratum {
            Some(stratum) => self.within(stratum, arm, normal),
            None if self.spec.draft().adjust.is_some() => {
                self.difference(&self.everyone, arm, normal).times(self.scale)
            }
            None if self.has_shares_by_stratum() => self.standardised(arm, normal),
            None if estimator == Estimator::InversePropensity => self.weighted(None, arm, normal),
            None => self.difference(&self.everyone, arm, normal),
        }
    }

    /// The difference of two means, whose people are known up to missing ones.
    pub(super) fn difference(&self, group: &Group, arm: usize, normal: f64) -> Accepted {
        let sides = [(arm, 1.0), (0, -1.0)];
        let mut weights = vec![0.0; self.spec.arms()];
        let (mut estimate, mut variance, mut doubt, mut fourth, mut sampling) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (arm, sign) in sides {
            let (people, mean) = (group.seen[arm].value.max(0.5), group.mean(arm));
            let (spread, error) = group.spread(arm);
            weights[arm] = sign / people;
            estimate += sign * mean;
            variance += spread / people;
            // Errors of two variances from one sum are one error.
            doubt += error.sqrt() / people;
            sampling += spread * spread / (people * people * people) * 2.0;
            let of_count = mean * mean * group.seen[arm].noise / (people * people);
            variance += of_count;
            fourth += LAPLACE * of_count * of_count;
        }
        let noise = group.view.combined(&weights);
        variance += noise.noise;
        fourth += noise.fourth;
        let bound =
            bound(normal, fourth / (variance * variance), (doubt * doubt + sampling) / (variance * variance));
        let reach = bound * variance.sqrt();
        Accepted {
            estimate: estimate.clamp(-1.0, 1.0),
            low: (estimate - reach).clamp(-1.0, 1.0),
            high: (estimate + reach).clamp(-1.0, 1.0),
            bound,
        }
    }
}

fn in_people(units: i64) -> f64 {
    units as f64 / f64::from(STEPS)
}

/// The normal bound, wider for the noise's tails (Cornish and Fisher) and for a variance that is not known
/// well: as Student's, whose variance has a relative error of 2 / degrees of freedom.
pub(super) fn bound(normal: f64, kurtosis: f64, doubt: f64) -> f64 {
    let tails = (normal * normal * normal - 3.0 * normal) * kurtosis.clamp(0.0, LAPLACE) / 24.0;
    let student = normal * (normal * normal + 1.0) * doubt.clamp(0.0, 1.0) / 8.0;
    normal + tails + student
}
