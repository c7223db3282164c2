//! Questions on their way to people outside: a real receiver, real letters, real retries.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::{Arc, Mutex},
};

use axum::{body::Bytes, extract::State, http::HeaderMap};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::TcpListener,
    process::Command,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Duration, timeout},
};
use toolgate_domain::{Limits, Scope};

use crate::server::common::{House, definition};

pub struct Letter {
    pub headers: HeaderMap,
    pub text: String,
    pub body: Value,
}

impl Letter {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// Somebody outside. It answers with the statuses it was told to, then with 204.
pub struct Receiver {
    pub url: String,
    letters: UnboundedReceiver<Letter>,
}

#[derive(Clone)]
struct Desk(UnboundedSender<Letter>, Arc<Mutex<VecDeque<u16>>>);

impl Receiver {
    pub async fn start(answers: &[u16]) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), answers)
    }

    fn on(listener: TcpListener, answers: &[u16]) -> Self {
        let (sender, letters) = unbounded_channel();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let desk = Desk(sender, Arc::new(Mutex::new(answers.iter().copied().collect())));
        let app = axum::Router::new().route("/hook", axum::routing::post(take)).with_state(desk);
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, letters }
    }

    pub async fn next(&mut self) -> Letter {
        timeout(Duration::from_secs(20), self.letters.recv()).await.expect("a letter in time").unwrap()
    }
}

async fn take(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let answer = desk.1.lock().unwrap().pop_front().unwrap_or(204);
    let body = serde_json::from_str(&text).unwrap();
    desk.0.send(Letter { headers, text, body }).unwrap();
    StatusCode::from_u16(answer).unwrap()
}

pub fn hasty() -> Limits {
    Limits { webhook_retry_base_ms: 1, ..Limits::default() }
}

/// Makes a webhook; answers its id and its secret.
pub async fn hook(house: &House, url: &str) -> (String, String) {
    let (status, made) = house.post("/api/webhooks", json!({"name": "chat", "url": url})).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    (made["id"].as_str().unwrap().to_owned(), made["secret"].as_str().unwrap().to_owned())
}

/// A call that waits.
pub async fn ask(house: &House) -> Value {
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let (status, row) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    row
}

/// Asks for the only delivery until it is as wanted: its record changes after the letter arrived.
async fn delivery(house: &House, hook: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let looking = async {
        loop {
            let (_, list) = house.get(&format!("/api/webhooks/{hook}/deliveries")).await;
            let first = &list["items"][0];
            if wanted(first) {
                return first.clone();
            }
        }
    };
    timeout(Duration::from_secs(20), looking).await.expect("the delivery in time")
}

/// The receiver's side, as the guide shows it.
async fn verified(secret: &str, letter: &Letter, body: &str, late_s: i64) -> String {
    let guide = include_str!("../../../../../docs/guides/approvals.md");
    let shown = guide.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let sent_at: i64 = letter.header("toolgate-timestamp").parse().unwrap();
    let given = json!({
        "secret": secret, "body": body, "now": sent_at + late_s,
        "headers": {
            "Toolgate-Signature": letter.header("toolgate-signature"),
            "Toolgate-Delivery": letter.header("toolgate-delivery"),
        },
    });
    let program = format!(
        "{shown}\nimport json, sys\ngiven = json.load(sys.stdin)\n\
         try:\n    for _ in range(2):\n        print(verify(given['secret'], given['headers'], given['body'].encode(), given['now']))\n\
         except ValueError as refused:\n    print(refused)\n"
    );
    let mut python = Command::new("python3")
        .args(["-c", &program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3, which the guide's example needs");
    python.stdin.take().unwrap().write_all(given.to_string().as_bytes()).await.unwrap();
    String::from_utf8(python.wait_with_output().await.unwrap().stdout).unwrap()
}

#[tokio::test]
async fn a_question_arrives_signed_and_the_guides_receiver_believes_it_once() {
    let house = House::new().await;
    let mut receiver = Receiver::start(&[]).await;
    let (id, secret) = hook(&house, &receiver.url).await;
    let row = ask(&house).await;
    let letter = receiver.next().await;
    let asked = &letter.body["invocation"];
    assert_eq!((&letter.body["type"], &asked["id"]), (&json!("approval.requested"), &row["id"]));
    assert_eq!((&asked["tool"], &asked["input"]), (&json!("push@1.0.0"), &json!({"ms": 1})));
    assert_eq!(asked["approval_digest"], row["approval_digest"]);
    assert_eq!(letter.body["id"], letter.header("toolgate-delivery"));
    let page = format!("{}/invocations/{}", house.url, row["id"].as_str().unwrap());
    assert_eq!(letter.body["url"], page);
    assert!(!letter.text.contains("/api/"), "a letter carries a question, and no answer");
    assert_eq!(verified(&secret, &letter, &letter.text, 0).await, "True\nFalse\n", "once, and not again");
    let tampered = letter.text.replace("\"ms\":1", "\"ms\":9");
    assert_ne!(tampered, letter.text);
    assert!(verified(&secret, &letter, &tampered, 0).await.contains("does not match"));
    assert!(verified("whsec_other", &letter, &letter.text, 0).await.contains("does not match"));
    assert!(verified(&secret, &letter, &letter.text, 301).await.contains("too old"));
    let done = delivery(&house, &id, |delivery| delivery["status"] == "delivered").await;
    assert_eq!((&done["attempts"], &done["last_status"]), (&json!(1), &json!(204)));
    let (_, listed) = house.get("/api/webhooks").await;
    assert!(!listed.to_string().contains(&secret), "the secret is shown once");
}

#[tokio::test]
async fn what_was_not_received_is_sent_again_and_ends_as_failed_when_nothing_helps() {
    let house = House::with(Limits { webhook_max_attempts: 3, ..hasty() }).await;
    let mut receiver = Receiver::start(&[500, 302]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    ask(&house).await;
    let (first, second, third) = (receiver.next().await, receiver.next().await, receiver.next().await);
    assert_eq!((&first.text, &first.text), (&second.text, &third.text), "the same words");
    assert_eq!(first.header("toolgate-delivery"), third.header("toolgate-delivery"));
    let done = delivery(&house, &id, |delivery| delivery["status"] == "delivered").await;
    assert_eq!(done["attempts"], 3);

    let house = House::with(Limits { webhook_max_attempts: 3, ..hasty() }).await;
    let receiver = Receiver::start(&[500, 503, 404]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    ask(&house).await;
    let failed = delivery(&house, &id, |delivery| delivery["status"] == "failed").await;
    assert_eq!((&failed["attempts"], &failed["last_status"]), (&json!(3), &json!(404)));
    assert!(failed["last_error"].as_str().unwrap().contains("404"));
}

#[tokio::test]
async fn a_receiver_that_was_away_gets_the_question_when_it_is_back() {
    let house = House::with(Limits { webhook_retry_base_ms: 20, ..Limits::default() }).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (id, _) = hook(&house, &format!("http://{address}/hook")).await;
    let (_, tested) = house.post(&format!("/api/webhooks/{id}/test"), json!({})).await;
    assert_eq!((&tested["delivered"], &tested["status"]), (&json!(false), &Value::Null), "{tested}");
    let row = ask(&house).await;
    let waits = delivery(&house, &id, |delivery| delivery["last_error"].is_string()).await;
    assert_eq!(waits["status"], "pending");
    let mut receiver = Receiver::on(TcpListener::bind(address).await.unwrap(), &[]);
    assert_eq!(receiver.next().await.body["invocation"]["id"], row["id"]);
    let (_, tested) = house.post(&format!("/api/webhooks/{id}/test"), json!({})).await;
    assert_eq!(tested["delivered"], true);
    assert_eq!(receiver.next().await.body["type"], "webhook.test");
}

#[tokio::test]
async fn a_new_process_goes_on_where_the_old_one_stopped() {
    // Long enough to stop between the second attempt and the third.
    let house = House::with(Limits { webhook_retry_base_ms: 200, ..Limits::default() }).await;
    let mut receiver = Receiver::start(&[500, 500]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    ask(&house).await;
    let first = receiver.next().await;
    receiver.next().await;
    let house = house.restart().await;
    let third = receiver.next().await;
    assert_eq!(third.header("toolgate-delivery"), first.header("toolgate-delivery"));
    let done = delivery(&house, &id, |delivery| delivery["status"] == "delivered").await;
    assert_eq!(done["attempts"], 3);
}

#[tokio::test]
async fn of_several_processes_one_sends() {
    // Both look around all the time, so both find every delivery that is due.
    let house = House::with(Limits { node_lease_ms: 50, webhook_max_attempts: 4, ..hasty() }).await;
    let _other = house.beside().await;
    let mut receiver = Receiver::start(&[500, 500, 500]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    ask(&house).await;
    let done = delivery(&house, &id, |delivery| delivery["status"] == "delivered").await;
    assert_eq!(done["attempts"], 4);
    for _ in 0..4 {
        receiver.next().await;
    }
    assert!(receiver.letters.try_recv().is_err(), "as many letters as attempts");
}

#[tokio::test]
async fn a_question_that_a_crash_kept_back_is_found() {
    let house = House::with(hasty()).await;
    let mut receiver = Receiver::start(&[]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    let row = ask(&house).await;
    receiver.next().await;
    delivery(&house, &id, |delivery| delivery["status"] == "delivered").await;
    // What a process that dies right after it parked the call leaves: the row, and no delivery.
    let (stores, tenant) = (house.engine.stores().clone(), toolgate_domain::TenantId::DEFAULT);
    let record = stores.records.all(tenant, toolgate_store::Kind::Delivery).await.unwrap().remove(0);
    let gone =
        toolgate_store::RecordWrite::Delete { kind: record.kind, id: record.id, revision: record.revision };
    stores.records.commit(tenant, vec![gone], vec![]).await.unwrap();
    let _house = house.restart().await;
    assert_eq!(receiver.next().await.body["invocation"]["id"], row["id"]);
}

#[tokio::test]
async fn a_question_that_was_answered_is_not_sent_any_more() {
    let house = House::with(Limits { webhook_retry_base_ms: 3_600_000, ..Limits::default() }).await;
    let mut receiver = Receiver::start(&[500]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    let row = ask(&house).await;
    receiver.next().await;
    delivery(&house, &id, |delivery| delivery["last_status"] == 500).await;
    let path = format!("/api/invocations/{}/reject", row["id"].as_str().unwrap());
    let reason = Some(json!({"reason": "no"}));
    assert_eq!(house.ask(&house.approver().await, Method::POST, &path, reason).await.0, StatusCode::OK);
    let ended = delivery(&house, &id, |delivery| delivery["status"] != "pending").await;
    assert_eq!((&ended["status"], &ended["attempts"]), (&json!("cancelled"), &json!(1)));
}

#[tokio::test]
async fn webhooks_lead_outside_and_are_named_once() {
    let house = House::new().await;
    for (url, word) in [
        ("http://hooks.example.com/x", "https"),
        ("https://10.1.2.3/x", "private network"),
        ("https://169.254.169.254/latest", "private network"),
        ("https://me:word@hooks.example.com/x", "credentials"),
        ("no url", "understood"),
        ("https://127.0.0.2/x", "--allow-private-webhooks"),
        ("http://127.0.0.2:9/x", "--allow-private-webhooks"),
        ("http://localhost:9/x", "--allow-private-webhooks"),
        ("https://[::1]:9/x", "--allow-private-webhooks"),
    ] {
        let (status, problem) = house.post("/api/webhooks", json!({"name": "x", "url": url})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{url}");
        assert!(problem["detail"].as_str().unwrap().contains(word), "{problem}");
    }
    let (id, _) = hook(&house, "http://127.0.0.1:9/x").await;
    let (status, _) =
        house.post("/api/webhooks", json!({"name": "chat", "url": "http://127.0.0.1:9/y"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let path = format!("/api/webhooks/{id}");
    assert_eq!(house.request(Method::DELETE, &path).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(house.request(Method::DELETE, &path).send().await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(house.get(&format!("{path}/deliveries")).await.0, StatusCode::NOT_FOUND);
    let narrow = house.key_with(&[Scope::ApprovalsDecide]).await;
    let refused = house.http.get(format!("{}/api/webhooks", house.url)).bearer_auth(narrow).send().await;
    assert_eq!(refused.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn what_a_tenant_reads_does_not_tell_an_open_port_from_a_closed_one() {
    let house = House::with(hasty()).await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let open = Receiver::start(&[]).await;
    let spoken_to_in_tls = open.url.replace("http:", "https:");
    let mut hooks = Vec::new();
    for (name, url) in [("closed", format!("http://{closed}/hook")), ("open", spoken_to_in_tls)] {
        let (status, made) = house.post("/api/webhooks", json!({"name": name, "url": url})).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        hooks.push(made["id"].as_str().unwrap().to_owned());
    }
    ask(&house).await;
    let mut told = Vec::new();
    for id in &hooks {
        let (_, tested) = house.post(&format!("/api/webhooks/{id}/test"), json!({})).await;
        let sent = delivery(&house, id, |delivery| delivery["last_error"].is_string()).await;
        assert_eq!((&tested["status"], &sent["last_status"]), (&Value::Null, &Value::Null));
        told.push((tested["error"].clone(), sent["last_error"].clone()));
    }
    assert!(told[0].0.as_str().unwrap().contains("could not be reached"), "{told:?}");
    assert_eq!(told[0].0, told[0].1);
    assert_eq!(told[0], told[1]);
}
