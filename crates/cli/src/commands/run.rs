//! `toolgate run …`: runs of agents.

mod trace;

use std::process::ExitCode;

use crate::{cli::RunCommand, client::Client, output::Output};

pub(crate) async fn run(command: RunCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        RunCommand::Trace { id } => trace::show(&id, client, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}
