use super::*;

fn read(text: &str) -> Result<Input, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn an_input_is_a_range_or_levels_and_is_stored_as_it_was_written() {
    let age = r#"{"column":"age","low":18.0,"high":90.0,"length":0.5}"#;
    let region = r#"{"column":"region","length":0.1,"levels":["a","b","c"]}"#;
    for text in [age, region] {
        assert_eq!(serde_json::to_string(&read(text).unwrap()).unwrap(), text);
    }
    assert_eq!(read(r#"{"column":"x","low":0,"high":1}"#).unwrap().length, 0.3);
    let region = read(r#"{"column":"r","levels":["a","b","c"]}"#).unwrap();
    assert_eq!((region.low, region.high, region.length, region.middle()), (0.0, 3.0, 0.3 / 3.0, 1.5));
    assert_eq!(
        [0.5, 1.5, 2.5, 3.0].map(|value| region.level(value)),
        [Some("a"), Some("b"), Some("c"), Some("c")]
    );
    for wrong in [
        r#"{"column":"x"}"#,
        r#"{"column":"x","low":0}"#,
        r#"{"column":"x","levels":["a"]}"#,
        r#"{"column":"x","levels":["a","a"]}"#,
        r#"{"column":"x","low":0,"high":1,"levels":["a","b"]}"#,
    ] {
        assert!(read(wrong).unwrap_err().contains("x: give either low and high, or levels"), "{wrong}");
    }
}

#[test]
fn people_of_a_category_are_spread_evenly_over_its_levels() {
    let draft = |actions, contexts| Draft {
        experiment: None,
        actions,
        contexts,
        reward: Reward { column: "y".into(), low: 0.0, high: 1.0, noise: 0.25 },
        kernel: Shape::default(),
    };
    let levels = || Input::category("r", ["a", "b", "c", "d"].map(String::from).to_vec(), None).unwrap();
    let dose = || Input::number("dose", 0.0, 1.0, None);
    let spec = KernelSpec::try_from(draft(vec![dose()], vec![levels()])).unwrap();
    let points = Population::Uniform.points(&spec, 0..4000);
    let counts = [0.125, 0.375, 0.625, 0.875].map(|at| points.input(1).iter().filter(|x| **x == at).count());
    assert_eq!(counts.iter().sum::<usize>(), 4000);
    assert!(counts.iter().all(|&count| count.abs_diff(1000) < 20), "{counts:?}");
    assert!(points.input(0).iter().any(|x| (x * 8.0).fract() != 0.0), "an action is not moved");
    assert_eq!((spec.scaled(1, 0.5), spec.scaled(1, 3.5)), (0.125, 0.875));
    let tuned = KernelSpec::try_from(draft(vec![levels()], vec![dose()]));
    assert!(matches!(tuned, Err(DraftError::Levels { .. })));
}
