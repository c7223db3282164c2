//! A real server: the real binary, with a database of its own.

use std::process::Stdio;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::mcp::foreign::alone;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_toolgate");

pub(crate) struct Gate {
    pub(crate) url: String,
    pub(crate) key: String,
    home: TempDir,
    _child: Child,
    http: reqwest::Client,
}

fn toolgate(home: &TempDir) -> Command {
    let mut command = alone(Command::new(BINARY));
    command.current_dir(home.path()).env("NO_COLOR", "1").stdout(Stdio::piped());
    command
}

impl Gate {
    pub(crate) async fn start(args: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        let log = std::fs::File::create(home.path().join("log")).unwrap();
        let mut command = toolgate(&home);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "state"]).args(args).stderr(log);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next_line().await.unwrap();
        let url = first.as_deref().and_then(|line| line.strip_prefix("listening on "));
        let url = url.unwrap_or_else(|| panic!("it does not say where it listens: {first:?}")).to_owned();
        // Somebody must read what it prints, or it might wait for that.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let key = std::fs::read_to_string(home.path().join("state/admin.key")).unwrap().trim().to_owned();
        Self {
            url,
            key,
            home,
            _child: child,
            http: reqwest::Client::builder().tls_certs_only([]).build().unwrap(),
        }
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Value {
        self.ask(self.http.post(format!("{}{path}", self.url)).json(body)).await
    }

    /// The key of a person who may decide, made by themselves.
    pub(crate) async fn approver(&self) -> String {
        let (email, password) = ("grace@example.com", "correct horse battery");
        let user = json!({"email": email, "name": "Grace", "roles": ["approver"], "password": password});
        self.post("/api/users", &user).await;
        let login = json!({"email": email, "password": password});
        let login = self.http.post(format!("{}/api/auth/login", self.url)).json(&login).send().await.unwrap();
        let cookies = login.headers().get_all("set-cookie").iter();
        let cookies: Vec<_> = cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next()).collect();
        let cookies = cookies.join("; ");
        let login: Value = login.json().await.unwrap();
        let key = json!({"name": "grace", "scopes": ["approvals:decide", "invocations:read"], "user": "me"});
        let asked = self.http.post(format!("{}/api/keys", self.url)).json(&key).header("cookie", cookies);
        let asked =
            asked.header("origin", &self.url).header("x-csrf-token", login["csrf_token"].as_str().unwrap());
        let made: Value = asked.send().await.unwrap().error_for_status().unwrap().json().await.unwrap();
        made["key"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Value {
        self.ask(self.http.patch(format!("{}{path}", self.url)).json(body)).await
    }

    async fn ask(&self, request: RequestBuilder) -> Value {
        let response = request.bearer_auth(&self.key).send().await.unwrap();
        let (status, url) = (response.status(), response.url().clone());
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{url}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// What happened here, and what happens next.
    pub(crate) fn follow(&self) -> Follower {
        let mut command = toolgate(&self.home);
        command.args([
            "--url",
            &self.url,
            "--data-dir",
            "state",
            "events",
            "--follow",
            "--after",
            "0",
            "--json",
        ]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Follower { lines, _child: child }
    }
}

pub(crate) struct Follower {
    lines: Lines<BufReader<ChildStdout>>,
    _child: Child,
}

impl Follower {
    /// Waits for an event of this type that is about this tool.
    pub(crate) async fn sees(&mut self, kind: &str, tool: &str) -> Value {
        while let Some(line) = self.lines.next_line().await.unwrap() {
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["type"] == kind && event["data"]["name"] == tool {
                return event;
            }
        }
        panic!("no {kind} of {tool} came")
    }
}
