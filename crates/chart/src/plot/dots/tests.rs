//! Whole dot plots: valid, deterministic, inside their page, readable as PNG.

use super::super::tests::check_svg;
use super::{DotChart, DotGroup, DotMark, DotRow};
use crate::plot::{Axis, Scale, png};

fn row(name: &str, limit: f64, value: Option<f64>, mark: DotMark) -> DotRow {
    let note = value.filter(|value| value.is_finite()).map(|value| format!("{value:.2}"));
    DotRow { name: name.into(), limit: Some(limit), value, mark, note }
}

fn chart(scale: Scale, groups: Vec<DotGroup>) -> DotChart {
    DotChart {
        title: "Title".into(),
        subtitle: Some("Subtitle".into()),
        x: Axis { label: "Privacy loss".into(), scale },
        groups,
        limit_name: "claim".into(),
        value_name: "measured".into(),
        note_name: Some("measured".into()),
        note: Some("Note".into()),
    }
}

fn example() -> DotChart {
    let sound = vec![
        row("Laplace, ε = 1", 1.0, Some(0.96), DotMark::Good),
        row("Laplace, ε = 4", 4.0, Some(3.7), DotMark::Good),
        row("Silent", 1.0, Some(0.0), DotMark::Good),
    ];
    let broken = vec![
        row("Too little noise", 1.0, Some(2.9), DotMark::Bad),
        row("No noise", 1.0, None, DotMark::Bad),
        row("Not run", 2.0, Some(f64::NAN), DotMark::Good),
    ];
    let group = |name: &str, rows| DotGroup { name: name.into(), rows };
    chart(Scale::Log, vec![group("Sound", sound), group("Broken", broken)])
}

/// The part of the drawing that belongs to one row.
fn part<'a>(svg: &'a str, name: &str) -> &'a str {
    let start = svg.find(&format!("<title>{name}:")).unwrap();
    &svg[start..start + svg[start..].find("</g>").unwrap()]
}

#[test]
fn marks_tell_rows_apart_without_colour() {
    check_drawing(&example());
    let svg = example().svg();
    let good = part(&svg, "Laplace, ε = 1");
    assert_eq!((good.matches("<circle").count(), good.matches("<path").count()), (1, 0));
    // The gap and the limit.
    assert_eq!(good.matches("<line").count(), 2);
    let bad = part(&svg, "Too little noise");
    assert_eq!((bad.matches("<circle").count(), bad.matches("<path").count()), (0, 1));
    assert!(bad.contains("font-weight"), "{bad}");
    assert!(part(&svg, "Silent").contains("<circle") && part(&svg, "Silent").contains("fill=\"#ffffff\""));
    // Not measured: the limit alone.
    let missing = part(&svg, "Not run");
    assert_eq!((missing.matches("<line").count(), missing.matches("<circle").count()), (1, 0));
}

#[test]
fn the_description_holds_every_row() {
    let svg = example().svg();
    let desc = &svg[svg.find("<desc>").unwrap()..svg.find("</desc>").unwrap()];
    for words in [
        "Dot plot. Horizontal: Privacy loss (log scale).",
        "6 rows, 2 of them",
        "Laplace, ε = 4: measured 3.7, claim 4;",
        "Too little noise: measured 2.9, claim 1 (above);",
        "No noise: measured no finite value, claim 1 (above);",
        "Not run: measured unknown, claim 2.",
    ] {
        assert!(desc.contains(words), "{words}: {desc}");
    }
}

#[test]
fn the_legend_explains_what_is_drawn_and_no_more() {
    let legends = ["measured above claim", "or less", "infinite, or beyond the axis"];
    let full = example().svg();
    assert!(legends.iter().all(|text| full.contains(text)));
    let mut plain = example();
    plain.groups.truncate(1);
    plain.groups[0].rows.truncate(2);
    let plain = plain.svg();
    assert!(legends.iter().all(|text| !plain.contains(text)));
}

#[test]
fn height_follows_the_rows() {
    let height = |rows: usize| {
        let rows = vec![row("Row", 1.0, Some(0.5), DotMark::Good); rows];
        let svg = chart(Scale::Log, vec![DotGroup { name: "Group".into(), rows }]).svg();
        check_svg(&svg);
        let view = svg.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        view.split(' ').next_back().unwrap().parse::<f64>().unwrap()
    };
    let step = (height(60) - height(10)) / 50.0;
    assert!((18.0..=20.0).contains(&step), "{step}");
}

#[test]
fn hostile_values_draw_cleanly() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324];
    let values: Vec<Option<f64>> =
        odd.into_iter().chain([0.0, -0.0, -1.0, 1.0, 1e300, 1e-300]).map(Some).chain([None]).collect();
    for scale in [Scale::Linear, Scale::Log] {
        for (limit, value) in values.iter().flat_map(|limit| values.iter().map(move |v| (*limit, *v))) {
            let odd = DotRow { limit, value, mark: DotMark::Bad, ..DotRow::default() };
            let swapped = DotRow { limit: value, value: limit, ..DotRow::default() };
            let rows = vec![odd.clone(), swapped, row("Plain", 2.0, Some(1.0), DotMark::Good)];
            let group = |rows| vec![DotGroup { name: "Group".into(), rows }];
            check_drawing(&chart(scale, group(rows)));
            check_drawing(&chart(scale, group(vec![odd])));
        }
    }
}

/// Like `check_svg`, leaving out the words, in which "infinite" may stand.
fn check_drawing(chart: &DotChart) {
    let svg = chart.svg();
    assert!(!svg.contains("NaN"), "{svg}");
    check_svg(&svg.replace("infinite", "").replace("no finite", ""));
}

#[test]
fn empty_charts_draw_cleanly() {
    check_svg(&DotChart::default().svg());
    for scale in [Scale::Linear, Scale::Log] {
        check_svg(&chart(scale, vec![]).svg());
        check_svg(&chart(scale, vec![DotGroup::default()]).svg());
        check_svg(&chart(scale, vec![DotGroup { name: "Empty".into(), rows: vec![] }]).svg());
        check_drawing(&chart(scale, vec![DotGroup { name: String::new(), rows: vec![DotRow::default()] }]));
    }
}

#[test]
fn long_names_stay_on_the_page() {
    let name = "A very long name W".repeat(30);
    let mut crowded = example();
    for group in &mut crowded.groups {
        group.name.clone_from(&name);
        for row in &mut group.rows {
            row.name.clone_from(&name);
            row.note = Some(name.clone());
        }
    }
    crowded.limit_name.clone_from(&name);
    crowded.value_name.clone_from(&name);
    crowded.note_name = Some(name.clone());
    crowded.x.label = name;
    check_drawing(&crowded);
}

#[test]
fn text_is_escaped_everywhere() {
    let nasty = "</text><script>&\"'\u{0}\u{b}";
    let rows = vec![DotRow { name: nasty.into(), note: Some(nasty.into()), ..DotRow::default() }];
    let mut chart = chart(Scale::Linear, vec![DotGroup { name: nasty.into(), rows }]);
    chart.title = nasty.into();
    chart.subtitle = Some(nasty.into());
    chart.note = Some(nasty.into());
    chart.note_name = Some(nasty.into());
    chart.limit_name = nasty.into();
    chart.value_name = nasty.into();
    chart.x.label = nasty.into();
    check_drawing(&chart);
    assert!(!chart.svg().contains("<script"));
}

#[test]
fn output_is_deterministic() {
    assert_eq!(example().svg(), example().svg());
    assert_eq!(png(&example().svg(), 1.0).unwrap(), png(&example().svg(), 1.0).unwrap());
}
