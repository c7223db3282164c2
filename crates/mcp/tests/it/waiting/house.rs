use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::any,
};
use http::{HeaderName, HeaderValue};
use rmcp::{
    ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::{CallToolRequestParams, CallToolResult, InputRequiredResult, ProtocolVersion},
    service::RunningService,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::{Value, json};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use toolgate_domain::{
    Caller, Invocation, InvocationId, Limits, Principal, Scope, Status, TenantId, ToolError, ids::OrderedIds,
    time::SystemClock,
};
use toolgate_engine::{Approval, Engine, EngineOptions, Ports, Ruling};
use toolgate_mcp::{
    client::{McpRuntime, Outlet, UpstreamLimits, UpstreamOptions, Upstreams},
    server::{McpHttp, McpHttpOptions},
};
use toolgate_store::InvocationFilter;
use toolgate_test_databases::stores_in;

use crate::waiting::{person::Person, upstream::Upstream};

pub type Client = RunningService<RoleClient, Person>;

fn http_client() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .timeout(Duration::from_secs(180))
        .build()
        .unwrap()
}

/// The tests' own way out: to this machine.
struct Loopback;

#[async_trait]
impl Outlet for Loopback {
    fn check(&self, _url: &str) -> Result<(), String> {
        Ok(())
    }

    async fn client(&self, _url: &str) -> Result<reqwest::Client, ToolError> {
        Ok(http_client())
    }
}

/// Toolgate with two upstreams, `old` and `new`. The tools of `old_push` and `new_push` write, and so ask a person first.
pub struct House {
    pub engine: Arc<Engine>,
    pub url: String,
    keys: [String; 2],
    limits: Limits,
    directory: tempfile::TempDir,
    _serving: AbortOnDropHandle<()>,
    upstreams: Vec<AbortOnDropHandle<()>>,
}

async fn start(directory: &tempfile::TempDir, limits: &Limits) -> Arc<Engine> {
    let (upstreams, _) = Upstreams::new(UpstreamOptions {
        limits: UpstreamLimits::of(limits),
        outlet: Some(Arc::new(Loopback)),
        ..UpstreamOptions::default()
    });
    Engine::start(EngineOptions {
        stores: stores_in(directory.path()).await,
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits: limits.clone(),
        runtimes: vec![Arc::new(McpRuntime::new(Arc::clone(&upstreams)))],
        code_tools: vec![],
        master_key: "01".repeat(32).parse().unwrap(),
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: Ports { upstreams: Some(upstreams), ..Ports::default() },
    })
    .await
    .unwrap()
}

async fn serve(router: Router) -> (String, AbortOnDropHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, AbortOnDropHandle::new(serving))
}

async fn door(State((engine, mcp)): State<(Arc<Engine>, McpHttp)>, request: Request) -> Response {
    let key =
        request.headers()["authorization"].to_str().unwrap().strip_prefix("Bearer ").unwrap().to_owned();
    let caller = engine.keys().authenticate(&key).await.unwrap().unwrap();
    mcp.handle(caller, request).await.unwrap().map(Body::new)
}

async fn serve_engine(engine: &Arc<Engine>) -> (String, AbortOnDropHandle<()>) {
    let mcp = McpHttp::new(Arc::clone(engine), McpHttpOptions { stopping: CancellationToken::new() });
    serve(Router::new().route("/mcp", any(door)).with_state((Arc::clone(engine), mcp))).await
}

impl House {
    /// Clients are held for so long when their call waits.
    pub async fn patient(mcp_wait_s: u64) -> Self {
        Self::with(Limits { mcp_wait_s, ..Limits::default() }).await
    }

    pub async fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let engine = start(&directory, &limits).await;
        let mut keys = Vec::new();
        for name in ["ada", "bob"] {
            let key = engine.keys().create(&operator(), name, &[Scope::Admin], None).await.unwrap();
            keys.push(key.secret);
        }
        let mut upstreams = Vec::new();
        for (name, is_old) in [("old", true), ("new", false)] {
            let (url, serving) = serve(Upstream::serve(is_old)).await;
            upstreams.push(serving);
            let spec = json!({
                "name": name, "transport": {"kind": "http", "url": url}, "egress_class": "read_only",
                "tools": {"push": {"egress_class": "write", "enabled": true}},
            });
            let spec = serde_json::from_value(spec).unwrap();
            let manager = engine.keys().authenticate(&keys[1]).await.unwrap().unwrap();
            let refreshed = engine.upstreams().create(&manager, spec, false).await.unwrap();
            assert_eq!(refreshed.moved.len(), 5, "{refreshed:?}");
        }
        let (url, serving) = serve_engine(&engine).await;
        let keys = keys.try_into().unwrap();
        Self { engine, url, keys, limits, directory, _serving: serving, upstreams }
    }

    /// Another process on the same database.
    pub async fn restart(self) -> Self {
        let Self { engine, keys, limits, directory, _serving, upstreams, .. } = self;
        drop(_serving);
        engine.stop().await;
        // Connections of clients may hold it for a moment.
        while Arc::strong_count(&engine) > 1 {
            tokio::task::yield_now().await;
        }
        drop(engine);
        let engine = start(&directory, &limits).await;
        let (url, serving) = serve_engine(&engine).await;
        Self { engine, url, keys, limits, directory, _serving: serving, upstreams }
    }

    pub fn key(&self, key: usize) -> &str {
        &self.keys[key]
    }

    pub async fn client(&self, person: Person) -> Client {
        self.client_of(0, person).await
    }

    /// With the key of this one.
    pub async fn client_of(&self, key: usize, person: Person) -> Client {
        self.client_with(&self.keys[key], person).await
    }

    pub async fn client_with(&self, key: &str, person: Person) -> Client {
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        let bearer = HeaderValue::from_str(&format!("Bearer {key}")).unwrap();
        config.custom_headers = HashMap::from([(HeaderName::from_static("authorization"), bearer)]);
        let transport = StreamableHttpClientTransport::with_client(http_client(), config);
        let lifecycle = match person.revision.has_initialize() {
            true => ClientLifecycleMode::Initialize,
            false => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] },
        };
        person.serve_with_lifecycle(transport, lifecycle).await.unwrap()
    }

    /// The call that waits for a person, as soon as there is one.
    pub async fn parked(&self) -> Invocation {
        let filter =
            InvocationFilter { status: Some(Status::Pending), limit: 10, ..InvocationFilter::default() };
        let mut ledger = self.engine.stores().signals.ledger();
        loop {
            ledger.mark_unchanged();
            let rows = self.engine.stores().invocations.list(TenantId::DEFAULT, &filter).await.unwrap();
            if let Some(row) = rows.items.into_iter().next() {
                return row;
            }
            ledger.changed().await.unwrap();
        }
    }

    pub async fn decide(&self, id: InvocationId, ruling: Ruling) {
        self.engine.decide(&approver(), id, None, ruling).await.unwrap();
    }

    pub async fn approve(&self, id: InvocationId) {
        self.decide(id, Ruling::Approve(Approval::default())).await;
    }

    pub async fn row(&self, id: InvocationId) -> Invocation {
        self.engine.stores().invocations.get(TenantId::DEFAULT, id).await.unwrap().unwrap()
    }

    /// How many calls there were.
    pub async fn calls(&self) -> usize {
        self.all().await.len()
    }

    /// The call that was made last.
    pub async fn last(&self) -> Invocation {
        self.all().await.remove(0)
    }

    async fn all(&self) -> Vec<Invocation> {
        let filter = InvocationFilter { limit: 100, ..InvocationFilter::default() };
        self.engine.stores().invocations.list(TenantId::DEFAULT, &filter).await.unwrap().items
    }

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
}

pub fn operator() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

/// A person who may decide.
fn approver() -> Caller {
    let person = Principal::User("usr_00000000-0000-7000-8000-0000000000aa".parse().unwrap());
    Caller { principal: person, ..operator() }
}

pub fn call(tool: &str, input: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool.to_owned()).with_arguments(input.as_object().unwrap().clone())
}

/// The same call, with what the server wants back.
pub fn again(call: &CallToolRequestParams, asked: &InputRequiredResult) -> CallToolRequestParams {
    let mut call = call.clone();
    call.request_state.clone_from(&asked.request_state);
    call
}

pub fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}
