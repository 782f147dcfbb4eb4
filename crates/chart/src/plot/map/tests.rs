//! Whole maps: valid, deterministic, inside their page, without texts that overlap.

use resvg::tiny_skia::Rect;
use resvg::usvg::{Group, Node, TextChunk, Tree};

use super::super::png::options;
use super::super::tests::check_svg;
use super::{Cells, MapAxis, MapChart, Panel};
use crate::plot::png;

fn axis(name: &str, low: f64, high: f64) -> MapAxis {
    MapAxis { name: name.into(), low, high }
}

/// Arms in rings around a corner, certain away from where they meet.
fn arms(title: &str, count: u32, side: usize) -> Panel {
    let place = |i: usize| ((i % side) as f64 / side as f64, (i / side) as f64 / side as f64);
    let score = |i: usize| {
        let (x, y) = place(i);
        (0.9 * x * x + y * y).sqrt() / 1.4 * f64::from(count)
    };
    let best = (0..side * side).map(|i| score(i) as u32).collect();
    let certainty = (0..side * side).map(|i| (4.0 * (score(i) - score(i).round()).abs()).min(1.0)).collect();
    Panel {
        title: title.into(),
        x: axis("age in years", 20.0, 80.0),
        y: Some(axis("income", 0.0, 1.0)),
        columns: side,
        rows: side,
        cells: Cells::Arms { best, certainty },
        line: Vec::new(),
    }
}

fn level(title: &str, side: usize, largest: f64) -> Panel {
    let value = |i: usize| largest * ((i % side) * (i / side)) as f64 / (side * side) as f64;
    let values = (0..side * side).map(value).collect();
    Panel { cells: Cells::Level { values, label: "regret per person".into() }, ..arms(title, 1, side) }
}

fn strip(title: &str, columns: usize) -> Panel {
    let best = (0..columns).map(|i| (3 * i / columns) as u32).collect();
    let certainty = (0..columns).map(|i| (i % (columns / 3).max(1)) as f64 * 3.0 / columns as f64).collect();
    Panel { y: None, columns, rows: 1, cells: Cells::Arms { best, certainty }, ..arms(title, 3, 1) }
}

fn chart(panels: Vec<Panel>, arms: usize) -> MapChart {
    MapChart {
        title: "Which arm is best for whom".into(),
        subtitle: Some("After 100 000 people at ε = 1".into()),
        panels,
        categories: (1..=arms).map(|arm| format!("Arm {arm}")).collect(),
        note: Some("Seed 1: simulation, not private.".into()),
    }
}

fn examples() -> Vec<(&'static str, MapChart)> {
    let three = || vec![arms("Truth", 3, 40), arms("Learnt", 3, 16), level("Regret", 40, 0.4)];
    let mut five = three();
    five.extend([level("Regret, ε = 0.5", 20, 0.8), arms("Learnt, ε = 0.5", 3, 4)]);
    let mut long = chart(three(), 3);
    let words = "a label that goes on and on, as labels of applications tend to do, ";
    for panel in &mut long.panels {
        panel.title = words.repeat(3);
        panel.x.name = words.repeat(4);
        panel.y = Some(axis(&words.repeat(2), -1.5e6, 2.5e6));
    }
    long.categories = (0..3).map(|arm| format!("{arm} {}", words.repeat(1 + arm))).collect();
    let mut long_single = long.clone();
    long_single.panels.truncate(1);
    let strips = vec![
        strip("ε = 0.5", 30),
        strip("ε = 1", 60),
        Panel { rows: 1, columns: 400, y: None, ..level("Regret", 20, 1.0) },
    ];
    vec![
        ("one", chart(vec![arms("", 3, 40)], 3)),
        ("one-level", chart(vec![level("Regret", 64, 0.4)], 0)),
        ("two", chart(vec![arms("Truth", 7, 64), arms("Learnt", 7, 32)], 7)),
        ("three", chart(three(), 3)),
        ("five", chart(five, 3)),
        ("strip", chart(vec![strip("", 60)], 3)),
        ("strips", chart(strips, 3)),
        ("twelve", chart(vec![arms("Truth", 12, 96), arms("Learnt", 12, 32)], 12)),
        ("twelve-one", chart(vec![arms("Truth", 12, 96)], 12)),
        ("long", long),
        ("long-one", long_single),
    ]
}

/// Every text on the page, with its place.
fn texts(group: &Group, found: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts(group, found),
            Node::Text(text) => {
                let words: String = text.chunks().iter().map(TextChunk::text).collect();
                found.push((words, text.abs_bounding_box()));
            }
            _ => {}
        }
    }
}

fn check(chart: &MapChart) {
    let svg = chart.svg();
    check_svg(&svg);
    let mut found = Vec::new();
    texts(Tree::from_str(&svg, &options()).unwrap().root(), &mut found);
    for (i, (a, place)) in found.iter().enumerate() {
        for (b, other) in &found[..i] {
            // Boxes are as high as their font, so lines of one text touch.
            let apart = place.left() >= other.right()
                || other.left() >= place.right()
                || place.top() + 1.0 >= other.bottom()
                || other.top() + 1.0 >= place.bottom();
            assert!(apart, "{a:?} at {place:?} and {b:?} at {other:?} overlap");
        }
    }
}

#[test]
fn texts_stay_apart_and_on_the_page() {
    for (_, chart) in examples() {
        check(&chart);
    }
}

/// The words for readers who cannot see the map.
fn desc(chart: &MapChart) -> String {
    let svg = chart.svg();
    svg[svg.find("<desc>").unwrap()..svg.find("</desc>").unwrap()].to_owned()
}

#[test]
fn the_description_holds_shares_and_ranges() {
    let cells = Cells::Arms { best: vec![0, 1, 1, 1], certainty: vec![1.0, 0.5, 0.5, f64::NAN] };
    let small = Panel { columns: 2, rows: 2, cells, ..arms("Learnt", 2, 1) };
    let words = desc(&chart(vec![small, level("Regret", 10, 1.0)], 2));
    for part in [
        "Map with 2 panels. Learnt: horizontal: age in years from 20 to 80; vertical: income from 0 to 1;",
        "Arm 2 on 75 % (certainty 0.333 on average), Arm 1 on 25 % (certainty 1 on average).",
        "Regret: horizontal: age in years from 20 to 80; vertical: income from 0 to 1; regret per person between 0 and 0.81.",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn row_zero_is_at_the_bottom_and_uncertain_is_pale() {
    let cells = Cells::Arms { best: vec![0, 0, 1, 1], certainty: vec![1.0, 0.0, 1.0, 1.0] };
    let svg = chart(vec![Panel { columns: 2, rows: 2, cells, ..arms("", 2, 1) }], 2).svg();
    let cells = &svg[svg.find("crispEdges").unwrap()..];
    let rects: Vec<_> =
        cells.lines().take(3).map(|line| line[line.find("<rect").unwrap()..].to_owned()).collect();
    let number = |i: usize, name: &str| -> f64 {
        let rest = rects[i].split(&format!(" {name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    // From the top, where a run of two cells is drawn as one.
    assert!(rects[0].contains("#d55e00") && rects[1].contains("#0072b2") && rects[2].contains("#c7e0ee"));
    assert!(number(1, "x") < number(2, "x") && number(1, "y") == number(2, "y"));
    assert!(number(0, "y") < number(1, "y") && number(0, "width") == 2.0 * number(2, "width"));
}

#[test]
fn panels_with_one_label_share_their_scale() {
    let colours = |largest: f64| {
        let svg = chart(vec![level("A", 2, largest), level("B", 2, 1.0)], 0).svg();
        let cells = &svg[svg.find("crispEdges").unwrap()..];
        cells[..cells.find("</g>").unwrap()].to_owned()
    };
    assert!(colours(1.0).contains("#fde725") && !colours(0.5).contains("#fde725"));
}

#[test]
fn the_legend_explains_what_is_drawn_and_no_more() {
    let certain = |panel: Panel| match panel.cells {
        Cells::Arms { best, .. } => {
            let certainty = vec![1.0; best.len()];
            Panel { cells: Cells::Arms { best, certainty }, ..panel }
        }
        Cells::Level { .. } => panel,
    };
    let plain = chart(vec![certain(arms("", 3, 8))], 3).svg();
    assert!(!plain.contains("uncertain") && !plain.contains(">no data<"));
    assert!(chart(vec![arms("", 3, 8)], 3).svg().contains(">uncertain to certain<"));
    assert!(chart(vec![certain(arms("", 3, 8))], 2).svg().contains(">no data<"));
    assert!(!chart(vec![level("", 8, 1.0)], 3).svg().contains(">Arm 1<"));
}

#[test]
fn hostile_values_draw_cleanly() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, -1.0, 0.0, 1.0, 1e300];
    for (a, b) in odd.into_iter().flat_map(|a| odd.map(|b| (a, b))) {
        let axes = |panel| Panel { x: axis("x", a, b), y: Some(axis("y", b, a)), ..panel };
        let cells = Cells::Arms { best: vec![0, u32::MAX], certainty: vec![a, b] };
        let odd_arms = Panel { columns: 1, rows: 2, cells, ..arms("", 1, 1) };
        let cells = Cells::Level { values: vec![a, b], label: "level".into() };
        let odd_level = Panel { columns: 2, rows: 1, cells, ..arms("", 1, 1) };
        check_svg(&chart(vec![axes(odd_arms.clone()), odd_level.clone()], 1).svg());
        check_svg(&chart(vec![axes(odd_level)], 1).svg());
        check_svg(&chart(vec![axes(odd_arms)], 1).svg());
    }
}

#[test]
fn panels_that_are_not_filled_are_empty() {
    check(&MapChart::default());
    check(&chart(vec![], 3));
    for (columns, rows) in [(0, 0), (0, 1), (3, 0), (3, 3), (usize::MAX, 2), (1, usize::MAX), (usize::MAX, 1)]
    {
        let panel = Panel { columns, rows, ..arms("Empty", 3, 2) };
        assert!(chart(vec![panel.clone()], 3).svg().contains(">no data<"));
        check(&chart(vec![panel.clone()], 3));
        check(&chart(vec![panel, Panel::default(), level("", 0, 1.0)], 3));
    }
}

#[test]
fn text_is_escaped_everywhere() {
    let nasty = "</text><script>&\"'\u{0}\u{b}";
    let mut chart = chart(vec![arms(nasty, 1, 8), level(nasty, 8, 1.0)], 1);
    for panel in &mut chart.panels {
        panel.x.name = nasty.into();
        panel.y = Some(axis(nasty, 0.0, 1.0));
    }
    chart.panels[1].cells = Cells::Level { values: vec![1.0; 64], label: nasty.into() };
    chart.categories = vec![nasty.into()];
    chart.title = nasty.into();
    chart.subtitle = Some(nasty.into());
    chart.note = Some(nasty.into());
    check(&chart);
    assert!(!chart.svg().contains("<script"));
}

#[test]
fn output_is_deterministic() {
    for (name, chart) in examples() {
        assert_eq!(chart.svg(), chart.svg(), "{name}");
    }
    let (_, chart) = &examples()[0];
    assert_eq!(png(&chart.svg(), 1.0).unwrap(), png(&chart.svg(), 1.0).unwrap());
}

#[test]
fn a_line_lies_over_the_cells_and_stays_within_them() {
    let line = vec![(20.0, 0.0), (50.0, 0.5), (80.0, 7.0)];
    let bare = chart(vec![level("Regret", 8, 1.0)], 0).svg();
    let with = chart(vec![Panel { line, ..level("Regret", 8, 1.0) }], 0).svg();
    let added: Vec<&str> = with.lines().filter(|text| !bare.contains(text)).collect();
    assert_eq!(added.len(), 2, "a rim and a line: {added:?}");
    let strip = Panel { line: vec![(20.0, 0.0), (80.0, 0.0)], ..strip("Strip", 6) };
    let without = Panel { line: Vec::new(), ..strip.clone() };
    assert_eq!(chart(vec![strip], 3).svg(), chart(vec![without], 3).svg(), "a strip has no place for it");
    let numbers = added[1].split('"').nth(1).unwrap().split(['M', 'L']).skip(1);
    let tops: Vec<f64> = numbers.map(|pair| pair.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert!(tops[0] > tops[1] && (tops[0] - tops[1] - (tops[1] - tops[2])).abs() < 0.02, "{tops:?}");
}
