use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{EgressClass, ErrorCode, Tool, ToolError, tool::Execution};
use toolgate_engine::{Compiled, Halt, Model, Output, RunContext, Runtime};

use super::{answer, ask, config::Config};

/// The runtime of kind `prompt`.
pub struct PromptRuntime {
    model: Option<Arc<dyn Model>>,
}

impl PromptRuntime {
    /// Without a model, prompt tools can be registered, and say so when they are called.
    pub fn new(model: Option<Arc<dyn Model>>) -> Self {
        Self { model }
    }
}

#[async_trait]
impl Runtime for PromptRuntime {
    fn kind(&self) -> &'static str {
        "prompt"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Config::read(execution).map(Compiled::new)
    }

    /// What is asked leaves the house, and nothing is changed there.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::ReadOnly
    }

    fn delegates(&self, execution: &Execution) -> Vec<String> {
        Config::read(execution).ok().and_then(|config| config.agent).into_iter().collect()
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let config: &Config = context.plan()?;
        let asked = ask::question(config, &tool, &input, &context).await?;
        let model = self.model.as_deref().ok_or_else(no_model)?;
        let answer = match asked.schema.clone() {
            Some(schema) => answer::structured(model, asked, &schema, config.max_reasks).await,
            None => answer::text(model, asked, &context).await,
        };
        answer.map_err(Halt::from)
    }
}

fn no_model() -> ToolError {
    let message = "no model is set up on this server: an operator can start it with a model, or with `--model-script FILE` to try things out";
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"reason": "no_model"}))
}
