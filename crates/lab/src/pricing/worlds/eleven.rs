//! Eleven markets that the rule for prices was made with.

use reticent_privacy::SimRng;

use super::{Logged, World, even, logistic, one_of, sold};

/// All of them.
pub const ELEVEN: [World; 11] = [
    World {
        name: "one-context",
        about: "who has more pays more, smoothly; all is even",
        draw: |rng, x| evenly(rng, x, one_context),
        demand: one_context,
        ..PLAIN
    },
    World {
        name: "opposite-segments",
        about: "two kinds of people; what is right for one is wrong for the other; a second context says nothing",
        dims: 2,
        draw: |rng, x| evenly(rng, x, segments),
        demand: segments,
        ..PLAIN
    },
    World {
        name: "round-price",
        about: "a third of the buyers leave at one half",
        draw: |rng, x| evenly(rng, x, cliff),
        demand: cliff,
        ..PLAIN
    },
    World {
        name: "price-follows-context",
        about: "the shop asked people who have more for more, within 0.08",
        draw: |rng, x| {
            even(rng, x);
            let price = (0.2 + 0.5 * x[0] + 0.08 * rng.normal()).clamp(0.0, 1.0);
            Logged { price, outcome: sold(rng, one_context(x, price)) }
        },
        demand: one_context,
        ..PLAIN
    },
    World {
        name: "bulk-orders",
        about: "most people buy one; a few buy up to twenty, if it is cheap",
        most: 20.0,
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            let units = if rng.uniform() < bulk(x, price) { 5.0 + 15.0 * rng.uniform() } else { 1.0 };
            Logged { price, outcome: units * sold(rng, one_context(x, price)) }
        },
        demand: |x, price| one_context(x, price) * (1.0 + 11.5 * bulk(x, price)),
        ..PLAIN
    },
    World {
        name: "few-prices-list",
        about: "the log has four prices, declared as a list",
        listed: &[0.29, 0.49, 0.69, 0.89],
        draw: |rng, x| at_one_of(rng, x, &[0.29, 0.49, 0.69, 0.89], one_context),
        demand: one_context,
        ..PLAIN
    },
    World {
        name: "few-prices-range",
        about: "the log has three prices, declared as a range; nobody buys for more than these",
        draw: |rng, x| at_one_of(rng, x, &THREE, steps),
        demand: steps,
        ..PLAIN
    },
    World {
        name: "category-codes",
        about: "five kinds of people as codes of a range, in no order",
        target: |rng, x| x[0] = one_of(rng, &CODES),
        draw: |rng, x| {
            x[0] = one_of(rng, &CODES);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, by_code(x, price)) }
        },
        demand: by_code,
        ..PLAIN
    },
    World {
        name: "strong-shift",
        about: "the log has people with little, prices are for people with much",
        target: |rng, x| x[0] = rng.beta(8.0, 1.5),
        draw: |rng, x| {
            x[0] = rng.beta(1.5, 6.0);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, steep(x, price)) }
        },
        demand: steep,
        ..PLAIN
    },
    World {
        name: "hidden-confounder",
        about: "the shop asked for more when it saw, and did not note, that somebody would pay more",
        draw: |rng, x| {
            even(rng, x);
            let hidden = sold(rng, 0.5);
            let price = (0.25 + 0.35 * hidden + 0.12 * rng.normal()).clamp(0.0, 1.0);
            Logged { price, outcome: sold(rng, eager(x, price, hidden)) }
        },
        demand: |x, price| f64::midpoint(eager(x, price, 0.0), eager(x, price, 1.0)),
        ..PLAIN
    },
    World {
        name: "six-contexts",
        about: "six contexts act through one score, the last not at all",
        dims: 6,
        draw: |rng, x| evenly(rng, x, six),
        demand: six,
        ..PLAIN
    },
];

/// What most of them have in common.
const PLAIN: World = World {
    name: "",
    about: "",
    dims: 1,
    listed: &[],
    most: 1.0,
    cost: 0.0,
    target: even,
    draw: |rng, x| evenly(rng, x, one_context),
    demand: one_context,
};

/// Contexts and prices are even, and one unit is sold or none.
fn evenly(rng: &mut SimRng, x: &mut [f64], demand: fn(&[f64], f64) -> f64) -> Logged {
    even(rng, x);
    let price = rng.uniform();
    Logged { price, outcome: sold(rng, demand(x, price)) }
}

/// The same with the price one of a few.
fn at_one_of(rng: &mut SimRng, x: &mut [f64], prices: &[f64], demand: fn(&[f64], f64) -> f64) -> Logged {
    even(rng, x);
    let price = one_of(rng, prices);
    Logged { price, outcome: sold(rng, demand(x, price)) }
}

fn one_context(x: &[f64], price: f64) -> f64 {
    logistic(8.0 * (0.35 + 0.4 * x[0] - price))
}

fn segments(x: &[f64], price: f64) -> f64 {
    let rich = logistic(30.0 * (x[0] - 0.5));
    rich * logistic(16.0 * (0.85 - price)) + (1.0 - rich) * logistic(16.0 * (0.3 - price))
}

fn cliff(x: &[f64], price: f64) -> f64 {
    let stay = if price < 0.5 { 1.0 } else { 0.65 };
    stay * logistic(8.0 * (0.4 + 0.35 * x[0] - price))
}

/// The share of orders that are large.
fn bulk(x: &[f64], price: f64) -> f64 {
    0.1 * (1.0 - x[0]) * (1.0 - price)
}

const THREE: [f64; 3] = [0.3, 0.5, 0.8];

/// People decide by the next price that they have seen before; above all of them they stay away.
fn steps(x: &[f64], price: f64) -> f64 {
    match price {
        low if low <= THREE[0] => 0.9,
        middle if middle <= THREE[1] => 0.3 + 0.5 * x[0],
        high if high <= THREE[2] => 0.05 + 0.6 * x[0] * x[0],
        _ => 0.02,
    }
}

const CODES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn by_code(x: &[f64], price: f64) -> f64 {
    let worth = [0.7, 0.25, 0.85, 0.3, 0.5][((4.0 * x[0]).round() as usize).min(4)];
    logistic(14.0 * (worth - price))
}

fn steep(x: &[f64], price: f64) -> f64 {
    logistic(12.0 * (0.15 + 0.65 * x[0] - price))
}

fn eager(x: &[f64], price: f64, hidden: f64) -> f64 {
    logistic(10.0 * (0.2 + 0.3 * x[0] + 0.3 * hidden - price))
}

fn six(x: &[f64], price: f64) -> f64 {
    let weights = [0.3, 0.25, 0.2, 0.15, 0.1, 0.0];
    let score: f64 = weights.iter().zip(x).map(|(weight, x)| weight * x).sum();
    logistic(8.0 * (0.1 + 0.85 * score - price))
}
