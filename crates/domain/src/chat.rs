//! Conversations with an agent. What an agent answered is not kept here: it is the output of the run that a message names.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{AgentId, MessageId, RunId, SessionId, TenantId, ThreadId},
    time::Timestamp,
};

/// A conversation with one agent; its runs write to one session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Thread {
    pub id: ThreadId,
    #[serde(skip)]
    pub tenant_id: TenantId,
    pub session_id: SessionId,
    pub agent_id: AgentId,
    pub title: Option<String>,
    /// Whose thread it is.
    pub created_by: String,
    pub created_at: Timestamp,
    /// When something was last said, or the thread was changed.
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MessageRole {
    User,
    Assistant,
}

impl MessageRole {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl std::str::FromStr for MessageRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::User, Self::Assistant]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no role of a message"))
    }
}

/// One message as it is kept. What a person said and the place of the answer are written together, before the run begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub id: MessageId,
    pub tenant_id: TenantId,
    pub thread_id: ThreadId,
    /// Its place in the thread, from 1.
    pub seq: u64,
    pub role: MessageRole,
    /// What a person said; nothing for an answer, which is the run's.
    pub content: Option<String>,
    /// The run that answers, or whose answer it is.
    pub run_id: RunId,
    pub created_at: Timestamp,
    /// The conversation went back before it: it stays in the record only.
    pub dropped_at: Option<Timestamp>,
}
