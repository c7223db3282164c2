//! Threads: made, found, renamed, archived.

use toolgate_domain::{Caller, Page, Scope, SessionId, Thread, ThreadId};
use toolgate_store::ThreadFilter;

use crate::{Engine, RuleError};

/// Characters of a title.
const MAX_TITLE: usize = 200;

/// What can be changed of a thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadPatch {
    /// An empty one takes the title away.
    pub title: Option<String>,
    pub archived: Option<bool>,
}

impl Engine {
    /// Begins a conversation with an agent, by id or handle.
    pub async fn create_thread(
        &self,
        caller: &Caller,
        agent: &str,
        title: Option<String>,
    ) -> Result<Thread, RuleError> {
        let agent = self.rules.find_agent(caller, agent).await?;
        let now = self.clock.now();
        let thread = Thread {
            id: ThreadId::generate(&*self.ids),
            tenant_id: caller.tenant_id,
            session_id: SessionId::generate(&*self.ids),
            agent_id: agent.id,
            title: title.map(checked).transpose()?.flatten(),
            created_by: caller.principal.to_string(),
            created_at: now,
            updated_at: now,
            archived_at: None,
        };
        self.stores.threads.add_thread(&thread).await?;
        Ok(thread)
    }

    /// A thread of the caller's own, or any, for those who may read all calls. For anybody else it does not exist.
    pub async fn thread(&self, caller: &Caller, id: ThreadId) -> Result<Thread, RuleError> {
        let found = self.stores.threads.thread(caller.tenant_id, id).await?;
        let seen = found.filter(|thread| is_own(caller, thread) || caller.may(Scope::InvocationsRead));
        seen.ok_or_else(|| RuleError::NotFound(format!("there is no thread {id}")))
    }

    /// A thread that the caller may write to: their own.
    pub(super) async fn own_thread(&self, caller: &Caller, id: ThreadId) -> Result<Thread, RuleError> {
        let thread = self.thread(caller, id).await?;
        if is_own(caller, &thread) {
            return Ok(thread);
        }
        Err(RuleError::Forbidden(format!("the thread {id} is somebody else's: it can only be read")))
    }

    /// The caller's own threads, newest first.
    pub async fn threads(
        &self,
        caller: &Caller,
        with_archived: bool,
        before: Option<ThreadId>,
        limit: usize,
    ) -> Result<Page<Thread>, RuleError> {
        let created_by = Some(caller.principal.to_string());
        let filter = ThreadFilter { created_by, with_archived, before, limit };
        Ok(self.stores.threads.list_threads(caller.tenant_id, &filter).await?)
    }

    pub async fn update_thread(
        &self,
        caller: &Caller,
        id: ThreadId,
        patch: ThreadPatch,
    ) -> Result<Thread, RuleError> {
        let mut thread = self.own_thread(caller, id).await?;
        let now = self.clock.now();
        if let Some(title) = patch.title {
            thread.title = checked(title)?;
        }
        match patch.archived {
            Some(true) => thread.archived_at = thread.archived_at.or(Some(now)),
            Some(false) => thread.archived_at = None,
            None => {}
        }
        thread.updated_at = now;
        self.stores.threads.update_thread(&thread).await?;
        Ok(thread)
    }
}

fn is_own(caller: &Caller, thread: &Thread) -> bool {
    thread.created_by == caller.principal.to_string()
}

fn checked(title: String) -> Result<Option<String>, RuleError> {
    let title = title.trim().to_owned();
    if title.chars().count() > MAX_TITLE || title.chars().any(char::is_control) {
        let message = format!("a title has at most {MAX_TITLE} characters and no control characters");
        return Err(RuleError::Invalid(message));
    }
    Ok((!title.is_empty()).then_some(title))
}
