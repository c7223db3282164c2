//! Making the task of a call. Its id follows from the call's: a run that begins again finds it.

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, AuditEvent, Caller, InvocationId, Timestamp, UserId,
    governance::{Assignee, Questions, Task, TaskAnswer, TaskStatus},
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use crate::{Engine, RuleError};

const MAX_TITLE_CHARS: usize = 300;
const MAX_DESCRIPTION_BYTES: usize = 50_000;

/// A task as a tool wants it.
#[derive(Clone, Debug)]
pub struct NewTask {
    pub title: String,
    pub description: String,
    /// `("user", "ada@example.com")`, `("role", …)` or `("agent", …)`.
    pub assignee: Option<(String, String)>,
    pub input: Value,
    pub tool: String,
    pub waits: bool,
    pub answers: TaskAnswer,
    pub due_in_s: Option<u64>,
}

/// A record's name begins with the status, so that those of one status are found together.
pub(super) fn name_of(task: &Task) -> String {
    format!("{}/{}", task.status.as_str(), task.id)
}

/// The task as it stands at this moment.
pub(super) fn decode(record: &Record, now: Timestamp) -> Result<Task, StoreError> {
    let mut task: Task = serde_json::from_value(record.body.clone())
        .map_err(|e| StoreError::Corrupt(format!("task {}: {e}", record.id)))?;
    task.overdue = !task.status.is_over() && task.due_at.is_some_and(|due| due <= now);
    Ok(task)
}

impl Engine {
    /// The task of a call, made now unless it was made before.
    pub(crate) async fn open_task(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        new: NewTask,
    ) -> Result<Task, RuleError> {
        self.open_round(caller, invocation, (0, None), new).await
    }

    /// The same for a round of questions.
    pub(super) async fn open_round(
        &self,
        caller: &Caller,
        invocation: InvocationId,
        (round, asks): (u32, Option<Questions>),
        new: NewTask,
    ) -> Result<Task, RuleError> {
        let (tenant, id) = (caller.tenant_id, Task::id_of_round(invocation, round));
        if let Some(known) = self.stores.records.get(tenant, Kind::Task, id.uuid()).await? {
            return Ok(decode(&known, self.clock.now())?);
        }
        let title = new.title.trim().to_owned();
        if title.is_empty() || title.chars().count() > MAX_TITLE_CHARS {
            return Err(RuleError::Invalid(format!(
                "the title of a task has 1 to {MAX_TITLE_CHARS} characters"
            )));
        }
        if new.description.len() > MAX_DESCRIPTION_BYTES {
            let message = format!("the description of a task has at most {MAX_DESCRIPTION_BYTES} bytes");
            return Err(RuleError::Invalid(message));
        }
        let waiting = self.stores.records.count_named(tenant, Kind::Task, "open/").await?;
        if waiting >= self.limits.max_documents {
            return Err(RuleError::Conflict(format!(
                "this tenant has {waiting} open tasks, the most it may have"
            )));
        }
        let now = self.clock.now();
        let due = |s: u64| now.plus_ms(i64::try_from(s.saturating_mul(1_000)).unwrap_or(i64::MAX));
        let task = Task {
            id,
            title,
            description: new.description,
            status: TaskStatus::Open,
            assignee: self.assignee(caller, new.assignee).await?,
            input: new.input,
            tool: new.tool,
            invocation_id: invocation,
            waits: new.waits,
            answers: new.answers,
            asks,
            round,
            created_by: caller.principal.to_string(),
            worked_by: None,
            result: None,
            reason: None,
            created_at: now,
            due_at: new.due_in_s.map(due),
            overdue: false,
            ended_at: None,
        };
        let record = Record {
            tenant_id: tenant,
            kind: Kind::Task,
            id: id.uuid(),
            name: name_of(&task),
            body: json!(task),
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "task.create", id).to(&task);
        match self.stores.records.commit(tenant, vec![RecordWrite::Insert(record)], vec![event]).await {
            // Another process began the same call again, and was faster.
            Err(StoreError::Conflict(_)) => {
                let known = self.stores.records.get(tenant, Kind::Task, id.uuid()).await?;
                let known = known.ok_or_else(|| StoreError::Corrupt(format!("{id} is there and is not")))?;
                Ok(decode(&known, self.clock.now())?)
            }
            other => other.map(|()| task).map_err(RuleError::from),
        }
    }

    async fn assignee(
        &self,
        caller: &Caller,
        named: Option<(String, String)>,
    ) -> Result<Option<Assignee>, RuleError> {
        let Some((kind, name)) = named else {
            return Ok(None);
        };
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let missing = || RuleError::Invalid(format!("there is no {kind} `{name}` to do the task"));
        let found = match kind.as_str() {
            "user" => {
                let id = name.parse::<UserId>().ok();
                let is_meant = |user: &&std::sync::Arc<toolgate_domain::governance::User>| {
                    Some(user.id) == id || user.email.eq_ignore_ascii_case(&name)
                };
                rules.users.values().find(is_meant).map(|user| Assignee::User(user.id))
            }
            "role" => rules.roles.contains_key(&name).then(|| Assignee::Role(name.clone())),
            _ => {
                let id = name.parse::<AgentId>().ok();
                let handle = name.trim_start_matches('@');
                let mut agents = rules.agents.values().map(|standing| &standing.agent);
                agents
                    .find(|agent| Some(agent.id) == id || agent.handle == handle)
                    .map(|agent| Assignee::Agent(agent.id))
            }
        };
        found.map(Some).ok_or_else(missing)
    }
}
