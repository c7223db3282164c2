use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use toolgate_agents::{
    action::ActionRuntime,
    llm::{Prices, ProviderModel, Scripted},
    run::{AgentRuntime, Models, Opened},
};
use toolgate_domain::{
    Caller, Envelope, ErrorCode, Invocation, InvocationId, Limits, Principal, Status, Surface, TenantId,
    Tool, ToolError, UserId,
    ids::OrderedIds,
    time::{ClockAhead, SystemClock},
    tool::Execution,
};
use toolgate_engine::{
    Answer, Approval, Call, Engine, EngineOptions, Halt, Invoker, Model, ModelSource, Output, RegisterError,
    Registered, Ruling, RunContext, Runtime, definition_from_json,
};
use toolgate_runtimes::{
    builtin::BuiltinRuntime,
    composition::CompositionRuntime,
    house::{HouseRuntime, old_names},
    http::{HttpOptions, HttpRuntime},
    prompt::PromptRuntime,
    task::TaskRuntime,
};
use toolgate_store::Stores;
use toolgate_test_databases::stores_in;

/// Runs tools of kind `meet`: a call ends when another one is there at the same time.
struct Meet(Barrier);

#[async_trait]
impl Runtime for Meet {
    fn kind(&self) -> &'static str {
        "meet"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, _tool: Arc<Tool>, input: Value, _context: RunContext) -> Result<Output, Halt> {
        self.0.wait().await;
        Ok(Output::from(input))
    }
}

/// One provider, whatever model is named: the script.
struct OneModel(Arc<Scripted>);

impl OneModel {
    fn of(script: &Value) -> Self {
        Self(Arc::new(Scripted::parse(&script.to_string()).unwrap()))
    }
}

fn silent() -> Value {
    json!({"rules": [{"contains": "nobody says this", "replies": [{"text": "nothing"}]}]})
}

#[async_trait]
impl Models for OneModel {
    async fn open(&self, _asker: &Invoker, name: Option<&str>) -> Result<Opened, ToolError> {
        let model = name.unwrap_or("scripted").to_owned();
        Ok(Opened { provider: Arc::<Scripted>::clone(&self.0), model, prices: Prices::default() })
    }
}

#[async_trait]
impl ModelSource for OneModel {
    async fn open(&self, asker: &Invoker, name: Option<&str>) -> Result<Arc<dyn Model>, ToolError> {
        let Opened { provider, model, prices } = Models::open(self, asker, name).await?;
        Ok(Arc::new(ProviderModel::new(provider, model, prices)))
    }
}

pub struct House {
    pub engine: Arc<Engine>,
    directory: tempfile::TempDir,
    setup: Setup,
}

/// What outlives a process.
#[derive(Default)]
struct Setup {
    script: Option<Value>,
    clock: Arc<ClockAhead>,
    limits: Limits,
}

async fn start(stores: Stores, setup: &Setup) -> Arc<Engine> {
    let Setup { script, clock, limits } = setup;
    let ids = Arc::new(OrderedIds::new(SystemClock));
    let builtin = BuiltinRuntime::new(Arc::<ClockAhead>::clone(clock), ids.clone()).unwrap();
    let model = script.as_ref().map(|script| Arc::new(OneModel::of(script)));
    let agents = AgentRuntime::new(model.clone().unwrap_or_else(|| Arc::new(OneModel::of(&silent()))));
    let desk = HouseRuntime::default();
    let code_tools = [builtin.specs(), agents.specs(), ActionRuntime.specs(), desk.specs()].concat();
    let models = model.map(|model| model as Arc<dyn ModelSource>);
    Engine::start(EngineOptions {
        stores,
        clock: Arc::<ClockAhead>::clone(clock),
        ids,
        limits: limits.clone(),
        runtimes: vec![
            Arc::new(builtin),
            Arc::new(CompositionRuntime),
            Arc::new(PromptRuntime::new(models)),
            Arc::new(agents),
            Arc::new(TaskRuntime),
            Arc::new(ActionRuntime),
            Arc::new(desk),
            Arc::new(HttpRuntime::new(Arc::<ClockAhead>::clone(clock), HttpOptions::default()).unwrap()),
            Arc::new(Meet(Barrier::new(2))),
        ],
        code_tools,
        master_key: "01".repeat(32).parse().unwrap(),
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: toolgate_engine::Ports { old_names: old_names(), ..Default::default() },
    })
    .await
    .unwrap()
}

impl House {
    pub async fn new() -> Self {
        Self::open(Setup::default()).await
    }

    pub async fn with_limits(limits: Limits) -> Self {
        Self::open(Setup { limits, ..Setup::default() }).await
    }

    /// With a model that answers from this script.
    pub async fn with_model(rules: Value) -> Self {
        Self::open(Setup { script: Some(json!({"rules": rules})), ..Setup::default() }).await
    }

    async fn open(setup: Setup) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let engine = start(stores_in(directory.path()).await, &setup).await;
        Self { engine, directory, setup }
    }

    /// Another process on the same database.
    pub async fn restart(self) -> Self {
        self.engine.stop().await;
        let Self { engine, directory, setup } = self;
        drop(engine);
        let engine = start(stores_in(directory.path()).await, &setup).await;
        Self { engine, directory, setup }
    }

    /// A process beside this one, on the same database.
    pub async fn neighbour(&self) -> Arc<Engine> {
        start(self.engine.stores().clone(), &self.setup).await
    }

    pub fn later_by_ms(&self, ms: i64) {
        self.setup.clock.put_forward_ms(ms);
    }

    pub async fn try_register(&self, definition: Value) -> Result<Registered, RegisterError> {
        let spec = definition_from_json(definition).unwrap();
        self.engine.registry().register(&caller(), spec, false).await
    }

    pub async fn register(&self, definition: Value) -> Registered {
        self.try_register(definition).await.unwrap()
    }

    /// Where and why a definition is refused.
    pub async fn refusal(&self, definition: Value) -> (String, String) {
        match self.try_register(definition).await {
            Err(RegisterError::Definition(error)) => (error.pointer, error.message),
            other => panic!("not refused: {other:?}"),
        }
    }

    /// A tool that answers `{text}`; `patch` overrides the definition.
    pub async fn say(&self, name: &str, patch: Value) {
        self.register(say(name, patch)).await;
    }

    pub async fn call(&self, tool: &str, input: Value) -> Answer {
        self.engine.invoke(Call::new(caller(), Surface::Rest, tool, input)).await.unwrap()
    }

    pub async fn done(&self, tool: &str, input: Value) -> Envelope {
        match self.call(tool, input).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    pub async fn waits(&self, tool: &str, input: Value) -> Invocation {
        match self.call(tool, input).await {
            Answer::Parked(row) => *row,
            other => panic!("it does not wait: {other:?}"),
        }
    }

    pub async fn children(&self, outer: InvocationId) -> Vec<Invocation> {
        self.engine.stores().suspensions.children(TenantId::DEFAULT, outer, 100).await.unwrap()
    }

    /// The inner calls that ask a person.
    pub async fn asked(&self, outer: InvocationId) -> Vec<Invocation> {
        let children = self.children(outer).await;
        children.into_iter().filter(|child| child.status() == Status::Pending).collect()
    }

    pub async fn decide(&self, row: &Invocation, ruling: Ruling) {
        self.engine.decide(&somebody(), row.id, None, ruling).await.unwrap();
    }

    pub async fn approve(&self, row: &Invocation) {
        self.decide(row, Ruling::Approve(Approval::default())).await;
    }

    pub async fn row(&self, id: InvocationId) -> Invocation {
        self.engine.stores().invocations.get(TenantId::DEFAULT, id).await.unwrap().unwrap()
    }

    /// Follows the ledger until the call is over.
    pub async fn ended(&self, row: &Invocation) -> Invocation {
        let mut ledger = self.engine.stores().signals.ledger();
        loop {
            ledger.mark_unchanged();
            let now = self.row(row.id).await;
            if now.phase.is_terminal() {
                return now;
            }
            ledger.changed().await.unwrap();
        }
    }

    pub async fn agent(&self, handle: &str, patch: Value) -> toolgate_domain::governance::Agent {
        let mut new = json!({"handle": handle, "display_name": handle});
        new.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        let new = serde_json::from_value(new).unwrap();
        self.engine.rules().create_agent(&caller(), new).await.unwrap()
    }
}

pub fn say(name: &str, patch: Value) -> Value {
    let mut definition = json!({
        "name": name, "version": "1.0.0", "description": "says it",
        "input_schema": {"type": "object", "properties": {"text": {}}, "required": ["text"]},
        "execution": {"kind": "builtin", "handler": "render_template", "arguments": {
            "template": "{{ text }}", "values": "$input",
        }},
    });
    definition.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    definition
}

pub fn tool(name: &str, execution: Value) -> Value {
    json!({
        "name": name, "version": "1.0.0", "description": "made without Rust",
        "input_schema": {"type": "object"}, "execution": execution,
    })
}

pub fn composition(name: &str, steps: Value) -> Value {
    tool(name, json!({"kind": "composition", "steps": steps}))
}

pub fn caller() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

/// Somebody else than the one who called.
pub fn somebody() -> Caller {
    Caller { principal: Principal::User(UserId::generate(&OrderedIds::new(SystemClock))), ..caller() }
}

pub fn code(envelope: &Envelope) -> ErrorCode {
    envelope.error.as_ref().expect("an error").code
}
