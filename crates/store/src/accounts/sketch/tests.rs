//! What overlap is noticed, and how often: as the page on accounts says.

use reticent_privacy::{SimSeed, Stream};

use super::*;

/// Different hashes that stand for rows.
fn rows(seed: u64, count: usize) -> Vec<u64> {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    std::iter::repeat_with(|| rand_core::Rng::next_u64(&mut rng)).take(count).collect()
}

fn view<'a>(rows: impl IntoIterator<Item = &'a u64>) -> View {
    let mut viewer = Viewer::default();
    rows.into_iter().for_each(|&row| viewer.add(row));
    viewer.finish(7)
}

#[test]
fn order_does_not_matter_and_every_row_counts() {
    let all = rows(1, 100_000);
    let one = view(&all);
    assert!(one.is_same(&view(all.iter().rev())));
    assert_eq!((one.rows(), one.smallest.len(), one.sampled), (100_000, SKETCH_ROWS, SKETCH_ROWS as u64));
    let mut smallest = all.clone();
    smallest.sort_unstable();
    assert_eq!(one.smallest, smallest[..SKETCH_ROWS]);
    assert!(!one.is_same(&view(&all[1..])), "a row less");
    assert!(!one.is_same(&view(all.iter().chain(&all[..1]))), "a row twice");
    let mut edited = all;
    edited[5] ^= 1;
    assert!(!one.is_same(&view(&edited)), "a row changed");
}

#[test]
fn rows_that_repeat_are_counted_where_they_are_kept() {
    let all = rows(2, 20_000);
    let twice = view(all.iter().chain(&all));
    assert_eq!((twice.smallest.len(), twice.sampled), (SKETCH_ROWS, 2 * SKETCH_ROWS as u64));
    assert!(!twice.tells_people_apart() && view(&all).tells_people_apart());
    assert!(twice.overlaps(&view(&all)), "each row twice is still the same people");
}

#[test]
fn views_are_read_as_they_were_written() {
    for count in [0, 1, 9, 20_000] {
        let view = view(&rows(3, count));
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
    }
    let text = serde_json::to_string(&view(&[1, 2])).unwrap();
    let (one, two) = ("0000000000000001", "0000000000000002");
    assert!(text.contains(&[one, two].concat()));
    for wrong in [[two, one].concat(), [one, one].concat(), one[1..].into()] {
        let damaged = text.replace(&[one, two].concat(), &wrong);
        assert!(serde_json::from_str::<View>(&damaged).is_err(), "{wrong}");
    }
}

/// Tables of n and m rows that share s, with fresh rows each time: how many of 200 overlaps are noticed.
fn noticed(n: usize, m: usize, s: usize) -> f64 {
    let times = 200;
    let seen = (0..times).filter(|&time| {
        let rows = rows(1000 + time, n + m - s);
        view(&rows[..n]).overlaps(&view(&rows[n - s..]))
    });
    seen.count() as f64 / times as f64
}

/// `P(Poisson(mean) >= 3)`: what the page promises for s shared rows, mean s min(1, 8192/m), if they are at
/// least 2 % of the smaller table.
fn promised(m: usize, s: usize) -> f64 {
    let mean = s as f64 * (SKETCH_ROWS as f64 / m as f64).min(1.0);
    1.0 - libm::exp(-mean) * (1.0 + mean + mean * mean / 2.0)
}

/// The observed share of 200 lies more than four standard deviations below what is promised with probability
/// under 0.0001 each (normal approximation of the binomial).
#[test]
fn overlaps_are_noticed_as_often_as_the_page_says() {
    for (n, m, s) in
        [(500, 60_000, 20), (500, 60_000, 60), (2_000, 60_000, 40), (5_000, 9_000, 100), (300, 400, 6)]
    {
        let (promise, seen) = (promised(m, s), noticed(n, m, s));
        let slack = 4.0 * (promise * (1.0 - promise) / 200.0).sqrt() + 0.005;
        assert!(seen >= promise - slack, "{n} and {m} rows, {s} shared: {seen} of {promise}");
    }
    // The power of this check: of a sketch with half the hashes less would be noticed than is promised.
    let (promise, half) = (promised(60_000, 20), promised(120_000, 20));
    assert!(half < promise - 4.0 * (promise * (1.0 - promise) / 200.0).sqrt() - 0.005);
}

#[test]
fn the_first_rows_of_a_long_table_are_noticed_if_there_are_enough() {
    // All of the smaller table's rows are shared: one that is compared is enough, 1 - exp(-s 8192/m).
    let seen = noticed(30, 60_000, 30);
    let promise = 1.0 - libm::exp(-30.0 * SKETCH_ROWS as f64 / 60_000.0);
    assert!(
        seen >= promise - 4.0 * (promise * (1.0 - promise) / 200.0).sqrt() - 0.005,
        "{seen} of {promise}"
    );
}

#[test]
fn tables_that_share_nothing_or_hardly_anything_do_not_overlap() {
    assert_eq!(noticed(5_000, 20_000, 0), 0.0);
    assert_eq!(noticed(20_000, 20_000, 20), 0.0, "one row in a thousand: said not to be noticed");
}

/// Rows that are drawn from few possible ones are equal by chance. A million of them in one test would be
/// slow: ten thousand from a million are as crowded.
#[test]
fn rows_that_happen_to_be_equal_are_no_overlap() {
    for possible in [1_000_000, 100_000] {
        let table =
            |seed| -> Vec<u64> { rows(seed, 10_000).iter().map(|row| scrambled(row % possible)).collect() };
        for seed in 0..20 {
            let (one, two) = (view(&table(2 * seed)), view(&table(2 * seed + 1)));
            assert!(!one.overlaps(&two), "of {possible}");
        }
    }
    // With a handful of possible rows nothing can be told: they are taken for the same people.
    let few = |seed| -> Vec<u64> { rows(seed, 300).iter().map(|row| scrambled(row % 8)).collect() };
    let (one, two) = (view(&few(1)), view(&few(2)));
    assert!(one.overlaps(&two) && !one.is_same(&two) && !one.tells_people_apart());
    let other = View { columns: 8, ..two };
    assert!(!one.overlaps(&other), "under other names equal rows of such tables say nothing");
    let (unique, renamed) = (view(&rows(1, 300)), View { columns: 8, ..view(&rows(1, 300)) });
    assert!(unique.overlaps(&renamed));
}
