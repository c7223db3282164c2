//! `toolgate run …`.

use clap::Subcommand;

use super::replay::{DiffRunsArgs, ExportRunArgs, ReplayArgs};

#[derive(Subcommand, Debug)]
pub(crate) enum RunCommand {
    /// Write a run to one file, to be looked at or gone through again elsewhere
    #[command(after_help = "\
Examples:
  toolgate run export run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 -o refund.json
  toolgate run export run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 | jq .calls

What it holds: the message, the tools with versions and schemas, what the model said, every receipt. No secret is in it.")]
    Export(ExportRunArgs),
    /// Go through recorded runs again, and say whether they come out as they did
    ///
    /// Everything comes from the file: no server, no key and no network are needed, and nothing has an effect.
    #[command(after_help = "\
Examples:
  toolgate run replay refund.json
  toolgate run replay tests/runs/*.json --json          as a regression test
  toolgate run replay refund.json --live-model          with the model of toolgate.toml, up to the first difference
  toolgate run replay refund.json --live-tools=read_only

Exits with 11 when something comes out otherwise, and with 10 when a file was changed after it was exported.")]
    Replay(ReplayArgs),
    /// Compare two runs, turn by turn, up to the first difference
    #[command(after_help = "\
Examples:
  toolgate run diff monday.json tuesday.json
  toolgate run diff refund.json run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --json

Exits with 11 when they differ.")]
    Diff(DiffRunsArgs),
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
