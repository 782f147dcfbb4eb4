//! The noise is as large as theory says, on each part of a release and in each prefix of the tree.

use reticent_privacy::mechanism::{Mechanism, VectorGaussian};
use reticent_privacy::{Neighbours, Rho, SimSeed, Stream, VectorSum};
use statrs::distribution::{Binomial, DiscreteCDF};

use super::super::estimate::noise_bound;
use super::super::tree::{Tree, depth};
use super::super::{FourierMap, once, statistic};
use super::{LEVEL, records, spec, squares_p};
use reticent_curate::kernel::algebra;

/// True sums of the records of [`super::spec`].
fn exact(count: usize) -> super::super::super::ridge::Sums {
    let records = records(count, 1);
    let map = FourierMap::new(&super::kernel(&[0.5]), 6).unwrap();
    let mut sums = super::super::super::ridge::Sums::new(map.rank());
    sums.add(map.rows(records.points()).as_ref(), records.rewards());
    sums
}

#[test]
fn gram_and_moment_have_noise_of_the_stated_size() {
    let (people, rho, rank) = (40, 0.125, 6);
    let (records, exact, spec) = (records(people, 1), exact(people), spec(people, super::zcdp(rho)));
    let mut rng = SimSeed(71).stream(0, Stream::Noise);
    // One release costs rho: sigma = 2 / sqrt(2 rho) = 4 on a vector of length one, and the vector is 1 /
    // sqrt 2 of the sums.
    let [diagonal, beside, moment] = [4.0 * 2.0_f64.sqrt(), 4.0, 4.0 * 2.0_f64.sqrt()];
    let (mut squares, mut counts) = ([0.0; 3], [0; 3]);
    for _ in 0..1500 {
        let estimate = once(&spec, &records, 1, &mut rng).unwrap();
        let (gram, vector) = estimate.released();
        let mut add = |part: usize, difference: f64, sigma: f64| {
            squares[part] += (difference / sigma) * (difference / sigma);
            counts[part] += 1;
        };
        for i in 0..rank {
            add(2, vector[(i, 0)] - exact.moment[(i, 0)], moment);
            for j in 0..=i {
                let difference = gram[(i, j)] - exact.gram[(i, j)];
                if i == j { add(0, difference, diagonal) } else { add(1, difference, beside) }
            }
        }
    }
    for part in 0..3 {
        assert!(
            squares_p(squares[part], counts[part]) > LEVEL,
            "{part}: {} of {}",
            squares[part],
            counts[part]
        );
        assert!(squares_p(1.1 * squares[part], counts[part]) < LEVEL, "the test sees five per cent of sigma");
    }
}

#[test]
fn a_prefix_is_made_of_as_many_nodes_as_its_number_has_ones() {
    for (batches, levels) in [(1, 1), (2, 2), (3, 2), (4, 3), (63, 6), (64, 7), (65, 7)] {
        assert_eq!(depth(batches), levels, "{batches}");
    }
    let (batches, size, dimensions) = (21_usize, 3_usize, 10);
    let mut rng = SimSeed(72).stream(0, Stream::Noise);
    let (mut squares, mut count) = (vec![0.0; batches + 1], 0);
    for _ in 0..400 {
        let mut tree = Tree::new(dimensions, batches, Rho::new(10.0).unwrap()).unwrap();
        // Five levels: rho = 2 a node, and sigma = 2 / sqrt 4 = 1.
        for (batch, square) in squares.iter_mut().enumerate().skip(1) {
            for _ in 0..size {
                tree.add(&[0.25; 10]).unwrap();
            }
            tree.end_batch(&mut rng).unwrap();
            assert_eq!(tree.nodes(), batch.count_ones() as usize, "{batch}");
            let sigma = (tree.nodes() as f64).sqrt();
            assert!((tree.sigma() - sigma).abs() < 1e-12);
            let truth = 0.25 * (size * batch) as f64;
            *square += tree.prefix().iter().map(|x| ((x - truth) / sigma).powi(2)).sum::<f64>();
        }
        count += dimensions;
    }
    for (batch, square) in squares.iter().enumerate().skip(1) {
        assert!(squares_p(*square, count) > LEVEL / 21.0, "{batch}: {square} of {count}");
        // One node more or less than there are would be seen, down to the smallest change, five in place of four.
        assert!(squares_p(0.8 * square, count) < LEVEL, "{batch}");
    }
}

#[test]
fn nodes_of_a_prefix_are_kept_and_not_drawn_again() {
    let (rho, batches, dimensions) = (Rho::new(4.0).unwrap(), 11_usize, 3);
    let mut tree = Tree::new(dimensions, batches, rho).unwrap();
    // The same draws outside of the tree: one node of nothing for each batch, at a quarter of rho.
    let mechanism = VectorGaussian::new(Rho::new(1.0).unwrap(), Neighbours::Replace).unwrap();
    let [mut inside, mut outside] = [(); 2].map(|()| SimSeed(73).stream(0, Stream::Noise));
    let mut nodes = vec![Vec::new()];
    for batch in 1..=batches {
        tree.end_batch(&mut inside).unwrap();
        nodes.push(mechanism.release_with(VectorSum::new(dimensions), &mut outside));
        // Without its lowest one, and again: the ends of the nodes that a prefix is made of.
        let ends = std::iter::successors(Some(batch), |end| Some(end & (end - 1)).filter(|&rest| rest > 0));
        let mut sum = vec![0; dimensions];
        for end in ends {
            sum.iter_mut().zip(&nodes[end]).for_each(|(sum, step)| *sum += step);
        }
        let steps =
            tree.prefix().iter().map(|x| (x * f64::from(VectorSum::RADIUS)) as i64).collect::<Vec<_>>();
        assert_eq!(steps, sum, "{batch}");
    }
}

#[test]
fn the_shift_outweighs_the_noise_as_often_as_stated() {
    let (rank, failure, trials) = (8, 0.1, 2000_u64);
    let mut rng = SimSeed(74).stream(0, Stream::Noise);
    let (mut beyond, mut half) = (0, 0);
    for _ in 0..trials {
        let mut tree = Tree::new(statistic::dimensions(rank), 1, Rho::new(0.5).unwrap()).unwrap();
        tree.end_batch(&mut rng).unwrap();
        let mut noise = statistic::sums(&tree.prefix(), rank).gram;
        let bound = noise_bound(rank, tree.sigma(), failure);
        // `eigen` cuts at zero, so the smallest eigenvalue is read from the negative.
        noise *= faer::Scale(-1.0);
        let largest = algebra::eigen(noise.as_ref()).unwrap().0[rank - 1];
        beyond += u64::from(largest > bound);
        half += u64::from(largest > 0.5 * bound);
    }
    let law = Binomial::new(failure, trials).unwrap();
    assert!(beyond == 0 || 1.0 - law.cdf(beyond - 1) > LEVEL, "{beyond}");
    assert!(1.0 - law.cdf(half - 1) < LEVEL, "half the bound would be too little: {half}");
}
