//! `toolgate run …`.

use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum RunCommand {
    /// Show what a run did, and how long each part took
    #[command(after_help = "\
Examples:
  toolgate run trace run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate run trace run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --json

The server shows the same as a page: traces_url, in the output of the run.")]
    Trace {
        /// The run's id
        id: String,
    },
}
