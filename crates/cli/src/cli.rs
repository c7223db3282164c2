//! The command line, as clap reads it. `--help` alone is enough to use each command.

mod agent;
mod assign;
mod audit;
mod author;
mod chat;
mod import;
mod mcp;
mod mcp_server;
mod pack;
mod people;
mod policy;
mod profile;
mod provider;
mod receipts;
mod replay;
mod rows;
mod run;
mod sandbox;
mod secret;
mod skill;
mod task;
mod tenant;
mod tool;
mod usage;
mod webhook;

use std::path::PathBuf;

pub(crate) use agent::{ActArgs, ActionsArgs, AgentCommand, CreateAgentArgs, ListAgentsArgs, PermitArgs};
pub(crate) use assign::{AssignArgs, RevokeArgs, ToolSettingsArgs};
pub(crate) use audit::{AuditCommand, ListAuditArgs, VerifyAuditArgs};
pub(crate) use author::{DiffToolArgs, TryArgs, UpdateToolArgs};
pub(crate) use chat::ChatArgs;
use clap::{Args, Parser, Subcommand};
pub(crate) use import::{ImportCommand, ImportOpenapiArgs};
pub(crate) use mcp::{InstallArgs, McpCommand, McpLoginArgs, StdioArgs, Via};
pub(crate) use mcp_server::{
    AddMcpServerArgs, McpServerCommand, McpTermsArgs, McpToolArgs, OauthArgs, ReviewMcpToolArgs,
    TransportArgs, UpdateMcpServerArgs,
};
pub(crate) use pack::PackCommand;
pub(crate) use people::{CreateUserArgs, RoleCommand, UpdateUserArgs, UserCommand, WorkspaceCommand};
pub(crate) use policy::{ExplainArgs, PolicyCommand};
pub(crate) use profile::{ApprovalTermsArgs, ProfileCommand, ProfileTerms};
pub(crate) use provider::{ProviderArgs, ProviderCommand};
pub(crate) use receipts::{
    ApprovalsArgs, ApproveArgs, EventsArgs, InvocationsArgs, InvocationsCommand, ListInvocationsArgs,
    RejectArgs,
};
pub(crate) use replay::{DiffRunsArgs, ExportRunArgs, ReplayArgs};
pub(crate) use rows::Rows;
pub(crate) use run::{ListRunsArgs, RunCommand, RunEventsArgs, StartRunArgs};
pub(crate) use sandbox::{InstallSandboxArgs, SandboxArgs, SandboxCommand};
pub(crate) use secret::{RekeyArgs, SecretArgs, SecretCommand};
pub(crate) use skill::{SkillCommand, SkillParts};
pub(crate) use task::{ListTasksArgs, TaskCommand};
pub(crate) use tenant::{NamedArgs, SettingsCommand, TenantCommand};
pub(crate) use tool::{
    AliasArgs, CallArgs, InputArgs, ListToolsArgs, RegisterArgs, RenameArgs, TestArgs, ToolCommand, UsageArgs,
};
use toolgate_domain::Scope;
pub(crate) use usage::ReportArgs;
pub(crate) use webhook::WebhookCommand;

use crate::{config::ServeArgs, exit};

const EXAMPLES: &str = "\
Examples:
  toolgate serve                                          start the server
  toolgate tool list                                      what can be called
  toolgate tool call calculate --input expression='(2+3)*7'
  toolgate invocations                                    what was called

A client finds the key of a server on the same machine in DIR/admin.key (--data-dir DIR, or ./data).";

/// The one door through which agents, people and programs call tools.
#[derive(Parser, Debug)]
#[command(name = "toolgate", version, after_help = exit::help(EXAMPLES), max_term_width = 120, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Print JSON: what the server answers, as it answers
    #[arg(long, global = true, help_heading = "Options everywhere")]
    pub(crate) json: bool,
    /// Settings of `serve` and `migrate` [default: toolgate.toml, where it exists]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "TOOLGATE_CONFIG",
        help_heading = "Options everywhere"
    )]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) client: ClientArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How a client finds its server and its key.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options everywhere")]
pub(crate) struct ClientArgs {
    /// The server [default: http://127.0.0.1:7080]
    #[arg(long, global = true, value_name = "URL", env = "TOOLGATE_URL")]
    pub(crate) url: Option<String>,
    /// The API key, `tg_…`
    #[arg(long, global = true, value_name = "KEY", env = "TOOLGATE_KEY", hide_env_values = true)]
    pub(crate) key: Option<String>,
    // `serve` has an argument of the same id; clap takes that one there, and passes the value on in both directions.
    /// The server's data directory: a client without a key reads DIR/admin.key [default: data]
    #[arg(long, global = true, value_name = "DIR", env = "TOOLGATE_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Start the server
    ///
    /// Without further options it listens on 127.0.0.1:7080 and keeps everything in the directory `data`. The first start
    /// prints a one-time admin key and leaves it in DIR/admin.key. SIGTERM or Ctrl-C lets calls under way end, then stops.
    #[command(after_help = "\
Examples:
  toolgate serve
  toolgate serve --listen 127.0.0.1:0 --data-dir /var/lib/toolgate
  toolgate serve --database-url postgres://… --redis-url redis://… --blob-url s3://bucket/prefix

Every option is also TOOLGATE_… in the environment and a key of toolgate.toml, in that order of precedence.")]
    Serve(ServeArgs),
    /// Bring the database's schema up to date, and end (`serve` does it too)
    #[command(
        after_help = "Examples:\n  toolgate migrate --database-url postgres://…\n  toolgate migrate --data-dir /var/lib/toolgate --json"
    )]
    Migrate(ServeArgs),
    /// Make, list and revoke API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Set, list, rotate and delete what tools need and nobody reads
    #[command(subcommand)]
    Secret(SecretCommand),
    /// Find, register, test and call tools
    #[command(subcommand)]
    Tool(ToolCommand),
    /// Install, list, remove and test packs: many tools as one
    #[command(subcommand)]
    Pack(PackCommand),
    /// Start, watch and stop runs of agents; write them to files, go through them again
    #[command(subcommand)]
    Run(RunCommand),
    /// Talk with an agent
    Chat(ChatArgs),
    /// List the calls that were made, newest first; show or cancel one
    Invocations(InvocationsArgs),
    /// Sum up calls, tokens, cost and latency: by day, agent, tool, run or model
    Usage(ReportArgs),
    /// List the calls that wait for a person, or watch for them
    Approvals(ApprovalsArgs),
    /// Say where questions are sent, and see whether they arrived
    #[command(subcommand)]
    Webhook(WebhookCommand),
    /// Approve a call that waits (also `tool approve`)
    Approve(ApproveArgs),
    /// Reject a call that waits (also `tool reject`)
    Reject(RejectArgs),
    /// Make and change agents, and say which tools they may call
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Make and change profiles: what tightens an assignment
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// Bring and change providers of models
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Make and change skills: instructions that prompt tools run against an agent
    #[command(subcommand)]
    Skill(SkillCommand),
    /// See and do the work that tools handed to somebody
    #[command(subcommand)]
    Task(TaskCommand),
    /// Write the rules of calls, try them on the past, and ask what would happen
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Show or replace the tenant's own limits
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Make, change and disable people
    #[command(subcommand)]
    User(UserCommand),
    /// Say what people with a role may do
    #[command(subcommand)]
    Role(RoleCommand),
    /// Make and list teams
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Make, list and archive tenants
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Say whose key this is, and what it may do
    #[command(after_help = "Examples:\n  toolgate whoami\n  toolgate whoami --json")]
    Whoami,
    /// Read the audit trail, verify that nobody rewrote it, and export it
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Read or follow the log of events
    Events(EventsArgs),
    /// Speak the Model Context Protocol, and connect clients of it
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Install the full Python runtime for sandboxed code, or see whether it is ready
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// Check the data directory, the server and the key, and say what to do about what is wrong
    #[command(
        after_help = "Examples:\n  toolgate doctor\n  toolgate doctor --data-dir /var/lib/toolgate --json\n\nExits with 1 when a check fails; a warning is no failure."
    )]
    Doctor,
    /// Print the completion script of a shell
    #[command(
        after_help = "Examples:\n  toolgate completions bash > /etc/bash_completion.d/toolgate\n  toolgate completions zsh > ~/.zfunc/_toolgate\n  toolgate completions fish > ~/.config/fish/completions/toolgate.fish"
    )]
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum KeyCommand {
    /// Make a key; it is shown once
    #[command(after_help = "\
Examples:
  toolgate key create ci --scope tools:read --scope tools:execute
  toolgate key create auditor --scope invocations:read --expires-at 2027-01-01
  toolgate key create guest --scope tools:execute --expires-at 30d
  toolgate key create robot --scope tools:read,tools:execute --agent researcher
  toolgate key create mine --scope approvals:decide,invocations:read --sign-in ada@example.com

A key of an agent makes that agent's calls, and a key of a person can do no more than they can. A person decides with a key that
they made themselves: --sign-in asks for their password and makes one.")]
    Create(CreateKeyArgs),
    /// List keys: their names, scopes and states, never the keys themselves
    #[command(after_help = "Examples:\n  toolgate key list\n  toolgate key list --json")]
    List,
    /// Revoke a key, at once and for good
    #[command(after_help = "Examples:\n  toolgate key revoke key_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Revoke {
        /// The key's id, as `key list` shows it
        id: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct CreateKeyArgs {
    /// What the key is for, 1 to 100 characters
    pub(crate) name: String,
    /// What the key may do; repeatable
    #[arg(long, required = true, value_delimiter = ',', value_parser = scopes())]
    pub(crate) scope: Vec<String>,
    /// When the key ends: RFC 3339, a date, or a time from now such as 30d [default: never]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_at: Option<String>,
    /// Calls made with the key are this agent's: a handle or an id
    #[arg(long, group = "holder")]
    pub(crate) agent: Option<String>,
    /// The key is this person's: an address or an id
    #[arg(long, group = "holder")]
    pub(crate) user: Option<String>,
    /// Sign in as this person, and make the key for them: asks for the password, or reads it from stdin's first line
    #[arg(long, group = "holder", value_name = "EMAIL")]
    pub(crate) sign_in: Option<String>,
    /// For stdio and background work
    #[arg(long, group = "holder")]
    pub(crate) service_role: bool,
}

fn scopes() -> clap::builder::PossibleValuesParser {
    Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_data_directory_reaches_clients_and_the_server_from_either_side_of_the_command() {
        for line in [
            "toolgate --data-dir /x doctor",
            "toolgate doctor --data-dir /x",
            "toolgate serve --data-dir /x",
            "toolgate --data-dir /x serve",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(cli.client.data_dir.as_deref(), Some(std::path::Path::new("/x")), "{line}");
            if let Command::Serve(args) = cli.command {
                assert_eq!(args.data_dir(), Some(std::path::Path::new("/x")), "{line}");
            }
        }
    }
}
