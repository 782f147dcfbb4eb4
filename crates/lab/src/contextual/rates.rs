//! How regret grows with people, as Ma et al. (2025) prove it: up to constants that their proofs do not give.

use super::env::SourceSpec;

/// A problem as the theorems see it. Rewards are Lipschitz; gaps are at most delta on a share of people of at most a
/// constant times delta to the power of the margin.
#[derive(Debug, Clone)]
pub(super) struct Problem<'a> {
    pub(super) arms: f64,
    pub(super) dims: f64,
    pub(super) margin: f64,
    pub(super) epsilon: f64,
    pub(super) sources: &'a [SourceSpec],
}

/// One of the paper's rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rate {
    /// Theorem 2.5, with sources Theorem 3.3: nobody does better in all such problems.
    Lower,
    /// Theorem 2.6, with sources Theorem 3.4: the paper's agents do no worse.
    Upper,
}

impl Rate {
    /// The theorem's number.
    pub(super) fn theorem(self, has_sources: bool) -> &'static str {
        match (self, has_sources) {
            (Rate::Lower, false) => "2.5",
            (Rate::Upper, false) => "2.6",
            (Rate::Lower, true) => "3.3",
            (Rate::Upper, true) => "3.4",
        }
    }

    /// Regret after so many people, but for the constant.
    pub(super) fn at(self, problem: &Problem<'_>, people: f64) -> f64 {
        let Problem { arms, dims, margin, epsilon, sources } = problem;
        let largest = sources.iter().map(|source| source.people() as f64).fold(people, f64::max);
        let log = libm::log(largest);
        // What a loss is worth, and what arms and the logarithm take, with privacy and without it.
        let private = |people: f64, epsilon: f64, share: f64| match self {
            Rate::Lower => share * share * people * libm::expm1(epsilon) * libm::expm1(epsilon),
            Rate::Upper => share * share * people * epsilon * epsilon / log,
        };
        let open = |people: f64, share: f64| match self {
            Rate::Lower => share * people,
            Rate::Upper => share * people / log,
        };
        let power = |base: f64, gamma: f64, over: f64| {
            libm::pow(base, (2.0 + 2.0 * dims) / (2.0 + over * dims + over * gamma))
        };
        let own_share = if self == Rate::Lower { 1.0 } else { 1.0 / arms };
        let own = private(people, *epsilon, own_share).min(power(open(people, own_share), 0.0, 1.0));
        let helped: f64 = sources
            .iter()
            .map(|source| {
                let (people, share) = (source.people() as f64, source.kappa() / arms);
                let private = power(private(people, source.epsilon().value(), share), source.gamma(), 2.0);
                private.min(power(open(people, share), source.gamma(), 1.0))
            })
            .sum();
        people * libm::pow(own + helped, -(1.0 + margin) / (2.0 + 2.0 * dims))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::Epsilon;

    fn problem(epsilon: f64, sources: &[SourceSpec]) -> Problem<'_> {
        Problem { arms: 3.0, dims: 2.0, margin: 1.0, epsilon, sources }
    }

    #[test]
    fn slopes_are_the_papers() {
        // n (n eps^2)^(-1/3): n^(2/3), and a fourth of epsilon costs 4^(2/3) = 2.52.
        let lower = |people: f64, epsilon: f64| Rate::Lower.at(&problem(epsilon, &[]), people);
        assert!((lower(8e6, 0.1) / lower(1e6, 0.1) - 4.0).abs() < 1e-9);
        let ratio = libm::pow(libm::expm1(0.4) / libm::expm1(0.1), 2.0 / 3.0);
        assert!((lower(1e6, 0.1) / lower(1e6, 0.4) - ratio).abs() < 1e-9);
        // Without privacy n^(1 - 2/4).
        assert!((lower(4e6, 100.0) / lower(1e6, 100.0) - 2.0).abs() < 1e-9);
        assert!(Rate::Upper.at(&problem(1.0, &[]), 1e6) > lower(1e6, 1.0));
    }

    #[test]
    fn sources_help_more_the_more_alike_they_are() {
        let source = |gamma| vec![SourceSpec::new(100_000, gamma, 1.0, Epsilon::new(8.0).unwrap()).unwrap()];
        for rate in [Rate::Lower, Rate::Upper] {
            let at = |sources: &[SourceSpec]| rate.at(&problem(1.0, sources), 1e4);
            assert!(at(&source(0.0)) < at(&source(1.0)) && at(&source(1.0)) < at(&[]), "{rate:?}");
        }
    }
}
