//! Questions of a tool, put to the client in the protocol's words: as requests in the answer where the revision has that, otherwise as
//! requests of ours while the client's own is open. A question is never one about an approval: those go to people, not to whoever calls.

#![expect(
    deprecated,
    reason = "sampling and roots are deprecated in the newest revision and alive in all others"
)]

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{
        ClientCapabilities, CreateMessageRequestParams, ElicitRequestParams, InputRequest, InputRequests,
    },
    service::ServiceError,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use toolgate_domain::{
    Caller, Timestamp,
    governance::{Audience, Question, QuestionKind, Questions},
};
use toolgate_engine::{Asking, RuleError};

use super::{Gateway, asker::Asker, results::unavailable};

/// Characters of what a client says that are kept as the reason why it did not answer.
const MAX_REASON_CHARS: usize = 300;

/// The error for a client that did not say it can be asked this.
pub(super) fn missing_capability(questions: &Questions, audience: Audience) -> Option<ErrorData> {
    let lacking: Vec<_> =
        questions.values().map(|question| question.kind).filter(|kind| !audience.can_answer(*kind)).collect();
    if lacking.is_empty() {
        return None;
    }
    let mut required = Map::new();
    for kind in lacking {
        let (name, way) = match kind {
            QuestionKind::Elicitation => ("elicitation", json!({"form": {}})),
            QuestionKind::ElicitationUrl => ("elicitation", json!({"url": {}})),
            QuestionKind::Sampling => ("sampling", json!({})),
            QuestionKind::Roots => ("roots", json!({})),
        };
        required.insert(name.to_owned(), way);
    }
    let required: ClientCapabilities = serde_json::from_value(Value::Object(required)).unwrap_or_default();
    Some(ErrorData::missing_required_client_capability(required))
}

/// The questions as requests inside an answer.
pub(super) fn input_requests(
    questions: &Questions,
    name: impl Fn(&str) -> String,
) -> Result<InputRequests, ErrorData> {
    questions.iter().map(|(key, question)| Ok((name(key), input_request(question)?))).collect()
}

fn input_request(question: &Question) -> Result<InputRequest, ErrorData> {
    let method = match question.kind {
        QuestionKind::Elicitation | QuestionKind::ElicitationUrl => "elicitation/create",
        QuestionKind::Sampling => "sampling/createMessage",
        QuestionKind::Roots => "roots/list",
    };
    typed(&json!({"method": method, "params": question.params}))
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, ErrorData> {
    serde_json::from_value(value.clone()).map_err(|error| {
        tracing::error!(%error, "a question of a tool has no words in this protocol");
        ErrorData::internal_error("the tool asks what cannot be asked in this protocol", None)
    })
}

impl Gateway {
    /// Asks while the client's own request is open, and hands the answers to the call. A client that cannot be asked, or does not answer,
    /// has not answered: the tool decides what comes of that.
    pub(super) async fn ask_now(
        &self,
        caller: &Caller,
        asking: &Asking,
        asker: &Asker,
    ) -> Result<(), ErrorData> {
        let mut answers = Map::new();
        for (name, question) in &asking.questions {
            match self.ask_one(question, asking, asker).await {
                Ok(answer) => {
                    answers.insert(name.clone(), answer);
                }
                Err(why) => return self.leave_unanswered(caller, asking, &why).await,
            }
        }
        let (id, round) = (asking.invocation_id, asking.round);
        match self.engine.answer_questions(caller, id, round, Value::Object(answers)).await {
            // Somebody else answered first, or the call is over.
            Ok(_) | Err(RuleError::Conflict(_) | RuleError::NotFound(_)) => Ok(()),
            Err(RuleError::Store(error)) => Err(unavailable(&error)),
            Err(unfit) => self.leave_unanswered(caller, asking, &unfit.to_string()).await,
        }
    }

    async fn ask_one(&self, question: &Question, asking: &Asking, asker: &Asker) -> Result<Value, String> {
        let kind = question.kind;
        if !asker.audience.can_answer(kind) {
            return Err(format!(
                "the client that made the call cannot be asked: it does not know {}",
                kind.as_str()
            ));
        }
        let Some(peer) = &asker.peer else {
            return Err("the client that made the call cannot be asked while it waits".to_owned());
        };
        // A moment longer: who gives up does so when the time is over.
        let left_ms = |due: Timestamp| due.ms_since(self.engine.clock().now()).saturating_add(1);
        let patience = asking.due_at.map_or(u64::MAX, left_ms);
        let params = &question.params;
        let words = |error: ErrorData| error.message.into_owned();
        // Asked from the task that serves the client's request: only so does the question travel with it.
        let asked = async {
            match kind {
                QuestionKind::Elicitation | QuestionKind::ElicitationUrl => {
                    said(peer.create_elicitation(typed::<ElicitRequestParams>(params).map_err(words)?).await)
                }
                QuestionKind::Sampling => said(
                    peer.create_message(typed::<CreateMessageRequestParams>(params).map_err(words)?).await,
                ),
                QuestionKind::Roots => said(peer.list_roots().await),
            }
        };
        let late = |_| "the client did not answer in time".to_owned();
        tokio::time::timeout(Duration::from_millis(patience), asked).await.map_err(late)?
    }

    async fn leave_unanswered(&self, caller: &Caller, asking: &Asking, why: &str) -> Result<(), ErrorData> {
        let why: String = why.chars().take(MAX_REASON_CHARS).collect();
        match self.engine.decline_questions(caller, asking.invocation_id, asking.round, &why).await {
            Err(RuleError::Store(error)) => Err(unavailable(&error)),
            _ => Ok(()),
        }
    }
}

fn said<T: Serialize>(answer: Result<T, ServiceError>) -> Result<Value, String> {
    let answer = answer.map_err(|error| match error {
        ServiceError::McpError(error) => format!("the client refused: {}", error.message),
        other => format!("the client could not be asked: {other}"),
    })?;
    let mut answer = serde_json::to_value(answer).map_err(|error| error.to_string())?;
    // What is the protocol's own stays here.
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("_meta");
        answer.remove("resultType");
    }
    Ok(answer)
}
