use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{EgressClass, ErrorCode, Tool, ToolError, tool::Execution};
use toolgate_engine::{Compiled, Halt, ModelSource, Output, PlannedCall, RunContext, Runtime};

use super::{
    answer, ask,
    config::{Config, Mode},
    hand_over,
    metered::Metered,
};

/// The runtime of kind `prompt`.
pub struct PromptRuntime {
    models: Option<Arc<dyn ModelSource>>,
}

impl PromptRuntime {
    /// Without models, prompt tools can be registered, and say so when they are called.
    pub fn new(models: Option<Arc<dyn ModelSource>>) -> Self {
        Self { models }
    }
}

fn hands_over(execution: &Execution) -> bool {
    Config::read(execution).is_ok_and(|config| config.mode == Mode::Agent)
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

    fn planned(&self, execution: &Execution) -> Vec<PlannedCall> {
        if hands_over(execution) { vec![hand_over::planned()] } else { Vec::new() }
    }

    fn delegates(&self, execution: &Execution) -> Vec<String> {
        Config::read(execution).ok().and_then(|config| config.agent).into_iter().collect()
    }

    /// Work that was handed over is a call in its place; a model that is asked here would be asked twice.
    fn replays(&self, execution: &Execution) -> bool {
        hands_over(execution)
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let config: &Config = context.plan()?;
        if config.mode == Mode::Agent {
            return hand_over::run(config, &tool, &input, &context).await;
        }
        let asked = ask::question(config, &tool, &input, &context).await?;
        let models = self.models.as_deref().ok_or_else(no_model)?;
        let model = models.open(&context.invoker, asked.model.as_deref()).await?;
        let model = Metered::new(&*model, &tool, &context);
        let answer = match asked.schema.clone() {
            Some(schema) => answer::structured(&model, asked, &schema, config.max_reasks).await,
            None => answer::text(&model, asked, &context).await,
        };
        answer.map_err(Halt::from)
    }
}

fn no_model() -> ToolError {
    let message = "no model is set up on this server: an operator can start it with a model, or with `--model-script FILE` to try things out";
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"reason": "no_model"}))
}
