//! `toolgate usage`.

use clap::Args;
use toolgate_domain::usage::Dimension;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  toolgate usage
  toolgate usage --by day,model --since 7d
  toolgate usage --by tool --agent researcher
  toolgate usage --by run --run run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate usage --by day,agent --since 2026-01-01 --csv > usage.csv

Calls are those of tools; model calls are the questions that runs and prompts asked. A report by model or provider is about those
alone. Costs are in the currency of the price table.")]
pub(crate) struct ReportArgs {
    /// What to group by, newest days first; several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = dimensions())]
    pub(crate) by: Vec<String>,
    /// From this moment on: RFC 3339, a date, or a time ago such as 7d [default: 30 days ago]
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Before this moment [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Only of this agent: a handle or an id
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Only of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Only of this run
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Only of models of this provider
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Only of this model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Print CSV, with more columns than the table
    #[arg(long)]
    pub(crate) csv: bool,
}

fn dimensions() -> clap::builder::PossibleValuesParser {
    Dimension::ALL.map(Dimension::as_str).into()
}
