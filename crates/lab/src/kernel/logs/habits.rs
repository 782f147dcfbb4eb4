//! Logs whose actions follow contexts closely, or are one for everybody: most actions nobody of a context got.

use reticent_privacy::SimRng;

use super::super::Target;
use super::super::targets::plain::{curve, line, steps};
use super::list::{SMOOTH, random};
use super::world::{Crowd, Doctor, Function, Luck, World};

const LINE: World = World { doctor: Doctor::Habit(along_line), ..SMOOTH };
const RIGHT: World = World { function: Function::Drawn(Target::right_line), ..LINE };
const ONE: World = World { doctor: Doctor::Habit(|_, _| 0.5), ..SMOOTH };

/// All of them.
pub const HABITS: [World; 10] = [
    World { id: "line-right", title: "within 0.05 of a line, which is right", ..RIGHT },
    World {
        id: "line-right-outcome",
        title: "within 0.05 of a line, which is right, 0 and 1",
        luck: Luck::Outcome,
        ..RIGHT
    },
    World { id: "line", title: "within 0.05 of a line", ..LINE },
    World { id: "line-outcome", title: "within 0.05 of a line, 0 and 1", luck: Luck::Outcome, ..LINE },
    World { id: "one", title: "one for everybody", ..ONE },
    World { id: "one-outcome", title: "one for everybody, 0 and 1", luck: Luck::Outcome, ..ONE },
    World {
        id: "steps",
        title: "three steps, which are right",
        function: Function::Drawn(Target::right_steps),
        doctor: Doctor::Habit(|context, rng| steps(context[0]) + 0.04 * (rng.uniform() - 0.5)),
        ..SMOOTH
    },
    World {
        id: "curve",
        title: "along a curve, which is right, 0 and 1",
        function: Function::Drawn(Target::right_curve),
        doctor: Doctor::Habit(|context, rng| curve(context[0]) + 0.1 * (rng.uniform() - 0.5)),
        luck: Luck::Outcome,
        ..SMOOTH
    },
    World {
        id: "hospitals",
        title: "two hospitals, a declared context",
        function: random(1, 3, 0.3),
        crowd: Crowd::Hospitals,
        doctor: Doctor::Habit(hospital),
        ..SMOOTH
    },
    World {
        id: "drugs",
        title: "two drugs, both along a line",
        function: Function::Drawn(Target::two_drugs),
        doctor: Doctor::Habit(along_line),
        length: 0.5,
        rank: 256,
        ..SMOOTH
    },
];

/// How many of them were there when the rule was made.
pub const BUILT_BESIDE: usize = 6;

fn along_line(context: &[f64], rng: &mut SimRng) -> f64 {
    line(context[0]) + 0.1 * (rng.uniform() - 0.5)
}

/// One gives nearly the same to all, the other more to older people.
fn hospital(context: &[f64], rng: &mut SimRng) -> f64 {
    if context[1] < 0.5 {
        0.3 + 0.06 * (rng.uniform() - 0.5)
    } else {
        0.5 + 0.3 * context[0] + 0.1 * (rng.uniform() - 0.5)
    }
}
