use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use toolgate_domain::{ErrorCode, Tool, ToolError, tool::Execution};
use toolgate_engine::{Halt, Output, PlannedCall, RunContext, Runtime};

use super::{plan::Plan, run};

/// The runtime of kind `composition`.
pub struct CompositionRuntime;

#[async_trait]
impl Runtime for CompositionRuntime {
    fn kind(&self) -> &'static str {
        "composition"
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        Plan::read(execution).map(drop)
    }

    fn calls(&self, execution: &Execution) -> Vec<String> {
        self.planned(execution).into_iter().map(|planned| planned.tool).collect()
    }

    fn planned(&self, execution: &Execution) -> Vec<PlannedCall> {
        Plan::read(execution).map(|plan| plan.calls()).unwrap_or_default()
    }

    fn replays(&self) -> bool {
        true
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let plan = Plan::read(&tool.spec.execution)
            .map_err(|message| ToolError::new(ErrorCode::Unknown, message))?;
        run::run(&plan, &input, &context).await
    }
}
