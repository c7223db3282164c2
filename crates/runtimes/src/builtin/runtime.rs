//! Runs tools of kind `builtin`: the ones that ship in the binary, and registered ones that stand on them.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use jsonschema::Validator;
use serde_json::{Value, json};
use toolgate_domain::{
    Clock, ErrorCode, IdGen, Scope, Tool, ToolError, ToolSpec,
    tool::{Execution, Origin},
};
use toolgate_engine::{Halt, Output, RunContext, Runtime};

use super::{Builtin, BuiltinContext, Weight, all, manage_tools, task_status, usage_stats, wait};
use crate::binding::bind;

enum Handler {
    Plain(Arc<dyn Builtin>),
    Wait,
    ManageTools,
    TaskStatus,
    UsageStats,
}

impl Handler {
    fn spec(&self) -> ToolSpec {
        match self {
            Self::Plain(builtin) => builtin.spec(),
            Self::Wait => wait::spec(),
            Self::ManageTools => manage_tools::spec(),
            Self::TaskStatus => task_status::spec(),
            Self::UsageStats => usage_stats::spec(),
        }
    }
}

struct Served {
    handler: Handler,
    /// What the handler itself accepts: a registered tool may describe its own input differently.
    accepts: Validator,
}

/// The runtime of kind `builtin`.
pub struct BuiltinRuntime {
    served: BTreeMap<String, Served>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGen>,
}

impl BuiltinRuntime {
    /// The error names a built-in whose own schema does not compile; a test shows that there is none.
    pub fn new(clock: Arc<dyn Clock>, ids: Arc<dyn IdGen>) -> Result<Self, String> {
        let handlers = all().into_iter().map(Handler::Plain).chain([
            Handler::Wait,
            Handler::ManageTools,
            Handler::TaskStatus,
            Handler::UsageStats,
        ]);
        let served = handlers
            .map(|handler| {
                let spec = handler.spec();
                let accepts = jsonschema::draft202012::new(&spec.input_schema)
                    .map_err(|e| format!("{}: {e}", spec.name))?;
                Ok((spec.name.to_string(), Served { handler, accepts }))
            })
            .collect::<Result<_, String>>()?;
        Ok(Self { served, clock, ids })
    }

    /// The definitions of everything it serves, by name.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.served.values().map(|served| served.handler.spec()).collect()
    }

    fn find(&self, execution: &Execution) -> Result<&Served, String> {
        let name = execution
            .config
            .get("handler")
            .and_then(Value::as_str)
            .ok_or("`handler` names the built-in tool to run")?;
        self.served.get(name).ok_or_else(|| {
            let known: Vec<_> = self.served.keys().map(String::as_str).collect();
            format!(
                "there is no built-in `{}`; there are {}",
                name.chars().take(64).collect::<String>(),
                known.join(", ")
            )
        })
    }
}

#[async_trait]
impl Runtime for BuiltinRuntime {
    fn kind(&self) -> &'static str {
        "builtin"
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        toolgate_domain::tool::reject_unknown_keys(&execution.config, &["handler", "arguments"])
            .map_err(|e| e.to_string())?;
        if execution.config.get("arguments").is_some_and(|arguments| !arguments.is_object()) {
            return Err("`arguments` is an object".to_owned());
        }
        self.find(execution).map(drop)
    }

    fn check_input(&self, tool: &Tool, input: &Value) -> Result<(), ToolError> {
        match self.find(&tool.spec.execution).map(|served| &served.handler) {
            // With arguments, the input is not yet what the handler gets.
            Ok(Handler::ManageTools) if !tool.spec.execution.config.contains_key("arguments") => {
                manage_tools::check(input)
            }
            _ => Ok(()),
        }
    }

    fn agreeing_needs(&self, tool: &Tool, input: &Value) -> Option<Scope> {
        let served = self.find(&tool.spec.execution).ok()?;
        if !matches!(served.handler, Handler::ManageTools) {
            return None;
        }
        let bound = tool.spec.execution.config.get("arguments").map(|given| bind(given, &[("input", input)]));
        Some(manage_tools::scope_of(bound.as_ref().unwrap_or(input)["action"].as_str().unwrap_or_default()))
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let broken = |message| ToolError::new(ErrorCode::Unknown, message);
        let served = self.find(&tool.spec.execution).map_err(broken)?;
        let input = match tool.spec.execution.config.get("arguments") {
            None => input,
            Some(arguments) => bind(arguments, &[("input", &input)]),
        };
        // The door has held a tool of ours against this very schema already.
        let checked = tool.origin == Origin::Code;
        if let Err(error) = if checked { Ok(()) } else { served.accepts.validate(&input) } {
            let message: String = error.to_string().chars().take(300).collect();
            return Err(ToolError::validation(format!(
                "the built-in behind {} does not accept its arguments: {message}",
                tool.spec.id()
            ))
            .with_details(
                json!({"errors": [{"path": error.instance_path().to_string(), "message": message}]}),
            )
            .into());
        }
        let answer = match &served.handler {
            Handler::Wait => wait::run(&input, &context).await.map(Output::from),
            Handler::ManageTools => manage_tools::run(&input, &context).await.map(Output::from),
            Handler::TaskStatus => task_status::run(&input, &context).await.map(Output::from),
            Handler::UsageStats => usage_stats::run(&input, &context).await.map(Output::from),
            Handler::Plain(builtin) if builtin.weight(&input) == Weight::Inline => {
                let cancelled = || context.cancel.is_cancelled();
                let within = BuiltinContext { clock: &*self.clock, ids: &*self.ids, cancelled: &cancelled };
                builtin.call(&input, &within).map(Output::from)
            }
            Handler::Plain(builtin) => {
                let (builtin, clock, ids) =
                    (Arc::clone(builtin), Arc::clone(&self.clock), Arc::clone(&self.ids));
                let job = tokio::task::spawn_blocking(move || {
                    let cancelled = || context.cancel.is_cancelled();
                    builtin
                        .call(&input, &BuiltinContext { clock: &*clock, ids: &*ids, cancelled: &cancelled })
                });
                job.await
                    .unwrap_or_else(|_| Err(broken("the tool broke down while it ran".to_owned())))
                    .map(Output::from)
            }
        };
        answer.map_err(Halt::from)
    }
}
