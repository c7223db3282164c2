use toolgate_domain::{
    Caller, Page, Scope, TaskId,
    governance::{Assignee, Task, TaskStatus},
};
use toolgate_store::Kind;

use super::open::decode;
use crate::{Engine, RuleError};

/// Rows that are read for one page at most; a filter that few tasks pass answers with a short page and a cursor.
const MAX_ROWS_READ: usize = 2_000;

/// Which tasks to list.
#[derive(Clone, Debug, Default)]
pub struct TaskFilter {
    /// Without it, those that are not over.
    pub status: Option<TaskStatus>,
    /// `me`, `nobody`, an id, or a role's name.
    pub assignee: Option<String>,
    /// Only those that should be done by now.
    pub overdue: bool,
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
        let (mut found, mut read_until) = (Vec::new(), None);
        for status in wanted {
            let stopped_at = self.search(caller, filter, *status, &mut found).await?;
            // Older tasks of this status were not looked at, so the page cannot go on below.
            read_until = read_until.max(stopped_at);
        }
        found.retain(|task| read_until.is_none_or(|until| task.id >= until));
        found.sort_by_key(|task| std::cmp::Reverse(task.id));
        let mut page = Page::from_overfetch(found, filter.limit, |last| last.id.to_string());
        if page.next_cursor.is_none() {
            page.next_cursor = read_until.map(|until| until.to_string());
        }
        Ok(page)
    }

    /// Finds enough tasks of a status for a page; answers with the last one that was looked at, if older ones may be left.
    async fn search(
        &self,
        caller: &Caller,
        filter: &TaskFilter,
        status: TaskStatus,
        found: &mut Vec<Task>,
    ) -> Result<Option<TaskId>, RuleError> {
        let prefix = format!("{}/", status.as_str());
        let enough = found.len() + filter.limit + 1;
        let mut before = filter.before.map(|before| format!("{prefix}{before}"));
        let mut rows_left = MAX_ROWS_READ;
        let is_meant = |task: &Task| {
            let assigned = filter.assignee.as_deref().is_none_or(|wanted| is_assigned(caller, task, wanted));
            assigned && (task.overdue || !filter.overdue)
        };
        loop {
            let rows = (filter.limit + 1).min(rows_left);
            let records = &self.stores.records;
            let read =
                records.last_named(caller.tenant_id, Kind::Task, &prefix, before.as_deref(), rows).await?;
            for record in &read {
                let task = decode(record, self.clock.now())?;
                if is_meant(&task) && found.len() < enough {
                    found.push(task);
                }
            }
            rows_left -= read.len();
            match read.last() {
                Some(last) if read.len() == rows && found.len() < enough => {
                    if rows_left == 0 {
                        return Ok(Some(TaskId::from_uuid(last.id)));
                    }
                    before = Some(last.name.clone());
                }
                _ => return Ok(None),
            }
        }
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
