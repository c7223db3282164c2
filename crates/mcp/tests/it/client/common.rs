use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};
use toolgate_domain::{
    Caller, Envelope, ErrorCode, InvocationId, KeyId, Limits, Principal, Surface, TenantId, ToolError,
    ids::OrderedIds,
    time::{ClockAhead, SystemClock},
};
use toolgate_engine::{
    Answer, Call, Engine, EngineOptions, Ports, Refreshed, SecretTarget, SecretValue, UpstreamSource,
};
use toolgate_mcp::client::{
    AllowedCommands, ListChanged, McpReader, McpRuntime, Outlet, UpstreamLimits, UpstreamOptions, Upstreams,
};
use toolgate_store::{EventFilter, InvocationFilter, Stores};
use toolgate_test_databases::stores_in;

/// The server over stdio that behaves as it is told.
pub const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/client/upstream.py");

/// The servers of these tests are on this machine, so that the wall, which has tests of its own, is left out.
struct Home;

#[async_trait]
impl Outlet for Home {
    fn check(&self, _url: &str) -> Result<(), String> {
        Ok(())
    }

    async fn client(&self, _url: &str) -> Result<reqwest::Client, ToolError> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .redirect(reqwest::redirect::Policy::none());
        Ok(client.build().unwrap())
    }
}

pub struct House {
    pub engine: Arc<Engine>,
    pub upstreams: Arc<Upstreams>,
    pub changed: Mutex<mpsc::Receiver<ListChanged>>,
    clock: Arc<ClockAhead>,
    stores: Stores,
    _directory: tempfile::TempDir,
}

impl House {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let clock = Arc::new(ClockAhead::default());
        let (upstreams, changed) = Upstreams::new(UpstreamOptions {
            clock: Arc::<ClockAhead>::clone(&clock),
            limits: UpstreamLimits::of(&limits),
            commands: AllowedCommands::parse([format!("python3 {PROGRAM} *")]).unwrap(),
            outlet: Some(Arc::new(Home)),
            logins: None,
        });
        let runtime = Arc::new(McpRuntime::new(Arc::clone(&upstreams)));
        let reader = McpReader::new(Arc::clone(&runtime));
        let engine = Engine::start(EngineOptions {
            stores: stores.clone(),
            clock: Arc::<ClockAhead>::clone(&clock),
            ids: Arc::new(OrderedIds::new(SystemClock)),
            limits,
            code_tools: reader.specs(),
            runtimes: vec![runtime, Arc::new(reader)],
            master_key: "01".repeat(32).parse().unwrap(),
            bypass_approval: false,
            separation: toolgate_engine::Separation::Auto,
            ports: Ports {
                upstreams: Some(Arc::clone(&upstreams) as Arc<dyn UpstreamSource>),
                ..Ports::default()
            },
        })
        .await
        .unwrap();
        Self { engine, upstreams, changed: Mutex::new(changed), clock, stores, _directory: directory }
    }

    pub fn later_by_ms(&self, ms: i64) {
        self.clock.put_forward_ms(ms);
    }

    pub async fn add(&self, name: &str, transport: Value) -> Refreshed {
        let spec =
            json!({"name": name, "transport": transport, "egress_class": "read_only", "timeout_ms": 20_000});
        self.add_spec(&operator(), spec).await
    }

    pub async fn add_spec(&self, by: &Caller, spec: Value) -> Refreshed {
        let spec = serde_json::from_value(spec).unwrap();
        self.engine.upstreams().create(by, spec, false).await.unwrap()
    }

    /// The server over stdio, with this revision and these manners.
    pub async fn add_program(&self, name: &str, words: &[&str]) -> Refreshed {
        let args: Vec<&str> = std::iter::once(PROGRAM).chain(words.iter().copied()).collect();
        self.add(name, json!({"kind": "stdio", "command": "python3", "args": args})).await
    }

    pub async fn call(&self, tool: &str, input: Value) -> Envelope {
        self.call_as(operator(), tool, input).await
    }

    pub async fn call_as(&self, by: Caller, tool: &str, input: Value) -> Envelope {
        match self.engine.invoke(Call::new(by, Surface::Rest, tool, input)).await.unwrap() {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    /// The text that a tool answers with.
    pub async fn text(&self, tool: &str, input: Value) -> String {
        text(&self.call(tool, input).await)
    }

    pub async fn keep_secret(&self, name: &str, value: &str) {
        let value = SecretValue::new(value.to_owned()).unwrap();
        let name = name.parse().unwrap();
        self.engine.secrets().set(&operator(), &name, &SecretTarget::Tenant, &value).await.unwrap();
    }

    /// The call of a tool of which the upstream has said something, as soon as it has.
    pub async fn heard_of(&self, tool: &str) -> InvocationId {
        let mut ledger = self.stores.signals.ledger();
        let everything = EventFilter { session_id: None, after: 0, limit: 1_000 };
        let of_tool =
            InvocationFilter { tool: Some(tool.to_owned()), limit: 1, ..InvocationFilter::default() };
        loop {
            ledger.mark_unchanged();
            let events = self.stores.events.list(TenantId::DEFAULT, &everything).await.unwrap();
            if format!("{events:?}").contains("progress") {
                return self.stores.invocations.list(TenantId::DEFAULT, &of_tool).await.unwrap().items[0].id;
            }
            ledger.changed().await.unwrap();
        }
    }

    /// What was recorded of a call, as one text.
    pub async fn record(&self, envelope: &Envelope) -> String {
        let id: InvocationId = envelope.invocation_id;
        let row = self.stores.invocations.get(TenantId::DEFAULT, id).await.unwrap().unwrap();
        let filter = EventFilter { session_id: Some(row.session_id), after: 0, limit: 1_000 };
        let events = self.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
        format!("{} {row:?} {events:?}", serde_json::to_string(envelope).unwrap())
    }
}

pub fn text(envelope: &Envelope) -> String {
    assert_eq!(envelope.error, None);
    envelope.output.as_ref().unwrap()["content"][0]["text"].as_str().unwrap().to_owned()
}

pub fn operator() -> Caller {
    let principal = Principal::Key(KeyId::generate(&OrderedIds::new(SystemClock)));
    Caller { principal, ..Caller::system(TenantId::DEFAULT, "default") }
}

/// Code and `details.reason` of a failure.
pub fn failure(envelope: &Envelope) -> (ErrorCode, String) {
    let error = envelope.error.as_ref().expect("an error");
    let reason = error.details.as_ref().and_then(|details| details["reason"].as_str());
    (error.code, reason.unwrap_or_default().to_owned())
}
