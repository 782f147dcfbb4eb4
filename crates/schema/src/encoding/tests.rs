//! Encodings land in the cube, keep order, refuse what they should and survive being stored.

use super::*;
use proptest::prelude::*;

fn numeric(name: &str, low: f64, high: f64) -> Field {
    Field::Numeric { name: name.into(), low, high }
}

fn category(name: &str, levels: &[&str]) -> Field {
    Field::Category { name: name.into(), levels: levels.iter().map(|&level| level.into()).collect() }
}

fn field_axis(name: &str) -> Axis {
    Axis::Field { field: name.into() }
}

fn projection(name: &str, weights: &[(&str, f64)], low: f64, high: f64) -> Axis {
    let weights = weights.iter().map(|&(field, weight)| (field.into(), weight)).collect();
    Axis::Projection { name: name.into(), weights, low, high }
}

fn fields() -> Vec<Field> {
    vec![
        numeric("age", 20.0, 80.0),
        category("region", &["north", "south", "east"]),
        numeric("bmi", 15.0, 40.0),
    ]
}

fn example() -> Encoding {
    let load = projection("load", &[("age", 1.0), ("bmi", -0.5)], -0.5, 1.0);
    Encoding::new(fields(), vec![field_axis("region"), load, field_axis("age")]).unwrap()
}

fn refused(fields: Vec<Field>, axes: Vec<Axis>) -> String {
    Encoding::new(fields, axes).unwrap_err().to_string()
}

#[test]
fn known_points() {
    let encoding = example();
    let mut point = [0.0; 3];
    encoding.encode_values(&[50.0.into(), "east".into(), 40.0.into()], &mut point).unwrap();
    assert_eq!(point, [2.5 / 3.0, (0.5 - 0.5 + 0.5) / 1.5, 0.5]);
    encoding.encode_values(&[1e300.into(), "north".into(), (-1e300).into()], &mut point).unwrap();
    assert_eq!(point, [0.5 / 3.0, 1.0, 1.0]);
    let mut point = [0.0; 2];
    Encoding::ranges(&[(-1.0, 1.0), (0.0, 4.0)]).unwrap().encode_numbers(&[0.0, 5.0], &mut point).unwrap();
    assert_eq!(point, [0.5, 1.0]);
}

#[test]
fn levels_by_place_are_the_levels_by_name() {
    let encoding = example();
    for (place, level) in ["north", "south", "east"].into_iter().enumerate() {
        let (mut named, mut placed) = ([0.0; 3], [1.0; 3]);
        encoding.encode_values(&[50.0.into(), level.into(), 20.0.into()], &mut named).unwrap();
        encoding.encode_placed(&[50.0, place as f64 + 0.5, 20.0], &mut placed).unwrap();
        assert_eq!(named, placed);
    }
    let mut point = [0.0; 3];
    for wild in [f64::NAN, 1e300] {
        encoding.encode_placed(&[wild, wild, wild], &mut point).unwrap();
        assert!(point[0] == 2.5 / 3.0 && point.iter().all(|x| (0.0..=1.0).contains(x)));
    }
}

#[test]
fn axes_say_what_they_are() {
    let encoding = example();
    let axes: Vec<_> = encoding.axes().map(|a| (a.name, a.kind, a.low, a.high)).collect();
    let expected = [
        ("region", AxisKind::Category(3), 0.0, 3.0),
        ("load", AxisKind::Numeric, -0.5, 1.0),
        ("age", AxisKind::Numeric, 20.0, 80.0),
    ];
    assert_eq!((axes, encoding.dimension()), (expected.to_vec(), 3));
    let unit = Encoding::unit(2).unwrap();
    assert_eq!(unit.axes().map(|a| a.name).collect::<Vec<_>>(), ["x1", "x2"]);
}

#[test]
fn unsound_encodings_are_refused() {
    let age = || vec![field_axis("age")];
    assert!(refused(fields(), vec![]).contains("1 to 64 axes, got 0"));
    assert_eq!(Encoding::unit(65), Err(EncodingError::Axes(65)));
    assert_eq!(Encoding::unit(usize::MAX), Err(EncodingError::Axes(usize::MAX)));
    assert!(Encoding::unit(64).is_ok());
    assert!(refused(vec![numeric("", 0.0, 1.0)], age()).contains("needs a name"));
    assert!(refused([fields(), fields()].concat(), age()).contains("`age` is used twice"));
    assert!(refused(fields(), [age(), age()].concat()).contains("`age` is used twice"));
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-f64::MAX, f64::MAX)]
    {
        assert!(refused(vec![numeric("age", low, high)], age()).contains("`age` needs a finite range"));
        let axis = projection("p", &[("age", 1.0)], low, high);
        assert!(refused(fields(), vec![axis]).contains("`p` needs a finite range"));
    }
    assert!(refused(vec![category("c", &["a"])], age()).contains("at least two levels"));
    assert!(refused(vec![category("c", &["a", "b", "a"])], age()).contains("level `a` twice"));
    assert!(refused(fields(), vec![field_axis("agee")]).contains("`agee`, which is not declared"));
}

#[test]
fn unsound_projections_are_refused() {
    let refused =
        |name: &str, weights: &[(&str, f64)]| refused(fields(), vec![projection(name, weights, 0.0, 1.0)]);
    assert!(refused("age", &[("bmi", 1.0)]).contains("`age` is used twice"));
    assert!(refused("", &[("bmi", 1.0)]).contains("needs a name"));
    assert!(refused("p", &[]).contains("at least one weight"));
    assert!(refused("p", &[("region", 1.0)]).contains("`region` is a category"));
    assert!(refused("p", &[("height", 1.0)]).contains("`height`, which is not declared"));
    for weight in [0.0, -0.0, f64::NAN, f64::INFINITY] {
        assert!(refused("p", &[("age", weight)]).contains("one finite weight other than 0 for `age`"));
    }
    assert!(refused("p", &[("age", 1.0), ("age", 2.0)]).contains("one finite weight"));
    assert!(refused("p", &[("age", f64::MAX), ("bmi", f64::MAX)]).contains("too large"));
}

#[test]
fn bad_values_are_never_refused_by_a_device_and_named_without_being_shown() {
    let encoding = example();
    let good: [Value; 3] = [50.0.into(), "east".into(), 20.0.into()];
    let with = |at: usize, value: Value| {
        let mut values = good.clone();
        values[at] = value;
        let mut point = [9.0; 3];
        encoding.encode_values(&values, &mut point).unwrap();
        assert!(point.iter().all(|x| (0.0..=1.0).contains(x)), "a device answers, whatever the value is");
        encoding.check_values(&values).unwrap_err().to_string()
    };
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(with(2, bad.into()), "the value of field `bmi` is not a finite number");
    }
    let unknown = with(1, "secretville".into());
    assert!(unknown.contains("`region`") && !unknown.contains("secret"), "{unknown}");
    assert_eq!(with(0, "51.5".into()), "field `age` takes a number");
    assert_eq!(with(1, 51.5.into()), "field `region` takes one of its levels, not a number");
    assert_eq!(
        encoding.encode_values(&good[..2], &mut [0.0; 3]),
        Err(ContextError::Values { expected: 3, got: 2 })
    );
    assert_eq!(encoding.encode_values(&good, &mut [0.0; 2]), Err(ContextError::Room { expected: 3, got: 2 }));
    let numbers = encoding.encode_numbers(&[50.0, 1.0, 20.0], &mut [0.0; 3]);
    assert_eq!(numbers, Err(ContextError::WantsLevel { field: "region".into() }));
    let not_finite = Encoding::unit(2).unwrap().check_numbers(&[0.5, f64::NAN]);
    assert_eq!(not_finite, Err(ContextError::NotFinite { field: "x2".into() }));
    assert_eq!(with(1, Value::Missing), unknown);
    assert_eq!(format!("{good:?} {:?}", Value::Missing), "[Value(..), Value(..), Value(..)] Value(..)");
}

#[test]
fn stored_encodings_are_readable_and_checked() {
    let text = r#"{"fields":[{"numeric":{"name":"age","low":20.0,"high":80.0}},{"category":{"name":"region","levels":["north","south","east"]}},{"numeric":{"name":"bmi","low":15.0,"high":40.0}}],"axes":[{"field":"region"},{"projection":{"name":"load","weights":[["age",1.0],["bmi",-0.5]],"low":-0.5,"high":1.0}},{"field":"age"}]}"#;
    assert_eq!(serde_json::to_string(&example()).unwrap(), text);
    let read = |text: &str| serde_json::from_str::<Encoding>(text).map_err(|e| e.to_string());
    assert_eq!(read(text).unwrap(), example());
    assert!(read(&text.replace("80.0", "10.0")).unwrap_err().contains("`age` needs a finite range"));
    assert!(read(&text.replace("\"axes\"", "\"extra\":1,\"axes\"")).unwrap_err().contains("extra"));
    assert!(read(&text.replace("\"low\":15.0", "\"low\":15.0,\"unit\":1")).unwrap_err().contains("unit"));
}

#[test]
fn random_projections_differ_and_are_public() {
    let fields: Vec<_> = (0..5).map(|i| numeric(&format!("f{i}"), 0.0, 1.0)).collect();
    let encoding = Encoding::random_projection(fields.clone(), 16, 1).unwrap();
    assert_eq!(Encoding::random_projection(fields.clone(), 16, 1).unwrap(), encoding);
    assert_ne!(Encoding::random_projection(fields.clone(), 16, 2).unwrap(), encoding);
    // All 2^4 directions: any two contexts that differ in one field differ on every axis.
    let point = |x: &[f64]| {
        let mut out = [0.0; 16];
        encoding.encode_numbers(x, &mut out).unwrap();
        out
    };
    let (a, b) = (point(&[0.5; 5]), point(&[0.5, 0.5, 0.75, 0.5, 0.5]));
    assert!(a.iter().zip(b).all(|(a, b)| ((b - a).abs() - 0.05).abs() < 1e-12));
    assert_eq!(
        Encoding::random_projection(fields.clone(), 17, 1),
        Err(EncodingError::FewSigns { fields: 5, axes: 17 })
    );
    assert!(Encoding::random_projection(vec![], 1, 1).is_err());
    assert_eq!(Encoding::random_projection(fields, 0, 1), Err(EncodingError::Axes(0)));
    let mixed = Encoding::random_projection(self::fields(), 2, 1);
    assert_eq!(mixed, Err(EncodingError::NotNumeric { field: "region".into() }));
}

/// Any finite number, the extremes among them.
fn finite() -> impl Strategy<Value = f64> {
    use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE,
        -2.0_f64..2.0,
        Just(f64::MAX),
        Just(f64::MIN)
    ]
}

proptest! {
    #[test]
    fn every_point_is_in_the_cube_and_order_is_kept(
        (a, b) in (finite(), finite()),
        (low, high) in (finite(), finite()),
        weight in finite(),
        other in finite(),
    ) {
        let fields = vec![numeric("x", low, high), numeric("y", -1.0, 1.0)];
        let sum = projection("sum", &[("x", weight), ("y", -1.0)], -1.0, 1.0);
        let Ok(encoding) = Encoding::new(fields, vec![field_axis("x"), sum]) else { return Ok(()) };
        let encode = |x: f64| {
            let mut point = [f64::NAN; 2];
            encoding.encode_numbers(&[x, other], &mut point).map(|()| point)
        };
        let (p, q) = (encode(a.min(b)).unwrap(), encode(a.max(b)).unwrap());
        prop_assert!(p.iter().chain(&q).all(|x| (0.0..=1.0).contains(x)), "{p:?} {q:?}");
        prop_assert!(p[0] <= q[0]);
        let kept = if weight > 0.0 { p[1] <= q[1] } else { p[1] >= q[1] };
        prop_assert!(kept, "{p:?} {q:?}");
        prop_assert_eq!(encode(low).unwrap()[0], 0.0);
        prop_assert_eq!(encode(high).unwrap()[0], 1.0);
    }

    #[test]
    fn both_paths_agree(x in prop::collection::vec(finite(), 4), seed in any::<u64>()) {
        let fields: Vec<_> = (0..4).map(|i| numeric(&format!("f{i}"), -1.0, 1.5)).collect();
        let encoding = Encoding::random_projection(fields, 3, seed).unwrap();
        let values: Vec<Value> = x.iter().map(|&x| x.into()).collect();
        let (mut fast, mut slow) = ([0.0; 3], [1.0; 3]);
        encoding.encode_numbers(&x, &mut fast).unwrap();
        encoding.encode_values(&values, &mut slow).unwrap();
        prop_assert_eq!(fast, slow);
    }

    /// Corners are the extremes of a linear map: if they are where they should be, nothing was clipped.
    #[test]
    fn random_projections_clip_nothing(seed in any::<u64>(), count in 1_usize..12) {
        let fields: Vec<_> = (0..count).map(|i| numeric(&format!("f{i}"), 0.0, 1.0)).collect();
        let encoding = Encoding::random_projection(fields, 1, seed).unwrap();
        let step = 1.0 / count as f64;
        for corner in 0..1_u32 << count {
            let x: Vec<f64> = (0..count).map(|i| f64::from(corner >> i & 1)).collect();
            let (mut here, mut near) = ([0.0], [0.0]);
            encoding.encode_numbers(&x, &mut here).unwrap();
            let flipped: Vec<f64> = x.iter().enumerate().map(|(i, x)| if i == 0 { 1.0 - x } else { *x }).collect();
            encoding.encode_numbers(&flipped, &mut near).unwrap();
            prop_assert!(((here[0] - near[0]).abs() - step).abs() < 1e-12);
        }
    }
}
