//! A price for each customer, from sales that each left their device as one number.

use std::error::Error;

use reticent::device::pricing::Device;
use reticent::learn::pricing::{Earns, Objective, Tally, fit};
use reticent::privacy::{Epsilon, Ledger, NoiseRng};
use reticent::protocol::pricing::{Prices, Spec, Terms};
use reticent::schema::{Encoding, Range};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Public: one context between 0 and 100, prices between 0 and 20, sold or not.
    let terms = Terms::new(Encoding::ranges(&[(0.0, 100.0)])?, Prices::range(0.0, 20.0)?, Range::UNIT)?;
    let epsilon = Epsilon::new(4.0)?;
    let spec = Spec::designed(terms.clone(), epsilon, 20_000)?;

    // Each sale on its own device, or row by row by whoever holds the log.
    let mut noise = NoiseRng::from_os()?;
    let mut device = Device::with_noise(&spec, Ledger::new(epsilon), &mut noise);
    let mut tally = Tally::new(&spec);
    for sale in 0..20_000_u32 {
        let (income, price) = (f64::from(sale * 37 % 101), f64::from(sale * 53 % 199) / 10.0);
        let bought = if price < 4.0 + income / 10.0 { 1.0 } else { 0.0 };
        device.next_person(epsilon);
        let record = device.record_numbers(&[income], price)?;
        tally.absorb(&device.answer(record, bought)?)?;
    }

    // Anybody, from the reports alone.
    let policy = fit(&[tally])?.policy(Objective::new(&terms, Earns::Margin { cost: 0.0 }))?;
    let (poor, rich) = (policy.quote(&[10.0])?, policy.quote(&[90.0])?);
    println!("a price of {:.2} for an income of 10, {:.2} for 90", poor.price, rich.price);
    assert!(rich.price > poor.price && rich.lower <= rich.mean);
    Ok(())
}
