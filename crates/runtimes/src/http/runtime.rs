//! Runs tools of kind `http`.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::Value;
use tokio::time::Instant;
use toolgate_domain::{
    Clock, EgressClass, Tool, ToolError, ToolSpec,
    tool::{Execution, reject_unknown_keys},
};
use toolgate_engine::{Compiled, Halt, Output, RunContext, Runtime};

use super::{
    HttpOptions,
    config::{Auth, Plan, egress_of_method, parse},
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
    #[error("the certificates that HTTP tools shall trust are not certificates in PEM")]
    Trusted,
}

/// The key that names a tool of this runtime's own.
const HANDLER: &str = "handler";

/// The runtime of kind `http`.
pub struct HttpRuntime {
    pub(super) core: Core,
    pub(super) wall: Wall,
    pub(super) search: WebSearch,
}

/// An execution block, read.
enum Work {
    Tool(Plan),
    /// `http_request`: each input makes a plan of its own.
    Request,
    Search(Plan),
}

impl Work {
    /// The loosest egress class that a tool of it may have.
    fn egress(&self) -> EgressClass {
        match self {
            Self::Tool(plan) => egress_of_method(&plan.method),
            Self::Request => EgressClass::Write,
            Self::Search(_) => EgressClass::ReadOnly,
        }
    }
}

impl HttpRuntime {
    pub fn new(clock: Arc<dyn Clock>, options: HttpOptions) -> Result<Self, HttpSetupError> {
        let wall = Wall::new(options.allow_hosts, options.resolver);
        let search = WebSearch::new(&options.search_base_url, &wall).map_err(HttpSetupError::Search)?;
        let trusted = match &options.trusted_pem {
            Some(pem) => reqwest::Certificate::from_pem_bundle(pem).map_err(|_| HttpSetupError::Trusted)?,
            None => Vec::new(),
        };
        if options.trusted_pem.is_some() && trusted.is_empty() {
            return Err(HttpSetupError::Trusted);
        }
        Ok(Self { core: Core::new(options.limits, trusted, clock)?, wall, search })
    }

    /// The definitions of the tools that ship with it, by name.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![HttpRequest::spec(), WebSearch::spec()]
    }

    /// The loosest egress class that a tool of this execution block may have.
    pub fn egress_of(&self, execution: &Execution) -> Result<EgressClass, String> {
        self.read(execution).map(|work| work.egress())
    }

    fn read(&self, execution: &Execution) -> Result<Work, String> {
        let limits = &self.core.limits;
        let Some(handler) = execution.config.get(HANDLER) else {
            return parse(&execution.config, limits, &self.wall).map(Work::Tool);
        };
        reject_unknown_keys(&execution.config, &[HANDLER]).map_err(|error| error.to_string())?;
        match handler.as_str() {
            Some(HttpRequest::NAME) => Ok(Work::Request),
            Some(WebSearch::NAME) => self.search.plan(limits).map(Work::Search),
            _ => Err(format!("`{HANDLER}` is `{}` or `{}`", HttpRequest::NAME, WebSearch::NAME)),
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
        match context.plan::<Work>()? {
            Work::Tool(plan) => self.core.execute(&job(plan, &self.wall), input).await.map(output),
            Work::Request => {
                let (plan, request) = HttpRequest::plan(input, &self.core.limits, &self.wall)?;
                self.core.send(&job(&plan, &self.wall), request).await.map(output)
            }
            Work::Search(plan) => {
                let request = self.search.request(plan, input);
                let answer = self.core.send(&job(plan, self.search.wall()), request).await?;
                let (value, cost_estimate) = normalise(input, &answer.value["body"])?;
                Ok(Output { cost_estimate, ..Output::from(value) })
            }
        }
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
        match tool.spec.execution.config.get(HANDLER).and_then(Value::as_str) {
            Some(HttpRequest::NAME) => HttpRequest::plan(input, &self.core.limits, &self.wall).map(drop),
            _ => Ok(()),
        }
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        self.read(execution).map(Compiled::new)
    }

    fn secrets(&self, execution: &Execution) -> Vec<(String, String)> {
        let plan = parse(&execution.config, &self.core.limits, &self.wall).ok();
        let auth = plan.and_then(|plan| plan.auth);
        let named = auth.iter().flat_map(Auth::secrets);
        named.map(|(key, name)| (format!("/auth/{key}"), name.to_owned())).collect()
    }

    /// The method tells; a block that cannot be read could do anything.
    fn egress_floor(&self, execution: &Execution) -> EgressClass {
        self.egress_of(execution).unwrap_or(EgressClass::Write)
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        self.answer(&tool, &input, &context).await.map_err(Halt::from)
    }
}
