//! `kernel-error`: what is lost by people and by loss.

use super::bench::Bench;
use super::problem::Problem;
use super::rate::Rate;
use super::sweep::{CSV_HEAD, Sweep};
use super::{Section, chart, problem, tables};
use crate::reproduce::{Panel, ReproduceError};

const CAPTION: &str = "Random functions are sums of 30 kernel functions at uniform centres with normal weights, one action and one context, length scale 0.3, \
     another function in each trial. Branin’s function has its first input as the action and its second as the context; Hartmann’s has two \
     actions and four contexts. Both are negated, shifted by their mean and scaled to a largest absolute value of 1. Rewards have normal noise of standard deviation 0.1 \
     and are clipped to ±1.3; τ = 0.1, δ = 10⁻⁶ where a method needs one. Methods know the kernel; for the test functions it is a guess.";

const RATES: &str = "Theorem 4.1 promises an error of O(√(γ/T) + γ/(T ε)). Its constants are large and unknown, so that dashed lines have constant 1 and only \
     their slopes can be compared. γ is half the sum of ln(1 + T λ/τ) over the kernel’s eigenvalues λ under uniform points, which are computed, \
     not bounded. Slopes are fitted to the logarithms of the means by least squares; their standard errors are those of the fit.";

pub(super) fn make(bench: &Bench<'_>) -> Result<Section, ReproduceError> {
    of(bench, problem::all())
}

/// The same for some problems.
pub(super) fn of(bench: &Bench<'_>, problems: Vec<Problem>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Error by people and by loss",
        captions: vec![CAPTION.to_string(), RATES.to_string()],
        rows: CSV_HEAD.to_string(),
        ..Section::default()
    };
    for problem in problems {
        let rate = Rate::of(&problem, bench.people())?;
        let sweep = Sweep::measure(bench, problem)?;
        let (id, title) = (sweep.problem.id, sweep.problem.title);
        let charts =
            [("people", chart::by_people(bench, &sweep, &rate)), ("loss", chart::by_loss(bench, &sweep))];
        for (by, chart) in charts {
            section.panels.push(Panel { suffix: format!("-{id}-{by}"), chart });
        }
        section.tables.extend([
            (format!("{title}: error by people, mean ± standard error."), tables::by_people(bench, &sweep)),
            (format!("{title}: the theorem’s rate."), tables::rate(bench, &rate)),
            (format!("{title}: error of 10,000 people by loss."), tables::by_loss(&sweep)),
        ]);
        sweep.write(&mut section.rows, bench);
    }
    Ok(section)
}
