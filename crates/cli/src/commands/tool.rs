//! `toolgate tool …`.

mod call;
mod definition;
mod diff;
mod input;
mod lifecycle;
mod list;
mod register;
mod show;
mod stream;
mod test;
mod trial;

use std::process::ExitCode;

pub(crate) use input::given as given_input;

use crate::{cli::ToolCommand, client::Client, output::Output};

pub(crate) async fn run(
    command: ToolCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        ToolCommand::List(args) => list::run(args, &client()?, output).await,
        ToolCommand::Show { name } => show::run(&name, &client()?, output).await,
        ToolCommand::Register(args) => register::run(args, &client()?, output).await,
        ToolCommand::Test(args) => test::run(args, output).await,
        ToolCommand::Call(args) => call::run(args, &client()?, output).await,
        ToolCommand::Deprecate { name } => lifecycle::set(&name, "deprecated", &client()?, output).await,
        ToolCommand::Block { name } => lifecycle::set(&name, "blocked", &client()?, output).await,
        ToolCommand::Activate { name } => lifecycle::set(&name, "active", &client()?, output).await,
        ToolCommand::Versions { name } => lifecycle::versions(&name, &client()?, output).await,
        ToolCommand::Invocations(args) => {
            super::invocations::list(args, &client()?, output).await?;
            Ok(ExitCode::SUCCESS)
        }
        ToolCommand::Approve(args) => super::approvals::approve(args, &client()?, output).await,
        ToolCommand::Reject { decide, reason } => {
            super::approvals::reject(decide, &reason, &client()?, output).await
        }
        ToolCommand::Alias(args) => lifecycle::alias(args, &client()?, output).await,
    }
}
