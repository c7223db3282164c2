//! What is said in a thread, and what happens there.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolgate_domain::{
    Message, MessageId, MessageRole, Page, RunId, Scope, Status, Thread, ThreadId, Timestamp, ToolError,
};
use toolgate_engine::{Answer, ChatError, Heard, Spoken, Watched};
use toolgate_store::MessageFilter;

use super::{
    invoke::{respond, surface_of},
    run_parts::{ListRunEventsParams, ListRunEventsResponse, told},
};
use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    begin::{Begun, begin},
    body::StrictJson,
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::{ProblemDocument, status_of},
    run_stream::{Followed, stream, wants_stream},
    sse::Listener,
};

/// One message of a conversation.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MessageResponse {
    id: MessageId,
    thread_id: ThreadId,
    seq: u64,
    role: MessageRole,
    /// Nothing while the agent has not answered.
    content: Option<String>,
    /// The run that answers, or whose answer it is.
    run_id: RunId,
    /// Of an answer: how its run stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ToolError>,
    /// Of an answer whose run waits: for which calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting_for: Vec<String>,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<Timestamp>,
    /// The conversation went back before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_at: Option<Timestamp>,
}

impl From<Heard> for MessageResponse {
    fn from(heard: Heard) -> Self {
        let Heard { message, content, status, error, waiting_for, completed_at } = heard;
        Self {
            id: message.id,
            thread_id: message.thread_id,
            seq: message.seq,
            role: message.role,
            content,
            run_id: message.run_id,
            status,
            error,
            waiting_for,
            created_at: message.created_at,
            completed_at,
            dropped_at: message.dropped_at,
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListMessagesParams {
    /// `true`: those that the conversation left behind as well.
    dropped: Option<bool>,
    /// `next_cursor` of the page before.
    cursor: Option<u64>,
    limit: Option<usize>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SayParams {
    content: String,
    /// Seconds until the run ends, whatever it waits for.
    deadline_s: Option<u64>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetryParams {
    /// What was said, or the answer to it.
    message_id: String,
    deadline_s: Option<u64>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct SayResponse {
    message: MessageResponse,
    run_id: RunId,
    /// Where the run's events are.
    events_url: String,
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListThreadEventsParams {
    /// Only this run's; a stream then ends with it.
    run: Option<String>,
    /// Events after the one with this id. A stream takes `Last-Event-ID` instead.
    after: Option<i64>,
    limit: Option<usize>,
}

/// List the messages of a thread
///
/// Oldest first. An answer is what its run says: it has a status at once, and a content when the run is over.
#[utoipa::path(
    get, path = "/api/threads/{id}/messages", tag = "chat", operation_id = "list_messages",
    params(("id" = String, Path, description = "`thr_…`"), ListMessagesParams), security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = Page<MessageResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
    Params(params): Params<ListMessagesParams>,
) -> Result<Json<Page<MessageResponse>>, Problem> {
    let thread = state.engine.thread(&caller, parsed("id", &id)?).await?;
    let limit = page_size(params.limit, &state)?;
    let filter = MessageFilter {
        after: params.cursor.unwrap_or(0),
        with_dropped: params.dropped.unwrap_or(false),
        limit: limit + 1,
        ..MessageFilter::default()
    };
    let heard = state.engine.messages(&thread, &filter).await?;
    let page = Page::from_overfetch(heard, limit, |last| last.message.seq.to_string());
    Ok(Json(page.map(MessageResponse::from)))
}

/// Say something in a thread
///
/// The agent answers in a run, which knows what was said before. 202 at once; with `Accept: text/event-stream` the answer is the
/// stream of the run's events. A thread has one run at a time: until it is over, 409 names it.
#[utoipa::path(
    post, path = "/api/threads/{id}/messages", tag = "chat", operation_id = "create_message", request_body = SayParams,
    params(("id" = String, Path, description = "`thr_…`")), security(("key" = ["tools:execute"])),
    responses((status = 202, description = "The agent is asked", body = SayResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn say(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<SayParams>,
) -> Result<Response, Problem> {
    let after = state.engine.stores().events.newest(caller.tenant_id).await?;
    let SayParams { content, deadline_s } = params;
    let (surface, thread) = (surface_of(&headers), parsed("id", &id)?);
    let engine = state.engine.clone();
    let say = async move { engine.say(&caller, thread, content, deadline_s, surface).await };
    answer(&state, asked(&state, say).await?, &headers, after).await
}

/// Go back to a message and ask again
///
/// What came after it is dropped from the conversation, and stays in the record (`dropped=true` lists it).
#[utoipa::path(
    post, path = "/api/threads/{id}/retry", tag = "chat", operation_id = "retry_message", request_body = RetryParams,
    params(("id" = String, Path, description = "`thr_…`")), security(("key" = ["tools:execute"])),
    responses((status = 202, description = "The agent is asked", body = SayResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn retry(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(params): StrictJson<RetryParams>,
) -> Result<Response, Problem> {
    let after = state.engine.stores().events.newest(caller.tenant_id).await?;
    let message = parsed("message_id", &params.message_id)?;
    let surface = surface_of(&headers);
    let thread = parsed("id", &id)?;
    let engine = state.engine.clone();
    let retry = async move { engine.retry(&caller, thread, message, params.deadline_s, surface).await };
    answer(&state, asked(&state, retry).await?, &headers, after).await
}

/// What was said, and the run that it began.
struct Asked {
    thread: Thread,
    message: Message,
    run_id: RunId,
    begun: Begun,
}

/// Keeps the message and begins its run, whether or not the client waits for it: a message that is kept is answered.
async fn asked(
    state: &AppState,
    said: impl Future<Output = Result<Spoken, ChatError>> + Send + 'static,
) -> Result<Asked, Problem> {
    let state = state.clone();
    let work = tokio::spawn(async move {
        let Spoken { thread, message, run_id, call } = said.await?;
        let begun = begin(&state, call).await?;
        Ok(Asked { thread, message, run_id, begun })
    });
    let broke =
        |_| Problem::new(ApiCode::Unavailable, "the message could not be handled; the server's log says why");
    work.await.map_err(broke)?
}

async fn answer(
    state: &AppState,
    asked: Asked,
    headers: &HeaderMap,
    after: i64,
) -> Result<Response, Problem> {
    let Asked { thread, message, run_id, begun } = asked;
    if let Begun::Answered(answered) = begun
        && is_refused(&answered)
    {
        return respond(state, answered, None).await;
    }
    if wants_stream(headers) {
        let watched = Watched::Run(run_id);
        let followed =
            Followed { tenant: thread.tenant_id, session: thread.session_id, watched, until: Some(run_id) };
        return stream(state, followed, after, Listener::of(headers, Scope::ToolsExecute));
    }
    let content = message.content.clone();
    let message =
        Heard { message, content, status: None, error: None, waiting_for: Vec::new(), completed_at: None };
    let events_url = format!("/api/threads/{}/events?run={run_id}", thread.id);
    let response = SayResponse { message: message.into(), run_id, events_url };
    Ok((StatusCode::ACCEPTED, Json(response)).into_response())
}

/// Whether the run was turned away, and the caller must change something.
fn is_refused(answer: &Answer) -> bool {
    match answer {
        Answer::Unknown(_) => true,
        Answer::Done(envelope) => {
            envelope.error.as_ref().is_some_and(|error| status_of(error.code) != StatusCode::OK)
        }
        Answer::Parked(_) => false,
    }
}

/// Read or follow the events of a thread
///
/// A list; or, with `Accept: text/event-stream`, what was and then what comes, live. A broken stream goes on where it broke by
/// `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/threads/{id}/events", tag = "chat", operation_id = "list_thread_events",
    params(("id" = String, Path, description = "`thr_…`"), ListThreadEventsParams), security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = ListRunEventsResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn events(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
    Params(params): Params<ListThreadEventsParams>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let thread = state.engine.thread(&caller, parsed("id", &id)?).await?;
    let until: Option<RunId> = parsed_option("run", params.run.as_deref())?;
    if let Some(run) = until {
        let of = state.engine.stores().threads.thread_of_run(caller.tenant_id, run).await?;
        if of != Some(thread.id) {
            let missing = format!("there is no run {run} in this thread");
            return Err(Problem::new(crate::ApiCode::NotFound, missing).with("thread_id", json!(thread.id)));
        }
    }
    let watched = until.map_or(Watched::Thread(thread.id), Watched::Run);
    let followed = Followed { tenant: thread.tenant_id, session: thread.session_id, watched, until };
    let page = ListRunEventsParams { after: params.after, limit: params.limit };
    told(&state, followed, &page, (&headers, Scope::ToolsExecute)).await
}
