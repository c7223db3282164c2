//! `toolgate tool …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{
    assign::{AssignArgs, RevokeArgs, ToolSettingsArgs},
    author::{DiffToolArgs, TryArgs, UpdateToolArgs},
    import::ImportCommand,
    receipts::{ApproveArgs, ListInvocationsArgs, RejectArgs},
};

#[derive(Subcommand, Debug)]
pub(crate) enum ToolCommand {
    /// List tools: the newest version of each that this key may see; or assignments, or profiles
    #[command(after_help = "\
Examples:
  toolgate tool list
  toolgate tool list --agent researcher            what it could be given, and what it may do with it
  toolgate tool list --assignments --agent researcher
  toolgate tool list --profiles
  toolgate tool list --search json --category data
  toolgate tool list --lifecycle deprecated --all --json")]
    List(ListToolsArgs),
    /// Show one tool: what it does, what it takes, what it answers
    #[command(
        after_help = "Examples:\n  toolgate tool show calculate\n  toolgate tool show calculate@^1 --json"
    )]
    Show {
        /// `name`, `name@1.2.0` or `name@^1`
        #[arg(value_name = "NAME[@VERSION]")]
        name: String,
    },
    /// Register a definition: a dry run that prints what would change, until --apply does it
    #[command(after_help = "\
Examples:
  toolgate tool register --file TOOL.md            check it, print what would change, change nothing
  toolgate tool register --file TOOL.md --apply    publish it
  toolgate tool register --file tool.json --apply  a JSON definition works too

A published version keeps its schemas, egress class and execution for good: a change of those needs a new version.")]
    Register(RegisterArgs),
    /// Make tools of what is described elsewhere
    Import {
        #[command(subcommand)]
        what: ImportCommand,
    },
    /// Test TOOL.md files offline: check each definition and run the examples it carries
    #[command(after_help = "\
Examples:
  toolgate tool test TOOL.md
  toolgate tool test tools/*/TOOL.md --json

No server is needed: the examples run through the real engine on a throw-away database. Examples of a tool that asks a
person for approval are not run. Exits with 0, with 3 when an example fails, with 6 when a definition is not valid.")]
    Test(TestArgs),
    /// Call a tool
    ///
    /// --input takes text and makes it what the tool's schema asks for: numbers, booleans, null; arrays by repeating the
    /// key, by commas, or as JSON; objects as JSON or by dotted keys. On a terminal, missing required fields are asked for.
    #[command(after_help = "\
Examples:
  toolgate tool call calculate --input expression='(2+3)*7'
  toolgate tool call summarize_numbers --input numbers=1,2,3
  toolgate tool call render_template --input template='Hello {{ name }}' --input values.name=Ada
  toolgate tool call query_json --input-json @query.json
  echo '{\"expression\": \"1+1\"}' | toolgate tool call calculate --input-json - --json
  toolgate tool call wait --input ms=2000 every_ms=500 --stream

Exits with 3 when the tool fails, 4 when the call is refused, 6 when the input is not valid, 8 when it waits for approval.")]
    Call(CallArgs),
    /// Try a tool: a call that is marked as a test and kept out of the cache; with --file, of a definition that is not published
    #[command(after_help = "\
Examples:
  toolgate tool try greet --input name=Ada
  toolgate tool try --file TOOL.md --input name=Ada
  toolgate tool try --file TOOL.md --input-json @input.json --stream

Permissions, approval and limits hold as for any call. `toolgate invocations --test true` lists the test runs.")]
    Try(TryArgs),
    /// Change a tool: one of the tenant gets its next version, one that ships with the program gets an override
    #[command(after_help = "\
Examples:
  toolgate tool update greet --set description='Says hello.'
  toolgate tool update greet --set-json @changes.json --set version=2.0.0
  toolgate tool update calculate --set requires_approval=true timeout_ms=500
  toolgate tool update calculate --set enabled=false
  toolgate tool update calculate --set risk=null               take it back

An override changes description, enabled, defaults, and what guards the tool, which can only be made stricter.")]
    Update(UpdateToolArgs),
    /// Delete a tool of the tenant, or take back what the tenant changed of one that ships with the program
    #[command(
        after_help = "Examples:\n  toolgate tool delete greet\n  toolgate tool delete greet@1.0.0\n  toolgate tool delete calculate    take the override back"
    )]
    Delete {
        #[arg(value_name = "NAME[@VERSION]")]
        name: String,
    },
    /// Compare two versions of a tool, key by key
    #[command(
        after_help = "Examples:\n  toolgate tool diff greet\n  toolgate tool diff greet --from 1.0.0 --to 2.0.0"
    )]
    Diff(DiffToolArgs),
    /// Publish an old definition as the next version; also of a tool that was deleted
    #[command(after_help = "Examples:\n  toolgate tool restore greet 1.0.0")]
    Restore { name: String, version: String },
    /// List the calls that were made, newest first (`toolgate invocations` shows and cancels them too)
    #[command(
        after_help = "Examples:\n  toolgate tool invocations --status pending --limit 50\n  toolgate tool invocations --agent agt_… --json"
    )]
    Invocations(ListInvocationsArgs),
    /// Approve a call that waits: it runs at once. Nobody approves a call of their own
    Approve(ApproveArgs),
    /// Reject a call that waits; the caller is told the reason
    Reject(RejectArgs),
    /// Assign a tool to an agent, in place of what was assigned before
    #[command(after_help = "\
Examples:
  toolgate tool assign --tool fetch_page --agent researcher
  toolgate tool assign --tool fetch_page --agent researcher --profile careful
  toolgate tool assign --tool send_mail --agent researcher --deny

The agent still needs approval for each call, until `toolgate agent permit` says otherwise.")]
    Assign(AssignArgs),
    /// Take a tool from an agent; calls of it that run end with a permission error
    #[command(after_help = "Examples:\n  toolgate tool revoke --tool fetch_page --agent researcher")]
    Revoke(RevokeArgs),
    /// Show or change what the tenant decided about a tool: whether it is there, and who must agree to its calls
    #[command(after_help = "\
Examples:
  toolgate tool settings send_mail                 what is decided
  toolgate tool settings send_mail --quorum 2      two people must agree
  toolgate tool settings send_mail --disable
  toolgate tool settings send_mail --allow-self=false --default")]
    Settings(ToolSettingsArgs),
    /// Deprecate a tool: it works and warns, and is no longer listed
    #[command(
        after_help = "Examples:\n  toolgate tool deprecate greet          all versions\n  toolgate tool deprecate greet@1.0.0    one version"
    )]
    Deprecate {
        #[arg(value_name = "NAME[@VERSION]")]
        name: String,
    },
    /// Block a tool: calls are refused
    #[command(after_help = "Examples:\n  toolgate tool block greet\n  toolgate tool block greet@^1")]
    Block {
        #[arg(value_name = "NAME[@VERSION]")]
        name: String,
    },
    /// Make a deprecated or blocked tool active again
    #[command(after_help = "Examples:\n  toolgate tool activate greet@1.0.0")]
    Activate {
        #[arg(value_name = "NAME[@VERSION]")]
        name: String,
    },
    /// Forget the kept results of a tool, of all its versions
    #[command(after_help = "Examples:\n  toolgate tool purge fetch_page")]
    Purge { name: String },
    /// List the versions of a tool, newest first
    #[command(after_help = "Examples:\n  toolgate tool versions calculate")]
    Versions { name: String },
    /// Let a tool be called by another name until a date
    #[command(after_help = "Examples:\n  toolgate tool alias greet --alias say_hello --remove-by 2027-01-01")]
    Alias(AliasArgs),
    /// List the aliases that have not ended
    #[command(after_help = "Examples:\n  toolgate tool aliases")]
    Aliases,
    /// End an alias: whoever still calls it is told the tool's name
    #[command(after_help = "Examples:\n  toolgate tool unalias say_hello")]
    Unalias {
        /// The alias
        alias: String,
    },
    /// Rename a tool; calls by the old name reach it until a date
    #[command(after_help = "\
Examples:
  toolgate tool rename say_hello greet
  toolgate tool rename say_hello greet --remove-by 2027-01-01

Assignments and permissions name tools: give the new name to the agents that had the old one.")]
    Rename(RenameArgs),
    /// Show who calls a tool; without a name, who still calls what is deprecated, blocked or an alias
    #[command(after_help = "Examples:\n  toolgate tool usage\n  toolgate tool usage greet --since 7d")]
    Usage(UsageArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ListToolsArgs {
    /// The tools that there are; the default
    #[arg(long, group = "what")]
    pub(crate) registry: bool,
    /// Which tools are assigned to which agents
    #[arg(long, group = "what", conflicts_with_all = FILTERS)]
    pub(crate) assignments: bool,
    /// The profiles that assignments can have
    #[arg(long, group = "what", conflicts_with_all = FILTERS)]
    pub(crate) profiles: bool,
    /// Only what concerns this agent: a handle or an id
    #[arg(long, value_name = "AGENT", conflicts_with_all = FILTERS)]
    pub(crate) agent: Option<String>,
    /// Words, or their beginnings, that all stand in the name, the category, the description or the parameters
    #[arg(long)]
    pub(crate) search: Option<String>,
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// The runtime: builtin, …
    #[arg(long)]
    pub(crate) kind: Option<String>,
    #[arg(long, value_parser = ["none", "read_only", "write"])]
    pub(crate) egress_class: Option<String>,
    #[arg(long, value_parser = ["code", "tenant_custom"])]
    pub(crate) origin: Option<String>,
    /// Deprecated tools as well
    #[arg(long, conflicts_with = "lifecycle")]
    pub(crate) include_deprecated: bool,
    /// [default: active]
    #[arg(long, value_parser = ["active", "deprecated", "blocked", "archived"])]
    pub(crate) lifecycle: Option<String>,
    #[command(flatten)]
    pub(crate) rows: super::Rows,
}

const FILTERS: [&str; 7] =
    ["search", "category", "kind", "egress_class", "origin", "lifecycle", "include_deprecated"];

#[derive(Args, Debug)]
pub(crate) struct RegisterArgs {
    /// A TOOL.md, or a definition as .json
    #[arg(long, value_name = "TOOL.md")]
    pub(crate) file: PathBuf,
    /// Do it; without this nothing changes
    #[arg(long)]
    pub(crate) apply: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// TOOL.md files, or definitions as .json
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// `name`, `name@1.2.0` or `name@^1`
    #[arg(value_name = "NAME[@VERSION]")]
    pub(crate) name: String,
    /// Fields of the input; nested ones as a.b=1
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    pub(crate) input: Vec<(String, String)>,
    /// The input as JSON: the text itself, @FILE, or - for stdin; --input adds to it
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input_json: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) what: InputArgs,
    /// Names this call: repeating it with the same key gets the same answer instead of a second call
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
    /// The session whose log gets the call's events [default: one of its own]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print pieces of output as they come; with --json one line of JSON per event
    #[arg(long)]
    pub(crate) stream: bool,
}

#[derive(Args, Debug)]
pub(crate) struct AliasArgs {
    /// The tool's name
    pub(crate) name: String,
    /// The other name
    #[arg(long, value_name = "OLD")]
    pub(crate) alias: String,
    /// When the alias ends: RFC 3339, a date, or a time from now such as 90d
    #[arg(long, value_name = "DATE")]
    pub(crate) remove_by: String,
}

#[derive(Args, Debug)]
pub(crate) struct RenameArgs {
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    /// When the old name ends: RFC 3339, a date, or a time from now [default: 90d]
    #[arg(long, value_name = "DATE")]
    pub(crate) remove_by: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct UsageArgs {
    pub(crate) name: Option<String>,
    /// Calls since then: RFC 3339, a date, or a time ago [default: 30d]
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}
