//! The bare server that others are compared with: the SDK, one tool, and nothing behind it.

use std::sync::Arc;

use axum::serve::ListenerExt;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, JsonObject, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService, stdio,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolgate_domain::json::sha256_hex;

use super::wire::TOOL;
use crate::output;

/// Over HTTP, with the transport set up as Toolgate's is.
pub(crate) async fn serve() -> anyhow::Result<()> {
    let config = StreamableHttpServerConfig::default().with_json_response(true).disable_allowed_hosts();
    let service = StreamableHttpService::new(|| Ok(Bare), LocalSessionManager::default().into(), config);
    let app = axum::Router::new().route_service("/mcp", service);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    output::announce(&format!("listening on http://{}", listener.local_addr()?));
    // As Toolgate's own accept loop does.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await?;
    Ok(())
}

/// Over standard input and output, until the other side hangs up.
pub(crate) async fn serve_stdio() -> anyhow::Result<()> {
    Bare.serve(stdio()).await?.waiting().await?;
    Ok(())
}

struct Bare;

#[derive(Deserialize)]
struct HashText {
    text: String,
}

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("bare", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![tool()]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != TOOL {
            return Err(ErrorData::invalid_params("there is no such tool", None));
        }
        let input: HashText = serde_json::from_value(Value::Object(request.arguments.unwrap_or_default()))
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let output = json!({
            "digest": sha256_hex(input.text.as_bytes()), "algorithm": "sha256", "encoding": "hex",
            "bytes": input.text.len(),
        });
        Ok(CallToolResult::structured(output).into())
    }
}

fn tool() -> Tool {
    let input = json!({
        "type": "object", "required": ["text"], "additionalProperties": false,
        "properties": {"text": {"type": "string", "maxLength": 1_000_000}},
    });
    let output = json!({
        "type": "object", "required": ["digest", "algorithm", "encoding", "bytes"], "additionalProperties": false,
        "properties": {
            "digest": {"type": "string"}, "algorithm": {"type": "string"}, "encoding": {"type": "string"},
            "bytes": {"type": "integer"},
        },
    });
    let mut tool = Tool::new(TOOL, "The SHA-256 of a text.", object(&input));
    tool.output_schema = Some(object(&output));
    tool
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}
