//! A client whose connection breaks while it waits.

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::mcp::gate::Gate;

/// A client of 2025-11-25 that speaks HTTP by hand: the libraries come back by themselves, or not at all.
struct Client<'a> {
    gate: &'a Gate,
    http: reqwest::Client,
    session: String,
}

impl<'a> Client<'a> {
    async fn of(gate: &'a Gate) -> Self {
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        let mut client = Self { gate, http, session: String::new() };
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let answer = client.post(&hello).await;
        client.session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        client.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn post(&self, message: &Value) -> Response {
        let url = format!("{}/mcp", self.gate.url);
        self.send(self.http.post(url).header("accept", "application/json, text/event-stream").json(message))
            .await
    }

    /// Takes up a stream after the event with this id.
    async fn come_back(&self, after: &str) -> Response {
        let asked = self.http.get(format!("{}/mcp", self.gate.url)).header("accept", "text/event-stream");
        self.send(asked.header("last-event-id", after)).await
    }

    async fn send(&self, mut request: RequestBuilder) -> Response {
        request = request.bearer_auth(&self.gate.key);
        if !self.session.is_empty() {
            request =
                request.header("mcp-session-id", &self.session).header("mcp-protocol-version", "2025-11-25");
        }
        request.send().await.unwrap().error_for_status().unwrap()
    }
}

/// The next event: its id, and what it holds.
async fn next(events: &mut Response, seen: &mut String) -> (String, String) {
    loop {
        if let Some((event, rest)) = seen.split_once("\n\n") {
            let field = |name: &str| {
                let value = event.lines().find_map(|line| line.strip_prefix(name));
                value.unwrap_or_default().trim().to_owned()
            };
            let found = (field("id:"), field("data:"));
            *seen = rest.to_owned();
            return found;
        }
        let piece = events.chunk().await.unwrap().unwrap();
        seen.push_str(std::str::from_utf8(&piece).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_whose_connection_broke_comes_back_for_its_answer() {
    let gate = Gate::start(&[]).await;
    gate.patch("/api/tools/calculate", &json!({"requires_approval": true})).await;
    let approver = gate.approver().await;
    let client = Client::of(&gate).await;
    let params = json!({"name": "calculate", "arguments": {"expression": "6*7"}});
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let (mut events, mut seen) = (client.post(&call).await, String::new());
    let (place, empty) = next(&mut events, &mut seen).await;
    assert_eq!(empty, "", "nobody has decided");
    drop(events);
    let asked = gate.follow().sees("tool.needs_approval", "calculate").await;
    let id = asked["invocation_id"].as_str().unwrap();
    let decision = client.http.post(format!("{}/api/invocations/{id}/approve", gate.url));
    decision.bearer_auth(approver).json(&json!({})).send().await.unwrap().error_for_status().unwrap();
    let (mut events, mut seen) = (client.come_back(&place).await, String::new());
    let (_, answer) = next(&mut events, &mut seen).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["number"]), (&json!(7), &json!(42)));
    assert_eq!(events.chunk().await.unwrap(), None, "and that was all");
}
