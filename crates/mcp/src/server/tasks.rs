//! Calls that wait as tasks of the protocol. The id of such a task is that of its call, and the ledger is all that is kept of it: any
//! process answers for it, and it outlives them all.

use rmcp::{
    ErrorData,
    model::{DetailedTask, InputResponses, JsonObject, Task, TaskPayload, TaskStatus},
};
use serde_json::{Map, Value, json};
use toolgate_domain::{Caller, Invocation, InvocationId, Phase, Status, Surface};
use toolgate_engine::{Asking, RuleError, Turn};

use super::{Gateway, asks::input_requests, results::unavailable};

/// How soon a client should look again.
const POLL_MS: u64 = 1_000;

/// The task as the client first hears of it. The ledger forgets nothing, so it has no time to live.
pub(super) fn seed(row: &Invocation) -> Task {
    let since = row.completed_at.or(row.started_at).unwrap_or(row.created_at);
    let said = match row.phase {
        Phase::Pending => "a person must approve the call",
        Phase::Approved => "a person approved the call; it begins",
        _ if row.phase.is_terminal() => "the call is over",
        _ => "the call goes on",
    };
    Task::new(row.id.to_string(), TaskStatus::Working, row.created_at.to_string(), since.to_string())
        .with_status_message(said)
        .with_poll_interval_ms(POLL_MS)
}

impl Gateway {
    pub(super) async fn task(&self, caller: &Caller, id: &str) -> Result<DetailedTask, ErrorData> {
        match self.turn(caller, id).await? {
            Turn::Waits(row) => Ok(DetailedTask::new(seed(&row), TaskPayload::Working)),
            Turn::Asks(row, asking) => {
                let input_requests = input_requests(&asking.questions, |key| name_of(&asking, key))?;
                let task = seed(&row).with_status_message("the tool asks for something");
                Ok(DetailedTask::new(task, TaskPayload::InputRequired { input_requests }))
            }
            Turn::Ended(row) if row.status() == Status::Cancelled => {
                Ok(DetailedTask::new(seed(&row), TaskPayload::Cancelled))
            }
            Turn::Ended(row) => {
                let envelope =
                    row.envelope().ok_or_else(|| unavailable(&"a call that ended has no receipt"))?;
                let result = self.result_of(row.tenant_id, envelope).await?;
                Ok(DetailedTask::new(seed(&row), TaskPayload::Completed { result: object(&result)? }))
            }
        }
    }

    /// Answers what the task asks. What answers nothing that is asked is left aside.
    pub(super) async fn update(
        &self,
        caller: &Caller,
        id: &str,
        responses: InputResponses,
    ) -> Result<(), ErrorData> {
        let Turn::Asks(_, asking) = self.turn(caller, id).await? else { return Ok(()) };
        let answers: Map<String, Value> = asking
            .questions
            .keys()
            .filter_map(|key| Some((key.clone(), responses.get(&name_of(&asking, key))?.clone())))
            .collect();
        let answered =
            self.engine.answer_questions(caller, asking.invocation_id, asking.round, answers.into()).await;
        match answered {
            Ok(_) | Err(RuleError::Conflict(_) | RuleError::NotFound(_)) => Ok(()),
            Err(RuleError::Invalid(why)) => Err(ErrorData::invalid_params(why, None)),
            Err(error) => Err(unavailable(&error)),
        }
    }

    /// Takes the call back; one that is over stays as it ended.
    pub(super) async fn cancel_call(&self, caller: &Caller, id: &str) -> Result<(), ErrorData> {
        let row = match self.turn(caller, id).await? {
            Turn::Ended(_) => return Ok(()),
            Turn::Asks(row, _) | Turn::Waits(row) => row,
        };
        self.engine.cancel_for(caller, row.id).await.map(drop).map_err(|error| unavailable(&error))
    }

    /// How a call of this very caller stands; any other is not there.
    async fn turn(&self, caller: &Caller, id: &str) -> Result<Turn, ErrorData> {
        let missing =
            || ErrorData::invalid_params("there is no such task", Some(json!({"reason": "unknown_task"})));
        let id: InvocationId = id.parse().map_err(|_| missing())?;
        let turn = self.engine.turn_of(caller.tenant_id, id).await.map_err(|error| unavailable(&error))?;
        let turn = turn.ok_or_else(missing)?;
        let (Turn::Ended(row) | Turn::Asks(row, _) | Turn::Waits(row)) = &turn;
        if row.caller != caller.principal.to_string() || row.surface != Surface::Mcp {
            return Err(missing());
        }
        Ok(turn)
    }
}

/// Names of questions are used once in the life of a task.
fn name_of(asking: &Asking, key: &str) -> String {
    format!("{}.{}.{key}", asking.invocation_id.uuid().simple(), asking.round)
}

fn object(result: &impl serde::Serialize) -> Result<JsonObject, ErrorData> {
    match serde_json::to_value(result) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(unavailable(&"a result that is no object")),
    }
}
