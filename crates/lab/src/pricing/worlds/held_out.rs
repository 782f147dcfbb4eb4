//! Markets of another kind: written for measuring, though the limits of the rule were last chosen on logs of them too.

use super::{Logged, World, even, logistic, one_of, sold};

/// All of them.
pub const HELD_OUT: [World; 8] = [
    World {
        name: "impulse",
        about: "demand falls exponentially, the log has few high prices",
        draw: |rng, x| {
            even(rng, x);
            let price = rng.beta(1.5, 3.0);
            Logged { price, outcome: sold(rng, impulse(x, price)) }
        },
        demand: impulse,
        ..PLAIN
    },
    World {
        name: "product-of-two",
        about: "two contexts act only together, demand falls in a line",
        dims: 2,
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, together(x, price)) }
        },
        demand: together,
        ..PLAIN
    },
    World {
        name: "profit",
        about: "a unit costs 0.3, and many would pay less than that",
        cost: 0.3,
        draw: |rng, x| {
            even(rng, x);
            let price = 0.1 + 0.9 * rng.uniform();
            Logged { price, outcome: sold(rng, dear(x, price)) }
        },
        demand: dear,
        ..PLAIN
    },
    World {
        name: "mostly-one-price",
        about: "five in six records have one price, the others any",
        draw: |rng, x| {
            even(rng, x);
            let price = if rng.uniform() < 5.0 / 6.0 { 0.44 } else { rng.uniform() };
            Logged { price, outcome: sold(rng, dear(x, price)) }
        },
        demand: dear,
        ..PLAIN
    },
    World {
        name: "list-of-eight",
        about: "eight listed prices, three kinds of people and a number",
        dims: 2,
        listed: &EIGHT,
        target: |rng, x| {
            even(rng, x);
            x[0] = one_of(rng, &KINDS);
        },
        draw: |rng, x| {
            even(rng, x);
            x[0] = one_of(rng, &KINDS);
            let price = one_of(rng, &EIGHT);
            Logged { price, outcome: sold(rng, kinds(x, price)) }
        },
        demand: kinds,
        ..PLAIN
    },
    World {
        name: "no-context-matters",
        about: "three contexts that say nothing",
        dims: 3,
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, alike(x, price)) }
        },
        demand: alike,
        ..PLAIN
    },
    World {
        name: "seasons",
        about: "what people pay goes up and down along the context",
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, seasons(x, price)) }
        },
        demand: seasons,
        ..PLAIN
    },
    World {
        name: "eight-contexts",
        about: "three of eight contexts matter, one of them downwards; the target is shifted",
        dims: 8,
        target: |rng, x| x.iter_mut().for_each(|coordinate| *coordinate = rng.beta(3.0, 2.0)),
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, eight(x, price)) }
        },
        demand: eight,
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
    draw: |_, _| Logged { price: 0.0, outcome: 0.0 },
    demand: impulse,
};

fn impulse(x: &[f64], price: f64) -> f64 {
    libm::exp(-price / (0.12 + 0.5 * x[0]))
}

fn together(x: &[f64], price: f64) -> f64 {
    (1.0 - price / (0.35 + 0.9 * x[0] * x[1])).max(0.0)
}

fn dear(x: &[f64], price: f64) -> f64 {
    logistic(9.0 * (0.3 + 0.45 * x[0] - price))
}

const EIGHT: [f64; 8] = [0.19, 0.29, 0.39, 0.49, 0.59, 0.69, 0.79, 0.99];
const KINDS: [f64; 3] = [0.0, 0.5, 1.0];

fn kinds(x: &[f64], price: f64) -> f64 {
    let worth = [0.6, 0.25, 0.45][((2.0 * x[0]).round() as usize).min(2)];
    logistic(10.0 * (worth + 0.25 * x[1] - price))
}

fn alike(_: &[f64], price: f64) -> f64 {
    logistic(10.0 * (0.5 - price))
}

fn seasons(x: &[f64], price: f64) -> f64 {
    logistic(10.0 * (0.5 + 0.25 * libm::sin(2.0 * std::f64::consts::PI * x[0]) - price))
}

fn eight(x: &[f64], price: f64) -> f64 {
    let score = 0.45 * x[0] + 0.3 * x[3] - 0.25 * x[5];
    0.95 * logistic(9.0 * (0.35 + 0.8 * score - price))
}
