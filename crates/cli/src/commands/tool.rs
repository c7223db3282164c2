//! `toolgate tool …`.

mod assign;
mod author;
mod call;
mod catalog;
mod definition;
mod diff;
mod import;
mod input;
mod lifecycle;
mod list;
mod names;
mod register;
mod settings;
mod show;
mod stream;
mod test;
mod trial;
mod try_out;
mod usage;

use std::process::ExitCode;

pub(crate) use call::{failed as failed_call, parked as parked_call};
pub(crate) use input::{given as given_input, read_json};
pub(super) use test::files as test_files;

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
        ToolCommand::Import { what } => import::run(what, &client()?, output).await,
        ToolCommand::Test(args) => test::run(args, output).await,
        ToolCommand::Call(args) => call::run(args, &client()?, output).await,
        ToolCommand::Deprecate { name } => lifecycle::set(&name, "deprecated", &client()?, output).await,
        ToolCommand::Block { name } => lifecycle::set(&name, "blocked", &client()?, output).await,
        ToolCommand::Activate { name } => lifecycle::set(&name, "active", &client()?, output).await,
        ToolCommand::Try(args) => try_out::run(args, &client()?, output).await,
        ToolCommand::Update(args) => author::update(args, &client()?, output).await,
        ToolCommand::Delete { name } => author::delete(&name, &client()?, output).await,
        ToolCommand::Diff(args) => author::diff(args, &client()?, output).await,
        ToolCommand::Restore { name, version } => author::restore(&name, &version, &client()?, output).await,
        ToolCommand::Versions { name } => lifecycle::versions(&name, &client()?, output).await,
        ToolCommand::Purge { name } => lifecycle::purge(&name, &client()?, output).await,
        ToolCommand::Invocations(args) => {
            super::invocations::list(args, &client()?, output).await?;
            Ok(ExitCode::SUCCESS)
        }
        ToolCommand::Approve(args) => super::decide::approve(args, &client()?, output).await,
        ToolCommand::Reject(args) => super::decide::reject(args, &client()?, output).await,
        ToolCommand::Assign(args) => assign::assign(args, &client()?, output).await,
        ToolCommand::Revoke(args) => assign::revoke(args, &client()?, output).await,
        ToolCommand::Settings(args) => settings::run(args, &client()?, output).await,
        ToolCommand::Aliases => names::aliases(&client()?, output).await,
        ToolCommand::Unalias { alias } => names::end(&alias, &client()?, output).await,
        ToolCommand::Rename(args) => names::rename(args, &client()?, output).await,
        ToolCommand::Usage(args) => usage::run(args, &client()?, output).await,
        ToolCommand::Alias(args) => lifecycle::alias(args, &client()?, output).await,
    }
}
