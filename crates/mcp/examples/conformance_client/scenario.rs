//! Connects, lists the tools, calls each: every scenario of the suite is some way to make this hard.

use std::{env, sync::Arc, time::Duration};

use anyhow::Context;
use reqwest::redirect::Policy;
use rmcp::{
    ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::{CallToolRequestParams, ProtocolVersion, Tool},
    service::{ClientInitializeError, RunningService},
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::time::SystemClock;
use toolgate_engine::SecretValue;
use toolgate_mcp::client::{
    Wire,
    auth::{Authorized, Login, LoginParts, MemoryKeeper, OauthSettings, Outbound},
};

use crate::{
    answers::{Answers, of_type},
    loopback::Loopback,
    person::Person,
};

/// Below the suite's own limit, so that the client tells what it waited for.
const MAX_TIME: Duration = Duration::from_secs(110);
/// The suite knows this document, and reads it nowhere.
const CLIENT_METADATA_URL: &str = "https://conformance-test.local/client-metadata.json";

/// Is sent back the schema of the first tool, as it was read.
const ECHO_TOOL: &str = "json_schema_echo";

/// Of one message: more than any that the suite sends.
const MAX_BYTES: usize = 4 * 1_048_576;

type Http = Authorized<Wire>;

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

    fn login(&self, http: &reqwest::Client) -> anyhow::Result<Login> {
        let mut settings = OauthSettings::new(&self.url);
        settings.client_id.clone_from(&self.context.client_id);
        settings.client_secret = self.context.client_secret.clone().map(SecretValue::new).transpose()?;
        settings.client_metadata_url = Some(CLIENT_METADATA_URL.to_owned());
        settings.is_machine = self.name.starts_with("auth/client-credentials");
        Ok(Login::new(LoginParts {
            settings,
            http: Arc::new(Outbound::new(Arc::new(Loopback(http.clone())))),
            keeper: Arc::new(MemoryKeeper::default()),
            clock: Arc::new(SystemClock),
        }))
    }

    async fn talk(&self) -> anyhow::Result<()> {
        // One for all: to make one reads the certificates of the machine.
        let http = reqwest::Client::builder().redirect(Policy::none()).build()?;
        let login = Arc::new(self.login(&http)?);
        let wire = Wire::new(http.clone(), MAX_BYTES);
        let http = Authorized::new(wire, login).with_consent(Arc::new(Person(http)));
        let client = self.connect(&http).await?;
        let tools = client.list_all_tools().await?;
        for (name, arguments) in self.calls(&tools) {
            let call = CallToolRequestParams::new(name);
            let call = match arguments {
                Some(arguments) => call.with_arguments(arguments),
                None => call,
            };
            client.call_tool(call).await?;
        }
        client.cancel().await?;
        Ok(())
    }

    /// What the scenario names, or else each tool once.
    fn calls(&self, tools: &[Tool]) -> Vec<(String, Option<Map<String, Value>>)> {
        if !self.context.tool_calls.is_empty() {
            let named = self.context.tool_calls.iter();
            return named.map(|call| (call.name.clone(), call.arguments.clone())).collect();
        }
        let seen = tools.first().map(|tool| Value::Object((*tool.input_schema).clone()));
        let one = |tool: &Tool| {
            let mut arguments = arguments(tool);
            if tool.name == ECHO_TOOL {
                arguments.extend(seen.clone().map(|schema| ("schema".to_owned(), schema)));
            }
            (tool.name.to_string(), Some(arguments))
        };
        tools.iter().map(one).collect()
    }

    /// Servers of older revisions may answer the newer greeting with anything: they are greeted again, the old way.
    async fn connect(&self, http: &Http) -> anyhow::Result<RunningService<RoleClient, Answers>> {
        match Box::pin(self.greet(http, self.lifecycle())).await {
            Err(ClientInitializeError::ExpectedInitResult(_)) => {
                Ok(Box::pin(self.greet(http, ClientLifecycleMode::Initialize)).await?)
            }
            newest => Ok(newest?),
        }
    }

    async fn greet(
        &self,
        http: &Http,
        lifecycle: ClientLifecycleMode,
    ) -> Result<RunningService<RoleClient, Answers>, ClientInitializeError> {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        let transport = StreamableHttpClientTransport::with_client(http.clone(), config);
        Answers.serve_with_lifecycle(transport, lifecycle).await
    }

    fn lifecycle(&self) -> ClientLifecycleMode {
        let mut versions: Vec<_> = ProtocolVersion::KNOWN_VERSIONS.iter().rev().cloned().collect();
        let asked = versions.iter().position(|version| version.as_str() == self.revision);
        if let Some(asked) = asked {
            let asked = versions.remove(asked);
            versions.insert(0, asked);
        }
        ClientLifecycleMode::Auto {
            preferred_versions: versions,
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        }
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
