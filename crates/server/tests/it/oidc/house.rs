//! A server on loopback that knows some people.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use toolgate_domain::{Caller, Limits, TenantId, governance::User, ids::OrderedIds, time::SystemClock};
use toolgate_engine::{Engine, EngineOptions, MasterKey, NewUser};
use toolgate_server::{AppState, ServerOptions, serve};
use toolgate_test_databases::stores_in;

pub struct Serving {
    pub url: String,
    pub engine: Arc<Engine>,
    _directory: tempfile::TempDir,
    _stop: oneshot::Sender<()>,
    _serving: JoinHandle<()>,
}

impl Serving {
    /// The address comes first: providers and tokens name it.
    pub async fn listen() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        (listener, url)
    }

    pub async fn open(listener: TcpListener, options: ServerOptions) -> Self {
        let url = format!("http://{}", listener.local_addr().unwrap());
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let engine = Engine::start(EngineOptions {
            stores,
            clock: Arc::new(SystemClock),
            ids: Arc::new(OrderedIds::new(SystemClock)),
            limits: Limits::default(),
            runtimes: vec![],
            code_tools: vec![],
            master_key: MasterKey::random_text().parse().unwrap(),
            bypass_approval: false,
            separation: toolgate_engine::Separation::Auto,
            ports: toolgate_engine::Ports::default(),
        })
        .await
        .unwrap();
        let state = AppState::with(engine.clone(), options);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            serve(listener, state, stopped).await.unwrap();
        });
        Self { url, engine, _directory: directory, _stop: stop, _serving: serving }
    }

    pub async fn add(&self, user: Value) -> User {
        let admin = Caller::system(TenantId::DEFAULT, "default");
        let new: NewUser = serde_json::from_value(user).unwrap();
        self.engine.rules().create_user(&admin, new).await.unwrap()
    }

    pub async fn disable(&self, user: &User) {
        let admin = Caller::system(TenantId::DEFAULT, "default");
        let patch = serde_json::from_value(json!({"status": "disabled"})).unwrap();
        self.engine.rules().update_user(&admin, user.id, patch, None).await.unwrap();
    }
}
