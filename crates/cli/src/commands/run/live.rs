//! The world as it is now: a model of this machine, and tools on the server.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_agents::{
    llm::{Prices, Scripted},
    replay::LiveTools,
    run::{Models, Opened},
};
use toolgate_domain::{Envelope, ErrorCode, TenantId, ToolError};

use crate::{
    client::{CALL, Client},
    config::{Config, ServeArgs},
    document::read_text,
    exit::Failure,
};

const MAX_SCRIPT_BYTES: usize = 4 * 1024 * 1024;

/// The models that are configured here. The keys of providers come from this machine: secrets of a server stay there.
pub(super) fn models(file: Option<&Path>) -> anyhow::Result<Arc<dyn Models>> {
    let config = Config::load(ServeArgs::default(), file)?;
    let Some(script) = &config.model_script else {
        return Err(
            Failure::invalid("no model is configured here: --live-model needs one in toolgate.toml").into()
        );
    };
    let provider = Scripted::parse(&read_text(script, MAX_SCRIPT_BYTES)?).map_err(|error| {
        Failure::invalid(format!("{} is no script of a model: {error}", script.display()))
    })?;
    Ok(Arc::new(OneScript(Arc::new(provider))))
}

struct OneScript(Arc<Scripted>);

#[async_trait]
impl Models for OneScript {
    async fn open(&self, _tenant: TenantId, _name: Option<&str>) -> Result<Opened, ToolError> {
        let provider = Arc::<Scripted>::clone(&self.0);
        Ok(Opened { provider, model: "scripted".to_owned(), prices: Prices::default() })
    }
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
