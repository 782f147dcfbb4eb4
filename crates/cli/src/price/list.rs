//! A list of prices on the command line.

use std::str::FromStr;

/// Prices such as `4.99,9.99`.
#[derive(Debug, Clone)]
pub(super) struct PriceList(pub(super) Vec<f64>);

impl FromStr for PriceList {
    type Err = String;

    fn from_str(text: &str) -> Result<PriceList, String> {
        text.split(',').map(price).collect::<Result<Vec<f64>, _>>().map(PriceList)
    }
}

/// One price.
pub(super) fn price(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "a price is a finite number".into())
}
