//! The largest value of a known function: the best of many points, then a climb from the best few.

use reticent_curate::kernel::Points;

/// Points to begin with, and how far apart they are.
pub(super) struct Start {
    points: Points,
    apart: f64,
}

/// Of a whole cube's, along each of at most two inputs.
const SIDE: usize = 61;
/// Of a cube with more inputs.
const SCATTERED: usize = 20_000;
/// Of a context's, with one action and with two.
const ONE_ACTION: usize = 201;
const TWO_ACTIONS: usize = 41;
/// Climbs at most, each from the best point within so many spacings.
const CLIMBS: usize = 8;
const SPREAD: f64 = 2.5;
/// Points that are looked at for such a best one.
const LOOKED_AT: usize = 500;
/// A climb ends when its step is this short.
const SHORTEST: f64 = 1e-5;

/// Points all over a cube.
pub(super) fn everywhere(inputs: usize) -> Start {
    if inputs <= 2 { regular(SIDE, inputs) } else { scattered(inputs) }
}

/// Points all over the actions.
pub(super) fn actions(inputs: usize) -> Start {
    match inputs {
        0 | 1 => regular(ONE_ACTION, inputs),
        2 => regular(TWO_ACTIONS, inputs),
        _ => scattered(inputs),
    }
}

fn regular(side: usize, inputs: usize) -> Start {
    Start { points: Points::grid(side, inputs), apart: 1.0 / (side - 1) as f64 }
}

fn scattered(inputs: usize) -> Start {
    let apart = libm::pow(SCATTERED as f64, -1.0 / inputs as f64);
    Start { points: Points::halton(0..SCATTERED, inputs), apart }
}

/// The largest value that is found.
pub(super) fn maximum(start: &Start, values: impl Fn(&Points) -> Vec<f64>) -> f64 {
    let found = values(&start.points);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found[b].total_cmp(&found[a]).then(a.cmp(&b)));
    let ranked: Vec<Vec<f64>> =
        order.into_iter().take(LOOKED_AT).map(|number| start.points.point(number)).collect();
    let near = |a: &[f64], b: &[f64]| distance(a, b) < SPREAD * start.apart;
    let tops =
        ranked.iter().enumerate().filter(|(rank, top)| !ranked[..*rank].iter().any(|other| near(other, top)));
    let climbs = tops.take(CLIMBS).map(|(_, top)| climb(top.clone(), start.apart, &values));
    climbs.fold(f64::NEG_INFINITY, f64::max)
}

/// Goes to the best of the neighbours along each input while that is better, with ever shorter steps.
fn climb(mut here: Vec<f64>, apart: f64, values: &impl Fn(&Points) -> Vec<f64>) -> f64 {
    let only = |point: &[f64]| {
        let mut points = Points::new(point.len());
        points.push(point);
        points
    };
    let (mut best, mut step) = (values(&only(&here))[0], apart);
    while step > SHORTEST && !here.is_empty() {
        let mut near = Points::new(here.len());
        for input in 0..here.len() {
            for x in [here[input] - step, here[input] + step] {
                let mut point = here.clone();
                point[input] = x;
                near.push(&point);
            }
        }
        let found = values(&near);
        let top = (0..found.len()).max_by(|&a, &b| found[a].total_cmp(&found[b]));
        match top {
            Some(top) if found[top] > best => (here, best) = (near.point(top), found[top]),
            _ => step *= 0.5,
        }
    }
    best
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
