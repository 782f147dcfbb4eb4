//! From a pair of bin and arm and a reward to a report's values (equation (12)).

use crate::abse::Spec;
use reticent_privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent_privacy::{Epsilon, Generator, NotFinite, UnitGrid};

/// The noise of the target and of each source, with its constants computed once.
#[derive(Debug)]
pub(super) struct Values {
    target: Option<LaplaceResponse>,
    sources: Vec<Option<LaplaceResponse>>,
    zero: UnitGrid,
    one: UnitGrid,
}

impl Values {
    pub(super) fn new(spec: &Spec) -> Values {
        let (zero, one) = ends().unwrap_or_else(|NotFinite| unreachable!("0 and 1 are finite"));
        let sources = spec.sources().iter().map(|source| source.epsilon.and_then(quarter)).collect();
        Values { target: spec.epsilon().and_then(quarter), sources, zero, one }
    }

    /// V and U of every pair, each with noise of scale 4 / epsilon; all are zero but for those of the
    /// person's own pair.
    pub(super) fn draw<G: Generator>(
        &self,
        pairs: usize,
        source: Option<u32>,
        own: Option<usize>,
        reward: UnitGrid,
        noise: &mut G,
    ) -> Vec<i64> {
        let mut values = vec![0; 2 * pairs];
        self.add(&mut values, source, own, reward, noise);
        values
    }

    /// Writes V and U of the pairs that `values` has room for; `own` is the person's pair among them.
    pub(super) fn add<G: Generator>(
        &self,
        values: &mut [i64],
        source: Option<u32>,
        own: Option<usize>,
        reward: UnitGrid,
        noise: &mut G,
    ) {
        let mechanism = source.map_or(self.target, |source| self.sources[source as usize]);
        let Some(mechanism) = mechanism else { unreachable!("the open channel has no values") };
        for (pair, value) in values.chunks_exact_mut(2).enumerate() {
            let (v, u) = if own == Some(pair) { (reward, self.one) } else { (self.zero, self.zero) };
            value[0] = mechanism.release_with(v, noise);
            value[1] = mechanism.release_with(u, noise);
        }
    }
}

/// Laplace noise of scale 4 / epsilon. The quarter rounds down to whole billionths: the noise is never too small.
fn quarter(epsilon: Epsilon) -> Option<LaplaceResponse> {
    // A spec's epsilon is at least 1000 billionths.
    Epsilon::from_nano(epsilon.nano() / 4).ok().map(LaplaceResponse::new)
}

fn ends() -> Result<(UnitGrid, UnitGrid), NotFinite> {
    Ok((UnitGrid::clip(0.0)?, UnitGrid::clip(1.0)?))
}
