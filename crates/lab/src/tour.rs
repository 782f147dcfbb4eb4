//! One small experiment for each problem that Reticent solves so far, and a page that shows them.

use std::path::PathBuf;

use reticent_learn::mab::Kind;
use reticent_privacy::Epsilon;
use reticent_protocol::mab::Squash;

use crate::bounds::Bound;
use crate::files;
use crate::page::{Page, number};
use crate::reproduce::{self, Figure, Line, Measured, Options, ReproduceError};
use crate::simulate::Progress;

/// A stop of the tour.
#[derive(Debug)]
pub struct Stop {
    /// The problem.
    pub title: &'static str,
    /// What was measured.
    pub measured: Vec<Measured>,
}

/// Runs the tour; returns its stops and the page's path.
pub fn run(options: &Options, progress: &dyn Progress) -> Result<(Vec<Stop>, PathBuf), ReproduceError> {
    let mut page = Page::new(
        "Reticent: good decisions without learning about people",
        "A tour of what works so far, on simulated people.",
        &reproduce::mark(options.seed),
    );
    let mut stops = Vec::new();
    for figure in figures() {
        let figure = if options.quick { figure.quick() } else { figure };
        let measured = reproduce::measure(&figure, options, progress)?;
        page.section(figure.title);
        page.paragraph(figure.caption);
        page.chart(&reproduce::untitled(reproduce::chart(&figure, &measured, options.seed)).svg());
        page.table(&reproduce::table(&measured));
        page.paragraph(&in_short(&measured));
        page.paragraph(&promise(&measured));
        stops.push(Stop { title: figure.title, measured });
    }
    let path = options.out.join("index.html");
    files::write_whole(&path, page.finish(&reproduce::footer()).as_bytes())?;
    Ok((stops, path))
}

fn figures() -> Vec<Figure> {
    let epsilon = Epsilon::new(1.0).ok();
    let line = |agent| Line::new(agent, epsilon);
    let bounds = epsilon.map(|e| vec![Bound::LaiRobbins(e, Squash::CLIP)]).unwrap_or_default();
    vec![
        Figure {
            id: "tour-mab",
            title: "Private bandits: which of 20 arms is best?",
            caption: "Each person's reward is yes or no, and only a randomised bit of it leaves the device. ucb1 sees every raw reward; \
                      ldp-ucb-b is the paper's private agent; ldp-thompson and ldp-kl-ucb are ours, on the same bits. \
                      The dashed line is the best slope in the long run; early curves may lie below it.",
            env: "mab-bernoulli",
            users: 300_000,
            trials: 20,
            lines: vec![
                Line::new(Kind::Ucb1, None),
                line(Kind::LdpUcbB),
                line(Kind::LdpThompson),
                line(Kind::LdpKlUcb),
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
            lines: vec![Line::new(Kind::Ucb1S, None), line(Kind::LdpUcbBs), line(Kind::LdpThompsonUnbounded)],
            bounds: Vec::new(),
        },
    ]
}

/// What the table says of ours, in one sentence.
fn in_short(measured: &[Measured]) -> String {
    let mean = |m: &Measured| m.outcome.regret.summary.mean;
    let Some(baseline) = measured.first() else { return String::new() };
    let ours = measured.iter().filter(|m| m.line.is_ours());
    let ratios = ours.map(|m| format!("{} {} times", m.line.agent, number(mean(m) / mean(baseline))));
    let ratios = ratios.collect::<Vec<_>>().join(", ");
    format!("What people lost, against {}, which sees every raw reward: {ratios}.", baseline.line.agent)
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
