//! A foreign server whose tools ask: in their answers where the revision has that, otherwise while the call is open.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequestParams,
        ElicitRequestParams, Implementation, InputRequest, InputRequests, InputRequiredResult,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, SamplingMessage, ServerCapabilities,
        ServerConfig, Tool,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};

/// Answers with what it heard.
#[derive(Clone)]
pub struct Upstream {
    versions: &'static [ProtocolVersion],
}

const OLD: &[ProtocolVersion] = &[ProtocolVersion::V_2025_11_25];
const NEW: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];

impl Upstream {
    pub fn serve(is_old: bool) -> axum::Router {
        let upstream = Self { versions: if is_old { OLD } else { NEW } };
        let config = StreamableHttpServerConfig::default();
        let service = StreamableHttpService::new(
            move || Ok(upstream.clone()),
            Arc::new(LocalSessionManager::default()),
            config,
        );
        axum::Router::new().route_service("/mcp", service)
    }
}

fn name_form(message: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"mode": "form", "message": message, "requestedSchema": schema})
}

fn form(message: &str) -> InputRequest {
    serde_json::from_value(json!({"method": "elicitation/create", "params": name_form(message)})).unwrap()
}

fn sampling() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![SamplingMessage::user_text("What is the capital of France?")], 100)
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl ServerHandler for Upstream {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("asker", "1.0.0"))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        let schema = Arc::new(schema.as_object().unwrap().clone());
        let tool = |name: &'static str| Tool::new_with_raw(name, Some("Asks.".into()), Arc::clone(&schema));
        Ok(ListToolsResult::with_all_items(["push", "greet", "twice", "sample", "gather"].map(tool).into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name == "push" {
            return Ok(text(format!("pushed {}", request.arguments.unwrap_or_default()["text"])).into());
        }
        if self.versions == OLD { asks(&request.name, &context).await } else { answers(request, &context) }
    }
}

/// The newest revision: questions are answers.
fn answers(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let heard = request.input_responses.unwrap_or_default();
    let required = |requests: InputRequests, state: &str| {
        Ok(InputRequiredResult::new(Some(requests), Some(state.to_owned())).into())
    };
    let name = |key: &str| heard.get(key).map(|answer| answer["content"]["name"].clone());
    match (&*request.name, request.request_state.as_deref()) {
        ("greet", None) => required([("who".to_owned(), form("Who?"))].into(), "one"),
        ("greet", Some("one")) => Ok(text(format!("hello {}", name("who").unwrap())).into()),
        ("twice", None) => required([("a".to_owned(), form("First?"))].into(), "first"),
        ("twice", Some("first")) => {
            let state = format!("second {}", name("a").unwrap());
            required([("a".to_owned(), form("Second?"))].into(), &state)
        }
        ("twice", Some(state)) => Ok(text(format!("{state} {}", name("a").unwrap())).into()),
        ("sample", None) => {
            let request = InputRequest::CreateMessage(rmcp::model::CreateMessageRequest::new(sampling()));
            required([("capital".to_owned(), request)].into(), "one")
        }
        ("sample", Some(_)) => Ok(text(format!("it says {}", heard["capital"]["content"]["text"])).into()),
        ("gather", None) => {
            let can = context.client_capabilities().unwrap_or_default();
            let mut requests = InputRequests::from([("who".to_owned(), form("Who?"))]);
            if can.roots.is_some() {
                requests.insert("roots".to_owned(), InputRequest::ListRoots(Default::default()));
            }
            required(requests, "one")
        }
        ("gather", Some(_)) => {
            let roots = heard.get("roots").map(|answer| answer["roots"][0]["uri"].clone());
            Ok(text(format!("{} in {}", name("who").unwrap(), roots.unwrap_or_default())).into())
        }
        (other, state) => Err(ErrorData::invalid_params(format!("{other} with {state:?}"), None)),
    }
}

/// Older revisions: questions are requests while the call is open.
async fn asks(tool: &str, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    let ask = async |message: &str| {
        let params: ElicitRequestParams = serde_json::from_value(name_form(message)).unwrap();
        match context.peer.create_elicitation(params).await {
            Ok(answer) => {
                answer.content.map_or_else(|| json!(answer.action), |content| content["name"].clone())
            }
            Err(error) => json!(format!("no answer: {error}")),
        }
    };
    Ok(match tool {
        "greet" => text(format!("hello {}", ask("Who?").await)),
        "twice" => {
            let first = ask("First?").await;
            text(format!("second {first} {}", ask("Second?").await))
        }
        "sample" => {
            let answer = context.peer.create_message(sampling()).await;
            let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            text(format!("it says {}", serde_json::to_value(answer).unwrap()["content"]["text"]))
        }
        _ => {
            let who = ask("Who?").await;
            let roots = context.peer.list_roots().await;
            let uri = roots.map(|roots| json!(roots.roots[0].uri)).unwrap_or_default();
            text(format!("{who} in {uri}"))
        }
    }
    .into())
}
