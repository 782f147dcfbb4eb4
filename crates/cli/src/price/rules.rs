//! What prices must keep to, as options.

use reticent_chart::numbers::tidy;
use reticent_jobs::price::policy::{Asked, Decimal, Kept, Rounding};
use reticent_learn::pricing::Rules;

use super::list::price;
use super::show;
use crate::{CliError, stream};

#[derive(clap::Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RuleArgs {
    /// Quote multiples of this alone, such as 0.5
    #[arg(long, value_name = "S", conflicts_with = "prices")]
    step: Option<Decimal>,
    /// Quote prices alone that end so: .99, or 4.99,9.99 (every 10), or 95 (every 100)
    #[arg(long, value_name = "E,E,...", value_delimiter = ',', conflicts_with_all = ["prices", "step"])]
    ending: Vec<Decimal>,
    /// The mean outcome of a person must be at least this: the share who buy
    #[arg(long, value_name = "V", value_parser = price, allow_negative_numbers = true)]
    min_volume: Option<f64>,
    /// The mean of all prices must be at most this
    #[arg(long, value_name = "P", value_parser = price, allow_negative_numbers = true)]
    max_mean_price: Option<f64>,
    /// Prices never fall as this context grows; levels grow in the order in which they are declared [may be given
    /// several times]
    #[arg(long, value_name = "CONTEXT")]
    rises_with: Vec<String>,
    /// Prices never rise as this context grows
    #[arg(long, value_name = "CONTEXT")]
    falls_with: Vec<String>,
    /// Prices do not look at this context: who differ in nothing else pay the same
    #[arg(long, value_name = "CONTEXT")]
    blind_to: Vec<String>,
}

impl RuleArgs {
    /// Whether there is a rule.
    pub(super) fn any(&self) -> bool {
        let names = [&self.rises_with, &self.falls_with, &self.blind_to];
        let numbers = [self.min_volume, self.max_mean_price];
        self.step.is_some()
            || !self.ending.is_empty()
            || names.iter().any(|names| !names.is_empty())
            || numbers.iter().any(Option::is_some)
    }

    pub(super) fn asked(&self, single: bool) -> Result<Asked, CliError> {
        let rounding = match (&self.step, &self.ending[..]) {
            (Some(step), _) => {
                let step = Rounding::step(step.clone());
                Some(step.map_err(|fault| CliError::Usage(format!("--step {fault}")))?)
            }
            (None, []) => None,
            (None, endings) => Some(Rounding::Endings(endings.to_vec())),
        };
        let each = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names.dedup();
            names
        };
        let rules = Rules {
            least_volume: self.min_volume,
            most_mean_price: self.max_mean_price,
            rises_with: each(&self.rises_with),
            falls_with: each(&self.falls_with),
            blind_to: each(&self.blind_to),
            single,
        };
        Ok(Asked { rounding, rules })
    }
}

/// What rules cost, in lines.
pub(super) fn print(kept: &Kept, what: &str) {
    let with = format!("{}, at least {}", tidy(kept.with.mean), tidy(kept.with.low));
    println!("  rules       with all of them {what} {with}");
    for cost in &kept.each {
        let worth = &cost.without;
        println!("              without {}: {}, at least {}", cost.rule, tidy(worth.mean), tidy(worth.low));
    }
    if kept.each.len() > 1 {
        let worth = &kept.without;
        println!("              without any: {}, at least {}", tidy(worth.mean), tidy(worth.low));
    }
    let volume = kept.volume.map_or_else(String::new, |volume| {
        format!(", volume {} ({} to {})", tidy(volume.mean), tidy(volume.low), tidy(volume.high))
    });
    println!("              mean price {}{volume}", show::price(kept.mean_price));
}

/// What is not sure, on standard error.
pub(super) fn warn(kept: &Kept) {
    if let (false, Some(volume), Some(least)) = (kept.sure, kept.volume, kept.asked.rules.least_volume) {
        stream::warn(format_args!(
            "a volume of {} is expected, but the log is too small to be sure of {}: it may be {}",
            tidy(volume.mean),
            tidy(least),
            tidy(volume.low)
        ));
    }
}
