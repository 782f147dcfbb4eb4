//! Whole charts: valid, deterministic, inside their page, readable as PNG.

use resvg::tiny_skia::Pixmap;
use resvg::usvg::{Node, Tree};

use super::png::options;
use super::{Axis, Chart, PlotError, Scale, Series, png, wrap};

const SCALES: [Scale; 2] = [Scale::Linear, Scale::Log];

fn chart(x: Scale, y: Scale, series: Vec<Series>) -> Chart {
    Chart {
        title: "Title".into(),
        subtitle: Some("Subtitle".into()),
        x: Axis { label: "Across".into(), scale: x },
        y: Axis { label: "Up".into(), scale: y },
        series,
        note: Some("Note".into()),
    }
}

fn example() -> Chart {
    let points: Vec<_> = (1..=20).map(|i| (f64::from(i), f64::from(i * i))).collect();
    let band = points.iter().map(|(_, y)| (0.8 * y, 1.2 * y)).collect();
    let low = points.iter().map(|(x, _)| (*x, *x)).collect();
    let series = vec![
        Series::bound("Low", low),
        Series::measured("High", points).with_band(band),
        Series::measured("None", vec![]),
    ];
    chart(Scale::Linear, Scale::Log, series)
}

fn parse(svg: &str) -> Tree {
    Tree::from_str(svg, &options()).unwrap()
}

/// Parses, holds only finite numbers, and draws nothing off the page.
pub(super) fn check_svg(svg: &str) {
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let tree = parse(svg);
    let (drawn, page) = (tree.root().abs_stroke_bounding_box(), tree.size());
    assert!(drawn.left() >= -0.5 && drawn.top() >= -0.5, "{drawn:?}");
    assert!(
        drawn.right() <= page.width() + 0.5 && drawn.bottom() <= page.height() + 0.5,
        "{drawn:?} {page:?} {svg}"
    );
}

fn check(chart: &Chart) {
    check_svg(&chart.svg());
}

#[test]
fn hostile_values_draw_cleanly() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324];
    let values: Vec<f64> =
        odd.into_iter().chain([0.0, -0.0, -1.0, 1.0, 1.0 + 1e-15, 1e300, 1e-300]).collect();
    for (x, y) in SCALES.into_iter().flat_map(|x| SCALES.map(|y| (x, y))) {
        for a in &values {
            for b in &values {
                let pairs = vec![(*a, *b), (*b, *a), (1.0, *a), (*b, 2.0)];
                let series = Series::measured("A", pairs.clone()).with_band(pairs.clone());
                check(&chart(x, y, vec![series, Series::bound("B", pairs)]));
            }
        }
    }
}

#[test]
fn sparse_charts_draw_cleanly() {
    for (x, y) in SCALES.into_iter().flat_map(|x| SCALES.map(|y| (x, y))) {
        check(&chart(x, y, vec![]));
        check(&chart(x, y, vec![Series::measured("Empty", vec![]).with_band(vec![(1.0, 2.0)])]));
        check(&chart(x, y, vec![Series::measured("Same", vec![(3.0, 7.0); 4])]));
        let short_band = Series::measured("Short", vec![(1.0, 1.0), (2.0, 2.0)]).with_band(vec![(0.0, 2.0)]);
        check(&chart(x, y, vec![short_band]));
    }
    check(&Chart::default());
}

#[test]
fn a_single_point_is_marked() {
    let svg = chart(Scale::Linear, Scale::Log, vec![Series::bound("One", vec![(3.0, 4.0)])]).svg();
    assert_eq!(svg.matches("<circle").count(), 1);
}

#[test]
fn long_and_many_names_stay_on_the_page() {
    let name = "A very long name W".repeat(30);
    let series = |i: i32| Series::measured(name.clone(), vec![(1.0, f64::from(i)), (2.0, f64::from(i))]);
    let mut crowded = chart(Scale::Linear, Scale::Linear, (0..25).map(series).collect());
    crowded.title.clone_from(&name);
    crowded.subtitle = Some(name.clone());
    crowded.note = Some(name.clone());
    crowded.x.label.clone_from(&name);
    crowded.y.label = name;
    check(&crowded);
}

#[test]
fn text_is_escaped_everywhere() {
    let nasty = "</text><script>&\"'\u{0}\u{b}";
    let mut chart = chart(Scale::Linear, Scale::Linear, vec![Series::measured(nasty, vec![(1.0, 1.0)])]);
    chart.title = nasty.into();
    chart.subtitle = Some(nasty.into());
    chart.note = Some(nasty.into());
    chart.x.label = nasty.into();
    chart.y.label = nasty.into();
    check(&chart);
    assert!(!chart.svg().contains("<script"));
}

#[test]
fn names_follow_the_last_values() {
    let svg = example().svg();
    let at = |name: &str| svg.rfind(&format!(">{name}</text>")).unwrap();
    assert!(at("High") < at("Low") && at("Low") < at("None (no data)"));
}

#[test]
fn output_is_deterministic() {
    assert_eq!(example().svg(), example().svg());
    assert_eq!(png(&example().svg(), 1.0).unwrap(), png(&example().svg(), 1.0).unwrap());
}

#[test]
fn width_estimates_cover_the_embedded_font() {
    let samples =
        ["Local randomised response, ε = 1", "WWWW MMMM", "1,234,567", "illicit fill", "Sampling (n ≤ 10)"];
    for text in samples {
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' font-family='sans-serif'><text font-size='100'>{text}</text></svg>"
        );
        let tree = parse(&svg);
        let [Node::Text(node)] = tree.root().children() else { panic!("no text in {tree:?}") };
        let real = f64::from(node.bounding_box().width());
        let estimate = wrap::width(text, 100.0);
        assert!(estimate > 0.97 * real && estimate < 1.25 * real, "{text}: {estimate} for {real}");
    }
}

#[test]
fn png_has_the_size_asked_for() {
    let svg = example().svg();
    let size = parse(&svg).size();
    let picture = Pixmap::decode_png(&png(&svg, 2.0).unwrap()).unwrap();
    assert_eq!((picture.width() as f32, picture.height() as f32), (2.0 * size.width(), 2.0 * size.height()));
}

#[test]
fn png_shows_lines_and_text() {
    let svg = example().svg();
    let is_text = |line: &&str| line.starts_with("<text");
    let bare: String = svg.lines().filter(|line| !is_text(line)).collect();
    let pixels = |svg: &str| Pixmap::decode_png(&png(svg, 1.0).unwrap()).unwrap();
    let (full, bare) = (pixels(&svg), pixels(&bare));
    let dark =
        full.pixels().iter().zip(bare.pixels()).filter(|(a, b)| b.red().saturating_sub(a.red()) > 80).count();
    assert!(dark > 500, "only {dark} pixels of text");
    let drawn = bare.pixels().iter().filter(|p| p.red() < 250).count();
    assert!(drawn > 5000, "only {drawn} pixels of lines");
}

#[test]
fn png_refuses_what_it_cannot_draw() {
    assert!(matches!(png("not svg", 1.0), Err(PlotError::Svg(_))));
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
        assert!(matches!(png(&example().svg(), scale), Err(PlotError::Size { .. })), "{scale}");
    }
}
