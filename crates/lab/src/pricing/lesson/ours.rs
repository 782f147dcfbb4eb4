//! `private-pricing`, by its devices' own code.

use reticent_device::pricing::Device;
use reticent_learn::pricing::{Earns, Objective, Tally, fit, signs};
use reticent_privacy::Stream;
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Encoding, Range};

use super::forging::{Forging, Sent};
use super::{Lesson, LessonError, Outcome, Standing};
use crate::pricing::market::{OutcomeKind, SCALE};

/// Rounding of a stored value: a pessimistic value that is above the truth by less is not.
const STEP: f64 = 1e-9;
/// People of the target that the method is shown.
const SAMPLED: usize = 1000;

pub(super) fn run(lesson: &Lesson<'_>) -> Result<Option<Outcome>, LessonError> {
    let epsilon = lesson.epsilon()?;
    let outcome = Range::UNIT;
    let terms = Terms::new(Encoding::unit(lesson.market.dims())?, Prices::range(0.0, 1.0)?, outcome)?;
    let spec = Spec::designed(terms.clone(), epsilon, lesson.setting.records)?;
    let mut device = Device::simulated(&spec, epsilon, lesson.stream(Stream::Noise));
    let mut tally = Tally::new(&spec);
    let mut forging = lesson.setting.forgers.map(|forgers| {
        let middle = vec![0.5; lesson.market.dims()];
        Forging::new(forgers, lesson.market.best(&middle).price, lesson.forgers_stream())
    });
    let finished = lesson.log(|context, logged| -> Result<(), LessonError> {
        device.next_person(epsilon);
        let (price, outcome) =
            match forging.as_mut().map_or(Sent::Honest, |forging| forging.next(&spec, context)) {
                Sent::Honest => (logged.price, logged.outcome),
                Sent::Lie(price) => (price, 1.0),
                Sent::Forged(report) => return Ok(tally.absorb(&report)?),
            };
        let record = device.record_numbers(context, price)?;
        tally.absorb(&device.answer(record, outcome)?)?;
        Ok(())
    })?;
    if !finished {
        return Ok(None);
    }
    // A sale earns its price, which the market scales so that revenues fill [0, 1].
    let (earns, scale) = match lesson.market.outcome() {
        OutcomeKind::Reward => (Earns::Outcome, 1.0),
        OutcomeKind::Sale => (Earns::Margin { cost: 0.0 }, SCALE),
    };
    // Prices are chosen for the target's people: the method is shown some of them, as the paper's is.
    let sample: Vec<Vec<f64>> = sample(lesson);
    let objective = Objective::new(&terms, earns);
    let counted = signs(std::slice::from_ref(&tally));
    let fitted = fit(&[tally])?;
    let warned = !counted.is_empty() || fitted.rises_again(&objective).is_some();
    let policy = fitted.policy_for(objective, Some(&sample))?;
    let (mut holds, mut gap, mut contexts) = (true, 0.0, 0.0);
    for context in lesson.exam.contexts() {
        let quote = policy.quote_point(context);
        let over = scale * quote.lower - lesson.market.revenue(context, quote.price);
        holds &= over <= STEP;
        gap -= over;
        contexts += 1.0;
    }
    let suboptimality = lesson.exam.suboptimality(|context| policy.quote_point(context).price);
    Ok(Some(Outcome { suboptimality, standing: Some(Standing { holds, gap: gap / contexts }), warned }))
}

/// Contexts of the target, none of the exam's.
fn sample(lesson: &Lesson<'_>) -> Vec<Vec<f64>> {
    let mut rng = lesson.stream(Stream::Agent);
    let person = |_| {
        let mut context = vec![0.0; lesson.market.dims()];
        lesson.market.draw_target(&mut rng, &mut context);
        context
    };
    (0..SAMPLED).map(person).collect()
}
