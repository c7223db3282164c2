//! Runs tools of kind `http`.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::Value;
use tokio::time::Instant;
use toolgate_domain::{
    Clock, EgressClass, ErrorCode, Tool, ToolError, ToolSpec,
    tool::{Execution, reject_unknown_keys},
};
use toolgate_engine::{Halt, Output, RunContext, Runtime};

use super::{
    HttpOptions,
    config::{egress_of_method, parse},
    run::{Answer, Core, Job},
    tools::{HttpRequest, WebSearch, normalise},
    wall::Wall,
};

#[derive(Debug, thiserror::Error)]
pub enum HttpSetupError {
    #[error("no HTTP client can be made: {0}")]
    Client(#[from] reqwest::Error),
    #[error("{0}")]
    Search(String),
}

/// The runtime of kind `http`.
pub struct HttpRuntime {
    pub(super) core: Core,
    pub(super) wall: Wall,
    pub(super) search: WebSearch,
}

/// A tool of this runtime's own, by its `handler`.
enum Handler {
    Request,
    Search,
}

impl HttpRuntime {
    pub fn new(clock: Arc<dyn Clock>, options: HttpOptions) -> Result<Self, HttpSetupError> {
        let wall = Wall::new(options.allow_hosts, options.resolver);
        let search = WebSearch::new(&options.search_base_url, &wall).map_err(HttpSetupError::Search)?;
        Ok(Self { core: Core::new(options.limits, clock)?, wall, search })
    }

    /// The definitions of the tools that ship with it, by name.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![HttpRequest::spec(), WebSearch::spec()]
    }

    /// The loosest egress class that a tool of this execution block may have.
    pub fn egress_of(&self, execution: &Execution) -> Result<EgressClass, String> {
        match handler(execution)? {
            Some(Handler::Request) => Ok(EgressClass::Write),
            Some(Handler::Search) => Ok(EgressClass::ReadOnly),
            None => {
                let plan = parse(&execution.config, &self.core.limits, &self.wall)?;
                Ok(egress_of_method(&plan.method))
            }
        }
    }

    async fn answer(&self, tool: &Tool, input: &Value, context: &RunContext) -> Result<Output, ToolError> {
        let secrets = |name: &str| context.secrets.get(name).cloned();
        let remaining_ms = context.deadline.ms_since(self.core.clock.now());
        let job = |plan, wall| Job {
            plan,
            wall,
            secrets: &secrets,
            tenant: context.tenant_id,
            tool: tool.spec.id(),
            call_id: context.invocation_id.to_string(),
            deadline: Instant::now() + Duration::from_millis(remaining_ms),
        };
        let broken = |message: String| ToolError::new(ErrorCode::Unknown, message);
        match handler(&tool.spec.execution).map_err(broken)? {
            None => {
                let plan =
                    parse(&tool.spec.execution.config, &self.core.limits, &self.wall).map_err(broken)?;
                self.core.execute(&job(&plan, &self.wall), input).await.map(output)
            }
            Some(Handler::Request) => {
                let (plan, request) = HttpRequest::plan(input, &self.core.limits, &self.wall)?;
                self.core.send(&job(&plan, &self.wall), request).await.map(output)
            }
            Some(Handler::Search) => {
                let (plan, request) = self.search.plan(input, &self.core.limits)?;
                let answer = self.core.send(&job(&plan, self.search.wall()), request).await?;
                let (value, cost_estimate) = normalise(input, &answer.value["body"])?;
                Ok(Output { cost_estimate, ..Output::from(value) })
            }
        }
    }
}

fn handler(execution: &Execution) -> Result<Option<Handler>, String> {
    let Some(name) = execution.config.get("handler") else { return Ok(None) };
    reject_unknown_keys(&execution.config, &["handler"]).map_err(|error| error.to_string())?;
    match name.as_str() {
        Some(HttpRequest::NAME) => Ok(Some(Handler::Request)),
        Some(WebSearch::NAME) => Ok(Some(Handler::Search)),
        _ => Err(format!("`handler` is `{}` or `{}`", HttpRequest::NAME, WebSearch::NAME)),
    }
}

fn output(answer: Answer) -> Output {
    Output { attachments: answer.attachments, ..Output::from(answer.value) }
}

#[async_trait]
impl Runtime for HttpRuntime {
    fn kind(&self) -> &'static str {
        "http"
    }

    /// An address that the wall refuses by its looks is refused before a person is asked about it.
    fn check_input(&self, tool: &Tool, input: &Value) -> Result<(), ToolError> {
        match handler(&tool.spec.execution) {
            Ok(Some(Handler::Request)) => HttpRequest::plan(input, &self.core.limits, &self.wall).map(drop),
            _ => Ok(()),
        }
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        self.egress_of(execution).map(drop)
    }

    /// The method tells; a block that cannot be read could do anything.
    fn egress_floor(&self, execution: &Execution) -> EgressClass {
        self.egress_of(execution).unwrap_or(EgressClass::Write)
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        self.answer(&tool, &input, &context).await.map_err(Halt::from)
    }
}
