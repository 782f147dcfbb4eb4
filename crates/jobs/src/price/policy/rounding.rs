//! Prices as shops write them: whole steps, or with endings such as .99.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which prices may be quoted. Exact decimals: 4.99 is the number that a table with 4.99 has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rounding {
    /// Multiples of a step.
    Step(Decimal),
    /// Prices that end so: `.99` repeats every 1, `9.99` every 10, `95` every 100.
    Endings(Vec<Decimal>),
}

/// A decimal that is not negative, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Decimal {
    text: String,
    units: i64,
    /// Digits before and behind the point.
    whole: u32,
    digits: u32,
}

/// Prices `(offset + k step) / 10^digits`.
struct Progression {
    offset: i64,
    step: i64,
    digits: u32,
    /// Whether k may be negative.
    below_zero: bool,
}

/// So many digits are more than prices have, and fit into all numbers here.
const MOST_DIGITS: usize = 9;
/// Ends of ranges are as exact as this, in steps.
const SLACK: f64 = 1e-9;

impl FromStr for Decimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Decimal, String> {
        let text = text.trim();
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{part}");
        let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if !plain || digits.len() > MOST_DIGITS {
            return Err(format!("must be a decimal such as 0.5 or .99, with at most {MOST_DIGITS} digits"));
        }
        let units = digits.parse().map_err(|_| "must be a decimal".to_string())?;
        Ok(Decimal { text: text.into(), units, whole: whole.len() as u32, digits: part.len() as u32 })
    }
}

impl TryFrom<String> for Decimal {
    type Error = String;
    fn try_from(text: String) -> Result<Decimal, String> {
        text.parse()
    }
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> String {
        decimal.text
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rounding::Step(step) => write!(f, "prices in steps of {}", step.text),
            Rounding::Endings(endings) => {
                let each: Vec<&str> = endings.iter().map(|ending| ending.text.as_str()).collect();
                write!(f, "prices that end in {}", each.join(" or "))
            }
        }
    }
}

impl Rounding {
    /// Multiples of a step above 0.
    pub fn step(step: Decimal) -> Result<Rounding, String> {
        if step.units == 0 { Err("must be above 0".into()) } else { Ok(Rounding::Step(step)) }
    }

    fn progressions(&self) -> Vec<Progression> {
        match self {
            Rounding::Step(Decimal { units, digits, .. }) => {
                vec![Progression { offset: 0, step: (*units).max(1), digits: *digits, below_zero: true }]
            }
            Rounding::Endings(endings) => {
                let each = endings.iter().map(|&Decimal { units, whole, digits, .. }| Progression {
                    offset: units,
                    step: 10_i64.pow(whole + digits),
                    digits,
                    below_zero: false,
                });
                each.collect()
            }
        }
    }

    /// Whether a price is one of these.
    pub fn holds(&self, price: f64) -> bool {
        let near = |one: &Progression| one.nearest(price, (price - 1.0, price + 1.0));
        self.progressions()
            .iter()
            .filter_map(near)
            .any(|near| (near - price).abs() <= SLACK * price.abs().max(1.0))
    }

    /// All such prices between two ends if they are not more than `usual`, or else those that are nearest to these;
    /// none if there is no such price.
    pub(super) fn prices(&self, ends: (f64, f64), usual: &[f64]) -> Vec<f64> {
        let each = self.progressions();
        let count: f64 = each.iter().map(|one| one.count(ends)).sum();
        let mut prices: Vec<f64> = if count <= usual.len() as f64 {
            each.iter().flat_map(|one| one.all(ends)).collect()
        } else {
            let nearest = |&price: &f64| {
                let near = each.iter().filter_map(|one| one.nearest(price, ends));
                near.min_by(|a, b| (a - price).abs().total_cmp(&(b - price).abs()))
            };
            usual.iter().filter_map(nearest).collect()
        };
        prices.retain(|price| (ends.0..=ends.1).contains(price));
        prices.sort_by(f64::total_cmp);
        prices.dedup();
        prices
    }
}

impl Progression {
    fn at(&self, k: f64) -> f64 {
        // Both are whole and exact, so this is the nearest number to the decimal.
        (self.offset as f64 + k * self.step as f64) / 10_f64.powi(self.digits as i32)
    }

    fn place(&self, price: f64) -> f64 {
        (price * 10_f64.powi(self.digits as i32) - self.offset as f64) / self.step as f64
    }

    /// The first and the last k.
    fn range(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let first = (self.place(low) - SLACK).ceil();
        (if self.below_zero { first } else { first.max(0.0) }, (self.place(high) + SLACK).floor())
    }

    fn count(&self, ends: (f64, f64)) -> f64 {
        let (first, last) = self.range(ends);
        (last - first + 1.0).max(0.0)
    }

    fn all(&self, ends: (f64, f64)) -> Vec<f64> {
        let (first, count) = (self.range(ends).0, self.count(ends) as u32);
        (0..count).map(|k| self.at(first + f64::from(k))).collect()
    }

    fn nearest(&self, price: f64, ends: (f64, f64)) -> Option<f64> {
        let (first, last) = self.range(ends);
        (first <= last).then(|| self.at(self.place(price).round().clamp(first, last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(texts: &[&str]) -> Rounding {
        Rounding::Endings(texts.iter().map(|text| text.parse().unwrap()).collect())
    }

    fn step(text: &str) -> Rounding {
        Rounding::step(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn prices_are_the_numbers_that_shops_write() {
        let usual: Vec<f64> = (0..49).map(f64::from).collect();
        assert_eq!(endings(&[".99"]).prices((5.0, 8.99), &usual), [5.99, 6.99, 7.99, 8.99]);
        assert_eq!(endings(&["4.99", "9.99"]).prices((0.0, 20.0), &usual), [4.99, 9.99, 14.99, 19.99]);
        assert_eq!(endings(&["95"]).prices((0.0, 300.0), &usual), [95.0, 195.0, 295.0]);
        assert_eq!(step("0.5").prices((0.3, 2.1), &usual), [0.5, 1.0, 1.5, 2.0]);
        assert_eq!(step("0.1").prices((0.1, 0.3), &usual), [0.1, 0.2, 0.3]);
        assert_eq!(step("5").prices((-5.0, 5.0), &usual), [-5.0, 0.0, 5.0]);
        assert!(endings(&[".99"]).prices((5.0, 5.5), &usual).is_empty());
        assert!(endings(&[".99"]).prices((-3.0, 0.5), &usual).is_empty(), "no ending below 0");
    }

    #[test]
    fn of_many_prices_those_near_the_usual_are_taken() {
        let usual = [100.0, 10_000.2, 1e6];
        assert_eq!(endings(&[".99"]).prices((0.0, 1e6), &usual), [99.99, 9999.99, 999_999.99]);
        assert_eq!(step("0.01").prices((0.0, 1e9), &usual), [100.0, 10_000.2, 1e6]);
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for bad in ["", ".", "-1", "1e3", "0,99", "1.2.3", "12345678901", "nan"] {
            assert!(bad.parse::<Decimal>().is_err(), "{bad}");
        }
        assert!(Rounding::step("0.0".parse().unwrap()).is_err());
        let read: Rounding = serde_json::from_str(r#"{"endings":[".99"]}"#).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"endings":[".99"]}"#);
        assert!(read.holds(7.99) && !read.holds(7.98) && !read.holds(8.0));
    }
}
