use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use toolgate_domain::{Tool, tool::Execution};
use toolgate_engine::{Compiled, Halt, Output, PlannedCall, RunContext, Runtime};

use super::{plan::Plan, run};

/// The runtime of kind `composition`.
pub struct CompositionRuntime;

#[async_trait]
impl Runtime for CompositionRuntime {
    fn kind(&self) -> &'static str {
        "composition"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Plan::read(execution).map(Compiled::new)
    }

    fn calls(&self, execution: &Execution) -> Vec<String> {
        self.planned(execution).into_iter().map(|planned| planned.tool).collect()
    }

    fn planned(&self, execution: &Execution) -> Vec<PlannedCall> {
        Plan::read(execution).map(|plan| plan.calls()).unwrap_or_default()
    }

    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    async fn run(&self, _tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        run::run(context.plan::<Plan>()?, &input, &context).await
    }
}
