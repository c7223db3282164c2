//! `toolgate run …`: runs of agents.

mod bundles;
mod cancel;
mod diff;
mod events;
mod export;
pub(super) mod follow;
mod list;
mod live;
mod replay;
mod show;
mod start;
mod steps;
mod trace;

use std::{path::Path, process::ExitCode};

use crate::{cli::RunCommand, client::Client, output::Output};

pub(crate) async fn run(
    command: RunCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    config: Option<&Path>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        RunCommand::Start(args) => start::run(args, &client()?, output).await,
        RunCommand::List(args) => list::run(args, &client()?, output).await,
        RunCommand::Show { id } => show::run(&id, &client()?, output).await,
        RunCommand::Cancel { id } => cancel::run(&id, &client()?, output).await,
        RunCommand::Events(args) => events::run(args, &client()?, output).await,
        RunCommand::Steps { id, raw } => steps::run(&id, raw, &client()?, output).await,
        RunCommand::Trace { id } => trace::show(&id, &client()?, output).await,
        RunCommand::Export(args) => export::run(&args, &client()?, output).await,
        RunCommand::Replay(args) => replay::run(args, client, config, output).await,
        RunCommand::Diff(args) => diff::run(&args, client, output).await,
    }
}
