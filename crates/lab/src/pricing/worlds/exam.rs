//! What policies earn in a world, as a share of what the best price of each person would.

use reticent_privacy::SimRng;

use super::World;

/// People of the target with what the best offer earns from each.
#[derive(Debug)]
pub struct Exam {
    world: &'static World,
    people: Vec<Vec<f64>>,
    optimum: f64,
}

impl Exam {
    /// An exam of so many people.
    pub fn draw(world: &'static World, people: usize, rng: &mut SimRng) -> Exam {
        let person = |_| {
            let mut context = vec![0.0; world.dims];
            world.draw_target(rng, &mut context);
            context
        };
        let people: Vec<Vec<f64>> = (0..people.max(1)).map(person).collect();
        let offers = world.offers();
        let best = |context: &Vec<f64>| {
            offers.iter().map(|&price| world.earned(context, price)).fold(f64::NEG_INFINITY, f64::max)
        };
        let optimum = people.iter().map(best).sum::<f64>() / people.len() as f64;
        Exam { world, people, optimum }
    }

    /// The people.
    pub fn people(&self) -> &[Vec<f64>] {
        &self.people
    }

    /// What the best price of each person earns on average.
    pub fn optimum(&self) -> f64 {
        self.optimum
    }

    /// What a policy earns on average.
    pub fn value(&self, price: impl Fn(&[f64]) -> f64) -> f64 {
        let earned = self.people.iter().map(|context| self.world.earned(context, price(context)));
        earned.sum::<f64>() / self.people.len() as f64
    }

    /// The same as a share of the optimum.
    pub fn share(&self, price: impl Fn(&[f64]) -> f64) -> f64 {
        self.value(price) / self.optimum
    }

    /// The share of the best single price.
    pub fn best_single(&self) -> f64 {
        let offers = self.world.offers();
        offers.into_iter().map(|price| self.share(|_| price)).fold(f64::NEG_INFINITY, f64::max)
    }
}
