//! From what the command line says to the file that does it.

use std::process::ExitCode;

use super::{
    agent, approvals, audit, chat, completions, decide, doctor, events, invocations, key, mcp, pack, policy,
    profile, provider, role, sandbox, secret, serve, settings, skill, task, tenant, tool, usage, user,
    webhook, whoami, workspace,
};
use crate::{
    cli::{Cli, Command},
    client::Client,
    exit,
    output::Output,
};

/// Does what the command line says. With `--json` a failure is a document on stdout too.
pub(crate) async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let output = Output::new(cli.json);
    let mut result = Box::pin(dispatch(cli, &output)).await;
    if let (Err(error), true) = (&result, output.is_json()) {
        output.json(&exit::document(error));
    }
    output.flush();
    if let (Ok(_), Some(trouble)) = (&result, output.trouble()) {
        result = Err(anyhow::anyhow!("the answer could not be printed: {trouble}"));
    }
    result
}

async fn dispatch(cli: Cli, output: &Output) -> anyhow::Result<ExitCode> {
    let client = || Client::new(&cli.client);
    match cli.command {
        Command::Serve(args) => serve::serve(args, cli.config.as_deref(), output).await,
        Command::Migrate(args) => serve::migrate(args, cli.config.as_deref(), output).await,
        Command::Key(command) => key::run(command, &client()?, output).await,
        Command::Secret(command) => secret::run(command, client, cli.config.as_deref(), output).await,
        Command::Tool(command) => tool::run(command, client, output).await,
        Command::Pack(command) => pack::run(command, client, output).await,
        Command::Chat(args) => chat::run(args, &client()?, output).await,
        Command::Invocations(args) => invocations::run(args, &client()?, output).await,
        Command::Usage(args) => usage::run(args, &client()?, output).await,
        Command::Approvals(args) => approvals::run(args, &client()?, output).await,
        Command::Webhook(command) => webhook::run(command, &client()?, output).await,
        Command::Approve(args) => decide::approve(args, &client()?, output).await,
        Command::Reject(args) => decide::reject(args, &client()?, output).await,
        Command::Agent(command) => agent::run(command, &client()?, output).await,
        Command::Run(command) => super::run::run(command, client, cli.config.as_deref(), output).await,
        Command::Profile(command) => profile::run(command, &client()?, output).await,
        Command::Provider(command) => provider::run(command, &client()?, output).await,
        Command::Skill(command) => skill::run(command, &client()?, output).await,
        Command::Task(command) => task::run(command, &client()?, output).await,
        Command::Settings(command) => settings::run(command, &client()?, output).await,
        Command::User(command) => user::run(command, &client()?, output).await,
        Command::Role(command) => role::run(command, &client()?, output).await,
        Command::Workspace(command) => workspace::run(command, &client()?, output).await,
        Command::Tenant(command) => tenant::run(command, &client()?, output).await,
        Command::Whoami => whoami::run(&client()?, output).await,
        Command::Policy(command) => policy::run(command, client, output).await,
        Command::Audit(command) => audit::run(command, client, output).await,
        Command::Events(args) => events::run(args, &client()?, output).await,
        Command::Mcp(command) => {
            Box::pin(mcp::run(command, &cli.client, cli.config.as_deref(), output)).await
        }
        Command::Sandbox(command) => sandbox::run(command, &cli.client, output).await,
        Command::Doctor => doctor::run(&cli.client, output).await,
        Command::Completions { shell } => completions::run(shell, output),
    }
}
