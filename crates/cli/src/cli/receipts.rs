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
    /// An agent's handle or id
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// A run's id
    #[arg(long, value_name = "ID", visible_alias = "team-run")]
    pub(crate) run: Option<String>,
    /// The calls that this call made
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<String>,
    /// From this moment on: RFC 3339, a date, or a time ago such as 24h
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Before this moment
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Only test runs, or only the others
    #[arg(long, value_name = "BOOL")]
    pub(crate) test: Option<bool>,
    #[command(flatten)]
    pub(crate) rows: super::Rows,
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

The key needs the scope approvals:decide. Decide with `toolgate approve ID` or `toolgate reject ID --reason \"…\"`.")]
pub(crate) struct ApprovalsArgs {
    /// A tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// An agent's handle or id
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) rows: super::Rows,
    /// Go on with the calls that come to wait and what is decided; with --json, a line for each
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  toolgate approve inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate approve inv_… --always                       the agent need not ask for this tool again
  toolgate approve inv_… --input amount=20              with one field changed
  toolgate approve inv_… --input-json '{\"amount\": 20}'  with another input

A person decides, with a key that they made themselves (toolgate key create --sign-in). The key needs approvals:decide; --input also invocations:read and tools:read. A call that several people must agree to waits until
the last of them has, and nobody can change it. `toolgate agent revoke-override` takes an --always back.")]
pub(crate) struct ApproveArgs {
    #[command(flatten)]
    pub(crate) decide: DecideArgs,
    /// The agent need not ask for this tool again; not for tools that write outside
    #[arg(long)]
    pub(crate) always: bool,
    /// Agree to a call of your own, where nobody else may decide; the receipt says so
    #[arg(long)]
    pub(crate) confirm_self: bool,
    /// Change fields of what was asked; nested ones as a.b=1
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = super::tool::pair)]
    pub(crate) input: Vec<(String, String)>,
    /// Run this input instead: JSON itself, @FILE, or - for stdin; --input adds to it
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input_json: Option<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  toolgate reject inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --reason \"unsafe egress target\""
)]
pub(crate) struct RejectArgs {
    #[command(flatten)]
    pub(crate) decide: DecideArgs,
    /// Why not; the caller is told
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    /// The call's id, as `approvals` shows it
    pub(crate) id: String,
    /// Decide only if the call is still what this names (`approval_digest` of `invocations show --json`)
    #[arg(long, value_name = "SHA256")]
    pub(crate) digest: Option<String>,
}

pub(super) fn statuses() -> clap::builder::PossibleValuesParser {
    Status::ALL.iter().map(|status| status.as_str()).collect::<Vec<_>>().into()
}
