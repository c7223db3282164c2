//! Turns: a receiver that takes letters and never answers holds up nobody but itself.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::{Duration, timeout},
};
use toolgate_domain::Limits;

use crate::server::{
    common::{House, definition},
    webhooks::{Receiver, ask, hasty, hook},
};

/// Takes connections and never says a word.
struct Silence {
    url: String,
    taken: UnboundedReceiver<TcpStream>,
}

impl Silence {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let (sender, taken) = unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if sender.send(stream).is_err() {
                    return;
                }
            }
        });
        Self { url, taken }
    }

    /// A letter that waits for its answer for as long as it is held.
    async fn next(&mut self) -> TcpStream {
        timeout(Duration::from_secs(20), self.taken.recv()).await.expect("a connection in time").unwrap()
    }

    fn has_more(&mut self) -> bool {
        self.taken.try_recv().is_ok()
    }
}

/// Nobody gives up within a test.
fn patient() -> Limits {
    Limits { webhook_timeout_ms: 600_000, ..hasty() }
}

#[tokio::test]
async fn one_tenants_silent_webhooks_hold_up_no_letter_of_another() {
    let house = House::with(patient()).await;
    let (_, foreign) = house.tenant("flood").await;
    let mut silence = Silence::start().await;
    for n in 0..house.engine.limits().max_webhooks {
        let spec = json!({"name": format!("h{n}"), "url": silence.url});
        let (status, made) = house.ask(&foreign, Method::POST, "/api/webhooks", Some(spec)).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
    }
    let tool = definition("push", "wait", json!({"egress_class": "write"}));
    house.ask(&foreign, Method::POST, "/api/tools", Some(tool)).await;
    for ms in 1..=5 {
        let (status, asked) =
            house.ask(&foreign, Method::POST, "/api/tools/push/invoke", Some(json!({"ms": ms}))).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
    }
    let share = house.engine.limits().webhook_sends_per_tenant;
    let mut held = Vec::new();
    for _ in 0..share {
        held.push(silence.next().await);
    }
    let mut receiver = Receiver::start(&[]).await;
    hook(&house, &receiver.url).await;
    let row = ask(&house).await;
    assert_eq!(receiver.next().await.body["invocation"]["id"], row["id"]);
    assert!(!silence.has_more(), "of its hundred letters, {share} are on the wire");
}

#[tokio::test]
async fn a_webhook_that_never_answers_waits_by_itself() {
    let house = House::with(patient()).await;
    let (mut silence, mut receiver) = (Silence::start().await, Receiver::start(&[]).await);
    for (name, url) in [("silent", &silence.url), ("chat", &receiver.url)] {
        let (status, made) = house.post("/api/webhooks", json!({"name": name, "url": url})).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
    }
    let mut held = Vec::new();
    for n in 0..10 {
        let row = ask(&house).await;
        assert_eq!(receiver.next().await.body["invocation"]["id"], row["id"], "letter {n}");
    }
    for _ in 0..house.engine.limits().webhook_sends_per_webhook {
        held.push(silence.next().await);
    }
    assert!(!silence.has_more(), "of its ten letters, two are on the wire");
}

#[tokio::test]
async fn a_place_that_is_given_back_goes_to_the_next_letter() {
    let limits = Limits { webhook_sends: 1, webhook_retry_base_ms: 3_600_000, ..patient() };
    let house = House::with(limits).await;
    let mut silence = Silence::start().await;
    hook(&house, &silence.url).await;
    ask(&house).await;
    let held = silence.next().await;
    ask(&house).await;
    drop(held);
    silence.next().await;
}

#[tokio::test]
async fn a_webhook_is_tested_once_at_a_time() {
    let house = House::with(patient()).await;
    let mut silence = Silence::start().await;
    let (id, _) = hook(&house, &silence.url).await;
    let path = format!("/api/webhooks/{id}/test");
    let second = async {
        let held = silence.next().await;
        // Twice: a refusal must not end the turn of the test that is under way.
        house.post(&path, json!({})).await;
        let refused = house.post(&path, json!({})).await;
        drop(held);
        refused
    };
    let ((status, tested), (refused, problem)) = tokio::join!(house.post(&path, json!({})), second);
    assert_eq!((status, &tested["delivered"]), (StatusCode::OK, &json!(false)));
    assert_eq!(refused, StatusCode::CONFLICT);
    assert!(problem["detail"].as_str().unwrap().contains(&id), "{problem}");
    let third = async { drop(silence.next().await) };
    assert_eq!(tokio::join!(house.post(&path, json!({})), third).0.0, StatusCode::OK);
}
