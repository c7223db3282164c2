//! What is kept apart: tenants, credentials, documents, and upstreams from one another.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use futures::FutureExt;
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Limits};

use crate::client::{
    common::{House, failure, operator},
    web::{Asked, Raw, answer, manners, reply, said},
};

/// Gives each session a name, and each call the name of its session.
async fn naming() -> (Raw, Arc<Mutex<Vec<Asked>>>) {
    let sessions = AtomicUsize::new(0);
    let server = Raw::new(move |asked| {
        let named = asked.headers.get("mcp-session-id").cloned().unwrap_or_default();
        let reply = match asked.wants() {
            "initialize" => {
                let name = format!("session-{}", sessions.fetch_add(1, Ordering::SeqCst));
                let result = json!({
                    "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "3"},
                });
                let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result}).to_string();
                reply(200, &[("content-type", "application/json"), ("mcp-session-id", &name)], &body)
            }
            _ => manners(&asked).unwrap_or_else(|| answer(&asked, said(&named))),
        };
        async move { reply }.boxed()
    })
    .await;
    let asked = Arc::clone(&server.asked);
    (server, asked)
}

fn transport(server: &Raw) -> Value {
    json!({"kind": "http", "url": server.url, "headers": {"Authorization": "Bearer {$secret.TOKEN}"}})
}

#[tokio::test]
async fn other_credentials_have_another_session() {
    let house = House::new().await;
    let (server, asked) = naming().await;
    house.keep_secret("TOKEN", "first-token").await;
    house.add("raw", transport(&server)).await;
    let first = house.text("raw_one", json!({})).await;
    assert_eq!(house.text("raw_one", json!({"again": 1})).await, first);
    house.keep_secret("TOKEN", "second-token").await;
    let second = house.text("raw_one", json!({"other": 1})).await;
    assert_ne!(first, second);
    for asked in asked.lock().unwrap().iter() {
        let token = &asked.headers["authorization"];
        if let Some(session) = asked.headers.get("mcp-session-id") {
            assert_eq!(*session == second, token == "Bearer second-token", "{asked:?}");
        }
    }
}

#[tokio::test]
async fn a_changed_document_does_not_use_the_old_connection() {
    let house = House::new().await;
    let (server, _) = naming().await;
    house.keep_secret("TOKEN", "first-token").await;
    house.add("raw", transport(&server)).await;
    let first = house.text("raw_one", json!({})).await;
    house.later_by_ms(1_000);
    let patch = json!({"transport": {"kind": "http", "url": server.url}}).as_object().unwrap().clone();
    house.engine.upstreams().update(&operator(), "raw", patch).await.unwrap();
    assert_ne!(house.text("raw_one", json!({"n": 2})).await, first);
}

#[tokio::test]
async fn secrets_are_in_no_receipt_even_when_the_upstream_repeats_them() {
    let house = House::new().await;
    let server = Raw::new(|asked| {
        let token = asked.headers.get("authorization").cloned().unwrap_or_default();
        let reply = manners(&asked).unwrap_or_else(|| match asked.tool() {
            "one" => answer(&asked, said(&token)),
            _ => answer(&asked, json!({"content": [{"type": "text", "text": token}], "isError": true})),
        });
        async move { reply }.boxed()
    })
    .await;
    house.keep_secret("TOKEN", "hunter2-hunter2").await;
    house.add("raw", transport(&server)).await;
    for tool in ["raw_one", "raw_two"] {
        let envelope = house.call(tool, json!({})).await;
        let record = house.record(&envelope).await;
        assert!(record.contains("Bearer ") && !record.contains("hunter2"), "{record}");
    }
}

#[tokio::test]
async fn a_dead_upstream_is_left_alone_and_comes_back_while_others_are_not_touched() {
    let limits = Limits { mcp_breaker_failures: 2, ..Limits::default() };
    let house = House::with(limits).await;
    let is_dead = Arc::new(AtomicBool::new(false));
    let dead = Arc::clone(&is_dead);
    let server = Raw::new(move |asked| {
        let reply = match dead.load(Ordering::SeqCst) {
            // What breaks the connection.
            true => Some(b"no HTTP\r\n\r\n".to_vec()),
            false => manners(&asked).unwrap_or_else(|| answer(&asked, said("alive"))),
        };
        async move { reply }.boxed()
    })
    .await;
    let (other, _) = naming().await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    house.add("other", json!({"kind": "http", "url": other.url})).await;
    assert_eq!(house.text("raw_one", json!({})).await, "alive");
    is_dead.store(true, Ordering::SeqCst);
    for n in 0..2 {
        let failed = house.call("raw_one", json!({"n": n})).await;
        assert_eq!(failure(&failed), (ErrorCode::NetworkError, "exchange".to_owned()));
    }
    let asked = server.asked.lock().unwrap().len();
    let refused = house.call("raw_one", json!({"n": 3})).await;
    assert_eq!(failure(&refused), (ErrorCode::NetworkError, "open".to_owned()));
    assert!(refused.error.unwrap().retry_after_s.is_some());
    assert_eq!(server.asked.lock().unwrap().len(), asked, "it was not asked");
    assert_eq!(house.text("other_one", json!({})).await, "session-0");
    is_dead.store(false, Ordering::SeqCst);
    house.later_by_ms(2_000);
    assert_eq!(house.text("raw_one", json!({"n": 4})).await, "alive");
    assert_eq!(house.text("raw_one", json!({"n": 5})).await, "alive");
}

#[tokio::test]
async fn calls_of_an_upstream_that_does_not_answer_wait_in_a_line_that_ends() {
    let limits = Limits { mcp_upstream_concurrency: 1, mcp_upstream_queue: 1, ..Limits::default() };
    let house = Arc::new(House::with(limits).await);
    let (began, mut begun) = tokio::sync::mpsc::channel(8);
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let (opened, began) = (Arc::clone(&gate), began);
    let server = Raw::new(move |asked| {
        let (gate, began) = (Arc::clone(&opened), began.clone());
        async move {
            if let Some(reply) = manners(&asked) {
                return reply;
            }
            began.send(()).await.unwrap();
            gate.acquire().await.unwrap().forget();
            answer(&asked, said("late"))
        }
        .boxed()
    })
    .await;
    let (other, _) = naming().await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    house.add("other", json!({"kind": "http", "url": other.url})).await;
    let call = |n: u64| {
        let house = Arc::clone(&house);
        tokio::spawn(async move { house.call("raw_one", json!({"n": n})).await })
    };
    let first = call(1);
    begun.recv().await.unwrap();
    // Two more: one may wait, and the other is refused, whichever comes first.
    let (second, third) = (call(2), call(3));
    let (refused, waits) = futures::future::select(second, third).await.into_inner();
    let refused = refused.unwrap();
    assert_eq!(failure(&refused).0, ErrorCode::RateLimit, "{refused:?}");
    assert_eq!(house.text("other_one", json!({})).await, "session-0");
    gate.add_permits(2);
    assert_eq!(crate::client::common::text(&first.await.unwrap()), "late");
    assert_eq!(crate::client::common::text(&waits.await.unwrap()), "late");
}
