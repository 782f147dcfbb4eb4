//! The bets are fair, forgers who pile up reports lose them, and what is left out says nothing.

use reticent_privacy::{SimRng, SimSeed, Stream};

use super::*;

const TASKS: usize = 12;
const ROWS: usize = 8;

fn rng(seed: u64) -> SimRng {
    SimSeed(22).stream(seed, Stream::Noise)
}

/// Reports whose coins are public, but for a share that names one row of the first task.
fn drawn(reports: u64, piled: f64, rng: &mut SimRng) -> Vec<Drawn> {
    let mut drawn: Vec<Drawn> = (0..TASKS).map(|_| Drawn { reports: 0, rows: vec![0; ROWS] }).collect();
    for _ in 0..reports {
        let below = |many: usize, rng: &mut SimRng| ((rng.uniform() * many as f64) as usize).min(many - 1);
        let (task, row) = if rng.uniform() < piled { (0, 3) } else { (below(TASKS, rng), below(ROWS, rng)) };
        drawn[task].reports += 1;
        drawn[task].rows[row] += 1;
    }
    drawn
}

/// So many lots, each of a tenth of all reports before it: as policies follow each other.
fn fires(lots: u64, piled: f64, rng: &mut SimRng) -> bool {
    let (mut guard, mut all) = (Guard::default(), 0);
    for _ in 0..lots {
        let reports = (all / 10).max(40);
        guard.bet(&drawn(reports, piled, rng), reports);
        all += reports;
    }
    guard.fired
}

/// Two tasks of two rows and three reports: the mean of what each bet multiplies by is 1, over all 64 ways to draw.
#[test]
fn the_bets_are_fair() {
    for forged in SHARES {
        let mut means = [0.0; BETS];
        for way in 0..64_usize {
            let mut drawn: Vec<Drawn> = (0..2).map(|_| Drawn { reports: 0, rows: vec![0; 2] }).collect();
            for report in 0..3 {
                let place = way >> (2 * report) & 3;
                drawn[place / 2].reports += 1;
                drawn[place / 2].rows[place % 2] += 1;
            }
            let ratios = ratios(&drawn, 3, forged);
            means.iter_mut().zip(ratios).for_each(|(mean, ratio)| *mean += libm::exp(ratio) / 64.0);
        }
        assert!(means.iter().all(|mean| (mean - 1.0).abs() < 1e-12), "{forged}: {means:?}");
    }
}

/// 2,000 honest runs of 24 lots: of an expected 2 at most, 12 or more come once in 10^6 such tests. Of runs in which
/// 5 % pile up every one fires, also where they begin late.
#[test]
fn honest_people_seldom_fire_it_and_who_piles_up_does() {
    let mut honest = rng(1);
    let alarms = (0..2_000).filter(|_| fires(24, 0.0, &mut honest)).count();
    assert!(alarms < 12, "{alarms} false alarms");
    for seed in 2..12 {
        assert!(fires(24, 0.05, &mut rng(seed)), "{seed}");
        let (mut late, mut coins) = (Guard::default(), rng(100 + seed));
        for lot in 0..40 {
            late.bet(&drawn(400, if lot < 20 { 0.0 } else { 0.05 }, &mut coins), 400);
        }
        assert!(late.fired, "{seed}");
    }
}

#[test]
fn what_is_left_out_leaves_a_row_as_even_as_can_be() {
    let left = |mut bits: [u64; 2], beyond| {
        leave_out(&mut bits, beyond);
        bits
    };
    assert_eq!(left([10, 60], 30), [10, 30]);
    assert_eq!(left([60, 10], 50), [10, 10]);
    assert_eq!(left([10, 60], 56), [7, 7]);
    assert_eq!(left([5, 5], 3), [3, 4]);
    assert_eq!(left([0, 4], 0), [0, 4]);
}

#[test]
fn a_flooded_row_and_a_flooded_task_keep_their_share() {
    // A share of 120 for the task, 15 for each row: a row keeps 15 + 2 sqrt 15, rounded up.
    let mut counts = vec![5; 16];
    counts[1] = 45;
    limit_rows(&mut counts, 120.0);
    assert_eq!((counts[0] + counts[1], &counts[2..]), (23, &[5; 14][..]));
    // Twice as many as the task's share of 80: each row keeps an eighth of 80 + 2 sqrt 80, rounded up.
    let mut flooded = vec![0; 16];
    flooded.iter_mut().skip(1).step_by(2).for_each(|ones| *ones = 20);
    limit_rows(&mut flooded, 80.0);
    assert!(flooded.chunks_exact(2).all(|bits| bits[0] + bits[1] == 13), "{flooded:?}");
}
