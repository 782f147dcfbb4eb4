//! Whether the log's prices move with a context: seen in the questions that look at both.
//!
//! It is no fault by itself, but then somebody chose prices by what they knew of people, perhaps also by what
//! the log does not say; and that no log can show.

use super::answers::Answers;

/// Deviations of the statistic, whose mean and variance without any dependence are those of a chi-squared law:
/// about one log in three million is wrongly said to have prices that move with a context.
const SHOWN: f64 = 5.0;

/// For each axis of the context, whether prices move with it.
pub(super) fn contexts(answers: &[Answers], axes: usize) -> Vec<bool> {
    (0..axes - 1).map(|axis| moves(answers, axis)).collect()
}

fn moves(answers: &[Answers], axis: usize) -> bool {
    let (mut sum, mut freedom) = (0.0, 0.0);
    for question in answers {
        let (parts, prices) = (question.parts[axis] as usize, *question.parts.last().unwrap_or(&1) as usize);
        if parts < 2 || prices < 2 {
            continue;
        }
        let shares = together(question, axis, parts, prices);
        let of_part: Vec<f64> = shares.chunks_exact(prices).map(|row| row.iter().sum()).collect();
        let of_price: Vec<f64> =
            (0..prices).map(|price| shares.iter().skip(price).step_by(prices).sum()).collect();
        let symbols = 2.0 * question.cells() as f64 / (parts * prices) as f64;
        for (place, share) in shares.iter().enumerate() {
            let expected = of_part[place / prices] * of_price[place % prices];
            let variance = (symbols * question.noise + expected.max(0.0)) / question.reports;
            sum += (share - expected) * (share - expected) / variance;
        }
        freedom += ((parts - 1) * (prices - 1)) as f64;
    }
    freedom > 0.0 && sum - freedom > SHOWN * (2.0 * freedom).sqrt()
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
