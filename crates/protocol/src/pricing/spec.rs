//! What all parties agree on before the first record is privatised.

use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

use super::{Channel, Question, QuestionError, Report, ReportError, Terms, designed};

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
    terms: Terms,
    epsilon: Epsilon,
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
}

impl Spec {
    /// Checks the questions and builds their oracles.
    pub fn new(terms: Terms, epsilon: Epsilon, questions: Vec<Question>) -> Result<Spec, SpecError> {
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
        Ok(Spec { terms, epsilon, questions, channels, first })
    }

    /// The spec whose questions are as fine as about `records` records can answer.
    pub fn designed(terms: Terms, epsilon: Epsilon, records: u64) -> Result<Spec, SpecError> {
        let questions = designed(&terms, epsilon, records)?;
        Spec::new(terms, epsilon, questions)
    }

    /// The market.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The loss of one report.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
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

    /// The codes of a question's outputs.
    pub fn codes_of(&self, question: usize) -> std::ops::Range<usize> {
        let first = self.first[question] as usize;
        first..first + self.channels[question].outputs() as usize
    }

    /// What one report promises the person whose record it was.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon,
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
        let Spec { terms, epsilon, questions, .. } = spec;
        Raw { terms, epsilon, questions }
    }
}

impl TryFrom<Raw> for Spec {
    type Error = SpecError;
    fn try_from(raw: Raw) -> Result<Spec, SpecError> {
        Spec::new(raw.terms, raw.epsilon, raw.questions)
    }
}
