//! The construction of the paper's lower bound (appendix D.3), mended.
//!
//! Cells of side 2r fill a corner block of the cube. In the middle of each, around one price, the reward 1/2
//! has a bump up or down (29). The target market has much of its mass in the middles (22), the log few
//! contexts there (23) and few prices around that one (24).
//!
//! What is changed, and why:
//!
//! 1. m: (18) has m = floor(`c_m` / r)^d bumps and (16) floor(1/(2r))^d cells, and nothing says which cells
//!    have a bump. Here they are the cells of the corner block of floor(`c_m` / r) cells a side with `c_m` =
//!    0.45. It leaves at least a tenth of the side outside, where (22) has the rest of its mass, `q_0`, which
//!    0/0 would be if the cells filled the cube. A radius above `c_m` makes no bump and is refused.
//! 2. `c_alpha` in the formula of delta is the `C_alpha` of (23): with any other value the density does not
//!    integrate to one. Then delta = (1 - `C_alpha` r^alpha) / (2^d - 1). It is negative unless `C_alpha`
//!    r^alpha <= 1; the proof of Lemma 9 wants `C_alpha` <= 1 anyway, so larger ones are refused. The gap
//!    between r/4 and r/2 stays: there bumps fall to 0, and (35) needs that the log has nothing there.
//! 3. Lemma 9 is right for balls of radius h <= r, where it follows from p >= `C_alpha` r^alpha q, but not
//!    for larger ones: a ball that cuts through a cell can have less of P than of Q, and for d = 1, r = 0.1
//!    and alpha = 1/2 the constant drops to 0.991 `C_alpha`. Counting whole and cut cells gives P >= 4^-d Q
//!    for h > r, so that the exponent is alpha with constant `C_alpha` up to h = r, and `C_alpha` 4^-d for
//!    each h up to 1. For one fixed r the exponent 0 holds as well, with constant `C_alpha` r^alpha: alpha
//!    means something when r shrinks.
//! 4. Lemma 12 is wrong for beta below log 2 / log 6 = 0.387. Neighbouring bumps, one up and one down, differ
//!    by twice their height at a distance of 1.5 r, so the sum's constant is the larger of 4^beta and 2 /
//!    1.5^beta, in units of the height over r^beta. Here heights are divided by that, not by 4^beta.
//! 5. (26) says that heights are at most 1/4, which min(`C_H`, 1) does not bring about: for beta = 0.1 and r
//!    = 0.1 the reward leaves [0, 1]. Here `C_H` is not capped at 1 but the height at 1/4, which (11) needs.
//! 6. Lemma 10 forgets the ends of [0, 1]: where the bump is down or there is none the smallest best price is
//!    0, and half of each interval around it is outside. (5) holds with the part inside [0, 1] in the place
//!    of 2h, or as it is written with zeta/2; see [`Logging`](super::Logging).
//! 7. The bumps' price is chosen against a policy that was learned from a log whose law depends on that
//!    price, (28): a circle. It is needed for `KL_Q` alone, and nobody sees the target market's rewards
//!    before the policy is final, so that term is zero and any price will do. It is drawn from the grid (17).
//! 8. The signs are drawn uniformly from all of {-1, 1}^m: m/8 differences, as the packing (20) has them, are
//!    then usual, and no list of well-separated signs is needed to measure a mean.

mod cells;
mod spec;

use reticent_privacy::{SimRng, SimSeed, Stream};

use super::contexts::shell;
use super::logging::band::Band;
use super::{Best, Logged, MarketError};
use cells::Cells;

pub use spec::LowerBoundSpec;

/// The constant of (18).
pub(super) const C_M: f64 = 0.45;
/// Most bumps.
pub(super) const MAX_CELLS: usize = 1 << 20;
/// Largest height of a bump.
const HIGHEST: f64 = 0.25;
/// The stream of a seed that signs and price are drawn from: one that no trial gets to.
const DRAWN: u64 = (1 << 60) - 1;

/// One instance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LowerBound {
    spec: LowerBoundSpec,
    cells: Cells,
    /// Which bumps go up.
    up: Vec<bool>,
    /// Where all of them are.
    price: f64,
    height: f64,
    /// `C_alpha` r^alpha: how much less of the middles the log has.
    thin: f64,
    /// m r^d: how much of the target market is in the middles.
    middles: f64,
}

impl LowerBound {
    pub(super) fn new(spec: LowerBoundSpec) -> Result<LowerBound, MarketError> {
        spec.check()?;
        let cells = Cells::new(spec.radius, spec.dims)?;
        let mut rng = SimSeed(spec.seed).stream(DRAWN, Stream::Environment);
        let places = (1.0 / spec.radius).floor();
        let place = (rng.uniform() * places).floor().min(places - 1.0);
        let up: Vec<bool> = (0..cells.count()).map(|_| rng.uniform() < 0.5).collect();
        let steepness = libm::pow(4.0, spec.beta).max(2.0 / libm::pow(1.5, spec.beta));
        Ok(LowerBound {
            spec,
            price: (place + 0.5) * spec.radius,
            height: (spec.holder * libm::pow(spec.radius, spec.beta) / steepness).min(HIGHEST),
            thin: spec.transfer * libm::pow(spec.radius, spec.alpha),
            middles: up.len() as f64 * spec.radius.powi(spec.dims as i32),
            cells,
            up,
        })
    }

    pub(super) fn spec(&self) -> &LowerBoundSpec {
        &self.spec
    }

    pub(super) fn draw(&self, rng: &mut SimRng, context: &mut [f64]) -> Logged {
        let (r, u) = (self.spec.radius, rng.uniform());
        if u < self.middles * self.thin {
            self.cells.draw(rng, context, 0.0, 0.25 * r);
        } else if u < self.middles {
            self.cells.draw(rng, context, 0.5 * r, r);
        } else {
            shell::draw(rng, context, self.cells.block(), 1.0, 0.0);
        }
        let price = self.band().draw(rng);
        let chance = self.revenue(context, price);
        Logged { price, outcome: f64::from(u8::from(rng.uniform() < chance)) }
    }

    pub(super) fn draw_target(&self, rng: &mut SimRng, context: &mut [f64]) {
        if rng.uniform() < self.middles {
            self.cells.draw(rng, context, 0.0, 0.25 * self.spec.radius);
        } else {
            shell::draw(rng, context, self.cells.block(), 1.0, 0.0);
        }
    }

    /// (29).
    pub(super) fn revenue(&self, context: &[f64], price: f64) -> f64 {
        let Some((cell, distance)) = self.cells.place(context) else {
            return 0.5;
        };
        let bump = self.height * self.bump(distance.max((price - self.price).abs()));
        if self.up[cell] { 0.5 + bump } else { 0.5 - bump }
    }

    /// (25) at a distance from the bump's centre.
    fn bump(&self, distance: f64) -> f64 {
        match distance / self.spec.radius {
            ..0.25 => 1.0,
            z @ 0.25..0.5 => libm::pow(2.0 - 4.0 * z, self.spec.beta),
            _ => 0.0,
        }
    }

    /// The smallest best price (30): the bump's plateau is as wide in prices as the context is far from its
    /// centre, at least r/4 either way.
    pub(super) fn best(&self, context: &[f64]) -> Best {
        let r = self.spec.radius;
        match self.cells.place(context) {
            Some((cell, distance)) if self.up[cell] && distance < 0.5 * r => Best {
                price: self.price - distance.max(0.25 * r),
                revenue: 0.5 + self.height * self.bump(distance),
            },
            _ => Best { price: 0.0, revenue: 0.5 },
        }
    }

    /// (23).
    pub(super) fn source_density(&self, context: &[f64]) -> f64 {
        let (r, cube) = (self.spec.radius, self.cube());
        match self.cells.place(context) {
            None => self.outside(),
            Some((_, distance)) if distance <= 0.25 * r => self.thin * cube,
            Some((_, distance)) if distance > 0.5 * r => (1.0 - self.thin) / (cube - 1.0),
            Some(_) => 0.0,
        }
    }

    /// (22).
    pub(super) fn target_density(&self, context: &[f64]) -> f64 {
        match self.cells.place(context) {
            None => self.outside(),
            Some((_, distance)) if distance <= 0.25 * self.spec.radius => self.cube(),
            Some(_) => 0.0,
        }
    }

    pub(super) fn logging_density(&self, _context: &[f64], price: f64) -> f64 {
        self.band().density(price)
    }

    fn band(&self) -> Band {
        Band::around(self.price, 0.5 * self.spec.radius, self.spec.zeta)
    }

    /// 2^d: how many times larger than its middle a cell half as wide is, and `q_1`.
    fn cube(&self) -> f64 {
        2.0_f64.powi(self.spec.dims as i32)
    }

    /// `q_0`.
    fn outside(&self) -> f64 {
        (1.0 - self.middles) / (1.0 - self.cells.block().powi(self.spec.dims as i32))
    }

    /// For d = 1: midpoints within each part of the target market, with exact weights.
    pub(super) fn nodes(&self, about: usize) -> Vec<(f64, f64)> {
        let (r, block) = (self.spec.radius, self.cells.block());
        let each = (about / (self.up.len() + 1)).max(4);
        let part = |low: f64, high: f64, mass: f64| {
            let place = move |number: usize| low + (high - low) * (number as f64 + 0.5) / each as f64;
            (0..each).map(move |number| (place(number), mass / each as f64))
        };
        let centres = (0..self.up.len()).map(|cell| (2 * cell + 1) as f64 * r);
        let middles = centres.flat_map(|centre| part(centre - 0.25 * r, centre + 0.25 * r, r));
        middles.chain(part(block, 1.0, 1.0 - self.middles)).collect()
    }
}
