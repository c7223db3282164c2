//! Calls that an upstream asks something in, round after round. The call is suspended with the questions, and goes on with the answers: by
//! being made again with them, where the revision has that, or by answering the request that the upstream still waits with.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use bytes::Bytes;
use dashmap::DashMap;
use rmcp::{ErrorData, model::InputResponses};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use toolgate_domain::{
    ErrorCode, InvocationId, Tool, ToolError,
    governance::{Questions, Task, TaskStatus},
    json::encoded_len,
};
use toolgate_engine::{NewQuestions, Redactor, RuleError, RunContext, Waiting};

use super::{
    failure::{provider, quote},
    follow::Following,
};

/// Questions in one round.
const MAX_QUESTIONS: usize = 16;
/// Bytes of the questions of a round, and of what an upstream wants back with the answers.
const MAX_QUESTION_BYTES: usize = 256 * 1024;
const MAX_TITLE_CHARS: usize = 200;
/// The name of the only question of a round where the upstream gave none.
pub(super) const ONLY: &str = "question";
/// How long a call is held after its question should have been answered: who wakes it needs a moment.
const GRACE: Duration = Duration::from_secs(60);

/// Where a call stands that waits for answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stage {
    pub(super) round: u32,
    #[serde(flatten)]
    pub(super) goes_on: GoesOn,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "goes_on", rename_all = "snake_case")]
pub(super) enum GoesOn {
    /// The call is made again, with the answers and what the upstream wants back.
    Again { request_state: Option<String> },
    /// The upstream waits with its request, in the process that holds the call.
    Held,
}

impl Stage {
    /// What a run left behind. It is nobody's but ours, and says nothing that the upstream would not check.
    pub(super) fn read(context: &RunContext) -> Result<Option<Self>, ToolError> {
        let Some(state) = context.resumed.as_ref().and_then(|resumed| resumed.state.as_ref()) else {
            return Ok(None);
        };
        let stage = std::str::from_utf8(state).ok().and_then(|state| serde_json::from_str(state).ok());
        let broken = || ToolError::new(ErrorCode::Unknown, "what the call left behind cannot be read");
        stage.map(Some).ok_or_else(broken)
    }
}

/// How a round ended.
pub(super) enum Answers {
    Given(InputResponses),
    /// Nobody answers, and why.
    Declined(String),
    NotYet(Box<Task>),
}

pub(super) async fn answers_of(context: &RunContext, round: u32) -> Result<Answers, ToolError> {
    let house = context.invoker.house()?;
    let mut task = house.asked(round).await.map_err(unknown)?;
    if task.overdue {
        task = house.stop_waiting(task.id).await.map_err(unknown)?;
    }
    match task.status {
        TaskStatus::Completed => {
            let given = serde_json::from_value(task.result.unwrap_or_default());
            given.map(Answers::Given).map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))
        }
        // Whoever asked gave up when the time was over.
        TaskStatus::Cancelled if task.due_at.is_some() && task.ended_at >= task.due_at => {
            Err(not_answered(&task))
        }
        TaskStatus::Cancelled => {
            Ok(Answers::Declined(task.reason.unwrap_or_else(|| "nobody wants to answer".to_owned())))
        }
        _ if task.overdue => Err(not_answered(&task)),
        _ => Ok(Answers::NotYet(Box::new(task))),
    }
}

fn not_answered(task: &Task) -> ToolError {
    ToolError::new(ErrorCode::Timeout, "what the upstream asked was not answered in time")
        .with_details(json!({"reason": "not_answered", "task_id": task.id, "due_at": task.due_at}))
}

/// The caller cannot be asked, or does not want to be.
pub(super) fn declined(why: &str) -> ToolError {
    ToolError::validation(format!(
        "the upstream asks something in the middle of the call, and got no answer: {why}"
    ))
    .with_details(json!({"reason": "cannot_be_asked"}))
}

/// The process that held the call is gone, and with it the upstream's question.
pub(super) fn lost(tool: &Tool) -> ToolError {
    let mut details = json!({"reason": "lost_while_asking"});
    if !tool.spec.is_idempotent() {
        details["outcome"] = "unknown".into();
    }
    let message = "the connection on which the upstream waited for an answer is gone";
    ToolError::new(ErrorCode::NetworkError, message).with_details(details)
}

/// How often and how long a call may ask.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) rounds: u32,
    pub(super) ask_s: u64,
}

/// Suspends the call with these questions.
pub(super) async fn suspend(
    context: &RunContext,
    tool: &Tool,
    mut questions: Questions,
    stage: Stage,
    patience: Patience,
) -> Result<Waiting, ToolError> {
    if stage.round >= patience.rounds {
        let message = format!("the upstream asks more than {} times in one call", patience.rounds);
        return Err(provider("asks_without_end", message));
    }
    let bytes: usize = questions.values().map(|question| encoded_len(&question.params)).sum();
    let state_bytes = match &stage.goes_on {
        GoesOn::Again { request_state } => request_state.as_ref().map_or(0, String::len),
        GoesOn::Held => 0,
    };
    if questions.len() > MAX_QUESTIONS || bytes > MAX_QUESTION_BYTES || state_bytes > MAX_QUESTION_BYTES {
        return Err(provider("asks_too_much", "the upstream asks more in one round than is handed on"));
    }
    let redactor = redactor(context)?;
    for question in questions.values_mut() {
        // A question is kept, and people read it.
        redactor.redact_value(&mut question.params);
    }
    let said = questions.values().find_map(|question| question.params["message"].as_str());
    let title = format!("{} asks: {}", tool.spec.name, quote(said.unwrap_or("something")));
    let new = NewQuestions {
        round: stage.round,
        questions,
        title: title.chars().take(MAX_TITLE_CHARS).collect(),
        tool: tool.spec.id(),
        due_in_s: patience.ask_s,
    };
    context.invoker.be_on_record().await?;
    let task = context.invoker.house()?.ask(new).await.map_err(unknown)?;
    waiting(&task, &stage)
}

pub(super) fn waiting(task: &Task, stage: &Stage) -> Result<Waiting, ToolError> {
    let state =
        serde_json::to_vec(stage).map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))?;
    Ok(Waiting { task: Some(task.id), state: Some(Bytes::from(state)), until: None })
}

fn redactor(context: &RunContext) -> Result<Redactor, ToolError> {
    let secrets = &context.secrets;
    let pairs = secrets.names().filter_map(|name| Some((name.parse().ok()?, secrets.get(name)?.clone())));
    Redactor::new(pairs).map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))
}

fn unknown(error: RuleError) -> ToolError {
    match error {
        RuleError::Conflict(message) => ToolError::denied(message),
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    }
}

/// A call whose upstream waits for an answer.
pub(super) struct Held {
    following: Following,
    reply: oneshot::Sender<Result<Value, ErrorData>>,
}

impl Held {
    pub(super) fn new(following: Following, reply: oneshot::Sender<Result<Value, ErrorData>>) -> Self {
        Self { following, reply }
    }

    /// Others may have its turn meanwhile.
    pub(super) fn give_way(&mut self) {
        self.following.lease.give_way();
    }

    pub(super) fn parts(self) -> (Following, oneshot::Sender<Result<Value, ErrorData>>) {
        (self.following, self.reply)
    }
}

/// The calls that this process holds.
#[derive(Default)]
pub(super) struct Holding {
    calls: DashMap<InvocationId, (u32, Held)>,
}

impl Holding {
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// For so long, and no longer. A call that is dropped is withdrawn from its upstream.
    pub(super) fn hold(self: &Arc<Self>, id: InvocationId, round: u32, held: Held, ask_s: u64) {
        self.calls.insert(id, (round, held));
        let all: Weak<Self> = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(ask_s).saturating_add(GRACE)).await;
            if let Some(all) = all.upgrade() {
                all.calls.remove_if(&id, |_, (of, _)| *of == round);
            }
        });
    }

    pub(super) fn take(&self, id: InvocationId, round: u32) -> Option<Held> {
        self.calls.remove_if(&id, |_, (of, _)| *of == round).map(|(_, (_, held))| held)
    }

    pub(super) fn drop_call(&self, id: InvocationId) {
        drop(self.calls.remove(&id));
    }
}
