//! `reticent price`: privatise a log of sales, learn prices from it, quote them, and say what they are worth.

mod compared;
mod evaluate;
mod fit;
mod list;
mod privatise;
mod quote;
mod rules;
mod show;

use super::CliError;

#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Turn each sale of a table into one randomised report; whoever gets the reports needs no trust
    #[command(after_help = "Examples:\n  reticent price privatise --example > market.toml\n  \
        reticent price privatise market.toml sales.csv.gz --epsilon 1 --out sales.rpl\n  \
        reticent price privatise market.toml sales.parquet --epsilon 2 --records 10000000 --clip --out sales.rpl --json\n\n\
        Each row gets the epsilon: a person with several rows gets as many times epsilon, so keep one row a person or divide epsilon by their most. \
        Privatising the same rows in the same way gives the log that was made before, at no cost; in another way it costs their people again, and needs --again. The table itself stays as raw as it was: guard it, or delete it.")]
    Privatise(privatise::Args),
    /// Learn a price for each context from privatised logs, or compare with the paper's methods on raw tables
    #[command(after_help = "Examples:\n  reticent price fit sales.rpl --out policy.json\n  \
        reticent price fit shop-a.rpl shop-b.rpl --prices 4.99,9.99,14.99 --target visitors.csv --out policy.json --plot policy.svg\n  \
        reticent price fit sales.rpl --objective profit --cost 3.5 --min 6 --fallback 9.99 --monotone --out policy.json\n  \
        reticent price fit sales.rpl --ending .99 --blind-to sex --rises-with income --min-volume 0.4 --out policy.json --report prices.html\n  \
        reticent price fit sales.csv --method nw-lcb --not-private --market market.toml --target visitors.csv --out prices.csv\n\n\
        One price for everybody is learned first; where another one surely gains over it, that is quoted, and otherwise the one price. What a quote earns at least holds for all contexts and prices at once. \
        A log does not say what its outcomes are: where they lie between 0 and 1 they are taken for sales and revenue is earned; otherwise they are the reward \
        themselves. Say otherwise with --objective. Rules are kept by every quote, and what each costs is said; where other prices do not surely gain over the best single price that keeps to the same rules, that one is quoted. Fitting costs no privacy, however often.")]
    Fit(Box<fit::Args>),
    /// Ask a policy for prices
    #[command(after_help = "Examples:\n  reticent price quote policy.json --at \"age=40,income=0.3\"\n  \
        reticent price quote policy.json --contexts visitors.parquet --out quotes.csv\n  \
        reticent price quote policy.json --contexts visitors.parquet --out quotes.parquet\n  \
        reticent price quote policy.json --plot policy.png\n\n\
        The columns of quotes are the contexts, then price, mean and lower (what it earns on average and at least), fallback, and density: that of the log there, \
        relative to an even one; below 0.1 it says little.")]
    Quote(quote::Args),
    /// Say what a policy is worth, or anybody's prices, by privatised logs that it was not learned from
    #[command(after_help = "Examples:\n  reticent price evaluate policy.json held-out.rpl\n  \
        reticent price evaluate policy.json held-out.rpl --target visitors.csv --json\n  \
        reticent price evaluate policy.json held-out.rpl --prices-of ours-today.csv --price-column offer\n  \
        reticent price evaluate held-out.rpl --prices-of ours-today.csv --objective profit --cost 3.5\n\n\
        The value is the posterior of these logs alone, with the same assumption of smoothness as a fit. A log that the policy was learned from flatters it. \
        With --prices-of the prices of a table are valued instead, for the people in it, and compared with the policy's if there is one.")]
    Evaluate(evaluate::Args),
}

pub(super) fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Privatise(args) => privatise::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Quote(args) => quote::run(args),
        Command::Evaluate(args) => evaluate::run(args),
    }
}
