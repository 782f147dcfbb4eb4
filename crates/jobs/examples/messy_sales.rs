//! A made-up log of offers as shops have them, for `docs/first-prices.md`: semicolons, amounts such as
//! `1.049,00 €`, dates such as `31.12.2023`, words, and cells that are empty.
//!
//! ```sh
//! cargo run --release -p reticent-jobs --example messy_sales > sales.csv          # 20,000 rows, seed 1
//! cargo run --release -p reticent-jobs --example messy_sales -- truth             # the best prices there are
//! ```

use std::io::{self, BufWriter, Write};

use reticent_privacy::{SimRng, SimSeed, Stream};

const ROWS: u32 = 20_000;
const REGIONS: [(&str, f64); 4] = [("North", 1050.0), ("South", 900.0), ("East", 800.0), ("West", 950.0)];
/// Days from the first of 2023 to the end of 2024.
const DAYS: f64 = 731.0;

/// The share of people who buy: those of the north, and those who signed up early, pay more.
fn demand(worth: f64, days: f64, price: f64) -> f64 {
    1.0 / (1.0 + libm::exp((price - worth - 0.2 * (DAYS / 2.0 - days)) / 80.0))
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout());
    if std::env::args().nth(1).as_deref() == Some("truth") { truth(&mut out) } else { sales(&mut out) }
}

fn sales(out: &mut impl Write) -> io::Result<()> {
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    writeln!(out, "customer;signed up;region;age;price;bought;note")?;
    for number in 1..=ROWS {
        let (region, worth) = REGIONS[(rng.uniform() * 4.0) as usize % 4];
        let days = libm::floor(DAYS * rng.uniform());
        let price = libm::floor(600.0 + 800.0 * rng.uniform()) - if rng.uniform() < 0.5 { 0.5 } else { 0.0 };
        let bought = rng.uniform() < demand(worth, days, price);
        let region = if rng.uniform() < 0.04 { "" } else { region };
        let age = match rng.uniform() {
            u if u < 0.03 => "n/a".to_string(),
            _ => format!("{}", 18 + (65.0 * rng.uniform()) as u32),
        };
        let note = if rng.uniform() < 0.1 { "\"called; \"\"will think about it\"\"\"" } else { "" };
        let answer = if bought { "yes" } else { "no" };
        let (day, price) = (date(days as u32), amount(price, &mut rng));
        writeln!(out, "C-{number:06};{day};{region};{age};{price};{answer};{note}")?;
    }
    out.flush()
}

/// `1.049,50 €` or `€ 899,00`.
fn amount(price: f64, rng: &mut SimRng) -> String {
    let cents = (100.0 * price) as u32;
    let (whole, cents) = (cents / 100, cents % 100);
    let digits =
        if whole < 1000 { whole.to_string() } else { format!("{}.{:03}", whole / 1000, whole % 1000) };
    if rng.uniform() < 0.8 { format!("{digits},{cents:02} €") } else { format!("€ {digits},{cents:02}") }
}

fn date(days: u32) -> String {
    let lengths =
        [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut left, mut month) = (days, 0);
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    format!("{:02}.{:02}.{}", left + 1, month % 12 + 1, 2023 + month / 12)
}

/// The price of the highest revenue for each region, half way through.
fn truth(out: &mut impl Write) -> io::Result<()> {
    for (region, worth) in REGIONS {
        let revenue = |price: f64| price * demand(worth, DAYS / 2.0, price);
        let best = (600..=1400).map(f64::from).max_by(|a, b| revenue(*a).total_cmp(&revenue(*b)));
        let best = best.unwrap_or_default();
        writeln!(out, "{region}: {best} earns {:.1}", revenue(best))?;
    }
    out.flush()
}
