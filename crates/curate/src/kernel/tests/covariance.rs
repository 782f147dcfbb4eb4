use crate::kernel::{Factor, Family, Kernel, KernelError, Points};

fn at(kernel: &Kernel, a: &[f64], b: &[f64]) -> f64 {
    let mut points = [Points::new(a.len()), Points::new(b.len())];
    points[0].push(a);
    points[1].push(b);
    kernel.between(&points[0], &points[1])[(0, 0)]
}

#[test]
fn families_have_their_textbook_values_at_distance_one() {
    // exp(-1), (1 + 3^.5) exp(-3^.5), (1 + 5^.5 + 5/3) exp(-5^.5), exp(-1/2), to twelve digits.
    let known = [0.367_879_441_171, 0.483_357_724_597, 0.523_994_108_832, 0.606_530_659_713];
    for (family, value) in Family::ALL.into_iter().zip(known) {
        let kernel = Kernel::joint(family, &[0.5]).unwrap();
        assert!((at(&kernel, &[0.25], &[0.75]) - value).abs() < 1e-12, "{family:?}");
        assert!((at(&kernel, &[0.25], &[0.25]) - 1.0).abs() < 1e-15);
    }
}

#[test]
fn lengths_scale_and_factors_multiply() {
    let (a, b) = ([0.1, 0.9, 0.3], [0.4, 0.2, 0.8]);
    let joint = Kernel::joint(Family::SquaredExponential, &[0.3, 0.5, 0.7]).unwrap();
    let product = Kernel::product(Family::SquaredExponential, &[0.3, 0.5, 0.7]).unwrap();
    assert!((at(&joint, &a, &b) - at(&product, &a, &b)).abs() < 1e-15, "exp of a sum is a product");
    let matern = |lengths: &[f64]| Factor { family: Family::MaternThreeHalves, lengths: lengths.to_vec() };
    let mixed = Kernel::new(vec![matern(&[0.3]), matern(&[0.5, 0.7])]).unwrap();
    let parts =
        [Kernel::new(vec![matern(&[0.3])]), Kernel::new(vec![matern(&[0.5, 0.7])])].map(Result::unwrap);
    let expected = at(&parts[0], &a[..1], &b[..1]) * at(&parts[1], &a[1..], &b[1..]);
    assert!((at(&mixed, &a, &b) - expected).abs() < 1e-15);
}

#[test]
fn impossible_kernels_are_refused() {
    assert_eq!(Kernel::new(Vec::new()), Err(KernelError::Empty));
    assert_eq!(Kernel::joint(Family::MaternHalf, &[]), Err(KernelError::Empty));
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(Kernel::joint(Family::MaternHalf, &[0.3, length]).is_err());
    }
}
