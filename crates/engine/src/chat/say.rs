//! Saying something. The message, the place of its answer and the id of the run are one commit, made before the run begins: so a thread has
//! at most one run at a time, whichever processes are asked, and an answer has one place.

use serde_json::json;
use toolgate_domain::{
    Caller, InvocationId, Message, MessageId, MessageRole, RunId, Surface, Thread, ThreadId,
};
use toolgate_store::{MessageFilter, StoreError};

use super::{history::MAX_MESSAGE, read::run_of};
use crate::{Call, Engine, RUN_TOOL, RuleError};

/// What was said, and the call that answers it. The call is still to be made.
#[derive(Debug)]
pub struct Spoken {
    pub thread: Thread,
    pub message: Message,
    pub run_id: RunId,
    pub call: Call,
}

#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    #[error("the thread answers already: {0} is not over")]
    Busy(RunId),
    #[error(transparent)]
    Rules(#[from] RuleError),
}

impl From<StoreError> for ChatError {
    fn from(error: StoreError) -> Self {
        Self::Rules(error.into())
    }
}

impl Engine {
    /// Says something in the caller's own thread.
    pub async fn say(
        &self,
        caller: &Caller,
        thread: ThreadId,
        content: String,
        deadline_s: Option<u64>,
        surface: Surface,
    ) -> Result<Spoken, ChatError> {
        let thread = self.open_thread(caller, thread).await?;
        if content.is_empty() || content.chars().count() > MAX_MESSAGE || content.contains('\0') {
            let message = format!("a message has 1 to {MAX_MESSAGE} characters, and none of them is NUL");
            return Err(RuleError::Invalid(message).into());
        }
        self.speak(caller, thread, content, None, deadline_s, surface).await
    }

    /// Goes back to a message of the caller's own thread and says it again; what came after it is dropped from the conversation, and
    /// stays in the record.
    pub async fn retry(
        &self,
        caller: &Caller,
        thread: ThreadId,
        message: MessageId,
        deadline_s: Option<u64>,
        surface: Surface,
    ) -> Result<Spoken, ChatError> {
        let thread = self.open_thread(caller, thread).await?;
        let missing = || RuleError::NotFound(format!("there is no message {message} in this conversation"));
        let stores = &self.stores.threads;
        let found = stores.message(caller.tenant_id, thread.id, message).await?;
        let found = found.filter(|message| message.dropped_at.is_none()).ok_or_else(missing)?;
        // An answer is asked for again by what it answers, which stands before it.
        let from = match found.role {
            MessageRole::User => found.seq,
            MessageRole::Assistant => found.seq.saturating_sub(1),
        };
        let filter = MessageFilter { after: from.saturating_sub(1), limit: 1, ..MessageFilter::default() };
        let asked = stores.messages(caller.tenant_id, thread.id, &filter).await?.pop();
        let content = asked.and_then(|message| message.content).ok_or_else(missing)?;
        self.speak(caller, thread, content, Some(from), deadline_s, surface).await
    }

    async fn open_thread(&self, caller: &Caller, id: ThreadId) -> Result<Thread, RuleError> {
        let thread = self.own_thread(caller, id).await?;
        if thread.archived_at.is_some() {
            return Err(RuleError::Conflict(format!("the thread {id} is archived")));
        }
        Ok(thread)
    }

    async fn speak(
        &self,
        caller: &Caller,
        thread: Thread,
        content: String,
        drop_from: Option<u64>,
        deadline_s: Option<u64>,
        surface: Surface,
    ) -> Result<Spoken, ChatError> {
        let last = self.last_message(&thread).await?;
        if let Some(last) = &last
            && self.is_busy(last).await?
        {
            return Err(ChatError::Busy(last.run_id));
        }
        let seq = last.map_or(1, |last| last.seq + 1);
        if seq >= self.limits.max_thread_messages {
            let message = format!("the thread has {} messages, the most it may have: begin another", seq - 1);
            return Err(RuleError::Conflict(message).into());
        }
        let history = self.history(&thread, drop_from).await?;
        let (id, now) = (InvocationId::generate(&*self.ids), self.clock.now());
        let run_id = RunId::from_uuid(id.uuid());
        let message = |seq, role, content| Message {
            id: MessageId::generate(&*self.ids),
            tenant_id: thread.tenant_id,
            thread_id: thread.id,
            seq,
            role,
            content,
            run_id,
            created_at: now,
            dropped_at: None,
        };
        let messages = [
            message(seq, MessageRole::User, Some(content.clone())),
            message(seq + 1, MessageRole::Assistant, None),
        ];
        let added =
            self.stores.threads.add_messages(thread.tenant_id, thread.id, &messages, drop_from, now).await;
        match added {
            Ok(()) => {}
            Err(StoreError::Conflict(_)) => {
                // Somebody else spoke at the same moment, and was faster.
                let first = self.last_message(&thread).await?;
                return Err(ChatError::Busy(first.map_or(run_id, |first| first.run_id)));
            }
            Err(error) => return Err(error.into()),
        }
        let mut input = json!({"agent": thread.agent_id, "message": content});
        if !history.is_empty() {
            input["history"] = json!(history);
        }
        if let Some(deadline_s) = deadline_s {
            input["deadline_s"] = json!(deadline_s);
        }
        let call = Call {
            id: Some(id),
            session_id: Some(thread.session_id),
            ..Call::new(caller.clone(), surface, RUN_TOOL, input)
        };
        let [message, _] = messages;
        Ok(Spoken { thread, message, run_id, call })
    }

    async fn last_message(&self, thread: &Thread) -> Result<Option<Message>, StoreError> {
        let filter =
            MessageFilter { newest_first: true, with_dropped: true, limit: 1, ..MessageFilter::default() };
        Ok(self.stores.threads.messages(thread.tenant_id, thread.id, &filter).await?.pop())
    }

    /// Whether the run of the thread's last message is not over. One that has no row after a while was never begun.
    async fn is_busy(&self, last: &Message) -> Result<bool, StoreError> {
        let row = self.stores.invocations.get(last.tenant_id, run_of(last)).await?;
        Ok(row.map_or_else(|| self.is_starting(last), |row| !row.phase.is_terminal()))
    }
}
