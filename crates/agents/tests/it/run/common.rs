//! What the tests of runs share: a house with agents in it.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_agents::{
    action::ActionRuntime,
    llm::{Prices, Provider, Scripted},
    run::{AgentRuntime, Models, Opened},
};
use toolgate_domain::{
    Caller, Envelope, Invocation, InvocationId, Limits, Principal, Scope, Surface, TenantId, ToolError,
    ToolSpec,
    governance::PermissionStatus,
    ids::OrderedIds,
    time::{ClockAhead, SystemClock},
};
use toolgate_engine::{
    Answer, Call, Engine, EngineOptions, Invoker, NewAgent, PermissionEntry, Runtime, definition_from_json,
};
use toolgate_runtimes::builtin::BuiltinRuntime;
use toolgate_test_databases::stores_in;

/// One model, whatever it is called.
pub struct OneModel(Opened);

impl OneModel {
    /// The one that plays a script.
    pub fn of(script: &str) -> Self {
        let provider = Arc::new(Scripted::parse(script).unwrap());
        Self(Opened { provider, model: "scripted".to_owned(), prices: Prices::default() })
    }
}

#[async_trait]
impl Models for OneModel {
    async fn open(&self, _asker: &Invoker, _name: Option<&str>) -> Result<Opened, ToolError> {
        Ok(self.0.clone())
    }
}

pub struct House {
    pub engine: Arc<Engine>,
    pub directory: tempfile::TempDir,
    pub clock: Arc<ClockAhead>,
}

impl House {
    pub async fn new(script: &str) -> Self {
        Self::open(tempfile::tempdir().unwrap(), script).await
    }

    pub async fn with_provider(provider: Arc<dyn Provider>) -> Self {
        Self::furnished(tempfile::tempdir().unwrap(), provider, Vec::new()).await
    }

    /// On the database of this directory, as after a restart.
    pub async fn open(directory: tempfile::TempDir, script: &str) -> Self {
        Self::furnished(directory, Arc::new(Scripted::parse(script).unwrap()), Vec::new()).await
    }

    /// With this provider, and with more tools that ship with the program.
    pub async fn furnished(
        directory: tempfile::TempDir,
        provider: Arc<dyn Provider>,
        more: Vec<ToolSpec>,
    ) -> Self {
        let opened = Opened { provider, model: "scripted".to_owned(), prices: Prices::default() };
        Self::built(directory, opened, more, Vec::new()).await
    }

    /// With this model, more tools, and runtimes of a test's own.
    pub async fn built(
        directory: tempfile::TempDir,
        opened: Opened,
        more: Vec<ToolSpec>,
        mut runtimes: Vec<Arc<dyn Runtime>>,
    ) -> Self {
        let stores = stores_in(directory.path()).await;
        let (clock, ids) = (Arc::new(ClockAhead::default()), Arc::new(OrderedIds::new(SystemClock)));
        let builtin = Arc::new(BuiltinRuntime::new(clock.clone(), ids.clone()).unwrap());
        let agents = Arc::new(AgentRuntime::new(Arc::new(OneModel(opened))));
        let actions = Arc::new(ActionRuntime);
        let code_tools = [agents.specs(), actions.specs(), builtin.specs(), more].concat();
        runtimes.extend([agents as Arc<dyn Runtime>, actions, builtin]);
        let engine = Engine::start(EngineOptions {
            stores,
            clock: Arc::<ClockAhead>::clone(&clock),
            ids,
            limits: Limits::default(),
            code_tools,
            runtimes,
            master_key: "01".repeat(32).parse().unwrap(),
            bypass_approval: false,
            separation: toolgate_engine::Separation::Auto,
            ports: toolgate_engine::Ports::default(),
        })
        .await
        .unwrap();
        Self { engine, directory, clock }
    }

    /// An agent that may call these tools.
    pub async fn agent(&self, handle: &str, tools: &[&str]) {
        self.guarded_agent(handle, tools, json!({})).await;
    }

    pub async fn guarded_agent(&self, handle: &str, tools: &[&str], guard: Value) {
        let new: NewAgent = serde_json::from_value(json!({
            "handle": handle, "display_name": handle, "custom_tools": tools, "guard": guard,
        }))
        .unwrap();
        let agent = self.engine.rules().create_agent(&caller(), new).await.unwrap();
        let allowed = tools.iter().map(|tool| PermissionEntry {
            tool_name: (*tool).to_owned(),
            permission_status: PermissionStatus::AlwaysAllow,
            provider_key: None,
        });
        self.engine.rules().set_permissions(&caller(), agent.id, allowed.collect()).await.unwrap();
    }

    pub async fn define(&self, definition: Value) {
        let spec = definition_from_json(definition).unwrap();
        self.engine.registry().register(&caller(), spec, false).await.unwrap();
    }

    pub async fn start(&self, agent: &str, message: &str) -> Answer {
        let input = json!({"agent": agent, "message": message});
        self.engine.invoke(Call::new(caller(), Surface::Rest, "run_agent", input)).await.unwrap()
    }

    pub async fn run(&self, agent: &str, message: &str) -> Envelope {
        match self.start(agent, message).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    /// An agent that calculates, and announces what a person agrees to.
    pub async fn announcing_agent(&self) {
        self.define_announce().await;
        self.agent("helper", &["calculate", "announce"]).await;
    }

    /// A tool that asks a person.
    pub async fn define_announce(&self) {
        self.define(json!({
            "name": "announce", "version": "1.0.0", "description": "tells the world", "egress_class": "write",
            "requires_approval": true,
            "input_schema": {"type": "object", "properties": {"ms": {"type": "integer"}}},
            "execution": {"kind": "builtin", "handler": "wait"},
        }))
        .await;
    }

    /// The row of a call when it is over.
    pub async fn ended(&self, id: InvocationId) -> Invocation {
        let mut ledger = self.engine.stores().signals.ledger();
        loop {
            ledger.mark_unchanged();
            let row = self.row(id).await;
            if row.phase.is_terminal() {
                return row;
            }
            ledger.changed().await.unwrap();
        }
    }

    pub async fn row(&self, id: InvocationId) -> Invocation {
        self.engine.stores().invocations.get(TenantId::DEFAULT, id).await.unwrap().unwrap()
    }
}

pub fn caller() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

/// Somebody else, who may decide.
pub fn approver() -> Caller {
    let principal = Principal::User("usr_00000000-0000-7000-8000-0000000000aa".parse().unwrap());
    Caller::with_scopes(TenantId::DEFAULT, "default", principal, &[Scope::ApprovalsDecide])
}
