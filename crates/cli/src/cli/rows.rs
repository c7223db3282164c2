//! How much of a list.

use clap::Args;

#[derive(Args, Debug, Default)]
pub(crate) struct Rows {
    /// Rows in a page, at most 200 [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Every page, not only the first
    #[arg(long)]
    pub(crate) all: bool,
}
