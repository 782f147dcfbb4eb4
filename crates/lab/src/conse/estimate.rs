//! Two estimators of an effect from randomised people.

/// One person: the arm, 0 or 1, and the reward.
pub type Sample = (u32, f64);

/// The ridge penalty of `dml`. Our reading: the paper names none, and 1 is the usual one of linear bandits.
const PENALTY: f64 = 1.0;

/// `md`: the difference of the arms' means; an arm without people has mean 0, as in Algorithm 1.
pub fn md(people: &[Sample]) -> f64 {
    let mean = |arm: u32| {
        let rewards = people.iter().filter(|person| person.0 == arm).map(|person| person.1);
        let (sum, count) = rewards.fold((0.0, 0_u64), |(sum, count), reward| (sum + reward, count + 1));
        if count == 0 { 0.0 } else { sum / count as f64 }
    };
    mean(1) - mean(0)
}

/// `dml`: ridge regression of the reward on the arm's vector, and the effect `(a_1 - a_0)' theta`.
pub fn dml(people: &[Sample], arms: [[f64; 2]; 2]) -> f64 {
    // (A'A + penalty) theta = A'r, two by two.
    let (mut gram, mut target) = ([[PENALTY, 0.0], [0.0, PENALTY]], [0.0; 2]);
    for &(arm, reward) in people {
        let vector = arms[arm as usize & 1];
        for i in 0..2 {
            target[i] += vector[i] * reward;
            for j in 0..2 {
                gram[i][j] += vector[i] * vector[j];
            }
        }
    }
    let determinant = gram[0][0] * gram[1][1] - gram[0][1] * gram[1][0];
    let theta = [
        (gram[1][1] * target[0] - gram[0][1] * target[1]) / determinant,
        (gram[0][0] * target[1] - gram[1][0] * target[0]) / determinant,
    ];
    (0..2).map(|i| (arms[1][i] - arms[0][i]) * theta[i]).sum()
}
