//! `toolgate run …`.

mod bundles;
mod diff;
mod export;
mod live;
mod replay;
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
        RunCommand::Export(args) => export::run(&args, &client()?, output).await,
        RunCommand::Replay(args) => replay::run(args, client, config, output).await,
        RunCommand::Diff(args) => diff::run(&args, client, output).await,
        RunCommand::Trace { id } => {
            trace::show(&id, &client()?, output).await?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
