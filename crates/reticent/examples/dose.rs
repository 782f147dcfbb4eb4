//! A dose for each age, from a log that nobody may see: one release, and predictions for ever.

use std::error::Error;

use reticent::curate::kernel::{
    Collector, Draft, Family, Form, Input, KernelSpec, Population, Records, ReleaseLoss, Reward, Shape,
    Surface,
};
use reticent::privacy::{Delta, Epsilon};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Public: what can be set, what is known about people, and the range of what comes of it.
    let input =
        |column: &str, high| Input { column: column.into(), low: 0.0, high, length: 0.3, levels: None };
    let draft = Draft {
        experiment: None,
        actions: vec![input("dose", 10.0)],
        contexts: vec![input("age", 100.0)],
        reward: Reward { column: "benefit".into(), low: -1.0, high: 1.0, noise: 0.2 },
        kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank: 64 },
    };
    let spec: KernelSpec = draft.try_into()?;

    let mut log = Records::new(spec.inputs());
    for person in 0..2000_u32 {
        // Doses are drawn without looking at the person; here the best one is a tenth of the age.
        let (dose, age) = (f64::from(person * 37 % 101) / 10.1, f64::from(person * 53 % 101));
        let benefit = 0.8 - (dose - age / 10.0).abs() / 5.0;
        log.push(&[spec.scaled(0, dose), spec.scaled(1, age)], spec.scaled_reward(benefit));
    }
    let loss = ReleaseLoss::new(Epsilon::new(2.0)?, Delta::new(1e-6)?)?;
    let mut collector = Collector::new(&spec, &Population::Uniform, 2000, loss, 2)?;
    collector.add(&log)?;
    let release = collector.release()?; // serde: this is what may be published
    assert_eq!(release.guarantee().to_string(), "(2, 0.000001)-DP, central model");
    let best = Surface::read(&release, 2)?.best(&[50.0]);
    println!("at 50 years a dose of {:.1}; 5 is best", best.action[0]);
    assert!((best.action[0] - 5.0).abs() < 3.0); // the estimate has a band
    Ok(())
}
