use reticent_privacy::{SimSeed, Stream};

use super::*;

/// Outcomes of the log lie in the declared range, prices in the declared prices, and where nothing is hidden
/// the mean outcome is the demand: 20,000 records, so that a mean of at most 20 is known to 0.2 with four
/// deviations.
#[test]
fn a_log_is_what_its_world_declares() {
    for world in ELEVEN.iter().chain(&HELD_OUT).chain(&FRESH) {
        let mut rng = SimSeed(2).stream(0, Stream::Environment);
        let terms = world.terms().unwrap();
        let mut context = vec![0.0; world.dims];
        let (mut outcomes, mut demands) = (0.0, 0.0);
        for _ in 0..20_000 {
            let logged = world.draw(&mut rng, &mut context);
            assert!((0.0..=world.most).contains(&logged.outcome), "{}", world.name);
            assert!(context.iter().all(|x| (0.0..=1.0).contains(x)), "{}", world.name);
            let listed = world.listed.is_empty() || world.listed.contains(&logged.price);
            assert!(listed && (terms.prices().low()..=terms.prices().high()).contains(&logged.price));
            outcomes += logged.outcome / 20_000.0;
            demands += world.demand(&context, logged.price) / 20_000.0;
        }
        let near = (outcomes - demands).abs() < 0.02 * world.most.sqrt();
        assert_eq!(near, world.name != "hidden-confounder", "{}: {outcomes} {demands}", world.name);
    }
}

/// A price for each person is worth more than one for all, except where contexts say nothing.
#[test]
fn worlds_are_worth_telling_people_apart_in() {
    for world in ELEVEN.iter().chain(&HELD_OUT).chain(&FRESH) {
        let mut rng = SimSeed(2).stream(0, Stream::Source);
        let exam = Exam::draw(world, 500, &mut rng);
        let single = exam.best_single();
        assert!(exam.optimum() > 0.0 && single <= 1.0, "{}", world.name);
        assert_eq!(single > 0.999, world.name == "no-context-matters", "{}: {single}", world.name);
    }
}
