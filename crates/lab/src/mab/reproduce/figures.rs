//! Ren et al. (2020), Figures 1 and 2, and our agents on the same instances.
//!
//! The figures themselves are missing from the text we have. It gives the instances, 50 trials a line, some
//! ratios to UCB1, and the epsilons of (a) and (b); horizon and the other epsilons are our choice: epsilon
//! 0.2, 0.5, 1 and 2, a million people in Figure 1 and ten million in Figure 2, where after a million no
//! private agent of the paper has learned anything and no ratio of 10 is possible.

use reticent_baselines::mab::{Baseline, Squash};
use reticent_learn::mab::AgentKind;
use reticent_privacy::Epsilon;

use super::{Figure, Line};
use crate::mab::AgentName;
use crate::mab::bounds::Bound;

const USERS: u64 = 1_000_000;
const USERS_UNBOUNDED: u64 = 10_000_000;
const TRIALS: u32 = 50;
const SWEEP: [f64; 4] = [0.2, 0.5, 1.0, 2.0];

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

fn line(agent: AgentName, value: f64) -> Line {
    Line::new(agent, Some(epsilon(value)))
}

fn figure(id: &'static str, title: &'static str, env: &'static str, lines: Vec<Line>) -> Figure {
    Figure { id, title, caption: "", env, users: USERS, trials: TRIALS, lines, bounds: Vec::new() }
}

fn ucb1() -> Line {
    Line::new(AgentName::Baseline(Baseline::Ucb1), None)
}

/// The paper's three agents and ours at one epsilon.
fn comparison(value: f64) -> Vec<Line> {
    let private = [
        AgentName::Baseline(Baseline::LdpUcbL),
        AgentName::Baseline(Baseline::LdpUcbB),
        AgentName::Ours(AgentKind::LdpKlUcb),
        AgentName::Ours(AgentKind::LdpThompson),
    ];
    std::iter::once(ucb1()).chain(private.map(|agent| line(agent, value))).collect()
}

/// One agent at all epsilons, beside a baseline.
fn sweep(baseline: Line, agent: AgentName) -> Vec<Line> {
    std::iter::once(baseline).chain(SWEEP.map(|value| line(agent, value))).collect()
}

/// One of ours at all epsilons, beside the same agent on raw rewards: the price of privacy. UCB1 stands beside them,
/// since the paper compares with it.
fn beside_raw(raw: Baseline, agent: AgentKind) -> Vec<Line> {
    let raw = Line::new(AgentName::Baseline(raw), None);
    [raw, ucb1()].into_iter().chain(SWEEP.map(|value| line(AgentName::Ours(agent), value))).collect()
}

fn all_bounds(value: f64) -> Vec<Bound> {
    let e = epsilon(value);
    vec![
        Bound::UpperTheorem4(e),
        Bound::UpperTheorem6(e),
        Bound::FreeTheorem4(e),
        Bound::FreeTheorem6(e),
        Bound::LaiRobbins(e, Squash::Clip),
        Bound::LowerTheorem1(e),
    ]
}

/// All of them.
pub(crate) fn figures() -> Vec<Figure> {
    [bounded_comparisons(), bounded_sweeps(), mixed(), unbounded(), ours()].concat()
}

fn bounded_comparisons() -> Vec<Figure> {
    let mut a = comparison(2.0);
    a[1] = a[1].clone().published(8.5).limit(9.0);
    a[2] = a[2].clone().published(1.6).limit(1.7);
    let mut b = comparison(0.2);
    b[1] = b[1].clone().limit(441.0);
    b[2] = b[2].clone().limit(101.0);
    vec![
        Figure {
            caption: "The paper: LDP-UCB-B has 1.6 times the regret of UCB1, LDP-UCB-L 8.5 times.",
            bounds: all_bounds(2.0),
            ..figure("mab-fig1a", "Figure 1 (a): Bernoulli rewards, ε = 2", "mab-bernoulli", a)
        },
        Figure {
            caption: "The paper gives no measured ratio here, only the limits 441 and 101.",
            bounds: all_bounds(0.2),
            ..figure("mab-fig1b", "Figure 1 (b): Bernoulli rewards, ε = 0.2", "mab-bernoulli", b)
        },
    ]
}

fn bounded_sweeps() -> Vec<Figure> {
    let text = "Regret grows as epsilon falls. The paper's epsilons are not in its text; these are ours.";
    vec![
        Figure {
            caption: text,
            bounds: SWEEP.map(|value| Bound::UpperTheorem4(epsilon(value)))[3..].to_vec(),
            ..figure(
                "mab-fig1c",
                "Figure 1 (c): LDP-UCB-L by ε",
                "mab-bernoulli",
                sweep(ucb1(), AgentName::Baseline(Baseline::LdpUcbL)),
            )
        },
        Figure {
            caption: text,
            bounds: SWEEP.map(|value| Bound::UpperTheorem6(epsilon(value)))[3..].to_vec(),
            ..figure(
                "mab-fig1d",
                "Figure 1 (d): LDP-UCB-B by ε",
                "mab-bernoulli",
                sweep(ucb1(), AgentName::Baseline(Baseline::LdpUcbB)),
            )
        },
    ]
}

fn mixed() -> Vec<Figure> {
    let text = "Rewards of several laws in [0, 1]. The text does not say what sets (e) and (f) apart; we take the epsilons of (a) and (b).";
    vec![
        Figure {
            caption: text,
            bounds: all_bounds(2.0),
            ..figure("mab-fig1e", "Figure 1 (e): mixed rewards, ε = 2", "mab-mixed", comparison(2.0))
        },
        Figure {
            caption: text,
            bounds: all_bounds(0.2),
            ..figure("mab-fig1f", "Figure 1 (f): mixed rewards, ε = 0.2", "mab-mixed", comparison(0.2))
        },
    ]
}

fn unbounded_figure(id: &'static str, title: &'static str, lines: Vec<Line>) -> Figure {
    Figure { users: USERS_UNBOUNDED, ..figure(id, title, "mab-gaussian", lines) }
}

fn unbounded() -> Vec<Figure> {
    let baseline = || Line::new(AgentName::Baseline(Baseline::Ucb1S), None);
    let a = vec![
        baseline(),
        line(AgentName::Baseline(Baseline::LdpUcbLs), 0.5).published(15.0).limit(81.0),
        line(AgentName::Baseline(Baseline::LdpUcbBs), 0.5).published(10.0).limit(17.0),
        line(AgentName::Ours(AgentKind::LdpThompsonUnbounded), 0.5),
    ];
    let corollaries =
        |value| vec![Bound::UpperCorollary10(epsilon(value)), Bound::UpperCorollary11(epsilon(value))];
    let lai_robbins = |value| vec![Bound::LaiRobbins(epsilon(value), Squash::Sigmoid)];
    vec![
        Figure {
            caption: "Normal rewards with variance 1; the baseline squashes with the sigmoid too. The paper: ratios 15 (LS) and 10 (BS). Ten million people, since the paper does not say how many. \
                      Ours learns the range first, then needs no sigmoid. The bound is for bits behind the sigmoid.",
            bounds: [lai_robbins(0.5), corollaries(0.5)].concat(),
            ..unbounded_figure("mab-fig2a", "Figure 2 (a): normal rewards, ε = 0.5", a)
        },
        Figure {
            caption: "Normal rewards, by epsilon.",
            ..unbounded_figure(
                "mab-fig2b",
                "Figure 2 (b): LDP-UCB-LS by ε",
                sweep(baseline(), AgentName::Baseline(Baseline::LdpUcbLs)),
            )
        },
        Figure {
            caption: "Normal rewards, by epsilon.",
            ..unbounded_figure(
                "mab-fig2c",
                "Figure 2 (c): LDP-UCB-BS by ε",
                sweep(baseline(), AgentName::Baseline(Baseline::LdpUcbBs)),
            )
        },
    ]
}

fn ours() -> Vec<Figure> {
    let text = "Not in the paper: our agents on its instances, beside the same agent on raw rewards and UCB1. The bound is the best possible on the private bits at epsilon 1, asymptotically.";
    let bound = || vec![Bound::LaiRobbins(epsilon(1.0), Squash::Clip)];
    vec![
        Figure {
            caption: text,
            bounds: bound(),
            ..figure(
                "mab-ours-thompson",
                "Ours: ldp-thompson by ε",
                "mab-bernoulli",
                beside_raw(Baseline::Thompson, AgentKind::LdpThompson),
            )
        },
        Figure {
            caption: text,
            bounds: bound(),
            ..figure(
                "mab-ours-kl-ucb",
                "Ours: ldp-kl-ucb by ε",
                "mab-bernoulli",
                beside_raw(Baseline::KlUcb, AgentKind::LdpKlUcb),
            )
        },
        Figure {
            caption: "Not in the paper: our agent for rewards of unknown range.",
            ..unbounded_figure(
                "mab-ours-unbounded",
                "Ours: ldp-thompson-unbounded by ε",
                sweep(
                    Line::new(AgentName::Baseline(Baseline::Ucb1S), None),
                    AgentName::Ours(AgentKind::LdpThompsonUnbounded),
                ),
            )
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mab::env::Environment;
    use crate::runner::Repeated;

    #[test]
    fn every_figure_can_be_run_and_has_a_baseline() {
        let figures = figures();
        let mut ids: Vec<&str> = figures.iter().map(|figure| figure.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), figures.len());
        for figure in figures {
            assert!(!figure.lines[0].agent.is_private(), "{}", figure.id);
            let env = Environment::open(figure.env).unwrap();
            for bound in &figure.bounds {
                assert!(bound.at(&env, 1000.0).is_some(), "{}: {bound:?}", figure.id);
            }
            for line in &figure.lines {
                figure.experiment(line, 1).unwrap().check().unwrap();
            }
        }
    }
}
