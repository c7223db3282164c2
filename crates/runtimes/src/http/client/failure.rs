//! Why no response came back.

use serde_json::json;
use toolgate_domain::{ErrorCode, ToolError};

use crate::http::wall::Refusal;

/// A request that ended without a response.
#[derive(Debug)]
pub(in crate::http) struct Failure {
    pub(in crate::http) error: ToolError,
    /// Whether the same request may succeed in a moment.
    pub(in crate::http) transient: bool,
}

impl Failure {
    pub(in crate::http) fn last(error: ToolError) -> Self {
        Self { error, transient: false }
    }

    pub(in crate::http) fn provider(reason: &str, message: impl Into<String>) -> Self {
        Self::last(
            ToolError::new(ErrorCode::ProviderError, message.into()).with_details(json!({"reason": reason})),
        )
    }

    pub(in crate::http) fn timeout(timeout_ms: u64) -> Self {
        let message = format!("there was no whole answer within {timeout_ms} ms");
        let error =
            ToolError::new(ErrorCode::Timeout, message).with_details(json!({"timeout_ms": timeout_ms}));
        Self { error, transient: true }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::Unresolved { .. } => Self { error: network(message, "dns"), transient: true },
            Refusal::Url(_) => {
                Self::last(ToolError::validation(message).with_details(json!({"reason": "url"})))
            }
            Refusal::Address { .. } | Refusal::Inside { .. } => {
                Self::last(ToolError::denied(message).with_details(json!({"reason": "address_refused"})))
            }
        }
    }
}

impl From<reqwest::Error> for Failure {
    /// The address is left out: its query may hold a secret.
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let phase = if error.is_connect() { "connect" } else { "exchange" };
        let mut cause: &dyn std::error::Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let cause: String = cause.to_string().chars().filter(|c| !c.is_control()).take(300).collect();
        Self { error: network(format!("the host cannot be talked to: {cause}"), phase), transient: true }
    }
}

fn network(message: String, phase: &str) -> ToolError {
    ToolError::new(ErrorCode::NetworkError, message).with_details(json!({"phase": phase}))
}
