//! `toolgate mcp …`.

mod install;
mod login;
mod server;
mod stdio;
mod tools;
mod wanted;

use std::{path::Path, process::ExitCode};

use crate::{
    cli::{ClientArgs, McpCommand},
    client::Client,
    output::Output,
};

pub(crate) async fn run(
    command: McpCommand,
    client: &ClientArgs,
    file: Option<&Path>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        McpCommand::Server(command) => server::run(*command, &Client::new(client)?, output).await,
        McpCommand::Stdio(args) => Box::pin(stdio::run(*args, client, file)).await,
        McpCommand::Install(args) => install::run(&args, client, output),
        McpCommand::Login(args) => login::run(&args, client, output).await,
    }
}

/// Where a server answers the protocol.
fn mcp_url(server: &Client) -> String {
    format!("{}/mcp", server.base().as_str().trim_end_matches('/'))
}
