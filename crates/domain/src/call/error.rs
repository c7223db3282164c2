//! A failure is data: one of nine stable codes, with what happened and what to do next.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::Value;

macro_rules! codes {
    // A token tree: what derives the OpenAPI schema does not see through a literal that was captured as one.
    ($($variant:ident = $wire:tt, $doc:literal;)*) => {
        /// The stable codes that callers may branch on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum ErrorCode {
            $(#[doc = $doc] #[serde(rename = $wire)] $variant,)*
        }

        impl ErrorCode {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }
    };
}

codes! {
    ValidationError = "VALIDATION_ERROR", "The input does not fit the tool's schema.";
    Timeout = "TIMEOUT", "The tool ran longer than it may.";
    RateLimit = "RATE_LIMIT", "Too many calls; `retry_after_s` says when to come back.";
    PolicyDenied = "POLICY_DENIED", "The guard refused the call.";
    AuthRequired = "AUTH_REQUIRED", "A secret that the tool needs is missing or not accepted.";
    ProviderError = "PROVIDER_ERROR", "What stands behind the tool failed, or broke the tool's own contract.";
    NetworkError = "NETWORK_ERROR", "What stands behind the tool could not be reached.";
    SandboxError = "SANDBOX_ERROR", "Sandboxed code failed.";
    Unknown = "UNKNOWN", "Something else; `details` says what is known.";
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ErrorCode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| format!("unknown error code `{text}`"))
    }
}

/// How a call failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolError {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub details: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

impl ToolError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None, retry_after_s: None }
    }

    pub fn validation(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::ValidationError, message)
    }

    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::PolicyDenied, message)
    }

    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }
}
