//! The protocol over standard input and output: the connection is one caller's.

use std::sync::Arc;

use rmcp::{ServiceExt, transport::stdio};
use tokio_util::sync::CancellationToken;
use toolgate_domain::Caller;
use toolgate_engine::Engine;

use super::Gateway;

/// Serves until the other side hangs up, or until it shall stop.
pub async fn serve_stdio(
    engine: Arc<Engine>,
    caller: Caller,
    stopping: CancellationToken,
) -> Result<(), String> {
    let gateway = Gateway::of_caller(engine, caller);
    let running = match Box::pin(gateway.serve_with_ct(stdio(), stopping)).await {
        Ok(running) => running,
        // Whoever started it went away before it said a word.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(rmcp::service::ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}
