//! An engine on a real database, with a runtime whose tools do what a test asks for.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::Notify;
use toolgate_domain::{
    Caller, ErrorCode, InvocationId, Limits, Surface, TenantId, Tool, ToolError, ids::OrderedIds,
    time::SystemClock, tool::Execution,
};
use toolgate_engine::{
    Answer, Call, Compiled, Engine, EngineOptions, Halt, MasterKey, Output, RunContext, Runtime, ToolFilter,
    definition_from_json,
};
use toolgate_store::Stores;
use toolgate_test_databases::stores_in;

use crate::batches::Turns;

/// Runs tools of kind `probe`: `execution.does` says what happens.
#[derive(Default)]
pub struct Probe {
    pub runs: AtomicUsize,
    pub compiled: AtomicUsize,
    pub at_once: AtomicUsize,
    pub most_at_once: AtomicUsize,
    pub entered: Notify,
    pub go_on: Notify,
    pub turns: Turns,
    pub stores: std::sync::OnceLock<Stores>,
}

#[async_trait]
impl Runtime for Probe {
    fn kind(&self) -> &'static str {
        "probe"
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        execution.config.get("does").map(drop).ok_or_else(|| "`does` says what the probe does".to_owned())
    }

    /// What `does` says, counted.
    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        self.compiled.fetch_add(1, Ordering::SeqCst);
        match execution.config["does"].as_str() {
            Some("misread") => Err("the block cannot be read".to_owned()),
            Some("choke") => panic!("the block broke its reader"),
            does => Ok(Compiled::new(does.map(str::to_owned))),
        }
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(now, Ordering::SeqCst);
        self.entered.notify_one();
        let result = self.act(&tool, input, &context).await;
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        let mut output = result.map(Output::from)?;
        if tool.spec.execution.config["does"] == "attach" {
            output.attachments.push(crate::redaction::picture(&context));
        }
        Ok(output)
    }
}

impl Probe {
    async fn act(&self, tool: &Tool, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        match tool.spec.execution.config["does"].as_str().unwrap() {
            "echo" => Ok(json!({"got": input})),
            "yield" => {
                tokio::task::yield_now().await;
                Ok(json!({"got": input}))
            }
            "look" => {
                let row = self
                    .stores
                    .get()
                    .unwrap()
                    .invocations
                    .get(context.tenant_id, context.invocation_id)
                    .await
                    .unwrap();
                Ok(json!({"got": row.map(|row| row.status().as_str())}))
            }
            "hang" => {
                std::future::pending::<()>().await;
                Ok(Value::Null)
            }
            "gate" => {
                self.go_on.notified().await;
                Ok(json!({"got": input}))
            }
            "in_turn" => {
                self.turns.take(input["n"].as_u64().unwrap()).await;
                Ok(json!({"got": input}))
            }
            "fail" => Err(ToolError::new(ErrorCode::NetworkError, "no route to host")),
            "panic" => panic!("the tool is broken"),
            "lie" => Ok(json!({"got": 1, "more": 2})),
            "big" => {
                Ok(json!({"got": "x".repeat(usize::try_from(input["bytes"].as_u64().unwrap()).unwrap())}))
            }
            "stream" => {
                for n in 0..input["chunks"].as_u64().unwrap() {
                    context.emit(json!({"n": n})).await;
                }
                Ok(json!({"got": "streamed"}))
            }
            "recite" => {
                let plan: &Option<String> = context.plan()?;
                let foreign = context.plan::<u8>().unwrap_err();
                Ok(json!({"got": {"plan": plan, "foreign": foreign.message}}))
            }
            "see" => {
                let house = context.invoker.house()?;
                let seen = house.tool(input["tool"].as_str().unwrap()).await;
                let listed = house.tools(&ToolFilter { limit: 100, ..ToolFilter::default() }).await.unwrap();
                let names: Vec<_> = listed.items.iter().map(|tool| tool.spec.name.to_string()).collect();
                Ok(json!({"got": {"seen": seen.is_ok(), "listed": names}}))
            }
            "attach" => Ok(json!({"got": "a picture"})),
            "leak" => crate::redaction::leak(&input, context).await,
            other => panic!("the probe does not know {other}"),
        }
    }
}

pub struct House {
    pub engine: Arc<Engine>,
    pub probe: Arc<Probe>,
    pub stores: Stores,
    pub directory: tempfile::TempDir,
}

pub fn master_key(byte: u8) -> MasterKey {
    data_encoding::HEXLOWER.encode(&[byte; 32]).parse().unwrap()
}

pub async fn start(stores: &Stores, limits: Limits) -> (Arc<Engine>, Arc<Probe>) {
    start_with(stores, limits, master_key(1)).await
}

pub async fn start_with(stores: &Stores, limits: Limits, master_key: MasterKey) -> (Arc<Engine>, Arc<Probe>) {
    let probe = Arc::new(Probe::default());
    probe.stores.set(stores.clone()).ok().unwrap();
    let engine = Engine::start(EngineOptions {
        stores: stores.clone(),
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits,
        runtimes: vec![probe.clone(), Arc::new(crate::inner::Chain)],
        code_tools: vec![],
        master_key,
        bypass_approval: true,
        separation: toolgate_engine::Separation::Auto,
        ports: toolgate_engine::Ports::default(),
    })
    .await
    .unwrap();
    (engine, probe)
}

impl House {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let (engine, probe) = start(&stores, limits).await;
        Self { engine, probe, stores, directory }
    }

    /// Registers a tool of kind `probe`; `patch` overrides the definition.
    pub async fn tool(&self, name: &str, does: &str, patch: Value) -> Arc<Tool> {
        let spec = definition_from_json(definition(name, does, patch)).unwrap();
        self.engine.registry().register(&caller(), spec, false).await.unwrap().tool
    }

    pub async fn call(&self, tool: &str, input: Value) -> Answer {
        self.engine.invoke(call(tool, input)).await.unwrap()
    }

    /// The receipt of a call that came to an end.
    pub async fn done(&self, tool: &str, input: Value) -> toolgate_domain::Envelope {
        match self.call(tool, input).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    pub async fn row(&self, id: InvocationId) -> toolgate_domain::Invocation {
        self.stores.invocations.get(TenantId::DEFAULT, id).await.unwrap().expect("a row")
    }

    pub async fn events(&self, session: toolgate_domain::SessionId) -> Vec<&'static str> {
        let filter = toolgate_store::EventFilter { session_id: Some(session), after: 0, limit: 1_000 };
        let events = self.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
        events.iter().map(|event| event.kind.as_str()).collect()
    }

    pub fn runs(&self) -> usize {
        self.probe.runs.load(Ordering::SeqCst)
    }
}

pub fn definition(name: &str, does: &str, patch: Value) -> Value {
    let mut definition = json!({
        "name": name, "version": "1.0.0", "description": "a probe",
        "input_schema": {"type": "object"},
        "output_schema": {"type": "object", "properties": {"got": {}}, "additionalProperties": false},
        "execution": {"kind": "probe", "does": does},
    });
    definition.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    definition
}

pub fn caller() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

pub fn call(tool: &str, input: Value) -> Call {
    Call::new(caller(), Surface::Rest, tool, input)
}

pub fn code(envelope: &toolgate_domain::Envelope) -> ErrorCode {
    envelope.error.as_ref().expect("an error").code
}
