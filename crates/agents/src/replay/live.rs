//! What of a replay is not from the record.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use toolgate_domain::{Envelope, ToolError};

use crate::run::Models;

/// Calls tools for real. Only those that change nothing are called.
#[async_trait]
pub trait LiveTools: Send + Sync {
    /// The receipt of a call of `name@version`, or why there is none.
    async fn call(&self, tool: &str, input: Value) -> Result<Envelope, ToolError>;
}

/// What is asked now; all else is from the record.
#[derive(Clone, Default)]
pub struct Live {
    pub models: Option<Arc<dyn Models>>,
    /// For tools of class `none` and `read_only`.
    pub tools: Option<Arc<dyn LiveTools>>,
}
