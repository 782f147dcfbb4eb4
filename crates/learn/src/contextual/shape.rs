//! How smooth rewards are and how large their parts: what the evidence chooses, and what is preferred before it.

use serde::{Deserialize, Serialize};

/// Length scales in units of an axis, from wiggly to flat: an axis with the last one does not matter.
pub(super) const LENGTHS: [f64; 7] = [0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 10.0];
/// Where each axis starts: changes over the whole axis.
pub(super) const START: usize = 3;

/// A part below it is as good as none, and none is larger than this.
const SMALLEST: f64 = 0.01;
const LARGEST: f64 = 1.5;
/// Amplitudes are looked at beside these times themselves.
const STEPS: [f64; 4] = [0.6, 1.6, 0.1, 10.0];
/// Log-prior of a shape: so much for an e-fold of an amplitude, and for each step of a length, squared.
const AMPLITUDE_PENALTY: f64 = 0.3;
const LENGTH_PENALTY: f64 = 0.3;
/// Where the amplitude of blocks is among [`Amplitudes::all`].
const BLOCKS: usize = 2;

/// What the prior believes of how rewards vary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// An index into [`LENGTHS`] for each axis.
    pub(super) lengths: Vec<usize>,
    /// How large each part is.
    #[serde(default)]
    pub(super) amplitudes: Amplitudes,
    /// What there was before rewards had parts: no longer written.
    #[serde(default, skip_serializing)]
    amplitude: Option<f64>,
}

/// The standard deviation of each part of a reward function around its level, in units of the half range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Amplitudes {
    /// The same for everybody.
    pub(super) offset: f64,
    /// Of each axis by itself.
    pub(super) main: f64,
    /// Of blocks, if there is nothing else but the offset.
    #[serde(default = "of_blocks", rename = "halves")]
    pub(super) blocks: f64,
    /// Of all axes together.
    pub(super) smooth: f64,
    /// Of each cell.
    pub(super) own: f64,
}

impl Default for Amplitudes {
    fn default() -> Amplitudes {
        Amplitudes { offset: 0.3, main: 0.25, blocks: of_blocks(), smooth: 0.35, own: 0.05 }
    }
}

fn of_blocks() -> f64 {
    0.35
}

impl Amplitudes {
    /// Of one part alone.
    pub(super) const fn smooth(smooth: f64) -> Amplitudes {
        Amplitudes { offset: 0.0, main: 0.0, blocks: 0.0, smooth, own: 0.0 }
    }

    pub(super) fn all(&mut self) -> [&mut f64; 5] {
        [&mut self.offset, &mut self.main, &mut self.blocks, &mut self.smooth, &mut self.own]
    }
}

impl Amplitudes {
    /// The same with another amplitude of one part.
    pub(super) fn near(&self, part: usize) -> [Amplitudes; STEPS.len()] {
        STEPS.map(|step| {
            let mut near = *self;
            let amplitude = &mut *near.all()[part];
            *amplitude = (*amplitude * step).clamp(SMALLEST, LARGEST);
            near
        })
    }

    /// These, and the same with another amplitude of blocks.
    pub(super) fn near_of_blocks(&self) -> Vec<Amplitudes> {
        [*self].into_iter().chain(self.near(BLOCKS)).collect()
    }

    /// The preference for an amplitude of blocks near the start, before any evidence.
    pub(super) fn log_prior_of_blocks(&self) -> f64 {
        log_prior(self.blocks, Amplitudes::default().blocks)
    }
}

impl Shape {
    /// So many axes, before any evidence.
    pub(super) fn new(axes: usize) -> Shape {
        Shape { lengths: vec![START; axes], amplitudes: Amplitudes::default(), amplitude: None }
    }

    /// The preference for shapes near the start, before any evidence; blocks are chosen by themselves.
    pub(super) fn log_prior(&self) -> f64 {
        let mut start = Amplitudes::default();
        let mut found = Amplitudes { blocks: start.blocks, ..self.amplitudes };
        let pairs = found.all().into_iter().zip(start.all());
        let amplitudes: f64 = pairs.map(|(found, start)| log_prior(*found, *start)).sum();
        let step = |&length: &usize| (length as f64 - START as f64) * (length as f64 - START as f64);
        amplitudes - LENGTH_PENALTY * self.lengths.iter().map(step).sum::<f64>()
    }
}

fn log_prior(found: f64, start: f64) -> f64 {
    let distance = libm::log(found.max(SMALLEST) / start.max(SMALLEST));
    -AMPLITUDE_PENALTY * distance * distance
}
