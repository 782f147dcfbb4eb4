//! Whether the log's prices move with a context: seen in the questions that look at both.
//!
//! It is no fault by itself, but then somebody chose prices by what they knew of people, perhaps also by what
//! the log does not say; and that no log can show.

use super::answers::Answers;

/// Normal deviations of the statistic: a context that prices do not move with is said to in one of a thousand logs.
const SHOWN: f64 = 3.09;

/// For each axis of the context, whether prices move with it.
pub(super) fn contexts(answers: &[Answers], axes: usize) -> Vec<bool> {
    (0..axes - 1).map(|axis| moves(answers, axis)).collect()
}

/// Each question's squares of what is left of the shares of a context's and the price's parts when the product of
/// their sums is taken away. Without any dependence that is a sum of weighted squares of normal numbers; its mean and
/// variance are known, and so it is compared with the chi-squared law of as much freedom. Reports of different
/// questions are different people's.
fn moves(answers: &[Answers], axis: usize) -> bool {
    let (mut sum, mut freedom) = (0.0, 0.0);
    for question in answers {
        let (parts, prices) = (question.parts[axis] as usize, *question.parts.last().unwrap_or(&1) as usize);
        if parts < 2 || prices < 2 {
            continue;
        }
        let shares = together(question, axis, parts, prices);
        let (rows, columns) = sums(&shares, prices);
        let squares: f64 = shares
            .iter()
            .enumerate()
            .map(|(place, share)| (share - rows[place / prices] * columns[place % prices]).powi(2))
            .sum();
        let symbols = 2.0 * question.cells() as f64 / (parts * prices) as f64;
        let (mean, variance) = squares_law(&rows, &columns, symbols * question.noise, question.reports);
        let here = 2.0 * mean * mean / variance;
        sum += here * squares / mean;
        freedom += here;
    }
    freedom > 0.0 && deviations(sum, freedom) > SHOWN
}

/// Mean and variance of the squares that are left. The errors of shares are the channel's, alike and independent, and
/// those of the sample, as large as the shares; taking sums away maps them by `Side` on each side.
fn squares_law(rows: &[f64], columns: &[f64], noise: f64, reports: f64) -> (f64, f64) {
    let (row, column) = (Side::new(rows), Side::new(columns));
    let mean = (noise * row.alike * column.alike + row.sampled * column.sampled) / reports;
    let [a, b, c] = [0, 1, 2].map(|i| row.products[i] * column.products[i]);
    (mean, 2.0 * (noise * noise * a + 2.0 * noise * b + c) / (reports * reports))
}

/// What taking a side's sums away, by (I - s 1'), makes of errors: traces of their covariance matrices X, for errors
/// that are alike, and U, for errors as large as the shares s; and of X X, X U and U U.
struct Side {
    alike: f64,
    sampled: f64,
    products: [f64; 3],
}

impl Side {
    fn new(shares: &[f64]) -> Side {
        let n = shares.len();
        let map = |i: usize, k: usize| f64::from(u8::from(i == k)) - shares[i];
        let matrix = |weight: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let entry = |at: usize| (0..n).map(|k| map(at / n, k) * weight(k) * map(at % n, k)).sum();
            (0..n * n).map(entry).collect()
        };
        let (alike, sampled) = (matrix(&|_| 1.0), matrix(&|k| shares[k]));
        let trace = |matrix: &[f64]| (0..n).map(|i| matrix[i * n + i]).sum();
        // Both are symmetric: the trace of a product is the sum of products.
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
        Side {
            alike: trace(&alike),
            sampled: trace(&sampled),
            products: [product(&alike, &alike), product(&alike, &sampled), product(&sampled, &sampled)],
        }
    }
}

/// A chi-squared number of so much freedom as a normal one (Wilson and Hilferty 1931).
fn deviations(sum: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    (libm::cbrt(sum / freedom) - (1.0 - spread)) / spread.sqrt()
}

/// The shares of each part of the context and each part of the price: none below zero, and one in all.
fn sums(shares: &[f64], prices: usize) -> (Vec<f64>, Vec<f64>) {
    let rows = shares.chunks_exact(prices).map(|row| row.iter().sum());
    let columns = (0..prices).map(|price| shares.iter().skip(price).step_by(prices).sum());
    (scaled(rows), scaled(columns))
}

fn scaled(sums: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums: Vec<f64> = sums.map(|sum: f64| sum.max(0.0)).collect();
    let total: f64 = sums.iter().sum();
    sums.iter().map(|sum| sum / total.max(f64::MIN_POSITIVE)).collect()
}

/// The shares of records in each part of a context and each part of the price.
fn together(question: &Answers, axis: usize, parts: usize, prices: usize) -> Vec<f64> {
    let after: usize = question.parts[axis + 1..].iter().map(|&parts| parts as usize).product();
    let mut shares = vec![0.0; parts * prices];
    for cell in 0..question.cells() {
        shares[cell / after % parts * prices + cell % prices] += question.share(cell);
    }
    shares
}
