//! `toolgate mcp stdio`.

use std::{path::Path, process::ExitCode, sync::Arc};

use anyhow::Context;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::{ClientArgs, StdioArgs},
    client::Client,
    commands::{
        mcp::mcp_url,
        serve::{quieten_panics, start_log, stopped},
    },
    config::Config,
    master_key, wiring,
};

pub(crate) async fn run(
    args: StdioArgs,
    client: &ClientArgs,
    file: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let stopping = CancellationToken::new();
    let (stop, stopped) = (stopping.clone(), stopped()?);
    tokio::spawn(async move {
        stopped.await;
        stop.cancel();
    });
    if client.url.is_some() {
        let server = Client::new(client)?;
        let url = mcp_url(&server);
        let (http, authorization) = server.parts();
        let relayed = toolgate_mcp::relay_stdio(http, &url, authorization, stopping).await;
        relayed.map_err(anyhow::Error::msg).with_context(|| format!("the server at {url} cannot be used"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let user = args.user.context(
        "say on whose behalf calls are made: --user ada@example.com (or TOOLGATE_USER); or hand everything on to a running \
         server: --url http://127.0.0.1:7080",
    )?;
    let config = Config::load(args.serve, file)?;
    start_log(config.json_logs);
    quieten_panics();
    let (stores, _) = wiring::open_stores(&config).await.context(
        "if a server runs on this data directory, go through it: toolgate mcp stdio --url http://127.0.0.1:7080",
    )?;
    let master_key = master_key::load(&config, &stores).await?.key;
    let (engine, _) = wiring::start_engine(stores, &config, master_key).await?;
    let caller = engine.rules().service_caller(&args.tenant, &user).await?;
    let served = toolgate_mcp::server::serve_stdio(Arc::clone(&engine), caller, stopping).await;
    engine.stop().await;
    served.map_err(anyhow::Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
