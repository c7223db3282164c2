//! The ports that the rooms above plug into.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolgate_domain::{InvocationId, TenantId, Timestamp, Tool, ToolError, tool::Execution};

use crate::RunSecrets;

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub value: Value,
    /// What the call cost, by the tool's own word.
    pub cost_estimate: Option<f64>,
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self { value, cost_estimate: None }
    }
}

/// What a runtime knows of the call it runs. The tenant comes from the verified caller.
#[derive(Clone)]
pub struct RunContext {
    pub tenant_id: TenantId,
    pub invocation_id: InvocationId,
    /// Fires when the call is cancelled or out of time; what the runtime still does then is for nobody.
    pub cancel: CancellationToken,
    pub deadline: Timestamp,
    /// The secrets that the tool declares, for the length of the run. Whatever the run says is redacted of them.
    pub secrets: RunSecrets,
    pub(crate) chunks: mpsc::Sender<Value>,
}

impl RunContext {
    /// Streams a piece of output. It is recorded in order; a slow ledger slows the tool.
    pub async fn emit(&self, chunk: Value) {
        // The executor stops listening only when nobody waits for the call any more.
        let _ = self.chunks.send(chunk).await;
    }
}

/// Runs one kind of tool.
#[async_trait]
pub trait Runtime: Send + Sync {
    /// The `execution.kind` it serves.
    fn kind(&self) -> &'static str;

    /// Whether it can run this execution block; the message says what is wrong with it.
    fn check(&self, execution: &Execution) -> Result<(), String>;

    /// Runs a call whose input is valid. Dropping the future ends the call.
    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, ToolError>;
}

/// A signed message to somebody outside.
#[derive(Clone, Debug)]
pub struct Letter {
    pub url: String,
    /// The same for every attempt: whoever has seen it already need not read on.
    pub delivery: String,
    /// Unix seconds of this attempt; signed with the body, so that an old letter cannot be passed off as new.
    pub sent_at_s: i64,
    /// `t=<sent_at_s>,v1=<hex>`.
    pub signature: String,
    pub body: String,
}

/// Carries letters out of the house. The engine knows no HTTP.
#[async_trait]
pub trait Notifier: Send + Sync {
    /// Whether letters may go to this address; the message says why not.
    async fn check(&self, url: &str) -> Result<(), String>;

    /// Sends, within a bounded time, and answers the status with which the letter was received.
    async fn send(&self, letter: Letter) -> Result<u16, String>;
}
