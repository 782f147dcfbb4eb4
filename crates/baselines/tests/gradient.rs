//! Devices and gradient agents together: they learn what they should, with and without auxiliary people.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use reticent_baselines::gradient::agent::Descent;
use reticent_baselines::gradient::randomiser::Randomiser;
use reticent_baselines::gradient::{Model, Report, Spec};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};

const MODELS: [Model; 2] = [Model::Logistic, Model::Hidden { units: 8 }];

struct World {
    people: Randomiser<SimRng>,
    agent: Descent,
    luck: SimRng,
}

/// The expected reward: arm 0 is good for large first coordinates, arm 1 for small ones.
fn mean(context: [f64; 2], arm: u32) -> f64 {
    let score = 3.0 * (context[0] - 0.5);
    1.0 / (1.0 + libm::exp(if arm == 0 { -score } else { score }))
}

impl World {
    fn new(model: Model, epsilon: Epsilon, source: Epsilon) -> World {
        let spec = Spec::new(2, 2, model, epsilon, vec![source]).unwrap();
        let stream = |purpose| SimSeed(11).stream(0, purpose);
        let people = Randomiser::new(&spec, stream(Stream::Noise));
        World { people, agent: Descent::new(spec, stream(Stream::Agent)), luck: stream(Stream::Environment) }
    }

    fn context(&mut self) -> [f64; 2] {
        [self.luck.uniform(), self.luck.uniform()]
    }

    fn reward(&mut self, mean: f64) -> f64 {
        f64::from(u8::from(self.luck.uniform() < mean))
    }

    fn send(&mut self, report: &Report) {
        self.agent.absorb(report).unwrap();
    }

    fn auxiliary(&mut self, people: u32) {
        for _ in 0..people {
            let context = self.context();
            let arm = u32::from(self.luck.uniform() < 0.5);
            let reward = self.reward(mean(context, arm));
            let report = self.people.answer_record(self.agent.policy(), 0, &context, arm, reward).unwrap();
            self.send(&report);
        }
    }

    /// The mean regret of so many people.
    fn target(&mut self, people: u32) -> f64 {
        let mut regret = 0.0;
        for _ in 0..people {
            let context = self.context();
            let choice = self.people.choose(self.agent.policy(), &context).unwrap();
            let played = mean(context, choice.arm());
            regret += mean(context, 0).max(mean(context, 1)) - played;
            let reward = self.reward(played);
            let report = self.people.answer(self.agent.policy(), choice, reward).unwrap();
            self.send(&report);
        }
        regret / f64::from(people)
    }
}

/// Uniform play loses 0.17 a person.
#[test]
fn without_noise_worth_naming_both_models_learn() {
    for model in MODELS {
        let mut world = World::new(model, Epsilon::MAX, Epsilon::MAX);
        let first = world.target(20);
        world.target(4000);
        let last = world.target(2000);
        assert!(first > 0.05, "there is something to learn: {first}");
        assert!(last < 0.02, "{}: {last}", model.agent());
    }
}

#[test]
fn auxiliary_people_spare_the_first_of_the_target() {
    for model in MODELS {
        let one = Epsilon::new(1.0).unwrap();
        let alone = World::new(model, one, Epsilon::MAX).target(1000);
        let mut helped = World::new(model, one, Epsilon::MAX);
        helped.auxiliary(5000);
        let with_help = helped.target(1000);
        assert!(with_help < 0.02 && alone > 0.05, "{}: {with_help} against {alone}", model.agent());
    }
}
