//! Calls that wait: for a person who must agree, for what the tool itself waits for, or for the client, which is asked something.
//!
//! What the client is told depends on what its revision knows: a task, an answer that asks or tells it to come back with a state, or, in
//! older revisions, a question while its request is open and a result that says how to ask for the call later.

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{
        CallToolResult, ContentBlock, CreateTaskResult, InputRequiredResult, InputResponses, JsonObject,
        MetaObject,
    },
};
use serde_json::{Value, json};
use toolgate_domain::{Caller, Envelope, Invocation, InvocationId, Phase, Tool, governance::Questions};
use toolgate_engine::{Answer, Asking, Call, RuleError, Turn};

use super::{
    Gateway,
    asker::Asker,
    asks::{input_requests, missing_capability},
    results::unavailable,
    state::{self, Binding, Kept},
    tasks,
    tools::promises_structure,
};

/// Asks how a call stands.
const POLL_TOOL: &str = "get_invocation";

/// A request of a client that a governed call stands behind.
pub(super) struct Asked {
    pub(super) caller: Caller,
    /// `tools/call`, `prompts/get`: a state of the one is none of the other.
    pub(super) method: &'static str,
    /// What the client named, and with which arguments.
    pub(super) name: String,
    pub(super) arguments: Value,
    /// What it brings when it repeats a request.
    pub(super) state: Option<String>,
    pub(super) answers: Option<InputResponses>,
    /// Whether the answer may be a task.
    pub(super) may_be_task: bool,
}

/// What becomes of it.
pub(super) enum Outcome {
    Done(Box<Envelope>),
    /// There is no such tool for this caller.
    Unknown(Box<Envelope>),
    /// The client is asked something, or told to come back.
    InputRequired(Box<InputRequiredResult>),
    Task(Box<CreateTaskResult>),
    /// It waits still, and the client has no better way to hear of that.
    Pending(Box<Invocation>),
}

impl Gateway {
    /// Makes the call that a request stands for, or goes on with the one that it comes back for.
    pub(super) async fn converse(
        &self,
        asked: Asked,
        call: impl FnOnce(Caller) -> Call,
        asker: &Asker,
    ) -> Result<Outcome, ErrorData> {
        // Most calls end at once, and need none.
        let binding = || Binding::new(&asked.caller, asked.method, &asked.name, &asked.arguments);
        let mut talk = match asked.state.as_deref().filter(|_| asker.newest) {
            Some(sealed) => {
                let binding = binding();
                let kept = state::open(&self.engine, &binding, sealed)?;
                let talk = Talk { asked: &asked, binding, kept, brought: None };
                if let Some(asks_again) = Box::pin(self.take_answers(&talk)).await? {
                    return Box::pin(self.ask(&talk, &asks_again, asker)).await;
                }
                talk
            }
            None => {
                let id = InvocationId::generate(self.engine.ids());
                let mut call = call(asked.caller.clone());
                (call.id, call.audience) = (Some(id), Some(asker.audience));
                match self.invoke(call, id, &asked.caller, asker).await? {
                    Answer::Done(envelope) => return Ok(Outcome::Done(envelope)),
                    Answer::Unknown(envelope) => return Ok(Outcome::Unknown(envelope)),
                    Answer::Parked(_) => {}
                }
                let binding = binding();
                Talk { asked: &asked, binding, kept: Kept::of(id), brought: asked.answers.as_ref() }
            }
        };
        let id = talk.kept.invocation_id;
        tokio::select! {
            // Few calls wait: the others should not be larger for it.
            outcome = Box::pin(self.go_on(&mut talk, asker)) => outcome,
            () = asker.gone.cancelled() => {
                // Nobody listens any more.
                let _ = Box::pin(self.engine.cancel_for(&asked.caller, id)).await;
                Err(ErrorData::internal_error("the request was cancelled", None))
            }
        }
    }

    /// Waits for the end, for the next question, or for as long as a client is held.
    async fn go_on(&self, talk: &mut Talk<'_>, asker: &Asker) -> Result<Outcome, ErrorData> {
        let (asked, newest) = (talk.asked, asker.newest);
        let caller = &asked.caller;
        let as_task = asked.may_be_task && newest && asker.knows_tasks;
        let mut patience = Duration::from_secs(self.engine.limits().mcp_wait_s);
        loop {
            let id = talk.kept.invocation_id;
            let turn =
                self.engine.turn_of(caller.tenant_id, id).await.map_err(|error| unavailable(&error))?;
            if as_task && matches!(&turn, Some(Turn::Waits(row)) if row.phase == Phase::Pending) {
                // A person may take long, and a client that knows tasks need not be held for that.
                patience = Duration::ZERO;
            }
            let turn = self.engine.await_turn(caller.tenant_id, id, patience).await;
            match turn.map_err(|error| unavailable(&error))? {
                Some(Turn::Ended(row)) => return done(&row),
                Some(Turn::Asks(_, asking)) if newest => {
                    if !self.answered_before(caller, &asking, talk.brought.take()).await? {
                        return self.ask(talk, &asking, asker).await;
                    }
                }
                Some(Turn::Asks(_, asking)) => self.ask_now(caller, &asking, asker).await?,
                Some(Turn::Waits(row)) if as_task => {
                    let task = CreateTaskResult::new(tasks::seed(&row));
                    return Ok(Outcome::Task(Box::new(task)));
                }
                Some(Turn::Waits(row)) => {
                    let rounds = u64::from(talk.kept.rounds);
                    if !newest || rounds >= self.engine.limits().mcp_wait_rounds {
                        return Ok(Outcome::Pending(row));
                    }
                    let mut told = self.come_back(talk, None, None)?;
                    // What a person needs to find the call.
                    told.meta = Some(pending_meta(&row));
                    return Ok(Outcome::InputRequired(Box::new(told)));
                }
                None => return Err(unavailable(&"a call that was made is not on record")),
            }
        }
    }

    /// Hands over what the client answers; what it must be asked again, where that is not all.
    async fn take_answers(&self, talk: &Talk<'_>) -> Result<Option<Asking>, ErrorData> {
        let (caller, kept) = (&talk.asked.caller, talk.kept);
        let Some(round) = kept.asked else { return Ok(None) };
        let turn = self.engine.turn_of(caller.tenant_id, kept.invocation_id).await;
        // The answers to another round were heard before, and this request is sent once more.
        let asking = match turn.map_err(|error| unavailable(&error))? {
            Some(Turn::Asks(_, asking)) if (asking.invocation_id, asking.round) == round => asking,
            _ => return Ok(None),
        };
        let answers = json!(talk.asked.answers.clone().unwrap_or_default());
        match self.engine.answer_questions(caller, round.0, round.1, answers).await {
            Ok(task) if task.status.is_over() => Ok(None),
            Ok(_) => {
                let left = self.engine.questions(caller, round.0).await;
                Ok(left.map_err(|error| unavailable(&error))?)
            }
            Err(RuleError::Conflict(_) | RuleError::NotFound(_)) => Ok(None),
            Err(RuleError::Invalid(why)) => {
                let questions = asking.questions.keys().collect::<Vec<_>>();
                Err(ErrorData::invalid_params(why, Some(json!({"questions": questions}))))
            }
            Err(error) => Err(unavailable(&error)),
        }
    }

    /// Whether a first request brought the answers along. If they do not fit, they are asked for.
    async fn answered_before(
        &self,
        caller: &Caller,
        asking: &Asking,
        brought: Option<&InputResponses>,
    ) -> Result<bool, ErrorData> {
        let Some(brought) =
            brought.filter(|brought| asking.questions.keys().all(|key| brought.contains_key(key)))
        else {
            return Ok(false);
        };
        let answered =
            self.engine.answer_questions(caller, asking.invocation_id, asking.round, json!(brought)).await;
        match answered {
            Ok(task) => Ok(task.status.is_over()),
            Err(RuleError::Store(error)) => Err(unavailable(&error)),
            Err(_) => Ok(false),
        }
    }

    /// Asks in the answer. A client that cannot be asked gets an error, and its call is taken back.
    async fn ask(&self, talk: &Talk<'_>, asking: &Asking, asker: &Asker) -> Result<Outcome, ErrorData> {
        if let Some(error) = missing_capability(&asking.questions, asker.audience) {
            let _ = self.engine.cancel_for(&talk.asked.caller, talk.kept.invocation_id).await;
            return Err(error);
        }
        let told =
            self.come_back(talk, Some(&asking.questions), Some((asking.invocation_id, asking.round)))?;
        Ok(Outcome::InputRequired(Box::new(told)))
    }

    fn come_back(
        &self,
        talk: &Talk<'_>,
        questions: Option<&Questions>,
        asked: Option<(InvocationId, u32)>,
    ) -> Result<InputRequiredResult, ErrorData> {
        let rounds = talk.kept.rounds.saturating_add(1);
        let sealed = state::seal(&self.engine, &talk.binding, Kept { asked, rounds, ..talk.kept })?;
        let requests = questions.map(|questions| input_requests(questions, str::to_owned)).transpose()?;
        Ok(InputRequiredResult::new(requests, Some(sealed)))
    }
}

/// One call, as the client and we speak of it.
struct Talk<'a> {
    asked: &'a Asked,
    binding: Binding,
    kept: Kept,
    /// Answers that came with the first request.
    brought: Option<&'a InputResponses>,
}

fn done(row: &Invocation) -> Result<Outcome, ErrorData> {
    let envelope = row.envelope().ok_or_else(|| unavailable(&"a call that ended has no receipt"))?;
    Ok(Outcome::Done(Box::new(envelope)))
}

pub(super) fn still_waits(tool: Option<&Tool>, row: &Invocation) -> CallToolResult {
    let id = row.id;
    let why = if row.approval_required() { "a person must approve it" } else { "it goes on by itself" };
    let text = format!(
        "PENDING: the call {id} of {} waits: {why}. It is kept; do not make it again. Ask how it stands with the tool \
         `{POLL_TOOL}` and {{\"invocation_id\": \"{id}\"}}.",
        row.tool_name
    );
    let content = vec![ContentBlock::text(text)];
    // Where the tool promises structured content, clients take only an error without it.
    let promised = tool.is_some_and(promises_structure);
    let mut result = if promised { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.meta = Some(pending_meta(row));
    result
}

fn pending_meta(row: &Invocation) -> MetaObject {
    let pending = json!({
        "invocation_id": row.id, "status": row.status(), "expires_at": row.approval_expires_at,
        "poll": {"tool": POLL_TOOL, "arguments": {"invocation_id": row.id}},
    });
    MetaObject(JsonObject::from_iter([("toolgate/pending".to_owned(), pending)]))
}
