//! Which of three arms is best, when rewards leave devices only as private bits: `cargo run --example bandit`.

use std::error::Error;

use reticent::device::mab::Device;
use reticent::learn::mab::{Agent, AgentKind};
use reticent::privacy::{Epsilon, SimSeed, Stream};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Agreed on by everybody: three arms, and each report costs at most epsilon = 1.
    let epsilon = Epsilon::new(1.0)?;

    // On the server. The agent's own choices are not noise: a saved seed lets a restart continue bit for bit.
    let mut agent = AgentKind::LdpThompson.build(3, epsilon, SimSeed::random()?.stream(0, Stream::Agent))?;

    let mut served = [0; 3];
    let mut policy = agent.policy(100);
    for person in 0..4_000 {
        // The policy is a distribution: each device draws its arm, and keeps the policy for a hundred people.
        if person % 100 == 0 {
            policy = agent.policy(100);
        }
        // On a person's device, whose lifetime budget is one report. The noise comes from the operating system.
        let mut device = Device::new(agent.spec(), epsilon)?;
        let choice = device.choose(&policy)?;
        let arm = choice.arm() as usize;
        let reward = [0.2, 0.4, 0.9][arm]; // clicked, recovered, bought: stays here
        let report = device.answer(choice, reward)?;
        assert_eq!(report.encode().len(), 10);
        // On the server again.
        agent.absorb(&report)?;
        served[arm] += 1;
    }
    println!("people who got each arm: {served:?}; guarantee: {}", agent.guarantee());
    for arm in agent.estimates() {
        let [low, high] = arm.interval;
        println!(
            "arm {}: between {low:.2} and {high:.2}, best with probability {:.2}",
            arm.name, arm.probability_of_best
        );
    }
    // All three arms equally: 1,333. Far more than that means that the agent has found the best one.
    assert!(served[2] > 2_000, "{served:?}");
    Ok(())
}
