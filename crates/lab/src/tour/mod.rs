//! One small experiment for each problem that Reticent solves so far, and a page that shows them.

mod contextual;
mod kernel;
mod pricing;
mod trial;

use std::path::PathBuf;

use reticent_baselines::mab::{Baseline, Squash};
use reticent_learn::mab::AgentKind;
use reticent_privacy::{Epsilon, SimSeed};

use crate::audit::{self, AuditRunError, Document};
use crate::catalogue::{self, Effort};
use crate::mab::AgentName;
use crate::mab::bounds::Bound;
use crate::mab::reproduce::{self as figures, Figure, Line, Measured};
use crate::reproduce::{self, Options, ReproduceError};
use reticent_chart::numbers::number;
use reticent_chart::page::Page;
use reticent_jobs::Progress;
use reticent_store::files::{self, FileError};

pub use contextual::{ContextualLine, TITLE as CONTEXTUAL_TITLE, table as contextual_table};
pub use kernel::{KernelLine, TITLE as KERNEL_TITLE, table as kernel_table};
pub use pricing::{PricingLine, TITLE as PRICING_TITLE, table as pricing_table};
pub use trial::{TITLE as TRIAL_TITLE, TrialLine, table as trial_table};

/// A stop of the tour.
#[derive(Debug)]
pub struct Stop {
    /// The problem.
    pub title: &'static str,
    /// What was measured.
    pub measured: Vec<Measured>,
}

/// What the tour found.
#[derive(Debug)]
pub struct Tour {
    /// An experiment for each problem.
    pub stops: Vec<Stop>,
    /// The contextual experiments.
    pub contextual: Vec<ContextualLine>,
    /// The trials.
    pub trial: Vec<TrialLine>,
    /// The kernel methods.
    pub kernel: Vec<KernelLine>,
    /// The pricing methods.
    pub pricing: Vec<PricingLine>,
    /// Every claim, held against a measurement.
    pub claims: Document,
    /// Deliberate mistakes, which must be caught.
    pub mistakes: Document,
    /// The page that shows all of it.
    pub page: PathBuf,
}

/// Why the tour ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TourError {
    /// An experiment failed.
    #[error(transparent)]
    Reproduce(#[from] ReproduceError),
    /// An audit failed.
    #[error(transparent)]
    Audit(#[from] AuditRunError),
    /// The page could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Runs of each input in the tour's audits: enough to see, and done in seconds.
const AUDIT_SAMPLES: usize = 20_000;

/// Runs the tour.
pub fn run(options: &Options, progress: &dyn Progress) -> Result<Tour, TourError> {
    let mut page = Page::new(
        "Reticent: good decisions without learning about people",
        "A tour of what works so far, on simulated people.",
        &reproduce::mark(options.seed),
    );
    let mut stops = Vec::new();
    for figure in figures() {
        let figure = if options.quick { figure.quick() } else { figure };
        let measured = figures::measure(&figure, options, progress)?;
        page.section(figure.title);
        page.paragraph(figure.caption);
        page.chart(&reproduce::untitled(figures::chart(&figure, &measured, options.seed)).svg());
        page.table(&figures::table(&measured));
        page.paragraph(&in_short(&measured));
        page.paragraph(&promise(&measured));
        stops.push(Stop { title: figure.title, measured });
    }
    let contextual = contextual::stop(options, progress, &mut page)?;
    let trial = trial::stop(options, progress, &mut page)?;
    let kernel = kernel::stop(options, progress, &mut page)?;
    let pricing = pricing::stop(options, progress, &mut page)?;
    let (claims, mistakes) = audits(options, progress)?;
    page.section("Does it keep its promise?");
    page.paragraph(AUDIT_CAPTION);
    page.chart(&audit::claims_chart(&claims).svg());
    page.paragraph(&format!("{} {}", audit::verdict(&claims), audit::caught(&mistakes)));
    let path = options.out.join("index.html");
    files::write_whole(&path, page.finish(&reproduce::footer()).as_bytes())?;
    Ok(Tour { stops, contextual, trial, kernel, pricing, claims, mistakes, page: path })
}

const AUDIT_CAPTION: &str = "The auditor tries to tell two neighbouring inputs apart by what each mechanism and each agent sends, and \
    reports a loss that is proved with a confidence of 1 - 1e-6. No dot may lie right of its tick. Run `reticent audit --all` for more runs and more epsilons.";

fn audits(options: &Options, progress: &dyn Progress) -> Result<(Document, Document), AuditRunError> {
    let effort =
        Effort { samples: AUDIT_SAMPLES, threads: options.threads, seed: Some(SimSeed(options.seed)) };
    let epsilon: Vec<Epsilon> = Epsilon::new(1.0).into_iter().collect();
    let claims = audit::entries(&catalogue::all(), &epsilon, &effort, progress)?;
    Ok((claims, audit::mistakes(&effort, progress)?))
}

fn figures() -> Vec<Figure> {
    let epsilon = Epsilon::new(1.0).ok();
    let line = |agent| Line::new(agent, epsilon);
    let bounds = epsilon.map(|e| vec![Bound::LaiRobbins(e, Squash::Clip)]).unwrap_or_default();
    vec![
        Figure {
            id: "tour-mab",
            title: "Private bandits: which of 20 arms is best?",
            caption: "Each person's reward is yes or no, and only a randomised bit of it leaves the device. thompson and ucb1 see every raw reward; \
                      ldp-ucb-b is the paper's private agent; ldp-thompson and ldp-kl-ucb are ours, on the same bits. \
                      The dashed line is the best slope in the long run; early curves may lie below it.",
            env: "mab-bernoulli",
            users: 300_000,
            trials: 20,
            lines: vec![
                Line::new(AgentName::Baseline(Baseline::Thompson), None),
                Line::new(AgentName::Baseline(Baseline::Ucb1), None),
                line(AgentName::Baseline(Baseline::LdpUcbB)),
                line(AgentName::Ours(AgentKind::LdpThompson)),
                line(AgentName::Ours(AgentKind::LdpKlUcb)),
            ],
            bounds,
        },
        Figure {
            id: "tour-mab-unbounded",
            title: "Private bandits with rewards of unknown range",
            caption: "Rewards are normal numbers without bounds. The paper squashes them with a fixed sigmoid; \
                      ldp-thompson-unbounded first asks some people private yes-or-no questions to learn where rewards lie.",
            env: "mab-gaussian",
            users: 300_000,
            trials: 10,
            lines: vec![
                Line::new(AgentName::Baseline(Baseline::Ucb1S), None),
                line(AgentName::Baseline(Baseline::LdpUcbBs)),
                line(AgentName::Ours(AgentKind::LdpThompsonUnbounded)),
            ],
            bounds: Vec::new(),
        },
    ]
}

/// What the table says of ours, in one sentence.
fn in_short(measured: &[Measured]) -> String {
    let mean = |m: &Measured| m.outcome.regret.summary.mean;
    let Some(baseline) = measured.first() else { return String::new() };
    let ours = measured.iter().filter(|m| m.line.is_ours());
    let ratios = ours.map(|m| format!("{} {} times", m.line.agent.name(), number(mean(m) / mean(baseline))));
    let ratios = ratios.collect::<Vec<_>>().join(", ");
    format!(
        "What people lost, against {}, which sees every raw reward: {ratios}.",
        baseline.line.agent.name()
    )
}

/// The last line's guarantee in plain words.
fn promise(measured: &[Measured]) -> String {
    let Some(guarantee) = measured.last().map(|m| &m.outcome.guarantee) else { return String::new() };
    format!(
        "Guarantee of the private agents: {guarantee}. Unit: {}. Neighbours: {}. Proof: {}. \
         In a deployment the noise comes from the operating system's entropy; here it came from a seed.",
        guarantee.unit, guarantee.neighbours, guarantee.proof
    )
}
