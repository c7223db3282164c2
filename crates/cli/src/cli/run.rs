//! `toolgate run …`.

use clap::{Args, Subcommand};

use super::{
    Rows,
    replay::{DiffRunsArgs, ExportRunArgs, ReplayArgs},
};

#[derive(Subcommand, Debug)]
pub(crate) enum RunCommand {
    /// Give an agent a message
    #[command(after_help = "\
Examples:
  toolgate run start researcher \"What changed in the last release?\"
  toolgate run start researcher \"Announce it\" --follow          text and tool calls as they happen
  toolgate run start researcher \"Look at everything\" --detach --deadline 10m

Ends with 3 when the run failed, and with 8 when it waits for a person.")]
    Start(StartRunArgs),
    /// List runs, newest first
    #[command(after_help = "\
Examples:
  toolgate run list
  toolgate run list --agent researcher --status running
  toolgate run list --since 24h --json")]
    List(ListRunsArgs),
    /// Show one run: what was asked, how it stands, what it answered
    #[command(after_help = "Examples:\n  toolgate run show run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Show {
        /// The run's id
        id: String,
    },
    /// Stop a run: its model, its calls, and what they ask; one that is over stays as it ended
    #[command(after_help = "Examples:\n  toolgate run cancel run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Cancel {
        /// The run's id
        id: String,
    },
    /// Read what happened in a run, or follow it to its end
    #[command(after_help = "\
Examples:
  toolgate run events run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate run events run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --follow --json | jq .type")]
    Events(RunEventsArgs),
    /// List the steps of a run: what it was given, and each turn of its model
    #[command(after_help = "\
Examples:
  toolgate run steps run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate run steps run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --raw --json")]
    Steps {
        /// The run's id
        id: String,
        /// With the provider's answers word for word, and the schemas of the tools
        #[arg(long)]
        raw: bool,
    },
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

#[derive(Args, Debug)]
pub(crate) struct StartRunArgs {
    /// The agent, by handle or id
    pub(crate) agent: String,
    /// What it is asked to do
    pub(crate) message: String,
    /// Show text and tool calls as they happen
    #[arg(long, conflicts_with = "detach")]
    pub(crate) follow: bool,
    /// Answer as soon as the run has begun
    #[arg(long)]
    pub(crate) detach: bool,
    /// The run ends by then, whatever it waits for: 90s, 10m, 2h
    #[arg(long, value_name = "TIME")]
    pub(crate) deadline: Option<String>,
    /// The session whose log gets the run's events
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Names the run: the same key gets the same run
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ListRunsArgs {
    /// The agent, by handle or id
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[arg(long, value_parser = super::receipts::statuses())]
    pub(crate) status: Option<String>,
    /// From this moment on: RFC 3339, a date, or a time ago such as 24h
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    #[command(flatten)]
    pub(crate) rows: Rows,
}

#[derive(Args, Debug)]
pub(crate) struct RunEventsArgs {
    /// The run's id
    pub(crate) id: String,
    /// Go on until the run is over
    #[arg(long)]
    pub(crate) follow: bool,
    /// Events after the one with this number
    #[arg(long, value_name = "N")]
    pub(crate) after: Option<i64>,
}
