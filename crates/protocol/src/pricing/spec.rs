//! What all parties agree on before the first record is privatised.

use std::sync::Arc;

use reticent_privacy::{Epsilon, Guarantee, LossError, oracle};
use reticent_schema::experiment::AxesError;
use reticent_schema::{DecimalError, Digest, Experiment, ExperimentError, Prefix, RangeError};
use serde::{Deserialize, Serialize};

use super::document::document;
use super::{
    Channel, PricesError, Question, QuestionError, Report, ReportError, Terms, TermsError, designed,
};
use crate::Answer;

/// More questions than this have too few answers each.
pub const MAX_QUESTIONS: usize = 64;
/// More cells than this, in all questions together, take a fit too long.
const MAX_CELLS: u64 = 1 << 16;

/// A market's terms, the loss of a report, and the questions of which each record answers one.
///
/// ```
/// use reticent_privacy::Epsilon;
/// use reticent_schema::{Encoding, Range};
/// use reticent_protocol::pricing::{Prices, Spec, Terms};
/// let sold = Range::UNIT;
/// let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 20.0)?, sold)?;
/// let spec = Spec::designed(terms, Epsilon::new(1.0)?, 100_000)?;
/// assert_eq!(spec.questions().len(), 3);
/// assert_eq!(spec.report_bytes(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Spec {
    experiment: Arc<Experiment>,
    terms: Terms,
    questions: Vec<Question>,
    channels: Vec<Channel>,
    /// For each question, the code of its first output.
    first: Vec<u32>,
}

/// Why a spec was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No question, or too many.
    #[error("a pricing spec has 1 to {MAX_QUESTIONS} questions, got {0}")]
    Questions(usize),
    /// Questions that are the same, or too fine together.
    #[error(
        "each question must cut the axes in its own way, into at most {MAX_CELLS} cells in all questions together"
    )]
    Cells,
    /// More different reports than can be numbered.
    #[error("the questions have more different answers than a report can name; ask coarser questions")]
    Outputs,
    /// A question.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"pricing\"")]
    Kind(&'static str),
    /// Neither questions nor how many records there are.
    #[error("a pricing experiment needs its questions, or about how many records there are")]
    Records,
    /// Neither a range nor a list of prices, or both.
    #[error("the price needs either low and high, or points")]
    Price,
    /// An oracle that this version does not have.
    #[error("no oracle is called {0:?}")]
    Oracle(String),
    /// Invalid prices.
    #[error(transparent)]
    Prices(#[from] PricesError),
    /// Invalid terms.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// No range of outcomes.
    #[error("the outcome: {0}")]
    Outcome(#[from] RangeError),
    /// An invalid loss.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// An invalid context.
    #[error(transparent)]
    Context(#[from] AxesError),
    /// A number that a document cannot hold.
    #[error(transparent)]
    Decimal(#[from] DecimalError),
    /// The document itself.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

impl Spec {
    /// Checks the questions and builds their oracles.
    pub fn new(terms: Terms, epsilon: Epsilon, questions: Vec<Question>) -> Result<Spec, SpecError> {
        let experiment = document(&terms, epsilon, &questions)?;
        Spec::with_document(terms, questions, experiment)
    }

    /// The same for terms and questions that a document declares.
    pub(super) fn with_document(
        terms: Terms,
        questions: Vec<Question>,
        experiment: Experiment,
    ) -> Result<Spec, SpecError> {
        let epsilon = experiment.epsilon();
        if !(1..=MAX_QUESTIONS).contains(&questions.len()) {
            return Err(SpecError::Questions(questions.len()));
        }
        let repeated = (1..questions.len())
            .any(|i| questions[..i].iter().any(|other| other.parts == questions[i].parts));
        let cells = questions
            .iter()
            .map(|question| question.parts.iter().map(|&part| u64::from(part)).product::<u64>());
        if repeated || cells.fold(0_u64, u64::saturating_add) > MAX_CELLS {
            return Err(SpecError::Cells);
        }
        let channels = questions.iter().map(|question| question.channel(&terms, epsilon));
        let channels = channels.collect::<Result<Vec<Channel>, _>>()?;
        let (mut first, mut next) = (Vec::new(), 0_u32);
        for channel in &channels {
            first.push(next);
            next = next.checked_add(channel.outputs()).ok_or(SpecError::Outputs)?;
        }
        Ok(Spec { experiment: Arc::new(experiment), terms, questions, channels, first })
    }

    /// The spec whose questions are as fine as about `records` records can answer.
    pub fn designed(terms: Terms, epsilon: Epsilon, records: u64) -> Result<Spec, SpecError> {
        let questions = designed(&terms, epsilon, records)?;
        Spec::new(terms, epsilon, questions)
    }

    /// The public document.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// What logs and policies name.
    pub fn digest(&self) -> Digest {
        self.experiment.digest()
    }

    /// What reports name.
    pub fn prefix(&self) -> Prefix {
        self.experiment.prefix()
    }

    /// The market.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The loss of one report.
    pub fn epsilon(&self) -> Epsilon {
        self.experiment.epsilon()
    }

    /// What is asked.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The questions with their oracles.
    #[inline]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// How many different reports there are.
    pub fn codes(&self) -> u32 {
        self.channels.iter().map(Channel::outputs).sum()
    }

    /// The length of a report in a log.
    pub fn report_bytes(&self) -> usize {
        ((u32::BITS - self.codes().saturating_sub(1).leading_zeros()).div_ceil(8) as usize).max(1)
    }

    /// The report as one number below [`codes`](Self::codes).
    #[inline]
    pub fn code(&self, report: Report) -> Result<u32, ReportError> {
        let question = report.question as usize;
        let channel = self.channels.get(question).ok_or(ReportError::Unknown)?;
        if report.output < channel.outputs() {
            Ok(self.first[question] + report.output)
        } else {
            Err(ReportError::Unknown)
        }
    }

    /// The report of a code.
    pub fn report(&self, code: u32) -> Result<Report, ReportError> {
        if code >= self.codes() {
            return Err(ReportError::Unknown);
        }
        let question = self.first.partition_point(|&first| first <= code) - 1;
        Ok(Report { question: question as u32, output: code - self.first[question] })
    }

    /// The report as it is sent.
    pub fn sent(&self, report: Report) -> crate::Report {
        crate::Report {
            experiment: self.prefix(),
            policy: 0,
            source: None,
            question: report.question,
            answer: oracle::Report::Index(report.output).into(),
        }
    }

    /// The report that was sent, if it is one of this experiment.
    pub fn received(&self, report: &crate::Report) -> Result<Report, ReportError> {
        let (0, None, Answer::Symbol(oracle::Report::Index(output))) =
            (report.policy, report.source, &report.answer)
        else {
            return Err(ReportError::Unknown);
        };
        if report.experiment != self.prefix() {
            return Err(ReportError::Unknown);
        }
        let report = Report { question: report.question, output: *output };
        self.code(report).map(|_| report)
    }

    /// The codes of a question's outputs.
    pub fn codes_of(&self, question: usize) -> std::ops::Range<usize> {
        let first = self.first[question] as usize;
        first..first + self.channels[question].outputs() as usize
    }

    /// What one report promises the person whose record it was.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon(),
            "one record: the context, price and outcome of one sale",
            "any two records",
            "crates/learn/src/pricing/guarantee.md",
        )
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    terms: Terms,
    epsilon: Epsilon,
    questions: Vec<Question>,
}

impl From<Spec> for Raw {
    fn from(spec: Spec) -> Raw {
        let epsilon = spec.epsilon();
        let Spec { terms, questions, .. } = spec;
        Raw { terms, epsilon, questions }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.terms, raw.epsilon, raw.questions)
    }
}
