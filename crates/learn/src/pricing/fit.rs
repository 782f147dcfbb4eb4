//! From tallies to the posterior of the outcome's mean.

use reticent_privacy::oracle::AggregateError;
use reticent_protocol::pricing::{Channel, Terms};

use super::answers::Answers;
use super::axes::{Axes, LENGTHS, START};
use super::basis::Basis;
use super::density::Density;
use super::follows;
use super::gaps;
use super::gathered::Gathered;
use super::shape::Shape;
use super::system::{Posterior, System};
use super::tally::Tally;

/// How often the outcome's mean, which says how the two counts of a cell are combined, is put back.
const ROUNDS: usize = 3;
/// The variance of a mean of which nothing is known.
const UNKNOWN: f64 = 0.25;
/// Means are kept inside this distance of 0 and 1 where they weigh counts.
const MARGIN: f64 = 0.02;

/// What was learned from privatised logs.
#[derive(Debug)]
pub struct Fitted {
    pub(super) terms: Terms,
    pub(super) axes: Axes,
    pub(super) density: Density,
    pub(super) shape: Shape,
    pub(super) basis: Basis,
    pub(super) posterior: Posterior,
    /// The same for a rougher function than the reports ask for: what prices earn is judged by it, since
    /// smoothing takes from the highest places.
    pub(super) rough: (Basis, Posterior),
    /// The mean outcome over all records, around which the functions are.
    pub(super) level: f64,
    pub(super) reports: u64,
    /// The losses of the logs' reports, each once.
    pub(super) epsilons: Vec<f64>,
    /// For each axis that was declared as a range and has gaps, the stretches with records, in [0, 1].
    pub(super) stretches: Vec<Option<Vec<(f64, f64)>>>,
    /// Whether each of the finest parts of the prices surely has records; none if they are too coarse to say.
    pub(super) spread: Option<Vec<bool>>,
    /// For each axis of the context, whether the log's prices move with it.
    pub(super) follows: Vec<bool>,
    /// For each axis, the logarithm of how much likelier the answers are if it matters than if it does not.
    pub(super) evidence: Vec<f64>,
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Nothing to learn from.
    #[error("the logs hold no report")]
    Empty,
    /// Logs of different markets.
    #[error("the logs declare different contexts, prices or outcomes; only logs of one market can be joined")]
    OtherTerms,
    /// Counts that are no oracle's.
    #[error(transparent)]
    Aggregate(#[from] AggregateError),
}

/// Learns from the tallies of one market: their losses and questions may differ.
pub fn fit(tallies: &[Tally]) -> Result<Fitted, FitError> {
    let first = tallies.first().ok_or(FitError::Empty)?;
    let terms = first.spec().terms().clone();
    if tallies.iter().any(|tally| *tally.spec().terms() != terms) {
        return Err(FitError::OtherTerms);
    }
    let questions: Vec<&[u32]> =
        tallies.iter().flat_map(|tally| tally.spec().channels()).map(Channel::parts).collect();
    let axes = Axes::for_parts(&terms, &questions);
    let mut answers = Vec::new();
    for tally in tallies {
        answers.extend(Answers::of(tally, &axes)?);
    }
    let reports = tallies.iter().map(Tally::reports).sum();
    if answers.is_empty() {
        return Err(FitError::Empty);
    }
    let mut epsilons: Vec<f64> = tallies.iter().map(|tally| tally.spec().epsilon().value()).collect();
    epsilons.sort_by(f64::total_cmp);
    epsilons.dedup();
    let density = Density::learned(&axes, &answers);
    let level = level(&answers);
    let longest = longest(&questions, axes.additive());
    let Learned { shape, basis, posterior, rough, evidence } =
        Lesson::new(&axes, &answers, &density, level).learn(&longest);
    let follows = follows::contexts(&answers, axes.each.len());
    // Of a list, each price must be a part of its own.
    let fine = if axes.price().apart() { axes.price().places().len() as u32 } else { gaps::FINE };
    let spread = gaps::spread(&answers, axes.each.len() - 1, fine);
    let mut stretches = gaps::stretches(&answers, axes.each.len());
    for (axis, stretches) in axes.each.iter().zip(&mut stretches) {
        // Places of their own, as levels and listed prices have, are no gaps.
        stretches.take_if(|_| axis.apart());
    }
    Ok(Fitted {
        terms,
        axes,
        density,
        shape,
        basis,
        posterior,
        rough,
        level,
        reports,
        epsilons,
        stretches,
        spread,
        follows,
        evidence,
    })
}

/// The last length that the evidence may choose for each axis: what no question cuts into three parts or more
/// cannot be seen to be flat. Effects that add up are lines between two ends, and can.
fn longest(questions: &[&[u32]], additive: bool) -> Vec<usize> {
    let finest = |axis: usize| questions.iter().map(|parts| parts[axis]).max().unwrap_or(1);
    (0..questions[0].len())
        .map(|axis| if additive || finest(axis) > 2 { LENGTHS.len() - 1 } else { START })
        .collect()
}

/// The mean outcome: each question's sum of good shares, weighed by what its cells' noise adds up to.
fn level(answers: &[Answers]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for question in answers {
        let weight = question.reports / (question.cells() as f64 * question.noise + 0.25);
        sum += weight * question.good.iter().sum::<f64>();
        weights += weight;
    }
    (sum / weights).clamp(MARGIN, 1.0 - MARGIN)
}

/// All that the posterior is made of.
struct Lesson<'a> {
    axes: &'a Axes,
    answers: &'a [Answers],
    gathered: Gathered<'a>,
    level: f64,
    /// The mass of each question's cells, and its variance.
    cell_masses: Vec<Vec<f64>>,
    mass_variances: &'a [Vec<f64>],
}

/// What a lesson ends with.
struct Learned {
    shape: Shape,
    basis: Basis,
    posterior: Posterior,
    rough: (Basis, Posterior),
    evidence: Vec<f64>,
}

/// For each cell of a question: what is observed, beyond the level, and its variance.
type Observed = Vec<(f64, f64)>;

impl<'a> Lesson<'a> {
    fn new(axes: &'a Axes, answers: &'a [Answers], density: &'a Density, level: f64) -> Lesson<'a> {
        let masses = &density.masses;
        let cell_masses = answers.iter().map(|question| question.summed(masses, 1)).collect();
        let gathered = Gathered::new(axes, answers, masses);
        Lesson { axes, answers, gathered, level, cell_masses, mass_variances: &density.variances }
    }

    fn learn(&self, longest: &[usize]) -> Learned {
        let start = Belief { mean: self.level, variance: UNKNOWN };
        let mut beliefs: Vec<Vec<Belief>> =
            self.answers.iter().map(|question| vec![start; question.cells()]).collect();
        let mut shape = Shape::start(self.axes.each.len());
        for round in 1.. {
            let observed: Vec<Observed> =
                (0..self.answers.len()).map(|q| self.observed(q, &beliefs[q])).collect();
            shape = shape.climbed(longest, |shape| {
                self.posterior(&Basis::new(self.axes, shape), &observed).0.evidence()
            });
            let basis = Basis::new(self.axes, &shape);
            let (posterior, rows) = self.posterior(&basis, &observed);
            if round == ROUNDS {
                let evidence = self.evidence(&shape, posterior.evidence(), &observed);
                let rougher = Basis::new(self.axes, &shape.rougher());
                let (rough, _) = self.posterior(&rougher, &observed);
                return Learned { shape, basis, posterior, rough: (rougher, rough), evidence };
            }
            beliefs = self.beliefs(&posterior, &rows, basis.rank());
        }
        unreachable!("the last round returns")
    }

    /// The good share of each cell, with the error of its mass taken out: g - c (M - m) for a cell with mean
    /// outcome c, observed share M and mass m. An error of m then matters by the error of c alone; its size,
    /// by its own posterior and as far as M - m shows more of it than noise, times what is not known of c, is
    /// part of the variance. Without that an empty cell that was given a mass would repeat c as if it had
    /// been observed.
    fn observed(&self, question: usize, beliefs: &[Belief]) -> Observed {
        let answers = &self.answers[question];
        let cells = self.cell_masses[question].iter().zip(beliefs).enumerate();
        cells
            .map(|(cell, (&mass, belief))| {
                let (mean, share) = (belief.mean, answers.share(cell));
                let value = answers.good[cell] - mean * (share - mass) - mass * self.level;
                let channel = (mean * mean + (1.0 - mean) * (1.0 - mean)) * answers.noise;
                // What one record could do: no cell is known exactly.
                let floor = answers.reports.powi(-2);
                let scatter = (2.0 * answers.noise + mass) / answers.reports;
                let misplaced = ((share - mass) * (share - mass) - scatter).max(0.0);
                let variance = (channel + mass * mean * (1.0 - mean)) / answers.reports + floor;
                (value, variance + belief.variance * (misplaced + self.mass_variances[question][cell]))
            })
            .collect()
    }

    /// For each axis, what speaks for the shape against the same with a flat axis.
    fn evidence(&self, shape: &Shape, chosen: f64, observed: &[Observed]) -> Vec<f64> {
        let against = |axis: usize| {
            let mut flat = shape.clone();
            flat.lengths[axis] = LENGTHS.len() - 1;
            if flat == *shape {
                return 0.0;
            }
            chosen - self.posterior(&Basis::new(self.axes, &flat), observed).0.evidence()
        };
        (0..shape.lengths.len()).map(against).collect()
    }

    /// The posterior, and each question's rows one after another.
    fn posterior(&self, basis: &Basis, observed: &[Observed]) -> (Posterior, Vec<Vec<f64>>) {
        let rank = basis.rank();
        let rows = self.gathered.rows(basis);
        let mut system = System::new(rank);
        for (rows, observed) in rows.iter().zip(observed) {
            system.observe(rows, observed);
        }
        (system.posterior(), rows)
    }

    /// What is known of the mean outcome in each question's cells.
    fn beliefs(&self, posterior: &Posterior, rows: &[Vec<f64>], rank: usize) -> Vec<Vec<Belief>> {
        let cell = |(row, mass): (&[f64], &f64)| Belief {
            mean: (self.level + posterior.mean(row) / mass).clamp(MARGIN, 1.0 - MARGIN),
            variance: (posterior.deviation(row) / mass).powi(2).min(UNKNOWN),
        };
        let question =
            |(rows, masses): (&Vec<f64>, &Vec<f64>)| rows.chunks_exact(rank).zip(masses).map(cell).collect();
        rows.iter().zip(&self.cell_masses).map(question).collect()
    }
}

/// What is known of the mean outcome in a cell.
#[derive(Debug, Clone, Copy)]
struct Belief {
    mean: f64,
    variance: f64,
}
