//! Error against people and against the loss, on random functions of two kernels' spaces and on two test
//! functions. The paper has no experiments of its own: beside the measured slopes are those of its Theorem
//! 4.1.

mod bench;
mod chart;
mod error;
mod problem;
mod rate;
mod settings;
mod sweep;
mod tables;
#[cfg(test)]
mod tests;

use bench::Bench;

use crate::kernel::METHODS;
use crate::reproduce::{self, Family, Item};

/// A figure or table with its numbers as text.
type Section = reproduce::Section<String>;

/// All of them.
pub(crate) const FAMILY: Family<String> = Family {
    items: &[
        Item {
            id: "kernel-error",
            make: |stage| error::make(&Bench { methods: &METHODS, stage }),
            data: None,
        },
        Item { id: "kernel-settings", make: settings::make, data: None },
    ],
    all: "kernel-all",
    title: "Kernel bandits: the best action for a context, privately",
    lead: "Private kernelized contextual bandits (USCA). The paper has no experiments; here is its rate, measured.",
    introduction: &[
        "Rewards are a smooth unknown function of an action and a context. People with uniform contexts got uniform actions; a method \
     learns from their rewards and then chooses an action in 200 new contexts. Its error is what it loses on average in a context against the best \
     action, for functions with values in [-1, 1].",
    ],
    quick: "A quick look: three trials, and at most 10,000 people.",
};
