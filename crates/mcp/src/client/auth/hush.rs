//! Keeps tokens out of what an upstream says. A run's own secrets do not hold them all: a token may be renewed while the call runs, and
//! that of a machine is in no secret.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{Arc, PoisonError, RwLock},
};

use toolgate_engine::{Redactor, SecretName, SecretValue};

/// Tokens that were sent lately: the answer to one may come when the next one is in use.
const MAX_SENT: usize = 16;

#[derive(Default)]
struct Sent {
    tokens: VecDeque<SecretValue>,
    redactor: Arc<Redactor>,
}

/// The tokens of one login that upstreams were sent.
pub struct Hush {
    /// What stands in the place of a token.
    name: Option<SecretName>,
    sent: RwLock<Sent>,
}

impl Hush {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.parse().ok(), sent: RwLock::default() }
    }

    /// This token is about to be sent.
    pub fn sends(&self, token: &str) {
        let known = |sent: &Sent| sent.tokens.iter().any(|one| one.expose() == token);
        if known(&self.sent.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        let (Some(name), Ok(token)) = (&self.name, SecretValue::new(token.to_owned())) else { return };
        let mut sent = self.sent.write().unwrap_or_else(PoisonError::into_inner);
        if sent.tokens.len() >= MAX_SENT {
            sent.tokens.pop_front();
        }
        sent.tokens.push_back(token);
        if let Ok(redactor) = Redactor::new(sent.tokens.iter().map(|token| (name.clone(), token.clone()))) {
            sent.redactor = Arc::new(redactor);
        }
    }

    /// The text without any of them; nothing, where it holds none. In a message, what stands in the place of a token needs no escapes.
    pub fn redacted(&self, text: &str) -> Option<String> {
        let redactor = Arc::clone(&self.sent.read().unwrap_or_else(PoisonError::into_inner).redactor);
        match redactor.redact_text(text) {
            Cow::Owned(redacted) => Some(redacted),
            Cow::Borrowed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_that_were_sent_lately_are_taken_out_of_what_comes_back() {
        let hush = Hush::new("MCP_X_OAUTH");
        assert_eq!(hush.redacted("first-token"), None, "it was not sent yet");
        hush.sends("first-token");
        for number in 2..=MAX_SENT {
            hush.sends("first-token");
            hush.sends(&format!("token-number-{number}"));
        }
        let heard = r#"{"text":"Bearer first-token, Bearer token-number-4"}"#;
        let expected = r#"{"text":"Bearer [redacted:MCP_X_OAUTH], Bearer [redacted:MCP_X_OAUTH]"}"#;
        assert_eq!(hush.redacted(heard).as_deref(), Some(expected));
        hush.sends("one-too-many");
        assert_eq!(hush.redacted("first-token"), None, "long ago");
        assert!(hush.redacted("token-number-2").is_some());
    }
}
