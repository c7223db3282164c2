//! What the next run of a thread is told of the conversation. Bounded: the oldest messages are left out first.

use serde_json::{Value, json};
use toolgate_domain::{MessageRole, Thread};
use toolgate_store::{MessageFilter, StoreError};

use crate::Engine;

/// The longest single message that `run_agent` takes, in characters.
pub(super) const MAX_MESSAGE: usize = 100_000;
/// The most messages that `run_agent` takes.
const MAX_MESSAGES: u64 = 500;

impl Engine {
    /// The conversation before this place, oldest first. Answers that never came are left out.
    pub(super) async fn history(
        &self,
        thread: &Thread,
        before: Option<u64>,
    ) -> Result<Vec<Value>, StoreError> {
        let most = self.limits.chat_history_messages.min(MAX_MESSAGES);
        let filter = MessageFilter {
            before,
            newest_first: true,
            limit: usize::try_from(most).unwrap_or(usize::MAX),
            ..MessageFilter::default()
        };
        let mut chars_left = usize::try_from(self.limits.chat_history_chars).unwrap_or(usize::MAX);
        let mut history = Vec::new();
        for heard in self.messages(thread, &filter).await? {
            let role = heard.message.role;
            let Some(content) = heard.content.filter(|content| !content.is_empty()) else {
                continue;
            };
            let content: String = content.chars().take(MAX_MESSAGE).collect();
            let Some(left) = chars_left.checked_sub(content.chars().count()) else {
                break;
            };
            chars_left = left;
            history.push(json!({"role": role, "content": content}));
        }
        // A conversation begins with a question.
        while history.last().is_some_and(|said| said["role"] == json!(MessageRole::Assistant)) {
            history.pop();
        }
        history.reverse();
        Ok(history)
    }
}
