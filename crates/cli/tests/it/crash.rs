//! `kill -9` under load, again and again: nothing acknowledged is lost, nothing is left in an impossible state.

use std::{
    path::Path,
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    sync::Notify,
    task::JoinSet,
};
use toolgate_domain::Limits;

/// `make test-long` sets more by `TOOLGATE_CRASH_ROUNDS`.
const ROUNDS: usize = 5;
const CALLERS: usize = 12;

/// What no crash may leave behind: a rule, and the question how many calls break it, which both databases understand.
const IMPOSSIBLE: [(&str, &str); 3] = [
    (
        "a call is over, or it is running",
        "SELECT count(*) FROM tool_invocations WHERE (completed_at IS NULL) <> (status = 'running')",
    ),
    (
        "every call ends once",
        "SELECT count(*) FROM tool_invocations i WHERE status <> 'running' AND 1 <> (SELECT count(*) FROM session_events e
            WHERE e.invocation_id = i.id AND e.type IN ('tool.completed', 'tool.failed', 'tool.cancelled'))",
    ),
    (
        "and begins once",
        "SELECT count(*) FROM tool_invocations i WHERE 1 <> (SELECT count(*) FROM session_events e
            WHERE e.invocation_id = i.id AND (e.type = 'tool.started' OR e.began_at IS NOT NULL))",
    ),
];

struct Server {
    child: Child,
    url: String,
    key: String,
    http: reqwest::Client,
}

impl Server {
    /// In the shared database a dead process counts as living until its lease is over, and every round waits for that.
    async fn start(data_dir: &Path, more: &[String]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_toolgate"))
            .args(["serve", "--listen", "127.0.0.1:0", "--limit", "node_lease_ms=400", "--data-dir"])
            .arg(data_dir)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().expect("the server says where it listens");
        let url = line.strip_prefix("listening on ").unwrap().to_owned();
        // Somebody must read what it prints, or it might wait for that.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let key = std::fs::read_to_string(data_dir.join("admin.key")).unwrap().trim().to_owned();
        Self { child, url, key, http: reqwest::Client::builder().tls_certs_only([]).build().unwrap() }
    }

    async fn get(&self, path: &str) -> Value {
        let response =
            self.http.get(format!("{}{path}", self.url)).bearer_auth(&self.key).send().await.unwrap();
        serde_json::from_str(&response.text().await.unwrap()).unwrap()
    }

    async fn register(&self, name: &str, idempotent: bool) {
        let definition = json!({
            "name": name, "version": "1.0.0", "description": "reads slowly", "input_schema": {"type": "object"},
            "egress_class": "read_only", "annotations": {"idempotentHint": idempotent},
            "execution": {"kind": "builtin", "handler": "wait"},
        });
        let request =
            self.http.post(format!("{}/api/tools", self.url)).bearer_auth(&self.key).json(&definition);
        assert!(request.send().await.unwrap().status().is_success());
    }

    /// Calls until the server dies; what it acknowledged goes on the list.
    fn load(
        &self,
        acknowledged: &Arc<Mutex<Vec<Value>>>,
        enough: &Arc<Notify>,
        target: usize,
    ) -> JoinSet<()> {
        let mut callers = JoinSet::new();
        let count = Arc::new(AtomicUsize::new(0));
        for caller in 0..CALLERS {
            let (http, url, key) = (self.http.clone(), self.url.clone(), self.key.clone());
            let (acknowledged, enough, count) =
                (Arc::clone(acknowledged), Arc::clone(enough), Arc::clone(&count));
            callers.spawn(async move {
                for n in 0_usize.. {
                    let (tool, input) = match (caller + n) % 4 {
                        0 => ("slow_once", json!({"ms": n % 7})),
                        1 => ("slow_again", json!({"ms": n % 7})),
                        2 => ("wait", json!({"ms": 25, "every_ms": 10})),
                        _ => ("calculate", json!({"expression": format!("{caller}+{n}")})),
                    };
                    let request =
                        http.post(format!("{url}/api/tools/{tool}/invoke")).bearer_auth(&key).json(&input);
                    let Ok(response) = request.send().await else {
                        return;
                    };
                    assert_eq!(response.status(), 200);
                    let Ok(text) = response.text().await else { return };
                    acknowledged.lock().unwrap().push(serde_json::from_str(&text).unwrap());
                    if count.fetch_add(1, Ordering::SeqCst) + 1 >= target {
                        enough.notify_one();
                    }
                }
            });
        }
        callers
    }

    /// Waits, along the event log, until no call is running.
    async fn settled(&self) {
        let request = self
            .http
            .get(format!("{}/api/events", self.url))
            .bearer_auth(&self.key)
            .header("accept", "text/event-stream");
        let mut events = request.send().await.unwrap();
        while !self.get("/api/invocations?status=running").await["items"].as_array().unwrap().is_empty() {
            events.chunk().await.unwrap().expect("the log goes on");
        }
    }
}

/// A number from the environment, for whoever looks longer, or again.
pub(crate) fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// Each round loads the server that the round before has started again, and kills it after as many calls as the seed says.
async fn crash_and_restart(data_dir: &Path, more: &[String]) {
    let rounds = setting("TOOLGATE_CRASH_ROUNDS").unwrap_or(ROUNDS);
    let seed = setting("TOOLGATE_CRASH_SEED").unwrap_or_else(rand::random::<u64>);
    #[expect(clippy::print_stdout, reason = "whoever repeats a run needs the seed")]
    {
        println!("{rounds} rounds; TOOLGATE_CRASH_SEED={seed} kills after the same numbers of calls again");
    }
    let mut moments = StdRng::seed_from_u64(seed);
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let mut unknown = 0;
    let mut server = Server::start(data_dir, more).await;
    server.register("slow_once", false).await;
    server.register("slow_again", true).await;
    for _ in 0..rounds {
        let enough = Arc::new(Notify::new());
        let mut callers = server.load(&acknowledged, &enough, moments.random_range(24..=48));
        enough.notified().await;
        server.child.kill().await.unwrap();
        while let Some(ended) = callers.join_next().await {
            ended.unwrap();
        }

        server = Server::start(data_dir, more).await;
        server.settled().await;
        let receipts = std::mem::take(&mut *acknowledged.lock().unwrap());
        assert!(!receipts.is_empty());
        for receipt in receipts {
            let id = receipt["invocation_id"].as_str().unwrap();
            let kept = server.get(&format!("/api/invocations/{id}/envelope")).await;
            assert_eq!(kept, receipt, "an acknowledged call is there as it was acknowledged");
        }
        let failed = server.get("/api/invocations?status=failed&limit=200").await;
        for row in failed["items"].as_array().unwrap() {
            assert_eq!(row["error"]["details"]["outcome"], "unknown", "{row}");
            // A tool that may run twice is run again, but not for ever: some call is met by every crash.
            let given_up = row["attempt"].as_u64() >= Some(Limits::default().max_attempts);
            assert!(row["tool_name"] == "slow_once" || given_up, "idempotent tools run again instead: {row}");
            unknown += usize::from(row["tool_name"] == "slow_once");
        }
    }
    // Nothing mends a chain: what any of the crashes broke is still broken.
    let chain = server.get("/api/audit/verify").await;
    assert_eq!(chain["ok"], true, "the chain holds everything that was recorded, once: {chain}");
    server.child.kill().await.unwrap();
    assert!(unknown > 0, "the crashes never met a call of a tool that must not run twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_ledger_survives_kill_9_again_and_again() {
    let directory = tempfile::tempdir().unwrap();
    crash_and_restart(directory.path(), &[]).await;
    let database = rusqlite::Connection::open(directory.path().join("toolgate.db")).unwrap();
    let integrity: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    for (rule, broken) in IMPOSSIBLE {
        let calls: i64 = database.query_row(broken, [], |row| row.get(0)).unwrap();
        assert_eq!(calls, 0, "{rule}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shared_ledger_survives_kill_9_again_and_again() {
    let url = toolgate_test_databases::empty().await;
    let directory = tempfile::tempdir().unwrap();
    crash_and_restart(directory.path(), &["--database-url".to_owned(), url.clone()]).await;
    let mut database = PgConnection::connect(&url).await.unwrap();
    for (rule, broken) in IMPOSSIBLE {
        let calls: i64 = sqlx::query_scalar(broken).fetch_one(&mut database).await.unwrap();
        assert_eq!(calls, 0, "{rule}");
    }
}
