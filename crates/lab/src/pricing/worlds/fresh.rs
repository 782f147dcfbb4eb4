//! Markets that were written after the rule for prices, to measure it: nothing was chosen by looking at them, but for
//! `discount-days`, which showed that a list price drove all others out.

use super::{Logged, World, even, logistic, one_of, sold};

/// All of them.
pub const FRESH: [World; 7] = [
    World {
        name: "niche",
        about: "a few people in the middle of the context pay far more; the log has few prices at the ends",
        draw: |rng, x| {
            even(rng, x);
            let price = rng.beta(2.0, 2.0);
            Logged { price, outcome: sold(rng, niche(x, price)) }
        },
        demand: niche,
        ..PLAIN
    },
    World {
        name: "four-kinds",
        about: "how long somebody stays, four kinds of people as codes, and a context that says nothing",
        dims: 3,
        target: |rng, x| {
            even(rng, x);
            (x[0], x[1]) = (rng.beta(2.0, 4.0), one_of(rng, &CODES));
        },
        draw: |rng, x| {
            even(rng, x);
            x[1] = one_of(rng, &CODES);
            let price = rng.uniform();
            Logged { price, outcome: sold(rng, four_kinds(x, price)) }
        },
        demand: four_kinds,
        ..PLAIN
    },
    World {
        name: "units",
        about: "people buy up to five units, fewer when they are dear",
        most: 5.0,
        draw: |rng, x| {
            even(rng, x);
            let price = rng.uniform();
            let chance = units(x, price) / 5.0;
            let outcome = (0..5).map(|_| sold(rng, chance)).sum();
            Logged { price, outcome }
        },
        demand: units,
        ..PLAIN
    },
    World {
        name: "discount-days",
        about: "seven in ten records are within 0.02 of the list price, the others between a third and it",
        dims: 2,
        draw: |rng, x| {
            even(rng, x);
            let price =
                if rng.uniform() < 0.7 { 0.78 + 0.04 * rng.uniform() } else { 0.3 + 0.5 * rng.uniform() };
            Logged { price, outcome: sold(rng, discount(x, price)) }
        },
        demand: discount,
        ..PLAIN
    },
    World {
        name: "loosely-following",
        about: "the shop asked people who have more for somewhat more, and a second context moves demand too",
        dims: 2,
        draw: |rng, x| {
            even(rng, x);
            let price = (0.25 + 0.3 * x[0] + 0.15 * rng.normal()).clamp(0.0, 1.0);
            Logged { price, outcome: sold(rng, two(x, price)) }
        },
        demand: two,
        ..PLAIN
    },
    World {
        name: "promotions",
        about: "17 in 20 records have the list price, the others one of five discounts; one of three contexts matters",
        dims: 3,
        listed: &OFFERS,
        draw: |rng, x| {
            even(rng, x);
            let price = if rng.uniform() < 0.85 { OFFERS[5] } else { one_of(rng, &OFFERS[..5]) };
            Logged { price, outcome: sold(rng, promoted(x, price)) }
        },
        demand: promoted,
        ..PLAIN
    },
    World {
        name: "two-shops",
        about: "a cheap and a dear shop, as codes, whose prices overlap a little; people differ in both",
        dims: 2,
        target: |rng, x| {
            even(rng, x);
            x[1] = one_of(rng, &[0.0, 1.0]);
        },
        draw: |rng, x| {
            even(rng, x);
            x[1] = one_of(rng, &[0.0, 1.0]);
            let price = 0.2 + 0.3 * x[1] + 0.4 * rng.uniform();
            Logged { price, outcome: sold(rng, shops(x, price)) }
        },
        demand: shops,
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
    demand: niche,
};

const CODES: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

const OFFERS: [f64; 6] = [0.3, 0.36, 0.42, 0.48, 0.54, 0.6];

fn promoted(x: &[f64], price: f64) -> f64 {
    0.8 * logistic(10.0 * (0.3 + 0.3 * x[2] - price))
}

fn shops(x: &[f64], price: f64) -> f64 {
    logistic(9.0 * (0.3 + 0.25 * x[0] + 0.25 * x[1] - price))
}

fn niche(x: &[f64], price: f64) -> f64 {
    let near = (x[0] - 0.6) / 0.1;
    logistic(11.0 * (0.35 + 0.45 * libm::exp(-near * near) - price))
}

fn four_kinds(x: &[f64], price: f64) -> f64 {
    let kind = [0.0, 0.25, -0.1, 0.1][((3.0 * x[1]).round() as usize).min(3)];
    0.95 * libm::exp(-libm::pow(price / (0.35 + 0.3 * x[0] + kind), 1.5))
}

fn units(x: &[f64], price: f64) -> f64 {
    5.0 * libm::pow(1.0 - price, 1.5 + 3.0 * (1.0 - x[0]))
}

fn discount(x: &[f64], price: f64) -> f64 {
    logistic(9.0 * (0.4 + 0.2 * x[0] + 0.15 * x[1] - price))
}

fn two(x: &[f64], price: f64) -> f64 {
    0.9 * logistic(9.0 * (0.2 + 0.35 * x[0] + 0.2 * x[1] - price))
}
