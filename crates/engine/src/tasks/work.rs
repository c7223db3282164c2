//! What people do with a task. Who ends it lets the call go on that waits for it, in whichever process.

use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, Caller, Invocation, Scope, TaskId, TenantId, Timestamp,
    governance::{Assignee, Task, TaskStatus},
    json::encoded_len,
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::open::{decode, name_of};
use crate::{Engine, RuleError, registry::complaints};

const MAX_REASON_CHARS: usize = 1_000;
/// How often a change of a task is tried when others change it at the same moment.
const MAX_RACES: usize = 8;

impl Engine {
    pub async fn task(&self, caller: &Caller, id: TaskId) -> Result<Task, RuleError> {
        Ok(self.kept_task(caller, id).await?.1)
    }

    /// Says that somebody works on it.
    pub async fn start_task(&self, caller: &Caller, id: TaskId) -> Result<Task, RuleError> {
        let (record, task) = self.task_of_mine(caller, id).await?;
        if task.status == TaskStatus::InProgress {
            let by = task.worked_by.as_deref().unwrap_or("somebody");
            return Err(RuleError::Conflict(format!("{by} works on the task {id} already")));
        }
        self.move_task(caller, record, &task, |task| task.status = TaskStatus::InProgress).await
    }

    /// Ends it well. What the waiting call will answer must fit the contract of its tool: who completes the task is told if not.
    pub async fn complete_task(
        &self,
        caller: &Caller,
        id: TaskId,
        result: Option<Value>,
    ) -> Result<Task, RuleError> {
        let (record, task) = self.task_of_mine(caller, id).await?;
        let bytes = result.as_ref().map_or(0, encoded_len) as u64;
        if bytes > self.limits.max_input_bytes {
            let most = self.limits.max_input_bytes;
            return Err(RuleError::Invalid(format!("the result has {bytes} bytes; at most {most} are kept")));
        }
        let mut done = task.clone();
        done.status = TaskStatus::Completed;
        if let Some(questions) = &task.asks {
            let (answers, complete) = self.fitting_answers(caller, &task, questions, result).await?;
            complete.map_err(RuleError::Invalid)?;
            done.result = Some(answers);
        } else {
            done.result = result;
            self.check_answer(caller, &done).await?;
        }
        self.move_task(caller, record, &task, |task| *task = done).await
    }

    /// Ends it without a result; the call that waits for it fails.
    pub async fn cancel_task(
        &self,
        caller: &Caller,
        id: TaskId,
        reason: Option<String>,
    ) -> Result<Task, RuleError> {
        if reason.as_ref().is_some_and(|reason| reason.chars().count() > MAX_REASON_CHARS) {
            return Err(RuleError::Invalid(format!("a reason has at most {MAX_REASON_CHARS} characters")));
        }
        let (record, task) = self.task_of_mine(caller, id).await?;
        let cancel = |task: &mut Task| (task.status, task.reason) = (TaskStatus::Cancelled, reason);
        self.move_task(caller, record, &task, cancel).await
    }

    /// Takes back what a call that ended still asked of somebody.
    pub(crate) async fn withdraw_tasks(&self, row: &Invocation) {
        let first = Task::id_of(row.id);
        self.withdraw_task(row, first).await;
        let suspension = self.stores.suspensions.suspension(row.tenant_id, row.id).await;
        match suspension.map(|suspension| suspension.and_then(|suspension| suspension.task_id)) {
            Ok(Some(later)) if later != first => self.withdraw_task(row, later).await,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, invocation = %row.id, "what an ended call asked cannot be found");
            }
        }
    }

    async fn withdraw_task(&self, row: &Invocation, id: TaskId) {
        let withdrawn: Result<(), RuleError> = async {
            let Some(record) = self.stores.records.get(row.tenant_id, Kind::Task, id.uuid()).await? else {
                return Ok(());
            };
            let task = decode(&record, self.clock.now())?;
            if task.status.is_over() || !task.waits {
                return Ok(());
            }
            let myself = Caller::system(row.tenant_id, "");
            let cancel = |task: &mut Task| {
                (task.status, task.reason) =
                    (TaskStatus::Cancelled, Some("the call that waited for it ended".to_owned()));
            };
            self.move_task(&myself, record, &task, cancel).await.map(drop)
        }
        .await;
        if let Err(error) = withdrawn {
            tracing::warn!(%error, task = %id, "the task of an ended call is still there");
        }
    }

    /// The call that waited for an overdue task ends; the task stays. Answers with the task as it is: somebody may have ended it just now.
    pub(crate) async fn stop_waiting(&self, caller: &Caller, id: TaskId) -> Result<Task, RuleError> {
        let myself = Caller::system(caller.tenant_id, "");
        for _ in 0..MAX_RACES {
            let (record, task) = self.kept_task(&myself, id).await?;
            if task.status.is_over() || !task.waits {
                return Ok(task);
            }
            let left = Task { waits: false, ..task.clone() };
            match self.keep_task(&myself, record, &task, left, "task.overdue").await {
                // Somebody changed it at this moment.
                Err(RuleError::Conflict(_)) => {}
                kept => return kept,
            }
        }
        Err(RuleError::Conflict(format!("the task {id} changes all the time")))
    }

    /// When what a call waits for should be done.
    pub(crate) async fn due_of(
        &self,
        tenant: TenantId,
        task: Option<TaskId>,
    ) -> Result<Option<Timestamp>, StoreError> {
        let Some(id) = task else { return Ok(None) };
        let record = self.stores.records.get(tenant, Kind::Task, id.uuid()).await?;
        let task = record.map(|record| decode(&record, self.clock.now())).transpose()?;
        Ok(task.and_then(|task| task.due_at))
    }

    pub(crate) async fn is_task_open(&self, tenant: TenantId, id: TaskId) -> Result<bool, StoreError> {
        let record = self.stores.records.get(tenant, Kind::Task, id.uuid()).await?;
        let task = record.map(|record| decode(&record, self.clock.now())).transpose()?;
        Ok(task.is_some_and(|task| !task.status.is_over()))
    }

    pub(super) async fn kept_task(&self, caller: &Caller, id: TaskId) -> Result<(Record, Task), RuleError> {
        let record = self.stores.records.get(caller.tenant_id, Kind::Task, id.uuid()).await?;
        let record = record.ok_or_else(|| RuleError::NotFound(format!("there is no task {id}")))?;
        let task = decode(&record, self.clock.now())?;
        Ok((record, task))
    }

    /// A task that is not over and that the caller may work on.
    async fn task_of_mine(&self, caller: &Caller, id: TaskId) -> Result<(Record, Task), RuleError> {
        let (record, task) = self.kept_task(caller, id).await?;
        if !is_theirs(caller, &task) {
            return Err(RuleError::Forbidden(format!("the task {id} is not yours to work on")));
        }
        if task.status.is_over() {
            return Err(RuleError::Conflict(format!("the task {id} is {} already", task.status.as_str())));
        }
        Ok((record, task))
    }

    async fn check_answer(&self, caller: &Caller, task: &Task) -> Result<(), RuleError> {
        let waiting = match task.waits {
            true => self.stores.invocations.get(caller.tenant_id, task.invocation_id).await?,
            false => None,
        };
        let Some(row) = waiting else {
            return Ok(());
        };
        let Some(live) = self.tool_of(&row).await? else {
            return Ok(());
        };
        let Some(Ok(validator)) = live.output_validator() else {
            return Ok(());
        };
        let found = complaints(validator, &task.answer());
        if found.is_empty() {
            return Ok(());
        }
        let said: Vec<String> = found
            .iter()
            .take(5)
            .map(|complaint| {
                let (path, message) = (complaint["path"].as_str(), complaint["message"].as_str());
                format!("{} {}", path.filter(|path| !path.is_empty()).unwrap_or("/"), message.unwrap_or(""))
                    .trim()
                    .to_owned()
            })
            .collect();
        Err(RuleError::Invalid(format!(
            "the result does not fit what {} answers: {}",
            task.tool,
            said.join("; ")
        )))
    }

    pub(super) async fn move_task(
        &self,
        caller: &Caller,
        record: Record,
        old: &Task,
        change: impl FnOnce(&mut Task),
    ) -> Result<Task, RuleError> {
        let mut task = old.clone();
        change(&mut task);
        task.worked_by = Some(caller.principal.to_string());
        task.ended_at = task.status.is_over().then(|| self.clock.now());
        task.overdue &= !task.status.is_over();
        let action = match task.status {
            TaskStatus::Open | TaskStatus::InProgress => "task.start",
            TaskStatus::Completed => "task.complete",
            TaskStatus::Cancelled => "task.cancel",
        };
        let tenant = record.tenant_id;
        let task = self.keep_task(caller, record, old, task, action).await?;
        if task.waits && task.status.is_over() {
            self.wake_later(tenant, task.invocation_id);
        }
        Ok(task)
    }

    async fn keep_task(
        &self,
        caller: &Caller,
        record: Record,
        old: &Task,
        task: Task,
        action: &'static str,
    ) -> Result<Task, RuleError> {
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, action, task.id).from(old).to(&task);
        let (tenant, revision, updated_at) = (record.tenant_id, record.revision + 1, self.clock.now());
        let record = Record { name: name_of(&task), body: json!(task), revision, updated_at, ..record };
        self.stores.records.commit(tenant, vec![RecordWrite::Update(record)], vec![event]).await?;
        Ok(task)
    }
}

/// Whether it was given to the caller, or to nobody. An agent works only on what it was given; who may do everything may do this.
fn is_theirs(caller: &Caller, task: &Task) -> bool {
    match &task.assignee {
        Some(Assignee::Agent(agent)) if caller.agent_id == Some(*agent) => true,
        _ if caller.agent_id.is_some() => false,
        _ if caller.may(Scope::Admin) => true,
        None => true,
        Some(Assignee::User(user)) => caller.user_id() == Some(*user),
        Some(Assignee::Role(role)) => caller.roles.contains(role),
        Some(Assignee::Agent(_)) => false,
    }
}
