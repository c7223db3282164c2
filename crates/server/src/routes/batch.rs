use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{SessionId, Surface};
use toolgate_engine::{Answer, Call, Refused};

use super::invocations::InvocationResponse;
use crate::{
    ApiCode, AppState, Json, Problem,
    attachments::signed,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchCall {
    /// `name`, `name@1.2.0` or `name@^1`.
    tool: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    input: Value,
    #[serde(default)]
    idempotency_key: Option<String>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvokeBatchParams {
    calls: Vec<BatchCall>,
    #[serde(default)]
    session_id: Option<SessionId>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct InvokeBatchResponse {
    /// One per call, in the order of the calls: its envelope, the invocation that waits for a person, or a problem.
    #[schema(value_type = Vec<Object>)]
    results: Vec<Value>,
    /// The calls' ids in the order in which they began.
    tool_order: Vec<String>,
    /// The log that holds the events of all of them.
    session_id: SessionId,
}

/// Call many tools at once
///
/// The calls are independent and run in parallel.
#[utoipa::path(
    post, path = "/api/invoke/batch", tag = "calls", operation_id = "invoke_batch", request_body = InvokeBatchParams,
    security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = InvokeBatchResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn batch(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    StrictJson(params): StrictJson<InvokeBatchParams>,
) -> Result<Json<InvokeBatchResponse>, Problem> {
    let max = state.engine.limits().max_batch_calls;
    if params.calls.is_empty() || params.calls.len() as u64 > max {
        return Err(Problem::new(
            ApiCode::Invalid,
            format!("a batch has 1 to {max} calls, not {}", params.calls.len()),
        ));
    }
    let calls = params
        .calls
        .into_iter()
        .map(|call| Call {
            session_id: params.session_id,
            idempotency_key: call.idempotency_key,
            ..Call::new(caller.clone(), Surface::Rest, call.tool, call.input)
        })
        .collect();
    let done = state.engine.invoke_many(calls).await;
    let results = done.results.into_iter().map(|result| shown(&state, result)).collect();
    Ok(Json(InvokeBatchResponse { results, tool_order: done.tool_order, session_id: done.session_id }))
}

fn shown(state: &AppState, result: Result<Answer, Refused>) -> Value {
    match result {
        Ok(Answer::Done(envelope) | Answer::Unknown(envelope)) => json!(signed(state, *envelope)),
        Ok(Answer::Parked(invocation)) => json!(InvocationResponse::new(*invocation, state)),
        Err(refused) => json!(Problem::from(refused).document()),
    }
}
