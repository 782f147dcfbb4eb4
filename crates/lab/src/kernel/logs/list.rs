//! Fifteen logs that the release was built beside, and three that were looked at when it was done.

use super::super::Target;
use super::world::{Crowd, Doctor, Function, Luck, World};

pub(super) const SMOOTH: World = World {
    id: "smooth",
    title: "smooth",
    function: random(1, 2, 0.3),
    crowd: Crowd::Even,
    doctor: Doctor::Nobody,
    luck: Luck::Normal,
    length: 0.3,
    rank: 200,
};

pub(super) const fn random(actions: usize, inputs: usize, length: f64) -> Function {
    Function::Random { actions, inputs, length }
}

/// All of them.
pub const WORLDS: [World; 18] = [
    SMOOTH,
    World { id: "branin", title: "Branin", function: Function::Drawn(|_| Target::branin()), ..SMOOTH },
    World {
        id: "hartmann-3",
        title: "Hartmann-3",
        function: Function::Drawn(|_| Target::hartmann_three()),
        ..SMOOTH
    },
    World {
        id: "hartmann-6",
        title: "Hartmann-6",
        function: Function::Drawn(|_| Target::hartmann()),
        length: 0.6,
        rank: 300,
        ..SMOOTH
    },
    World { id: "five", title: "five inputs", function: random(1, 5, 0.6), length: 0.6, rank: 300, ..SMOOTH },
    World {
        id: "peak",
        title: "sharp peak, four inputs",
        function: Function::Drawn(Target::peak),
        rank: 300,
        ..SMOOTH
    },
    World { id: "step", title: "step", function: Function::Drawn(Target::step), ..SMOOTH },
    World { id: "short", title: "length 0.1 declared, 0.3 true", length: 0.1, ..SMOOTH },
    World { id: "long", title: "length 1 declared, 0.3 true", length: 1.0, ..SMOOTH },
    World { id: "clusters", title: "contexts in two clusters", crowd: Crowd::Clusters, ..SMOOTH },
    World { id: "skewed", title: "contexts Beta(4, 2)", crowd: Crowd::Skewed, ..SMOOTH },
    World { id: "doctor", title: "doses by a doctor", doctor: Doctor::Rule { at_random: 0.0 }, ..SMOOTH },
    World {
        id: "doctor-random",
        title: "the same, one in ten at random",
        doctor: Doctor::Rule { at_random: 0.1 },
        ..SMOOTH
    },
    World { id: "heavy", title: "heavy tails", luck: Luck::Heavy, ..SMOOTH },
    World { id: "outcome", title: "outcomes 0 and 1", luck: Luck::Outcome, ..SMOOTH },
    World {
        id: "two-drugs",
        title: "two drugs by three contexts, skewed",
        function: Function::Drawn(Target::two_drugs),
        crowd: Crowd::Skewed,
        length: 0.5,
        rank: 256,
        ..SMOOTH
    },
    World {
        id: "chirp",
        title: "faster and faster waves, heavy tails",
        function: Function::Drawn(Target::chirp),
        luck: Luck::Heavy,
        ..SMOOTH
    },
    World {
        id: "kink",
        title: "a kink, clusters, one in ten at random, 0 and 1",
        function: Function::Drawn(Target::kink),
        crowd: Crowd::Clusters,
        doctor: Doctor::Rule { at_random: 0.1 },
        luck: Luck::Outcome,
        ..SMOOTH
    },
];

/// How many of them the release was built beside.
pub const BUILT_BESIDE: usize = 15;
