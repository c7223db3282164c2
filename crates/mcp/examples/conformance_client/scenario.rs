//! Connects, lists the tools, calls each: every scenario of the suite is some way to make this hard.

use std::{env, sync::Arc, time::Duration};

use anyhow::Context;
use rmcp::{
    ClientLifecycleMode, ClientServiceExt,
    model::{CallToolRequestParams, ProtocolVersion, Tool},
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::time::SystemClock;
use toolgate_engine::SecretValue;
use toolgate_mcp::client::auth::{Authorized, Login, LoginParts, MemoryKeeper, OauthSettings, Outbound};

use crate::{
    answers::{Answers, of_type},
    person::Person,
};

/// Below the suite's own limit, so that the client tells what it waited for.
const MAX_TIME: Duration = Duration::from_secs(25);
/// The suite knows this document, and reads it nowhere.
const CLIENT_METADATA_URL: &str = "https://conformance-test.local/client-metadata.json";

pub struct Scenario {
    name: String,
    url: String,
    context: ScenarioContext,
    revision: String,
}

#[derive(Default, Deserialize)]
struct ScenarioContext {
    client_id: Option<String>,
    client_secret: Option<String>,
    #[serde(default, rename = "toolCalls")]
    tool_calls: Vec<ToolCall>,
}

#[derive(Deserialize)]
struct ToolCall {
    name: String,
    arguments: Option<Map<String, Value>>,
}

impl Scenario {
    pub fn from_env(url: Option<String>) -> Option<Self> {
        let context = env::var("MCP_CONFORMANCE_CONTEXT").ok();
        Some(Self {
            name: env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default(),
            url: url?,
            context: context.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
            revision: env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").unwrap_or_default(),
        })
    }

    pub async fn run(&self) -> anyhow::Result<()> {
        tokio::time::timeout(MAX_TIME, self.talk()).await.context("it took too long")?
    }

    fn login(&self) -> anyhow::Result<Login> {
        let mut settings = OauthSettings::new(&self.url);
        settings.client_id.clone_from(&self.context.client_id);
        settings.client_secret = self.context.client_secret.clone().map(SecretValue::new).transpose()?;
        settings.client_metadata_url = Some(CLIENT_METADATA_URL.to_owned());
        settings.is_machine = self.name.starts_with("auth/client-credentials");
        let following = reqwest::Client::builder().build()?;
        let staying = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
        Ok(Login::new(LoginParts {
            settings,
            http: Arc::new(Outbound::new(following, staying)),
            keeper: Arc::new(MemoryKeeper::default()),
            clock: Arc::new(SystemClock),
        }))
    }

    async fn talk(&self) -> anyhow::Result<()> {
        let http = Authorized::new(reqwest::Client::builder().build()?, Arc::new(self.login()?))
            .with_consent(Arc::new(Person::new()?));
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let client = Answers.serve_with_lifecycle(transport, self.lifecycle()).await?;
        let tools = client.list_all_tools().await?;
        if self.context.tool_calls.is_empty() {
            for tool in &tools {
                let call = CallToolRequestParams::new(tool.name.clone()).with_arguments(arguments(tool));
                client.call_tool(call).await?;
            }
        }
        for ToolCall { name, arguments } in &self.context.tool_calls {
            let call = CallToolRequestParams::new(name.clone());
            let call = match arguments {
                Some(arguments) => call.with_arguments(arguments.clone()),
                None => call,
            };
            client.call_tool(call).await?;
        }
        client.cancel().await?;
        Ok(())
    }

    fn lifecycle(&self) -> ClientLifecycleMode {
        let mut versions: Vec<_> = ProtocolVersion::KNOWN_VERSIONS.iter().rev().cloned().collect();
        let asked = versions.iter().position(|version| version.as_str() == self.revision);
        if let Some(asked) = asked {
            let asked = versions.remove(asked);
            versions.insert(0, asked);
        }
        ClientLifecycleMode::Auto { preferred_versions: versions, legacy_version: None }
    }
}

/// What the tool requires, each value of the right type.
fn arguments(tool: &Tool) -> Map<String, Value> {
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let required: Vec<_> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten().filter(|(name, _)| required.contains(&name.as_str()));
    fields.map(|(name, schema)| (name.clone(), of_type(schema))).collect()
}
