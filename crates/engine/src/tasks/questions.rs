//! Questions of a tool to whoever called it, round after round. Each round is a task: the caller answers it, or a person who works on
//! tasks does. An answer is given once, and lets the call go on.

use serde_json::{Map, Value, json};
use toolgate_domain::{
    Caller, Invocation, InvocationId, Timestamp,
    governance::{Questions, Task, TaskAnswer, TaskStatus},
};

use super::{NewTask, answers::answered};
use crate::{Engine, RuleError, executor::is_suspended};

/// How many calls are looked at for the one that asks, under a call that waits for others.
const MAX_CALLS_LOOKED_AT: usize = 64;

/// Questions as a tool wants to ask them.
#[derive(Clone, Debug)]
pub struct NewQuestions {
    /// How often the call has asked before.
    pub round: u32,
    pub questions: Questions,
    /// For the people who see it among their tasks.
    pub title: String,
    pub tool: String,
    pub due_in_s: u64,
}

/// A round of questions that nobody has answered yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// The call that asks: the one that was looked at, or one that it made.
    pub invocation_id: InvocationId,
    pub round: u32,
    pub questions: Questions,
    pub due_at: Option<Timestamp>,
}

impl Engine {
    /// The task of a round, made now unless it was made before.
    pub(crate) async fn ask(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        new: NewQuestions,
    ) -> Result<Task, RuleError> {
        let NewQuestions { round, questions, title, tool, due_in_s } = new;
        let task = NewTask {
            title,
            description: String::new(),
            assignee: None,
            input: json!({}),
            tool,
            waits: true,
            answers: TaskAnswer::Result,
            due_in_s: Some(due_in_s),
        };
        self.open_round(caller, invocation, (round, Some(questions)), task).await
    }

    /// What a call of the caller's asks at the moment, by itself or through a call that it made.
    pub async fn questions(
        &self,
        caller: &Caller,
        invocation: InvocationId,
    ) -> Result<Option<Asking>, RuleError> {
        let row = self.own_call(caller, invocation).await?;
        self.asking(&row).await
    }

    /// The same of a row that may be shown to whoever asks.
    pub(crate) async fn asking(&self, row: &Invocation) -> Result<Option<Asking>, RuleError> {
        let mut looked_at = 0;
        let mut rows = vec![row.clone()];
        while let Some(row) = rows.pop() {
            looked_at += 1;
            if !is_suspended(&row) || looked_at > MAX_CALLS_LOOKED_AT {
                continue;
            }
            let suspension = self.stores.suspensions.suspension(row.tenant_id, row.id).await?;
            let Some(suspension) = suspension else { continue };
            if let Some(task) = suspension.task_id {
                let (_, task) = self.kept_task(&Caller::system(row.tenant_id, ""), task).await?;
                if let Some(questions) = unanswered(&task) {
                    let (invocation_id, round, due_at) = (row.id, task.round, task.due_at);
                    return Ok(Some(Asking { invocation_id, round, questions, due_at }));
                }
                continue;
            }
            let left = MAX_CALLS_LOOKED_AT.saturating_sub(looked_at);
            let children = self.stores.suspensions.children(row.tenant_id, row.id, left).await?;
            // The one that was made first asks first.
            rows.extend(children.into_iter().rev().filter(|child| child.caller == row.caller));
        }
        Ok(None)
    }

    /// Answers a round of a call that the caller made: all of it at once, or piece by piece. Each question is answered once; what
    /// answers none is left aside. The call goes on when all are answered.
    pub async fn answer_questions(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        round: u32,
        answers: Value,
    ) -> Result<Task, RuleError> {
        let (record, task) = self.open_question(caller, invocation, round).await?;
        let questions = task.asks.clone().unwrap_or_default();
        let (answers, complete) = self.fitting_answers(caller, &task, &questions, Some(answers)).await?;
        if answered(&task).map_or(0, Map::len) == answers.as_object().map_or(0, Map::len) {
            return Ok(task);
        }
        let status = if complete.is_ok() { TaskStatus::Completed } else { TaskStatus::InProgress };
        let moved = |task: &mut Task| (task.status, task.result) = (status, Some(answers));
        self.move_task(caller, record, &task, moved).await
    }

    /// Says that a round will not be answered, and why. The call goes on with that.
    pub async fn decline_questions(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        round: u32,
        reason: &str,
    ) -> Result<Task, RuleError> {
        let (record, task) = self.open_question(caller, invocation, round).await?;
        let reason = Some(reason.to_owned());
        let left = |task: &mut Task| (task.status, task.reason) = (TaskStatus::Cancelled, reason);
        self.move_task(caller, record, &task, left).await
    }

    async fn open_question(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        round: u32,
    ) -> Result<(toolgate_store::Record, Task), RuleError> {
        self.own_call(caller, invocation).await?;
        let (record, task) = self.kept_task(caller, Task::id_of_round(invocation, round)).await?;
        if task.asks.is_none() {
            return Err(RuleError::NotFound(format!("the call {invocation} asks nothing")));
        }
        if task.status.is_over() || !task.waits {
            return Err(RuleError::Conflict(format!("what the call {invocation} asked is answered already")));
        }
        Ok((record, task))
    }

    /// A call that this very caller made; any other is not there.
    async fn own_call(&self, caller: &Caller, id: InvocationId) -> Result<Invocation, RuleError> {
        let row = self.stores.invocations.get(caller.tenant_id, id).await?;
        row.filter(|row| row.caller == caller.principal.to_string())
            .ok_or_else(|| RuleError::NotFound(format!("there is no call {id}")))
    }
}

/// What a round still asks.
fn unanswered(task: &Task) -> Option<Questions> {
    let mut questions = task.asks.clone().filter(|_| !task.status.is_over() && task.waits)?;
    if let Some(answers) = answered(task) {
        questions.retain(|name, _| !answers.contains_key(name));
    }
    Some(questions)
}
