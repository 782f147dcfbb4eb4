//! Hadamard response: an output in the half of a block that the true symbol's row of a Hadamard matrix marks.

pub(super) mod transform;

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::select::select;
use super::{Decode, Domain, Oracle, OracleKind, Report, Setup, Shape, Symbol, two_level_law};
use crate::exact::{TwoLevel, uniform_below};
use crate::{Epsilon, Generator};
use transform::walsh_hadamard;

/// Acharya, Sun and Zhang (2019), for any epsilon: outputs in B blocks of b; a symbol has a block and a row of the b x
/// b Hadamard matrix other than the first, and its outputs are the b/2 of its block where the row is +1. Short reports
/// and a fast decoder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HadamardResponse {
    domain: Domain,
    epsilon: Epsilon,
    channel: TwoLevel,
    blocks: u32,
    /// log2 of b.
    block_bits: u32,
    /// Ones, or zero in a domain of one, where each report is the same.
    mask: u32,
}

impl HadamardResponse {
    /// The oracle for `domain` at loss `epsilon`, with the block size of the smallest variance.
    pub fn new(domain: Domain, epsilon: Epsilon) -> HadamardResponse {
        // Each block of b outputs serves b - 1 symbols; one block of 2^k > D serves them all.
        let largest = u32::BITS - domain.size().leading_zeros();
        let candidates = (1..=largest).map(|bits| Self::with_blocks(domain, epsilon, bits));
        // On a tie the later one: larger blocks have fewer outputs.
        let best =
            candidates.reduce(|a, b| if a.variance_of_one(0.0) < b.variance_of_one(0.0) { a } else { b });
        best.unwrap_or_else(|| Self::with_blocks(domain, epsilon, 1))
    }

    fn with_blocks(domain: Domain, epsilon: Epsilon, block_bits: u32) -> HadamardResponse {
        let half = 1_u64 << (block_bits - 1);
        let blocks = domain.size().div_ceil((1 << block_bits) - 1);
        let channel = TwoLevel::new(epsilon, half, 2 * half * u64::from(blocks) - half);
        let mask = if domain.size() == 1 { 0 } else { u32::MAX };
        HadamardResponse { domain, epsilon, channel, blocks, block_bits, mask }
    }

    /// The number of blocks and the size of each, (B, b).
    pub fn blocks(&self) -> (u32, u32) {
        (self.blocks, 1 << self.block_bits)
    }

    /// The symbol's block and row.
    #[inline]
    fn row(&self, place: u32) -> (u32, u32) {
        let rows = (1 << self.block_bits) - 1;
        (place / rows, 1 + place % rows)
    }

    /// Output number `v` of the symbol's b/2, or of all others.
    #[inline]
    fn respond(&self, place: u32, inside: bool, v: u64) -> u32 {
        let (block, row) = self.row(place);
        let (block, row) = (u64::from(block), u64::from(row));
        let half = 1_u64 << (self.block_bits - 1);
        // Points of a block with a given parity with the row: v gives the bits other than the row's lowest, which is
        // set so that the parity is right.
        let low = row.trailing_zeros();
        let (spread, below) = (v & (half - 1), (1 << low) - 1);
        let free = (spread & below) | (spread & !below) << 1;
        let odd = u64::from((free & row).count_ones() & 1) ^ u64::from(!inside);
        let own = block << self.block_bits | free | odd << low;
        // The first b/2 numbers outside are the other half of the symbol's own block; the rest are the other blocks in
        // order.
        let rest = v.wrapping_sub(half);
        let elsewhere = rest.wrapping_add(select(rest >> self.block_bits >= block, 2 * half, 0));
        select(inside || v < half, own, elsewhere) as u32
    }

    /// The number sent in the report.
    #[inline]
    pub fn randomise_index<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> u32 {
        let half = 1_u64 << (self.block_bits - 1);
        let outside = 2 * half * u64::from(self.blocks) - half;
        let inside = self.channel.draw_inside(rng);
        let bound = select(inside, half, outside);
        // Both group sizes are positive.
        let v = uniform_below(NonZeroU64::MIN.saturating_add(bound - 1), rng);
        self.respond(self.domain.place(symbol), inside, v) & self.mask
    }
}

impl Decode for HadamardResponse {
    fn setup(&self) -> Setup {
        Setup { kind: OracleKind::HadamardResponse, domain: self.domain, epsilon: self.epsilon }
    }

    /// The symbol's row of the Hadamard matrix against its block's counts, over n s (W - w): see `guarantee.md`.
    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        let half = f64::from(1_u32 << (self.block_bits - 1));
        let scale = reports as f64 * half * self.channel.each_gap();
        let mut frequencies = Vec::with_capacity(counts.len());
        for block in counts.chunks(1 << self.block_bits) {
            // At most as many counts as reports, which fit.
            let mut sums: Vec<i64> = block.iter().map(|&count| count as i64).collect();
            walsh_hadamard(&mut sums);
            frequencies.extend(sums.iter().skip(1).map(|&sum| sum as f64 / scale));
        }
        frequencies.truncate(self.domain.size() as usize);
        frequencies
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        let (heavy, light) = (self.channel.each_inside(), self.channel.each_outside());
        let size = f64::from(self.domain.size());
        let mates = f64::from(self.domain.size().min((1 << self.block_bits) - 1)) - 1.0;
        let in_block = frequency + (1.0 - frequency) * mates / (size - 1.0).max(1.0);
        let half = f64::from(1_u32 << (self.block_bits - 1));
        let gap = half * self.channel.each_gap();
        let seen = half * (in_block * (heavy + light) + (1.0 - in_block) * 2.0 * light);
        seen / (gap * gap) - frequency
    }
}

impl Oracle for HadamardResponse {
    fn design(&self) -> [u32; 2] {
        [self.blocks, self.block_bits]
    }

    fn shape(&self) -> Shape {
        let outputs = if self.domain.size() == 1 { 1 } else { self.blocks << self.block_bits };
        Shape::Index { outputs }
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        Report::Index(self.randomise_index(symbol, rng))
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        let (block, row) = self.row(self.domain.place(symbol));
        let is_inside = |output: u32| {
            output >> self.block_bits == block
                && (output & row & ((1 << self.block_bits) - 1)).count_ones().is_multiple_of(2)
        };
        two_level_law(&self.channel, self.domain, self.blocks << self.block_bits, is_inside)
    }
}

#[cfg(test)]
mod tests;
