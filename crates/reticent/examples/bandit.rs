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
    for _ in 0..2_000 {
        let policy = agent.policy();
        // On a person's device, whose lifetime budget is one report. The noise comes from the operating system.
        let mut device = Device::new(agent.spec(), epsilon)?;
        let reward = [0.2, 0.4, 0.9][policy.arm as usize]; // clicked, recovered, bought: stays here
        let report = device.answer(&policy, reward)?;
        assert_eq!(report.encode().len(), 4);
        // On the server again.
        agent.absorb(&report)?;
        served[policy.arm as usize] += 1;
    }
    println!("people who got each arm: {served:?}; guarantee: {}", agent.guarantee());
    // All three arms equally: 667. Far more than that means that the agent has found the best one.
    assert!(served[2] > 1_000, "{served:?}");
    Ok(())
}
