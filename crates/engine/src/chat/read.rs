//! Messages as they are heard: an answer is what its run says.

use std::collections::HashMap;

use toolgate_domain::{
    ErrorCode, Invocation, InvocationId, Message, MessageRole, Status, TenantId, Thread, Timestamp, ToolError,
};
use toolgate_store::{MessageFilter, StoreError};

use crate::Engine;

/// How long a message waits for its run's row, in milliseconds. One that has none by then was left by a process that died.
pub(super) const START_MS: u64 = 30_000;

/// A message with what its run says.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    pub message: Message,
    pub content: Option<String>,
    /// Of an answer: how its run stands.
    pub status: Option<Status>,
    pub error: Option<ToolError>,
    /// Of an answer whose run waits: for what.
    pub waiting_for: Vec<String>,
    pub completed_at: Option<Timestamp>,
}

impl Engine {
    /// Messages of a thread.
    pub async fn messages(&self, thread: &Thread, filter: &MessageFilter) -> Result<Vec<Heard>, StoreError> {
        let messages = self.stores.threads.messages(thread.tenant_id, thread.id, filter).await?;
        self.with_answers(thread.tenant_id, messages).await
    }

    /// What the messages say, whoever said it.
    pub(super) async fn with_answers(
        &self,
        tenant: TenantId,
        messages: Vec<Message>,
    ) -> Result<Vec<Heard>, StoreError> {
        let answers = messages.iter().filter(|message| message.role == MessageRole::Assistant);
        let runs: Vec<_> = answers.map(run_of).collect();
        let rows = self.stores.invocations.by_ids(tenant, &runs).await?;
        let mut rows: HashMap<InvocationId, Invocation> = rows.into_iter().map(|row| (row.id, row)).collect();
        let mut heard = Vec::with_capacity(messages.len());
        for message in messages {
            heard.push(match message.role {
                MessageRole::User => Heard {
                    content: message.content.clone(),
                    status: None,
                    error: None,
                    waiting_for: Vec::new(),
                    completed_at: None,
                    message,
                },
                MessageRole::Assistant => {
                    let row = rows.remove(&run_of(&message));
                    self.answer(message, row).await?
                }
            });
        }
        Ok(heard)
    }

    async fn answer(&self, message: Message, row: Option<Invocation>) -> Result<Heard, StoreError> {
        let Some(row) = row else {
            let (status, error) = match self.is_starting(&message) {
                true => (Status::Running, None),
                false => (Status::Failed, Some(never_begun())),
            };
            let (waiting_for, completed_at) = (Vec::new(), None);
            return Ok(Heard {
                message,
                content: None,
                status: Some(status),
                error,
                waiting_for,
                completed_at,
            });
        };
        let mut waiting_for = self.waits_for(&row).await?;
        if row.status() == Status::Pending {
            waiting_for.push(row.id.to_string());
        }
        Ok(Heard {
            message,
            content: self.response_of(&row).await?,
            status: Some(row.status()),
            waiting_for,
            completed_at: row.completed_at,
            error: row.outcome.error,
        })
    }

    /// Whether the run of a message without a row may still begin.
    pub(super) fn is_starting(&self, message: &Message) -> bool {
        self.clock.now().ms_since(message.created_at) < START_MS
    }
}

/// The call that is a message's run.
pub(super) fn run_of(message: &Message) -> InvocationId {
    InvocationId::from_uuid(message.run_id.uuid())
}

fn never_begun() -> ToolError {
    ToolError::new(
        ErrorCode::Unknown,
        "the run never began: the server stopped before it could; retry the message",
    )
}
