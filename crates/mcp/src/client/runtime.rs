//! Runs tools of kind `mcp`: those that were imported from an upstream.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rmcp::model::ServerResult;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use toolgate_domain::{EgressClass, ErrorCode, Tool, ToolError, governance::Upstream, tool::Execution};
use toolgate_engine::{Compiled, Halt, Output, RunContext, Runtime};

use super::{
    Upstreams, answer,
    failure::{self, Failure},
    plan::{Plan, shape_of},
    session::Calling,
    upstreams::Lease,
};

/// The runtime of kind `mcp`.
pub struct McpRuntime {
    upstreams: Arc<Upstreams>,
}

impl McpRuntime {
    pub fn new(upstreams: Arc<Upstreams>) -> Self {
        Self { upstreams }
    }

    async fn call(
        &self,
        tool: &Tool,
        plan: &Plan,
        input: Value,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let upstream = context.invoker.upstream(&plan.server).await?;
        let Value::Object(arguments) = input else {
            return Err(ToolError::validation("the input of an upstream's tool is an object"));
        };
        let answer = match self.attempt(&upstream, plan, arguments.clone(), context).await {
            // What never left, or may be done twice, is tried once more over a new connection.
            Err(failure) if failure.broke && (failure.unsent || tool.spec.is_idempotent()) => {
                self.attempt(&upstream, plan, arguments, context).await?
            }
            answer => answer?,
        };
        answer::read(answer, shape_of(tool.spec.output_schema.as_ref()))
    }

    async fn attempt(
        &self,
        upstream: &Upstream,
        plan: &Plan,
        arguments: Map<String, Value>,
        context: &RunContext,
    ) -> Result<ServerResult, Failure> {
        let limits = self.upstreams.limits();
        let lease = Box::pin(self.upstreams.lease(context.tenant_id, upstream, &context.secrets)).await?;
        let begun = lease.session.call(&plan.tool, arguments, limits.notice_bytes).await;
        let (calling, heard) = begun.map_err(|error| {
            // The connection closed between being chosen and being used.
            Failure { unsent: true, ..self.failed(error, &lease) }
        })?;
        let answer = follow(calling, heard, limits.notices_per_call, context).await;
        match answer {
            Ok(answer) => {
                lease.lane.breaker.succeeded();
                Ok(answer)
            }
            Err(error) => Err(self.failed(error, &lease)),
        }
    }

    fn failed(&self, error: rmcp::ServiceError, lease: &Lease) -> Failure {
        let failure = failure::of_request(error, lease.session.link.fault(), self.upstreams.now_ms());
        if failure.broke {
            self.upstreams.broke(&lease.lane);
        }
        failure
    }
}

/// Waits for the answer, and passes on what is said before it.
async fn follow(
    mut calling: Calling,
    mut heard: mpsc::Receiver<Value>,
    most: u64,
    context: &RunContext,
) -> Result<ServerResult, rmcp::ServiceError> {
    let mut passed = 0;
    let answer = loop {
        tokio::select! {
            biased;
            Some(notice) = heard.recv(), if passed < most => {
                passed += 1;
                context.emit(notice).await;
            }
            answer = calling.answer() => break answer,
        }
    };
    // What was said before the answer has arrived before it.
    while passed < most
        && let Ok(notice) = heard.try_recv()
    {
        passed += 1;
        context.emit(notice).await;
    }
    answer
}

#[async_trait]
impl Runtime for McpRuntime {
    fn kind(&self) -> &'static str {
        "mcp"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Plan::parse(execution).map(Compiled::new)
    }

    /// An upstream is outside: whatever it is asked, it is told.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::ReadOnly
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let plan = context.plan::<Plan>()?;
        let remaining_ms = u64::try_from(context.deadline.as_millis() - self.upstreams.now_ms()).unwrap_or(0);
        let called = self.call(&tool, plan, input, &context);
        // Whichever comes first, the call is dropped, and with it withdrawn.
        let output = tokio::select! {
            biased;
            () = context.cancel.cancelled() => {
                Err(ToolError::new(ErrorCode::Unknown, "the call was withdrawn"))
            }
            () = tokio::time::sleep(Duration::from_millis(remaining_ms)) => {
                Err(failure::timeout("did not answer", u128::from(context.timeout_ms)))
            }
            output = called => output,
        };
        output.map_err(Halt::from)
    }
}
