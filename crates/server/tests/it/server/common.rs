use std::{path::PathBuf, sync::Arc};

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use toolgate_agents::{
    llm::{Prices, Provider, Scripted},
    run::{AgentRuntime, Models, Opened},
};
use toolgate_domain::{
    Caller, Limits, Principal, Scope, TenantId, ToolError, ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{Engine, EngineOptions, MasterKey, Notifier, Runtime};
use toolgate_runtimes::{
    builtin::BuiltinRuntime,
    composition::CompositionRuntime,
    http::{
        HttpNotifier,
        wall::{AllowHosts, SystemResolver, Wall},
    },
    prompt::PromptRuntime,
    python::{
        Offer, PoolOptions, PythonLimits, PythonRuntime, SnapshotSeal, WorkerProgram, WorkerSandbox,
        find_worker,
    },
    task::TaskRuntime,
};
use toolgate_server::{AppState, ServerOptions, serve};
use toolgate_store::{KeyBinding, Stores};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    postgres::{Postgres, PostgresOptions},
};
use toolgate_test_databases::stores_in;

/// What a server stands on.
#[derive(Clone, Copy, Debug)]
pub enum Database {
    Sqlite,
    /// A database of its own in the server that `scripts/with-services` started.
    Postgres,
}

/// A running server and a client that holds its admin key.
pub struct House {
    pub url: String,
    /// An MCP server of somebody else.
    pub foreign: Arc<crate::server::mcp_servers::Foreign>,
    pub key: String,
    pub engine: Arc<Engine>,
    pub http: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
    directory: tempfile::TempDir,
    model: Option<Arc<dyn Provider>>,
}

/// One model, whatever it is called.
struct OneModel(Arc<dyn Provider>);

#[async_trait::async_trait]
impl Models for OneModel {
    async fn open(
        &self,
        _asker: &toolgate_engine::Invoker,
        _name: Option<&str>,
    ) -> Result<Opened, ToolError> {
        let provider = Arc::clone(&self.0);
        Ok(Opened { provider, model: "m".to_owned(), prices: Prices::default() })
    }
}

impl House {
    /// One that runs agents, whose model plays a script.
    pub async fn with_script(script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let model: Arc<dyn Provider> = Arc::new(Scripted::parse(script).unwrap());
        Self::open_with(directory, stores, limits(), vec![], Some(model)).await
    }

    /// An agent that may call these tools without asking.
    pub async fn free_agent(&self, handle: &str, tools: &[&str]) {
        let agent = json!({"handle": handle, "display_name": handle, "custom_tools": tools});
        let (status, made) = self.post("/api/agents", agent).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let free = |tool: &&str| json!({"toolName": tool, "permissionStatus": "always_allow"});
        let allowed = json!({"tools": tools.iter().map(free).collect::<Vec<_>>()});
        let path = format!("/api/agents/{handle}/tools");
        let (status, put) = self.ask(&self.key, Method::PUT, &path, Some(allowed)).await;
        assert_eq!(status, StatusCode::OK, "{put}");
    }

    pub async fn new() -> Self {
        Self::with(limits()).await
    }

    pub async fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        Self::open(directory, stores, limits).await
    }

    pub async fn on(database: Database) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = match database {
            Database::Sqlite => stores_in(directory.path()).await,
            Database::Postgres => shared_stores(&directory).await,
        };
        Self::open(directory, stores, limits()).await
    }

    /// One that runs Python tools too, in real sandbox workers.
    pub async fn with_python() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        Self::open_with(directory, stores, limits(), vec![Arc::new(python())], None).await
    }

    async fn open(directory: tempfile::TempDir, stores: Stores, limits: Limits) -> Self {
        Self::open_with(directory, stores, limits, vec![], None).await
    }

    async fn open_with(
        directory: tempfile::TempDir,
        stores: Stores,
        limits: Limits,
        mut runtimes: Vec<Arc<dyn Runtime>>,
        model: Option<Arc<dyn Provider>>,
    ) -> Self {
        let ids = Arc::new(OrderedIds::new(SystemClock));
        let builtin = BuiltinRuntime::new(Arc::new(SystemClock), ids.clone()).unwrap();
        let mut code_tools = builtin.specs();
        if let Some(model) = &model {
            let agents = AgentRuntime::new(Arc::new(OneModel(Arc::clone(model))));
            code_tools.extend(agents.specs());
            runtimes.push(Arc::new(agents));
        }
        runtimes.extend([
            Arc::new(builtin) as Arc<dyn Runtime>,
            Arc::new(CompositionRuntime),
            Arc::new(PromptRuntime::new(None)),
            Arc::new(TaskRuntime),
        ]);
        let foreign = Arc::new(crate::server::mcp_servers::Foreign::default());
        runtimes.push(foreign.clone());
        let engine = Engine::start(EngineOptions {
            stores,
            clock: Arc::new(SystemClock),
            ids,
            limits,
            runtimes,
            code_tools,
            master_key: MasterKey::random_text().parse().unwrap(),
            bypass_approval: false,
            separation: toolgate_engine::Separation::Auto,
            ports: toolgate_engine::Ports { upstreams: Some(foreign.clone()), ..Default::default() },
        })
        .await
        .unwrap();
        let caller = Caller::system(TenantId::DEFAULT, "default");
        let key = engine.keys().create(&caller, "test", &[Scope::Admin], None).await.unwrap().secret;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let options = ServerOptions { notifier: Some(notifier(engine.limits())), ..ServerOptions::default() };
        let state = AppState::with(engine.clone(), options);
        let serving = tokio::spawn(async move {
            serve(listener, state, async {
                let _ = stopped.await;
            })
            .await
            .unwrap();
        });
        let http = reqwest::Client::builder().tls_certs_only([]).build().unwrap();
        Self { foreign, url, key, engine, http, stop: Some(stop), serving: Some(serving), directory, model }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.key)
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        read(self.request(Method::POST, path).json(&body).send().await.unwrap()).await
    }

    pub async fn post_bytes(&self, path: &str, body: impl Into<reqwest::Body>) -> (StatusCode, Value) {
        let request = self.request(Method::POST, path).header("content-type", "application/json").body(body);
        read(request.send().await.unwrap()).await
    }

    /// Registers a tool that stands on a built-in.
    pub async fn register(&self, definition: Value) -> (StatusCode, Value) {
        self.post("/api/tools", definition).await
    }

    /// A key with these scopes. One that decides is a person's own.
    pub async fn key_with(&self, scopes: &[Scope]) -> String {
        let mut caller = Caller::system(TenantId::DEFAULT, "default");
        let mut bound = KeyBinding::default();
        if scopes.contains(&Scope::ApprovalsDecide) {
            let id = self.engine.ids().uuid();
            let user = json!({"email": format!("{id}@example.com"), "name": "Somebody", "roles": ["admin"]});
            let new = serde_json::from_value(user).unwrap();
            let person = self.engine.rules().create_user(&caller, new).await.unwrap().id;
            (caller.principal, bound.user_id) = (Principal::User(person), Some(person));
        }
        self.engine.keys().create_bound(&caller, "narrow", scopes, None, bound).await.unwrap().secret
    }

    /// A key that speaks for nobody.
    pub async fn key_of_nobody(&self, scopes: &[Scope]) -> String {
        let caller = Caller::system(TenantId::DEFAULT, "default");
        self.engine.keys().create(&caller, "nobody", scopes, None).await.unwrap().secret
    }

    /// The own key of a person who decides, and could make the changes that agents propose.
    pub async fn approver(&self) -> String {
        self.key_with(&[Scope::ApprovalsDecide, Scope::ToolsRead, Scope::ToolsWrite, Scope::AgentsWrite])
            .await
    }

    /// A request with a certain key: method, path, body.
    pub async fn ask(
        &self,
        key: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(key);
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request.send().await.unwrap()).await
    }

    /// Makes an agent and a key that speaks for it.
    pub async fn agent(&self, handle: &str) -> (String, String) {
        let (status, agent) =
            self.post("/api/agents", json!({"handle": handle, "display_name": handle})).await;
        assert_eq!(status, StatusCode::CREATED, "{agent}");
        let key = json!({"name": handle, "scopes": ["tools:read", "tools:execute"], "agent": handle});
        let (status, made) = self.post("/api/keys", key).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        (agent["id"].as_str().unwrap().to_owned(), made["key"].as_str().unwrap().to_owned())
    }

    /// Another tenant, with its first key.
    pub async fn tenant(&self, slug: &str) -> (String, String) {
        let (status, made) = self.post("/api/tenants", json!({"slug": slug, "name": slug})).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        (made["id"].as_str().unwrap().to_owned(), made["admin_key"].as_str().unwrap().to_owned())
    }

    /// Follows the ledger until the call is over.
    pub async fn ended(&self, id: &str) -> Value {
        let mut ledger = self.engine.stores().signals.ledger();
        loop {
            ledger.mark_unchanged();
            let (_, row) = self.get(&format!("/api/invocations/{id}")).await;
            if !matches!(row["status"].as_str().unwrap(), "pending" | "approved" | "running") {
                return row;
            }
            ledger.changed().await.unwrap();
        }
    }

    /// Stops the server as SIGTERM does, and waits until it has drained.
    pub async fn stop(mut self) {
        self.end().await;
    }

    /// Another server on the same database, after this one stopped.
    pub async fn restart(mut self) -> Self {
        self.end().await;
        let (stores, limits) = (self.engine.stores().clone(), self.engine.limits().clone());
        Self::open_with(self.directory, stores, limits, vec![], self.model).await
    }

    /// A second server on the same database, beside this one.
    pub async fn beside(&self) -> Self {
        let (stores, limits) = (self.engine.stores().clone(), self.engine.limits().clone());
        let model = self.model.clone();
        Self::open_with(tempfile::tempdir().unwrap(), stores, limits, vec![], model).await
    }

    async fn end(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.serving.take().unwrap().await.unwrap();
    }
}

/// As they ship, but a password costs next to nothing: few tests are about what it costs.
pub fn limits() -> Limits {
    Limits { password_memory_kib: 8, ..Limits::default() }
}

/// As an operator's who says `--allow-host 127.0.0.1`: there the tests' receivers are.
fn notifier(limits: &Limits) -> Arc<dyn Notifier> {
    let allow = AllowHosts::parse(["127.0.0.1"]).unwrap();
    Arc::new(HttpNotifier::new(Wall::new(allow, Arc::new(SystemResolver)), limits))
}

async fn shared_stores(directory: &tempfile::TempDir) -> Stores {
    let options = PostgresOptions::new(toolgate_test_databases::create().await);
    let (postgres, _) = Postgres::connect(&options).await.unwrap();
    let blobs = ObjectBlobs::local(&directory.path().join("blobs")).unwrap();
    postgres.stores(Arc::new(blobs), Arc::new(MemoryCache::new(1 << 20)), Arc::new(MemoryLimits::default()))
}

/// The worker is `TOOLGATE_SANDBOX_WORKER`, or what `make sandbox` has built.
fn python() -> PythonRuntime {
    // This program lies in `deps`, beside what it tests.
    let built = std::env::current_exe().unwrap().parent().unwrap().with_file_name("toolgate-sandbox");
    let path = std::env::var_os("TOOLGATE_SANDBOX_WORKER").map_or(built, PathBuf::from);
    let program = WorkerProgram::new(find_worker(Some(&path)).unwrap());
    let limits = PythonLimits::default();
    let sandbox = WorkerSandbox::default_runtime(program, &limits, PoolOptions::default()).unwrap();
    PythonRuntime::new(Offer::of(Arc::new(sandbox)), limits, SnapshotSeal::new([1; 32]))
}

pub async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    let value = if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    };
    (status, value)
}

/// A definition on top of `wait` or `render_template`, with overrides.
pub fn definition(name: &str, handler: &str, patch: Value) -> Value {
    let mut definition = json!({
        "name": name, "version": "1.0.0", "description": "stands on a built-in",
        "input_schema": {"type": "object"},
        "execution": {"kind": "builtin", "handler": handler},
    });
    definition.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    definition
}

/// Reads server-sent events one by one: `(event, id, data)`.
pub struct Events {
    /// The id that came before any event.
    pub began_at: Option<String>,
    response: Response,
    text: String,
}

impl Events {
    pub fn new(response: Response) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { began_at: None, response, text: String::new() }
    }

    pub async fn next(&mut self) -> Option<(String, String, Value)> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    block
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .map(|value| value.trim().to_owned())
                        .unwrap_or_default()
                };
                let event = (
                    field("event:"),
                    field("id:"),
                    serde_json::from_str(&field("data:")).unwrap_or(Value::Null),
                );
                self.text = rest.to_owned();
                if event.0.is_empty() {
                    self.began_at = self.began_at.take().or(Some(event.1).filter(|id| !id.is_empty()));
                    continue;
                }
                return Some(event);
            }
            let chunk = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}
