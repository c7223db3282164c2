//! `toolgate mcp server …`.

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum McpServerCommand {
    /// Add a server and import its tools
    #[command(after_help = "\
Examples:
  toolgate mcp server add files --to https://files.example/mcp --header 'Authorization=Bearer {$secret.FILES_TOKEN}'
  toolgate mcp server add git --command uvx --egress read_only -- mcp-server-git --repository /srv/repo
  toolgate mcp server add crm --to https://crm.example/mcp --review
  toolgate mcp server add tracker --to https://tracker.example/mcp --oauth
  toolgate mcp server add ledger --to https://ledger.example/mcp --oauth-grant client_credentials \\
    --oauth-client-id toolgate --oauth-client-secret LEDGER_CLIENT_SECRET

Its tools are called PREFIX_tool, and write unless you say otherwise: a tool that writes asks a person each time.
Whoever adds a server accepts the tools that it offers now; with --review each waits to be accepted. Tools that hide
something in their texts always wait. Whatever changes later is shut until a person accepts it.
A server with --oauth is kept, and says that nobody logged in yet: toolgate mcp login NAME, then toolgate mcp server refresh NAME.")]
    Add(AddMcpServerArgs),
    /// List the servers, and how they are
    #[command(after_help = "Examples:\n  toolgate mcp server list\n  toolgate mcp server list --json")]
    List,
    /// Show one server
    #[command(after_help = "Examples:\n  toolgate mcp server show files")]
    Show {
        /// A name or an id
        server: String,
    },
    /// Change a server: what is not named stays as it is
    #[command(after_help = "\
Examples:
  toolgate mcp server update files --egress read_only
  toolgate mcp server update files --tool delete=write --tool wipe=off --tool list=default
  toolgate mcp server update files --oauth --oauth-per user
  toolgate mcp server update files --disable

What is said about the login replaces all that was said about it before.")]
    Update(UpdateMcpServerArgs),
    /// Remove a server; its tools are gone, and the receipts of their calls stay
    #[command(after_help = "Examples:\n  toolgate mcp server remove files")]
    Remove {
        /// A name or an id
        server: String,
    },
    /// Ask a server for its tools now
    #[command(after_help = "Examples:\n  toolgate mcp server refresh files")]
    Refresh {
        /// A name or an id
        server: String,
        /// Accept nothing with the first import
        #[arg(long)]
        review: bool,
    },
    /// List the tools of a server and where they stand
    #[command(after_help = "Examples:\n  toolgate mcp server tools files")]
    Tools {
        /// A name or an id
        server: String,
    },
    /// Show what changed of a tool since it was accepted
    #[command(after_help = "Examples:\n  toolgate mcp server diff files read")]
    Diff(McpToolArgs),
    /// Accept a tool as the server offers it now
    #[command(after_help = "\
Examples:
  toolgate mcp server accept files read --digest 4f0c…
  toolgate mcp server accept files read

Without --digest the difference is shown and you are asked. The digest stands in the difference.")]
    Accept(ReviewMcpToolArgs),
    /// Say no to a tool as the server offers it now; it stays shut until it changes again
    #[command(after_help = "Examples:\n  toolgate mcp server reject files read")]
    Reject(ReviewMcpToolArgs),
}

/// How a server is reached.
#[derive(Args, Debug, Default)]
pub(crate) struct TransportArgs {
    /// Where it is, over HTTP
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) to: Option<String>,
    /// A program to start; its arguments follow after `--`
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) command: Option<String>,
    /// A header, as NAME=VALUE; the value may name a secret: {$secret.NAME}. Repeatable
    #[arg(long = "header", value_name = "NAME=VALUE", requires = "to")]
    pub(crate) headers: Vec<String>,
    /// A variable of the program, as NAME=VALUE; the value may name a secret: {$secret.NAME}. Repeatable
    #[arg(long = "env", value_name = "NAME=VALUE", requires = "command")]
    pub(crate) env: Vec<String>,
    /// The directory in which the program starts
    #[arg(long, value_name = "DIR", requires = "command")]
    pub(crate) cwd: Option<String>,
}

/// How one logs in to it.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Login")]
pub(crate) struct OauthArgs {
    /// The server wants a login: `toolgate mcp login NAME` makes it
    #[arg(long)]
    pub(crate) oauth: bool,
    /// Whose login it is: one for the whole tenant, or each person their own [default: tenant]
    #[arg(long, value_parser = ["tenant", "user"], value_name = "WHOSE")]
    pub(crate) oauth_per: Option<String>,
    /// A client that you registered by hand; without one, Toolgate registers itself
    #[arg(long, value_name = "ID")]
    pub(crate) oauth_client_id: Option<String>,
    /// The secret that holds the client's secret, by name
    #[arg(long, value_name = "NAME", requires = "oauth_client_id")]
    pub(crate) oauth_client_secret: Option<String>,
    /// What to ask for, instead of what the server names; repeatable
    #[arg(long = "oauth-scope", value_name = "SCOPE")]
    pub(crate) oauth_scopes: Vec<String>,
    /// Who is allowed: a person, in the browser, or the client itself [default: authorization_code]
    #[arg(long, value_parser = ["authorization_code", "client_credentials"], value_name = "GRANT")]
    pub(crate) oauth_grant: Option<String>,
}

/// What its tools do, and how they are called.
#[derive(Args, Debug, Default)]
pub(crate) struct McpTermsArgs {
    /// What its tools do to the world [default: write]
    #[arg(long = "egress", value_parser = ["none", "read_only", "write"], value_name = "CLASS")]
    pub(crate) egress_class: Option<String>,
    /// How much harm a call can do [default: low]
    #[arg(long, value_parser = ["low", "medium", "high", "critical"])]
    pub(crate) risk: Option<String>,
    /// What one tool does, by the server's own name: TOOL=none, read_only, write, on, off or default; repeatable
    #[arg(long = "tool", value_name = "TOOL=WHAT")]
    pub(crate) tools: Vec<String>,
    /// Milliseconds of one call
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct AddMcpServerArgs {
    /// A lower-case letter, then up to 31 lower-case letters, digits, `_` or `-`
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) transport: TransportArgs,
    /// The arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) args: Vec<String>,
    /// Its tools are called PREFIX_tool; empty for none [default: the name]
    #[arg(long)]
    pub(crate) prefix: Option<String>,
    #[command(flatten)]
    pub(crate) terms: McpTermsArgs,
    #[command(flatten)]
    pub(crate) oauth: OauthArgs,
    /// Accept nothing yet: each tool waits to be looked at
    #[arg(long)]
    pub(crate) review: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UpdateMcpServerArgs {
    /// A name or an id
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) transport: TransportArgs,
    /// The arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) args: Vec<String>,
    #[command(flatten)]
    pub(crate) terms: McpTermsArgs,
    #[command(flatten)]
    pub(crate) oauth: OauthArgs,
    /// The server wants no login any more
    #[arg(long, conflicts_with = "oauth", help_heading = "Login")]
    pub(crate) no_oauth: bool,
    /// Its tools are there again
    #[arg(long, conflicts_with = "disable")]
    pub(crate) enable: bool,
    /// Its tools are neither listed nor called
    #[arg(long)]
    pub(crate) disable: bool,
}

#[derive(Args, Debug)]
pub(crate) struct McpToolArgs {
    /// The server: a name or an id
    pub(crate) server: String,
    /// The server's own name of the tool, or what it is called here
    pub(crate) tool: String,
}

#[derive(Args, Debug)]
pub(crate) struct ReviewMcpToolArgs {
    #[command(flatten)]
    pub(crate) of: McpToolArgs,
    /// The digest of the definition that you looked at
    #[arg(long)]
    pub(crate) digest: Option<String>,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}
