use toolgate_domain::{
    Caller, Page, Scope, TaskId,
    governance::{Assignee, Task, TaskStatus},
};
use toolgate_store::Kind;

use super::open::decode;
use crate::{Engine, RuleError};

/// Which tasks to list.
#[derive(Clone, Debug, Default)]
pub struct TaskFilter {
    /// Without it, those that are not over.
    pub status: Option<TaskStatus>,
    /// `me`, `nobody`, an id, or a role's name.
    pub assignee: Option<String>,
    /// Tasks before this one.
    pub before: Option<TaskId>,
    pub limit: usize,
}

impl Engine {
    /// The tenant's tasks, newest first.
    pub async fn tasks(&self, caller: &Caller, filter: &TaskFilter) -> Result<Page<Task>, RuleError> {
        let wanted: &[TaskStatus] = match &filter.status {
            Some(status) => std::slice::from_ref(status),
            None => &[TaskStatus::Open, TaskStatus::InProgress],
        };
        let mut found = Vec::new();
        for status in wanted {
            let prefix = format!("{}/", status.as_str());
            for record in self.stores.records.named(caller.tenant_id, Kind::Task, &prefix).await? {
                let task = decode(&record)?;
                let is_before = filter.before.is_none_or(|before| task.id < before);
                let is_meant =
                    filter.assignee.as_deref().is_none_or(|wanted| is_assigned(caller, &task, wanted));
                if is_before && is_meant {
                    found.push(task);
                }
            }
        }
        found.sort_by_key(|task| std::cmp::Reverse(task.id));
        found.truncate(filter.limit + 1);
        Ok(Page::from_overfetch(found, filter.limit, |last| last.id.to_string()))
    }
}

impl Engine {
    /// A task that the caller made, was given, or may work on; any other is not there.
    pub(crate) async fn task_for(&self, caller: &Caller, id: TaskId) -> Result<Task, RuleError> {
        let task = self.task(caller, id).await?;
        let given = matches!(&task.assignee, Some(Assignee::Agent(agent)) if caller.agent_id == Some(*agent));
        if given || caller.may(Scope::TasksWork) || task.created_by == caller.principal.to_string() {
            return Ok(task);
        }
        // An agent may have made it with another key.
        let row = self.stores.invocations.get(caller.tenant_id, task.invocation_id).await?;
        if caller.agent_id.is_some() && row.is_some_and(|row| row.agent_id == caller.agent_id) {
            return Ok(task);
        }
        Err(RuleError::NotFound(format!("there is no task {id}")))
    }
}

fn is_assigned(caller: &Caller, task: &Task, wanted: &str) -> bool {
    match (&task.assignee, wanted) {
        (None, _) => wanted == "nobody",
        (Some(Assignee::User(id)), "me") => caller.user_id() == Some(*id),
        (Some(Assignee::Agent(id)), "me") => caller.agent_id == Some(*id),
        (Some(Assignee::Role(role)), "me") => caller.roles.contains(role),
        (Some(Assignee::User(id)), _) => id.to_string() == wanted,
        (Some(Assignee::Agent(id)), _) => id.to_string() == wanted,
        (Some(Assignee::Role(role)), _) => role == wanted,
    }
}
