//! The world as it is now: a model of this machine, and tools on the server.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_agents::{replay::LiveTools, run::Models};
use toolgate_domain::{Envelope, ErrorCode, ToolError};
use toolgate_runtimes::http::wall::{SystemResolver, Wall};

use crate::{
    client::{CALL, Client},
    config::{Config, ServeArgs},
    exit::Failure,
    models::{Abroad, set_up},
};

/// The models that are configured here. The keys of providers come from this machine: secrets of a server stay there.
pub(super) fn models(file: Option<&Path>) -> anyhow::Result<Arc<dyn Models>> {
    let config = Config::load(ServeArgs::default(), file)?;
    if config.providers.is_empty() && config.model_script.is_none() {
        let message = "no model is configured here: --live-model needs one in toolgate.toml";
        return Err(Failure::invalid(message).into());
    }
    let wall = Wall::new(config.allow_hosts.clone(), Arc::new(SystemResolver));
    Ok(set_up(&config, Arc::new(Abroad::new(wall)))?)
}

/// Calls tools on the server, as the one whose key it is.
pub(super) struct ServerTools(pub(super) Client);

#[async_trait]
impl LiveTools for ServerTools {
    async fn call(&self, tool: &str, input: Value) -> Result<Envelope, ToolError> {
        let failed = |message: String| ToolError::new(ErrorCode::Unknown, message);
        let ask = self.0.post(&["api", "tools", tool, "invoke"], json!({"input": input})).patience(CALL);
        let answer = ask.send().await.map_err(|error| failed(format!("{error:#}")))?;
        if answer.status == 202 {
            return Err(failed("the call waits for a person".to_owned()));
        }
        let detail = answer.body["detail"].as_str().map(str::to_owned);
        serde_json::from_value(answer.body)
            .map_err(|_| failed(detail.unwrap_or_else(|| format!("the server answered {}", answer.status))))
    }
}
