//! `toolgate invocations …` and `toolgate events`.

use clap::{Args, Subcommand};
use toolgate_domain::Status;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  toolgate invocations
  toolgate invocations --status failed --since 24h
  toolgate invocations --tool calculate --all --json
  toolgate invocations show inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate invocations cancel inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"
)]
pub(crate) struct InvocationsArgs {
    #[command(flatten)]
    pub(crate) list: ListInvocationsArgs,
    #[command(subcommand)]
    pub(crate) command: Option<InvocationsCommand>,
}

#[derive(Args, Debug)]
pub(crate) struct ListInvocationsArgs {
    #[arg(long, value_parser = statuses())]
    pub(crate) status: Option<String>,
    /// A tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// An agent's id
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,
    /// A run's id
    #[arg(long, value_name = "ID", visible_alias = "team-run")]
    pub(crate) run: Option<String>,
    /// From this moment on: RFC 3339, a date, or a time ago such as 24h
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Rows in a page, at most 200 [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Every page, not only the first
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum InvocationsCommand {
    /// Show one call: its input, what was decided, how it ended
    #[command(
        after_help = "Examples:\n  toolgate invocations show inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --json"
    )]
    Show {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Cancel a call that runs or waits; one that is over stays as it ended
    #[command(
        after_help = "Examples:\n  toolgate invocations cancel inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"
    )]
    Cancel {
        #[arg(value_name = "ID")]
        id: String,
    },
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  toolgate events --limit 100
  toolgate events --session ses_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate events --follow
  toolgate events --follow --after 1200 --json | jq .type

A broken connection is taken up again where it broke. With --follow --json each event is one line.")]
pub(crate) struct EventsArgs {
    /// Only the events of this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Go on with what comes; without --after, all events begin with the present and a session with its first
    #[arg(long)]
    pub(crate) follow: bool,
    /// Events after the one with this number
    #[arg(long, value_name = "N")]
    pub(crate) after: Option<i64>,
    /// Rows, at most 200, oldest first [default: 50]
    #[arg(long, value_name = "N", conflicts_with = "follow")]
    pub(crate) limit: Option<u64>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  toolgate approvals
  toolgate approvals --watch
  toolgate approvals --tool push_release --json

The key needs the scope approvals:decide. Decide with `toolgate tool approve ID` or
`toolgate tool reject ID --reason \"…\"`.")]
pub(crate) struct ApprovalsArgs {
    /// A tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// An agent's id
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,
    /// Rows in a page, at most 200 [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Every page, not only the first
    #[arg(long)]
    pub(crate) all: bool,
    /// Go on with the calls that come to wait and what is decided; with --json, a line for each
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    /// The call's id, as `approvals` shows it
    pub(crate) id: String,
    /// Decide only if the call is still what this names (`approval_digest` of `invocations show --json`)
    #[arg(long, value_name = "SHA256")]
    pub(crate) digest: Option<String>,
}

fn statuses() -> clap::builder::PossibleValuesParser {
    Status::ALL.iter().map(|status| status.as_str()).collect::<Vec<_>>().into()
}
