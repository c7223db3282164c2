use axum::{extract::State, http::HeaderMap, response::Response};
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::{Caller, Envelope, Scope, ToolSpec};
use toolgate_engine::{Call, definition_from_json};

use super::{
    invocations::InvocationResponse,
    invoke::{respond, surface_of},
    invoke_stream::stream,
};
use crate::{
    ApiCode, AppState, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::parsed_option,
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TestToolParams {
    #[serde(default)]
    #[schema(value_type = Object)]
    input: Map<String, Value>,
    /// Try this definition, which is not published. Needs `tools:write`.
    #[schema(value_type = Option<ToolSpec>)]
    definition: Option<Value>,
    /// The session whose log gets the call's events.
    session_id: Option<String>,
}

/// Try a tool
///
/// A call like any other (permissions, approval and limits hold), marked as a test in its record, and kept out of the cache. With a
/// `definition` that draft is tried: it is checked as registering would check it, and kept as the version `0.0.0-draft-…`, which no
/// list shows and only test runs can call.
#[utoipa::path(
    post, path = "/api/tools/{name}/test", tag = "calls", operation_id = "test_tool",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")),
    request_body = TestToolParams, security(("key" = ["tools:execute"])),
    responses(
        (status = 200, description = "Done", body = Envelope),
        (status = 202, description = "The call waits for a person", body = InvocationResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn test(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(name): Path<String>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<TestToolParams>,
) -> Result<Response, Problem> {
    let call = call_of(&state, caller, name, &headers, params).await?;
    let answer = state.engine.invoke(call).await?;
    respond(&state, answer, None).await
}

/// Try a tool and watch it
///
/// As `test`, with the events of `invoke/stream`.
#[utoipa::path(
    post, path = "/api/tools/{name}/test/stream", tag = "calls", operation_id = "test_tool_stream",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")),
    request_body = TestToolParams, security(("key" = ["tools:execute"])),
    responses(
        (status = 200, description = "Done", content_type = "text/event-stream", body = Envelope),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn test_stream(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(name): Path<String>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<TestToolParams>,
) -> Result<Response, Problem> {
    let call = call_of(&state, caller, name, &headers, params).await?;
    stream(state, call)
}

async fn call_of(
    state: &AppState,
    caller: Caller,
    name: String,
    headers: &HeaderMap,
    params: TestToolParams,
) -> Result<Call, Problem> {
    let tool = match params.definition {
        None => name,
        Some(definition) => draft(state, &caller, &name, definition).await?,
    };
    Ok(Call {
        session_id: parsed_option("session_id", params.session_id.as_deref())?,
        is_test: true,
        ..Call::new(caller, surface_of(headers), tool, Value::Object(params.input))
    })
}

async fn draft(state: &AppState, caller: &Caller, name: &str, definition: Value) -> Result<String, Problem> {
    if !caller.may(Scope::ToolsWrite) {
        return Err(Problem::new(ApiCode::Forbidden, "trying a definition needs tools:write"));
    }
    let spec = definition_from_json(definition)?;
    if spec.name.as_str() != name {
        let message = format!("the definition is of `{}`: try it there", spec.name);
        return Err(Problem::new(ApiCode::Invalid, message));
    }
    Ok(state.engine.registry().draft(caller, spec).await?.spec.id())
}
