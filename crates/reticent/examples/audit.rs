//! Do not trust, measure: a mechanism held to its claim, in five lines of a test.

use std::error::Error;

use reticent::audit::{Audit, Claim};
use reticent::privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent::privacy::{Epsilon, UnitGrid};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let epsilon = Epsilon::new(1.0)?;
    let mechanism = LaplaceResponse::new(epsilon);
    let finding = Audit::new("laplace", Claim::pure(epsilon))
        .neighbours([UnitGrid::clip(0.0)?, UnitGrid::clip(1.0)?])
        .run(|&reward, rng| mechanism.release_with(reward, rng))?;
    println!("{finding}");
    assert!(finding.passes(), "{finding}");
    Ok(())
}
