//! Why a file of pricing is refused. Places are named, values never: they belong to people.

use reticent_device::DeviceError;
use reticent_learn::pricing::TallyError;
use reticent_privacy::{EntropyError, Epsilon};
use reticent_protocol::pricing::SpecError;
use reticent_protocol::pricing::log::LogError;

use super::MarketError;
use crate::columns::ColumnsError;
use reticent_store::accounts::AccountsError;
use reticent_store::files::FileError;

/// Why a file of pricing is refused.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are names and places")]
#[non_exhaustive]
pub enum PricingFileError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table is not one of numbers, or not with these columns.
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    /// The market's file is not TOML, or not of a market.
    #[error("{file}: {message}\n`reticent price privatise --example` shows a market file")]
    MarketFile { file: String, message: String },
    /// The market cannot be as it is declared.
    #[error("{file}: {fault}")]
    Market { file: String, fault: MarketError },
    /// A row outside the declared range.
    #[error(
        "{file}: row {row}, column `{column}`: outside the declared range; correct the row or the market file, or clip such rows to the range with --clip"
    )]
    Outside { file: String, row: u64, column: String },
    /// A price that is not in the list.
    #[error(
        "{file}: row {row}, column `{column}`: none of the declared prices; correct the row or the market file, or take the nearest price with --clip"
    )]
    OtherPrice { file: String, row: u64, column: String },
    /// A row that the device refuses.
    #[error("{file}: row {row}: {fault}")]
    Device { file: String, row: u64, fault: DeviceError },
    /// Another loss than the experiment declares.
    #[error(
        "the experiment declares epsilon {declared}, and {asked} was asked for; say --epsilon {declared}, or change the document, which makes it another experiment"
    )]
    OtherLoss { declared: Epsilon, asked: Epsilon },
    /// The account refuses, or cannot be used.
    #[error(transparent)]
    Account(#[from] AccountsError),
    /// Nothing was expected.
    #[error("--records: expect at least one record")]
    NoRecords,
    /// The questions cannot be asked.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The operating system gave no entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Somebody writes to the table.
    #[error(
        "{file}: the rows changed between two passes over them; privatise when nobody writes to the file, or give --records. Nothing was written"
    )]
    Changed { file: String },
    /// Not a privatised log, or a damaged one.
    #[error("{file}: {fault}")]
    Log { file: String, fault: LogError },
    /// Logs of different markets.
    #[error(
        "{first} and {second} were made with different market files, so their reports mean different things; fit them apart"
    )]
    Terms { first: String, second: String },
    /// The same reports twice.
    #[error("{first} and {second} hold the same reports; give each log once")]
    Twice { first: String, second: String },
    /// Counts that do not fit.
    #[error("{file}: {fault}")]
    Tally { file: String, fault: TallyError },
    /// Stopped by Ctrl-C.
    #[error("interrupted; nothing was written")]
    Interrupted,
}
