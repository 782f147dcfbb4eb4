//! A released function, ready to be asked.

use faer::{Mat, MatRef};

use super::chosen::widening;
use super::habits::Habits;
use super::posterior::Situation;
use super::reading::Observed;
use super::spread::{Departure, Spread};
use super::{ReadError, Release, Sketch};
use crate::kernel::algebra::{self, Singular};
use crate::kernel::{FeatureMap, KernelSpec, Points, Waves};

/// How often what would be lost of the mean by smoothing counts as a deviation: a prior that is the same everywhere
/// does not know that most is lost at peaks and edges, and the mean has lost about as much of the function already.
const LOST: f64 = 2.0;

/// The function at a point, with the standard deviation of what is not known about it: privacy noise, chance
/// and smoothness together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// Whether people of the context got such an action, as far as the release tells.
    pub supported: bool,
}

/// A released function, ready to be asked.
#[derive(Clone)]
pub struct Surface {
    pub(super) setting: KernelSpec,
    pub(super) features: Features,
    /// The mean at w is a row of features times this.
    pub(super) weights: Mat<f64>,
    /// The variance at w is the square of a row of features times this ...
    pub(super) factor: Mat<f64>,
    /// ... plus this times what no feature explains at w.
    pub(super) unexplained: f64,
    /// What the release says about the people of the log; versions 1 and 2 say nothing.
    pub(super) people: Option<People>,
    /// What people got, where actions are not spread evenly.
    pub(super) habits: Option<Habits>,
    /// How much wider bands are at recommended actions.
    pub(super) chosen: f64,
}

/// What a function is written in.
#[derive(Clone)]
pub(super) enum Features {
    /// Kernels at public points, of versions 1 and 2; times the basis they are features of which squares add up to the
    /// share of the function's variance that is explained.
    Points { map: FeatureMap, basis: Mat<f64> },
    /// The first waves.
    Waves { waves: Waves, count: usize },
}

/// How the people of a log are beside what was declared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct People {
    /// How contexts depart from what is declared.
    pub contexts: Departure,
    /// How actions depart from being drawn evenly, whoever the person is.
    pub actions: Departure,
    /// The share of rewards that lay beyond their range, with the deviation of its noise.
    pub clipped: (f64, f64),
    /// The deviation of rewards around the function, in rewards' units: what is declared where little is known.
    pub noise: f64,
    /// How believable it is that the function has jumps or kinks, near which bands may miss.
    pub abrupt: f64,
    /// How far the released numbers are from what is taken for granted about the function: more than three
    /// says that it is otherwise, and that bands may miss.
    pub misfit: f64,
    /// How far the mean is from the function for people like those in the log: root mean square, in rewards' units.
    error: f64,
}

impl std::fmt::Debug for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surface").field("rank", &self.weights.nrows()).finish_non_exhaustive()
    }
}

impl People {
    /// Whether bands may hold less often than they say.
    pub fn is_doubtful(&self) -> bool {
        self.abrupt > 0.5 || self.misfit > 3.0
    }
}

impl Features {
    pub(super) fn rows(&self, points: &Points) -> Mat<f64> {
        match self {
            Features::Points { map, .. } => map.kernel().between(points, map.points()),
            Features::Waves { waves, count } => waves.rows(points, *count),
        }
    }

    /// The share of the function's variance that features explain at each row.
    fn explained(&self, rows: MatRef<'_, f64>) -> Vec<f64> {
        match self {
            Features::Points { basis, .. } => squares(algebra::times(rows, basis.as_ref()).as_ref()),
            Features::Waves { .. } => vec![0.0; rows.nrows()],
        }
    }
}

impl Surface {
    /// Reads a release.
    pub fn read(release: &Release, threads: usize) -> Result<Surface, ReadError> {
        match release.sketch() {
            Some(sketch) => Ok(Surface::of_sketch(&sketch, release, threads)?),
            None => Surface::of_design(&release.design(threads)?, release),
        }
    }

    fn of_sketch(sketch: &Sketch, release: &Release, threads: usize) -> Result<Surface, Singular> {
        let seen = Observed::new(sketch.parts(), release.noisy(), release.people(), release.sigma());
        let spread = Spread::read(sketch, &seen, threads)?;
        let posterior = Situation::new(sketch, &seen, &spread, threads).posterior()?;
        let (values, vectors) = algebra::eigen(posterior.covariance.as_ref())?;
        let all = values.len();
        let factor = Mat::from_fn(all, all + 1, |i, j| {
            if j == all { LOST * posterior.lost[(i, 0)] } else { vectors[(i, j)] * values[j].sqrt() }
        });
        // What was cut off rewards is not seen: where a share of them lay beyond the range, their mean may be off by as
        // much of half of it.
        let cut = (seen.clipped - seen.clipped_noise).clamp(0.0, 1.0);
        let setting = sketch.setting().clone();
        let waves = sketch.parts().waves.clone();
        let count = waves.len();
        let half = setting.half_range();
        let mut surface = Surface {
            setting,
            features: Features::Waves { waves, count },
            weights: posterior.mean,
            factor,
            unexplained: posterior.unexplained + cut * cut,
            people: None,
            habits: None,
            chosen: 1.0,
        };
        let estimates = surface.at(&spread.points);
        let error =
            estimates.iter().zip(&spread.weights).map(|(one, weight)| weight * one.deviation * one.deviation);
        surface.chosen = widening(&surface, &spread.points, &spread.weights);
        let wide = posterior.wide.as_ref();
        surface.habits = wide.map(|(wide, left)| Habits::read(sketch, &spread, (wide, *left))).transpose()?;
        surface.people = Some(People {
            contexts: spread.contexts,
            actions: spread.actions,
            clipped: (seen.clipped, seen.clipped_noise),
            noise: half * posterior.noise,
            abrupt: posterior.abrupt,
            misfit: posterior.misfit,
            error: error.sum::<f64>().sqrt(),
        });
        Ok(surface)
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        &self.setting
    }

    /// How the people of the log are beside what was declared, as far as was released.
    pub fn people(&self) -> Option<&People> {
        self.people.as_ref()
    }

    /// The function at scaled points, in rewards' units. A mean beyond the declared range is cut to it.
    pub fn at(&self, points: &Points) -> Vec<Estimate> {
        let rows = self.features.rows(points);
        let means = algebra::times(rows.as_ref(), self.weights.as_ref());
        let spreads = squares(algebra::times(rows.as_ref(), self.factor.as_ref()).as_ref());
        let explained = self.features.explained(rows.as_ref());
        let (middle, half) = (self.setting.middle(), self.setting.half_range());
        let wide = self.habits.as_ref().map(|habits| habits.variances(rows.as_ref()));
        let left = self.habits.as_ref().map_or(0.0, |habits| habits.left);
        let one = |i: usize| {
            let variance = spreads[i] + self.unexplained * (1.0 - explained[i]).max(0.0);
            let wide = wide.as_ref().map_or(0.0, |wide| wide[i]);
            Estimate {
                mean: middle + half * means[(i, 0)].clamp(-1.0, 1.0),
                deviation: half * variance.max(wide + left).sqrt(),
                supported: Habits::support(wide),
            }
        };
        (0..points.len()).map(one).collect()
    }

    /// How far the mean is from the function, by the posterior: root mean square, in rewards' units, for people like
    /// those in the log; over evenly scattered points where the release does not tell where they are.
    pub fn typical_error(&self) -> f64 {
        if let Some(people) = &self.people {
            return people.error;
        }
        let points = self.setting.at_levels(Points::halton(0..2000, self.setting.inputs()));
        let squares = self.at(&points).into_iter().map(|estimate| estimate.deviation * estimate.deviation);
        (squares.sum::<f64>() / points.len() as f64).sqrt()
    }

    /// The mean alone, in rewards' units: one kernel for each feature.
    pub fn means(&self, points: &Points) -> Vec<f64> {
        let means = algebra::times(self.features.rows(points).as_ref(), self.weights.as_ref());
        (0..points.len()).map(|i| self.setting.middle() + self.setting.half_range() * means[(i, 0)]).collect()
    }
}

impl Release {
    /// The kernel with the length scales that make the released numbers most likely: post-processing, so it is free.
    pub(in crate::kernel) fn likely_kernel(
        &self,
        sketch: &Sketch,
        threads: usize,
    ) -> Result<crate::kernel::Kernel, Singular> {
        let seen = Observed::new(sketch.parts(), self.noisy(), self.people(), self.sigma());
        let spread = Spread::read(sketch, &seen, threads)?;
        Ok(Situation::new(sketch, &seen, &spread, threads).posterior()?.kernel)
    }
}

/// The square of each row's length.
pub(super) fn squares(rows: MatRef<'_, f64>) -> Vec<f64> {
    rows.row_iter().map(|row| row.iter().map(|entry| entry * entry).sum()).collect()
}
