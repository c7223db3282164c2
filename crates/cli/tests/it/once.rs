//! Two processes on one database, under load, with short leases, while one or the other is paused: an approved write reaches the world
//! once, and the ledger says what happened.

use std::{
    collections::HashMap,
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex},
};

use axum::{Router, extract::State, routing::post};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
    task::JoinSet,
};

use crate::crash::setting;

/// `make test-long` sets more by `TOOLGATE_ONCE_WRITES`.
const WRITES: usize = 400;
const CALLERS: usize = 8;
const LEASE_MS: u64 = 600;

/// The world outside: how often each write arrived.
#[derive(Clone, Default)]
struct World(Arc<Mutex<HashMap<u64, usize>>>);

impl World {
    async fn open(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let arrived = |State(world): State<Self>, body: String| async move {
            let body: Value = serde_json::from_str(&body).unwrap();
            *world.0.lock().unwrap().entry(body["n"].as_u64().unwrap()).or_default() += 1;
            "{}"
        };
        let router = Router::new().route("/effect", post(arrived)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        address
    }
}

struct Server {
    child: Child,
    url: String,
}

impl Server {
    async fn start(data_dir: &Path, database: &str, world: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_toolgate"))
            .args(["serve", "--listen", "127.0.0.1:0", "--limit", "password_memory_kib=8"])
            .args(["--limit", &format!("node_lease_ms={LEASE_MS}"), "--allow-host", world])
            .args(["--database-url", database, "--data-dir"])
            .arg(data_dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().expect("the server says where it listens");
        let url = line.strip_prefix("listening on ").unwrap().to_owned();
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, url }
    }

    async fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args([name, &id]).status().await.unwrap().success());
    }
}

/// REST with a key, at any of the servers.
#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    key: String,
}

impl Client {
    async fn post(&self, url: String, body: &Value) -> reqwest::Result<Value> {
        let response = self.http.post(url).bearer_auth(&self.key).json(body).send().await?;
        Ok(serde_json::from_str(&response.text().await?).unwrap_or_default())
    }

    async fn get(&self, url: String) -> Value {
        let response = self.http.get(url).bearer_auth(&self.key).send().await.unwrap();
        serde_json::from_str(&response.text().await.unwrap()).unwrap()
    }
}

/// The key of the first start belongs to the first person, who may decide what programs ask.
async fn open(server: &Server, data_dir: &Path, world: &str) -> (Client, Client) {
    let http = reqwest::Client::builder().tls_certs_only([]).build().unwrap();
    let key = std::fs::read_to_string(data_dir.join("admin.key")).unwrap().trim().to_owned();
    let person = Client { http: http.clone(), key };
    let url = &server.url;
    let program = json!({"name": "program", "scopes": ["tools:execute"]});
    let made = person.post(format!("{url}/api/keys"), &program).await.unwrap();
    let user = json!({"email": "first@example.com", "name": "First", "roles": ["admin"]});
    assert!(person.post(format!("{url}/api/users"), &user).await.unwrap()["id"].is_string());
    let tool = json!({
        "name": "effect", "version": "1.0.0", "description": "writes", "egress_class": "write",
        "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "execution": {"kind": "http", "method": "POST", "url": format!("http://{world}/effect"), "body": {"n": "$input.n"}},
    });
    let made_tool = person.post(format!("{url}/api/tools"), &tool).await.unwrap();
    assert!(made_tool["tool"].is_object() || made_tool["name"].is_string(), "{made_tool}");
    (person, Client { http, key: made["key"].as_str().unwrap().to_owned() })
}

/// Writes until there are enough, each approved at one of the servers by chance.
async fn load(urls: Vec<String>, person: Client, program: Client, seed: u64, writes: usize) {
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (urls, person, program) = (urls.clone(), person.clone(), program.clone());
        let mut dice = StdRng::seed_from_u64(seed.wrapping_add(caller as u64));
        callers.spawn(async move {
            for n in (caller..writes).step_by(CALLERS) {
                let (asks, decides) = (dice.random_range(0..urls.len()), dice.random_range(0..urls.len()));
                let url = format!("{}/api/tools/effect/invoke", urls[asks]);
                let Ok(row) = program.post(url, &json!({"n": n})).await else { continue };
                let Some(id) = row["id"].as_str() else { continue };
                let url = format!("{}/api/invocations/{id}/approve", urls[decides]);
                // What a paused process does not answer is decided all the same, or not at all.
                let _ = person.post(url, &json!({})).await;
            }
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended.unwrap();
    }
}

async fn count(database: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(database).await.unwrap()
}

/// Waits, along the event log, until nothing is decided and not over.
async fn settled(server: &Server, person: &Client, database: &mut PgConnection) {
    let request = person.http.get(format!("{}/api/events", server.url)).bearer_auth(&person.key);
    let mut events = request.header("accept", "text/event-stream").send().await.unwrap();
    let open = "SELECT count(*) FROM tool_invocations WHERE status IN ('approved', 'running')";
    while count(database, open).await > 0 {
        events.chunk().await.unwrap().expect("the log goes on");
    }
}

async fn every_write_happens_once(pauses: bool) {
    let writes = setting("TOOLGATE_ONCE_WRITES").unwrap_or(WRITES);
    let seed = setting("TOOLGATE_ONCE_SEED").unwrap_or_else(rand::random::<u64>);
    let database_url = toolgate_test_databases::empty().await;
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let world = World::default();
    let address = world.open().await;
    let first = Server::start(one.path(), &database_url, &address).await;
    std::fs::copy(one.path().join("secrets.key"), other.path().join("secrets.key")).unwrap();
    let second = Server::start(other.path(), &database_url, &address).await;
    let (person, program) = open(&first, one.path(), &address).await;
    // The second process hears of the tool a moment later.
    while person.get(format!("{}/api/tools/effect", second.url)).await["name"] != "effect" {
        tokio::task::yield_now().await;
    }
    let urls = vec![first.url.clone(), second.url.clone()];
    let mut loading = tokio::spawn(load(urls, person.clone(), program, seed, writes));
    let mut paused = 0;
    if pauses {
        let mut dice = StdRng::seed_from_u64(seed);
        loop {
            let server = if dice.random_bool(0.5) { &first } else { &second };
            server.signal("-STOP").await;
            let pause = tokio::time::Duration::from_millis(dice.random_range(LEASE_MS..3 * LEASE_MS));
            tokio::time::sleep(pause).await;
            server.signal("-CONT").await;
            paused += 1;
            let between = tokio::time::Duration::from_millis(dice.random_range(100..LEASE_MS));
            if tokio::time::timeout(between, &mut loading).await.is_ok() {
                break;
            }
        }
    } else {
        (&mut loading).await.unwrap();
    }
    let mut database = PgConnection::connect(&database_url).await.unwrap();
    settled(&first, &person, &mut database).await;
    let arrived = world.0.lock().unwrap().clone();
    let twice: Vec<_> = arrived.iter().filter(|(_, times)| **times > 1).collect();
    let completed =
        count(&mut database, "SELECT count(*) FROM tool_invocations WHERE status = 'completed'").await;
    let unknown = count(&mut database, "SELECT count(*) FROM tool_invocations WHERE status = 'failed'").await;
    #[expect(clippy::print_stdout, reason = "whoever repeats a run needs the seed")]
    {
        println!(
            "TOOLGATE_ONCE_SEED={seed}: {writes} writes, {paused} pauses, {} arrived, {completed} completed, {unknown} unknown, {} twice",
            arrived.len(),
            twice.len()
        );
    }
    assert!(twice.is_empty(), "these writes arrived more than once: {twice:?}");
    let done = "SELECT (input ->> 'n')::bigint FROM tool_invocations WHERE status = 'completed'";
    for n in sqlx::query_scalar::<_, i64>(done).fetch_all(&mut database).await.unwrap() {
        assert_eq!(arrived.get(&n.unsigned_abs()), Some(&1), "write {n} is completed and did not arrive");
    }
    if !pauses {
        let errors = "SELECT DISTINCT error::text FROM tool_invocations WHERE status = 'failed'";
        let errors: Vec<String> = sqlx::query_scalar(errors).fetch_all(&mut database).await.unwrap();
        assert!(errors.is_empty(), "nothing was paused, and yet: {errors:?}");
        assert_eq!((unknown, completed), (0, i64::try_from(writes).unwrap()), "nothing was paused");
    }
    let chain = person.get(format!("{}/api/audit/verify", first.url)).await;
    assert_eq!(chain["ok"], true, "{chain}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_under_load_carry_out_an_approved_write_once() {
    every_write_happens_once(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_pauses_carries_out_nothing_twice() {
    every_write_happens_once(true).await;
}
