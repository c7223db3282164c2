use axum::{
    extract::{Request, State},
    response::{Response, sse::Event},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::Envelope;
use toolgate_engine::{Answer, Call, Progress};

use super::{
    invocations::InvocationResponse,
    invoke::{InvokeParams, call_of},
};
use crate::{
    AppState, Problem,
    attachments::signed,
    auth::{self, Needs},
    path::Path,
    problem::ProblemDocument,
    sse::{self, Sender},
};

const QUEUE: usize = 256;

/// Call a tool and watch it
///
/// Server-sent events: `started` with the ids of the call, `output` for every chunk that the tool streams, and
/// `finished` with the envelope. A call that waits for a person ends with `needs_approval` and the invocation.
#[utoipa::path(
    post, path = "/api/tools/{name}/invoke/stream", tag = "calls", operation_id = "invoke_tool_stream",
    params(("name" = String, Path, description = "`name`, `name@1.2.0` or `name@^1`")),
    request_body = InvokeParams, security(("key" = ["tools:execute"])),
    responses(
        (status = 200, description = "Done", content_type = "text/event-stream", body = Envelope),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn invoke_stream(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (call, _) = call_of(&state, caller, name, request).await?;
    stream(state, call)
}

/// Makes a call, and tells of it while it runs.
pub(crate) fn stream(state: AppState, mut call: Call) -> Result<Response, Problem> {
    let (watch, progress) = mpsc::channel(QUEUE);
    call.progress = Some(watch);
    let (sender, response) = sse::open(&state)?;
    tokio::spawn(async move {
        let engine = state.engine.clone();
        let answering = tokio::spawn(async move { engine.invoke(call).await });
        // The channel closes when the call is over, so this ends by itself.
        forward(progress, &sender).await;
        let last = match answering.await {
            Ok(Ok(Answer::Done(envelope) | Answer::Unknown(envelope))) => {
                ("finished", json!(signed(&state, *envelope)))
            }
            Ok(Ok(Answer::Parked(invocation))) => {
                match InvocationResponse::whole(*invocation, &state).await {
                    Ok(row) => ("needs_approval", json!(row)),
                    Err(problem) => ("error", json!(problem.document())),
                }
            }
            Ok(Err(refused)) => ("error", json!(Problem::from(refused).document())),
            Err(error) => {
                tracing::error!(%error, "a streamed call broke off");
                ("error", json!(Problem::new(crate::ApiCode::Internal, "the call broke off").document()))
            }
        };
        sender.send(named(last.0, &last.1)).await;
    });
    Ok(response)
}

async fn forward(mut progress: mpsc::Receiver<Progress>, sender: &Sender) {
    while let Some(step) = progress.recv().await {
        let event = match step {
            Progress::Started { invocation_id, session_id, call_id, name, version } => named(
                "started",
                &json!({"invocation_id": invocation_id, "session_id": session_id, "call_id": call_id, "name": name, "version": version}),
            ),
            Progress::Chunk(chunk) => named("output", &chunk),
        };
        if !sender.send(event).await {
            return;
        }
    }
}

fn named(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
