//! What becomes of runs that were recorded: `toolgate run export|replay|diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub(crate) struct ExportRunArgs {
    /// The run, `run_…`
    pub(crate) run: String,
    /// Write to this file, which appears when it is whole [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// Files that `run export` wrote
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Ask the model that this machine has instead of the recorded one, as long as it asks for the same calls
    #[arg(long)]
    pub(crate) live_model: bool,
    /// Make these calls on the server, with your key, and compare what they answer
    #[arg(long, value_name = "CLASS", require_equals = true)]
    pub(crate) live_tools: Option<LiveClass>,
    /// Go through files that were changed after they were exported
    #[arg(long)]
    pub(crate) force: bool,
}

/// Which tools are called for real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LiveClass {
    /// Tools of class `none` and `read_only`: they change nothing
    #[value(name = "read_only")]
    ReadOnly,
}

#[derive(Args, Debug)]
pub(crate) struct DiffRunsArgs {
    /// A file that `run export` wrote, or the id of a run on the server
    #[arg(value_name = "FILE|RUN")]
    pub(crate) a: String,
    #[arg(value_name = "FILE|RUN")]
    pub(crate) b: String,
    /// Compare files that were changed after they were exported
    #[arg(long)]
    pub(crate) force: bool,
}
