use std::{fmt::Display, str::FromStr};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value};
use toolgate_domain::{Caller, Envelope, RunId, SessionId, SpanRef, Surface, ToolError};
use toolgate_engine::{Answer, Call, CallInput};

use super::invocations::InvocationResponse;
use crate::{
    ApiCode, AppState, Json, Problem,
    attachments::signed,
    auth::{self, Needs},
    body,
    page::parsed,
    path::Path,
    problem::{ProblemDocument, status_of},
};

/// The explicit form of an invoke body. Any other object is taken as the input itself.
#[derive(utoipa::ToSchema)]
#[expect(
    dead_code,
    reason = "describes the body to OpenAPI; it is read by hand so that unreadable bodies are recorded"
)]
pub(crate) struct InvokeParams {
    #[schema(value_type = Object)]
    input: Value,
    /// The session whose log gets the call's events.
    session_id: Option<String>,
    /// The run that the call belongs to; its bounds hold for the call.
    run_id: Option<String>,
    /// For development: do not ask. Only the service role may, on a server that was started with `--bypass-approval`; it is audited.
    bypass_approval: Option<bool>,
}

/// Call a tool
///
/// The body is the tool's input, or `{"input": …, "session_id": …, "run_id": …}`. The answer is the envelope: 200 when the tool ran,
/// well or not; 202 with the invocation when the call waits for a person; 4xx, with the envelope's members in the
/// problem, when the caller must change something. `Idempotency-Key` makes repeating the request safe.
#[utoipa::path(
    post, path = "/api/tools/{name}/invoke", tag = "calls", operation_id = "invoke_tool",
    params(
        ("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this call: the same key gets the same answer"),
        ("traceparent" = Option<String>, Header, description = "The span that the call is made from (W3C Trace Context)")
    ),
    request_body = InvokeParams, security(("key" = ["tools:execute"])),
    responses(
        (status = 200, description = "Done", body = Envelope),
        (status = 202, description = "The call waits for a person", body = InvocationResponse),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 503, description = "Too much is under way, or the ledger does not answer", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn invoke(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (call, unreadable) = call_of(&state, caller, name, request).await?;
    let answer = state.engine.invoke(call).await?;
    respond(&state, answer, unreadable).await
}

/// Makes the call that a request asks for. A body that cannot be read makes a call that fails, so that it is recorded;
/// the second value then says which problem it was.
pub(crate) async fn call_of(
    state: &AppState,
    caller: Caller,
    tool: String,
    request: Request,
) -> Result<(Call, Option<ApiCode>), Problem> {
    let traceparent = traceparent_of(request.headers());
    let key = header_text(request.headers(), "idempotency-key");
    let surface = surface_of(request.headers());
    let mut call = Call { traceparent, ..Call::new(caller, surface, tool, Value::Null) };
    let given = read_input(state, request.into_body()).await;
    let unreadable = match given.and_then(|given| Ok((given, key?))) {
        Ok((Given { input, session_id, run_id, bypass_approval }, idempotency_key)) => {
            call = Call { session_id, run_id, bypass_approval, idempotency_key, ..call };
            call.input = CallInput::Value(input);
            None
        }
        Err(problem) => Some(problem),
    };
    let code = unreadable.map(|problem| {
        let document = problem.document();
        call.input = CallInput::Unreadable(ToolError::validation(document.detail()));
        document.api_code()
    });
    Ok((call, code))
}

async fn read_input(state: &AppState, body: Body) -> Result<Given, Problem> {
    let limits = state.engine.limits();
    let bytes = body::read(body, limits).await?;
    let value = if bytes.is_empty() {
        Value::Object(serde_json::Map::new())
    } else {
        body::parse_json(&bytes, limits)?
    };
    unwrap_input(value)
}

/// What a body says.
struct Given {
    input: Value,
    session_id: Option<SessionId>,
    run_id: Option<RunId>,
    bypass_approval: bool,
}

/// `{"input": …}`, with or without `session_id`, `run_id` and `bypass_approval`, is the explicit form; anything else is the input.
fn unwrap_input(value: Value) -> Result<Given, Problem> {
    let bare = |input| Given { input, session_id: None, run_id: None, bypass_approval: false };
    let Value::Object(mut fields) = value else {
        return Ok(bare(value));
    };
    let known = |key: &String| ["input", "session_id", "run_id", "bypass_approval"].contains(&key.as_str());
    if !fields.contains_key("input") || !fields.keys().all(known) {
        return Ok(bare(Value::Object(fields)));
    }
    Ok(Given {
        session_id: id_in(&mut fields, "session_id")?,
        run_id: id_in(&mut fields, "run_id")?,
        bypass_approval: match fields.remove("bypass_approval") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(wanted)) => wanted,
            Some(_) => return Err(Problem::new(ApiCode::Malformed, "bypass_approval is true or false")),
        },
        input: fields.remove("input").unwrap_or(Value::Null),
    })
}

/// An id beside the input, if there is one.
fn id_in<T: FromStr<Err: Display>>(
    fields: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, Problem> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => parsed(name, &text).map(Some),
        Some(_) => Err(Problem::new(ApiCode::Malformed, format!("{name} is a text"))),
    }
}

/// The CLI says who it is, so that receipts can tell.
pub(crate) fn surface_of(headers: &HeaderMap) -> Surface {
    let agent = headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if agent.starts_with("toolgate-cli/") { Surface::Cli } else { Surface::Rest }
}

/// The span that the caller calls from. One that cannot be read is none: it is no reason to refuse a call.
pub(crate) fn traceparent_of(headers: &HeaderMap) -> Option<SpanRef> {
    SpanRef::from_traceparent(headers.get("traceparent")?.to_str().ok()?)
}

pub(super) fn header_text(headers: &HeaderMap, name: &str) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    value
        .to_str()
        .map(|text| Some(text.to_owned()))
        .map_err(|_| Problem::new(ApiCode::Malformed, format!("the header {name} is not text")))
}

/// An answer as a response. `unreadable` says how the body was bad, where it was.
pub(crate) async fn respond(
    state: &AppState,
    answer: Answer,
    unreadable: Option<ApiCode>,
) -> Result<Response, Problem> {
    Ok(match answer {
        Answer::Parked(invocation) => {
            (StatusCode::ACCEPTED, Json(InvocationResponse::whole(*invocation, state).await?)).into_response()
        }
        Answer::Unknown(envelope) => Problem::of_envelope(&envelope, ApiCode::NotFound).into_response(),
        Answer::Done(envelope) => {
            let envelope = signed(state, *envelope);
            if let (Some(code), true) = (unreadable, envelope.error.is_some()) {
                return Ok(Problem::of_envelope(&envelope, code).into_response());
            }
            match envelope.error.as_ref().map(|error| (error.code, status_of(error.code))) {
                Some((code, status)) if status != StatusCode::OK => {
                    Problem::of_tool_error(&envelope, code, status).into_response()
                }
                _ => Json(envelope).into_response(),
            }
        }
    })
}
