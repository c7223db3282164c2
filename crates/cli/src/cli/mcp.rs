use clap::{Args, Subcommand, ValueEnum};

use super::McpServerCommand;
use crate::config::ServeArgs;

#[derive(Subcommand, Debug)]
pub(crate) enum McpCommand {
    /// Use the tools of other MCP servers, and look at what they changed
    #[command(subcommand)]
    Server(Box<McpServerCommand>),
    /// Speak the Model Context Protocol over standard input and output, for a client that starts programs
    ///
    /// With --url (or TOOLGATE_URL) it hands everything on to that server, as the one whose key it has. Without, it is the server
    /// itself: it opens the data directory or the database, and acts as the person that --user names, with the service role.
    #[command(after_help = "\
Examples:
  toolgate mcp stdio --user ada@example.com
  toolgate mcp stdio --user ada@example.com --database-url postgres://…
  toolgate mcp stdio --url http://127.0.0.1:7080

Log lines go to standard error. In a data directory without people, the first --user becomes its admin.")]
    Stdio(Box<StdioArgs>),
    /// Print the configuration that connects a client to this server
    #[command(after_help = "\
Examples:
  toolgate mcp install                                    the clients there are
  toolgate mcp install claude-code
  toolgate mcp install claude-desktop --via stdio
  toolgate mcp install vscode --url https://tools.example.com

Nothing is written: copy it to where the first line says. The key stays in the environment variable TOOLGATE_KEY where the
client can read one.")]
    Install(InstallArgs),
    /// Log in to an MCP server of somebody else, in the browser
    #[command(after_help = "\
Examples:
  toolgate mcp login tracker
  toolgate mcp login tracker --tenant                     for everybody
  toolgate mcp login tracker --own                        for yourself alone
  toolgate mcp login tracker --port 4711                  for a client that was registered by hand

The server must have been added with --oauth. Open the address that is printed on this machine: the browser comes back here.
Then ask the server for its tools: toolgate mcp server refresh NAME.
The tokens are kept by Toolgate, in the secret MCP_<NAME>_OAUTH. To log out, delete it: toolgate secret delete MCP_TRACKER_OAUTH.")]
    Login(McpLoginArgs),
}

#[derive(Args, Debug)]
pub(crate) struct McpLoginArgs {
    /// The server's name
    pub(crate) server: String,
    /// For everybody in the tenant [default: as the server's document says]
    #[arg(long, conflicts_with = "own")]
    pub(crate) tenant: bool,
    /// For yourself alone
    #[arg(long)]
    pub(crate) own: bool,
    /// The port on this machine that the browser comes back to; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
}

#[derive(Args, Debug)]
pub(crate) struct StdioArgs {
    /// The person on whose behalf calls are made: an address or an id
    #[arg(long, env = "TOOLGATE_USER")]
    pub(crate) user: Option<String>,
    /// Their tenant
    #[arg(long, env = "TOOLGATE_TENANT", default_value = "default", value_name = "SLUG")]
    pub(crate) tenant: String,
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InstallArgs {
    /// Which client; without one, those there are
    pub(crate) client: Option<String>,
    /// How the client reaches Toolgate [default: http, or stdio where a client knows nothing else]
    #[arg(long, value_enum)]
    pub(crate) via: Option<Via>,
    /// What the client calls this server
    #[arg(long, default_value = "toolgate")]
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Via {
    Http,
    Stdio,
}
