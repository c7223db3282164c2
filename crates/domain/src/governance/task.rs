use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Questions;
use crate::{
    ids::{AgentId, InvocationId, TaskId, UserId, Uuid},
    time::Timestamp,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TaskStatus {
    Open,
    InProgress,
    Completed,
    Cancelled,
}

impl TaskStatus {
    pub const ALL: &'static [Self] = &[Self::Open, Self::InProgress, Self::Completed, Self::Cancelled];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}

impl std::str::FromStr for TaskStatus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.iter().copied().find(|status| status.as_str() == text).ok_or_else(|| {
            format!("`{text}` is not the status of a task: open, in_progress, completed or cancelled")
        })
    }
}

/// Who shall do it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Assignee {
    User(UserId),
    /// Anybody with the role.
    Role(String),
    Agent(AgentId),
}

/// What a call that waits for a task answers with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TaskAnswer {
    /// `{task_id, status, result}`.
    #[default]
    Task,
    /// The result alone.
    Result,
}

/// Work that a tool handed to somebody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Task {
    pub id: TaskId,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub status: TaskStatus,
    pub assignee: Option<Assignee>,
    /// What the tool was called with.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub input: Value,
    /// `name@version` of the tool that made it.
    pub tool: String,
    pub invocation_id: InvocationId,
    /// Whether that call waits for the end of the task; no longer when the task was overdue.
    pub waits: bool,
    #[serde(default)]
    pub answers: TaskAnswer,
    /// What the tool asks whoever called it. The result of such a task is an object with an answer for each name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<Questions>,
    /// A call may ask several times, once after the other.
    #[serde(default)]
    pub round: u32,
    /// Who made the call.
    pub created_by: String,
    /// Who works on it, or ended it.
    pub worked_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub result: Option<Value>,
    /// Why it was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub created_at: Timestamp,
    pub due_at: Option<Timestamp>,
    /// Whether it should be done by now, and is not.
    #[serde(default)]
    pub overdue: bool,
    pub ended_at: Option<Timestamp>,
}

impl Task {
    /// The task of a call: a run that begins again finds it.
    pub fn id_of(invocation: InvocationId) -> TaskId {
        TaskId::from_uuid(invocation.uuid())
    }

    /// The task of a call's round of questions. It is listed where the call would be.
    pub fn id_of_round(invocation: InvocationId, round: u32) -> TaskId {
        if round == 0 {
            return Self::id_of(invocation);
        }
        let mut bytes = *invocation.uuid().as_bytes();
        let digest = Sha256::new().chain_update(bytes).chain_update(round.to_be_bytes()).finalize();
        // The time stays, and with it the order of ids; so do version and variant.
        bytes[9..].copy_from_slice(&digest[..7]);
        TaskId::from_uuid(Uuid::from_bytes(bytes))
    }

    /// What the call answers with that waited for it.
    pub fn answer(&self) -> Value {
        match self.answers {
            TaskAnswer::Task => json!({"task_id": self.id, "status": self.status, "result": self.result}),
            TaskAnswer::Result => self.result.clone().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_of_a_call_has_a_task_of_its_own() {
        let call =
            |n: u128| InvocationId::from_uuid(Uuid::from_u128(0x019a_8a3e_7c1d_7b7e_9a55_0000_0000_0000 + n));
        assert_eq!(Task::id_of_round(call(1), 0), Task::id_of(call(1)));
        let mut ids: Vec<_> =
            (0..3).flat_map(|n| (0..20).map(move |round| Task::id_of_round(call(n), round))).collect();
        assert!(ids.iter().all(|id| id.uuid().get_version_num() == 7));
        assert!(ids.iter().all(|id| id.uuid().as_bytes()[..9] == call(0).uuid().as_bytes()[..9]));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 60);
    }
}
