//! Functions by a formula, each drawn anew by a few uniform numbers.

/// Numbers that are drawn for each.
pub(super) const NUMBERS: usize = 4;

/// A peak of width 0.15 above a plain.
pub(super) fn peak(point: &[f64], drawn: &[f64]) -> f64 {
    let apart = point.iter().zip(drawn).map(|(x, u)| {
        let off = (x - 0.3 - 0.4 * u) / 0.15;
        off * off
    });
    1.3 * libm::exp(-0.5 * apart.sum::<f64>()) - 0.3
}

/// Rises slowly until the dose is too much for the context.
pub(super) fn step(point: &[f64], drawn: &[f64]) -> f64 {
    let most = 0.25 + 0.3 * drawn[0] + 0.3 * (drawn[1] - 0.5) * point[1] + 0.2 * point[1];
    if point[0] <= most { 0.5 + 0.5 * point[0] } else { -0.4 - 0.2 * point[0] }
}

/// Two doses that saturate, and harm together.
pub(super) fn two_drugs(point: &[f64], drawn: &[f64]) -> f64 {
    let helps = |x: f64, half: f64| x / (x + half);
    let first = helps(point[0], 0.1 + 0.3 * drawn[0] + 0.3 * point[2]);
    let second = helps(point[1], 0.1 + 0.3 * drawn[1] + 0.3 * point[3]);
    first + second - (1.0 + drawn[2] + point[4]) * point[0] * point[1] - 0.5
}

/// From half a period to many.
pub(super) fn chirp(point: &[f64], drawn: &[f64]) -> f64 {
    let pace = 3.0 + 3.0 * drawn[0] + 2.0 * point[1];
    libm::sin(pace / (point[0] + 0.25) + 6.0 * drawn[1]) * (0.5 + 0.5 * point[0])
}

/// Falls evenly on both sides of the best action, which depends on two contexts.
pub(super) fn kink(point: &[f64], drawn: &[f64]) -> f64 {
    let best = 0.2 + 0.6 * (drawn[0] * point[1] + (1.0 - drawn[0]) * point[2]);
    0.8 - (1.5 + drawn[1]) * (point[0] - best).abs()
}

/// Best at what a habit is, which whoever chose the log's actions knew.
fn right(point: &[f64], habit: f64, drawn: &[f64]) -> f64 {
    let off = point[0] - habit;
    0.7 + 0.3 * libm::sin(3.0 * point[1] + 6.0 * drawn[1]) - (3.0 + 3.0 * drawn[0]) * off * off
}

pub(super) fn right_line(point: &[f64], drawn: &[f64]) -> f64 {
    right(point, line(point[1]), drawn)
}

pub(super) fn right_steps(point: &[f64], drawn: &[f64]) -> f64 {
    right(point, steps(point[1]), drawn)
}

pub(super) fn right_curve(point: &[f64], drawn: &[f64]) -> f64 {
    right(point, curve(point[1]), drawn)
}

/// Habits: the usual action in a context.
pub(in super::super) fn line(context: f64) -> f64 {
    0.2 + 0.6 * context
}

pub(in super::super) fn steps(context: f64) -> f64 {
    0.2 + 0.3 * libm::floor(3.0 * context).min(2.0)
}

pub(in super::super) fn curve(context: f64) -> f64 {
    0.5 + 0.3 * libm::sin(6.0 * context)
}
