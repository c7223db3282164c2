//! Calls that wait for a person, over REST.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, Scope, TenantId,
    governance::{ApprovalTerms, ToolSettings},
};

use crate::server::common::{Events, House, definition, read};

/// A call that waits, and a key of somebody else who may decide it.
async fn waiting(house: &House) -> (Value, String) {
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let (status, row) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    (row, house.key_with(&[Scope::ApprovalsDecide]).await)
}

async fn decide(house: &House, key: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
    let mut request = house.http.request(Method::POST, format!("{}{path}", house.url)).bearer_auth(key);
    if let Some(body) = body {
        request = request.json(&body);
    }
    read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn an_approver_sees_what_is_asked_and_lets_it_run() {
    let house = House::new().await;
    let (row, key) = waiting(&house).await;
    let id = row["id"].as_str().unwrap();
    let list = house.http.get(format!("{}/api/approvals", house.url)).bearer_auth(&key).send().await.unwrap();
    let (status, page) = read(list).await;
    assert_eq!(status, StatusCode::OK);
    let asked = &page["items"][0];
    assert_eq!((&asked["id"], &asked["input"]), (&row["id"], &json!({"ms": 1})));
    assert!(asked["approval_expires_at"].is_string());
    let digest = &asked["approval_digest"];
    assert_eq!(digest.as_str().unwrap().len(), 64);

    let path = format!("/api/invocations/{id}/approve");
    let (status, problem) = decide(&house, &key, &path, Some(json!({"digest": "0".repeat(64)}))).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")), "{problem}");
    let (status, _) = decide(&house, &key, &path, Some(json!({"digest": digest}))).await;
    assert_eq!(status, StatusCode::OK);
    let done = house.ended(id).await;
    assert_eq!((&done["status"], &done["approval_status"]), (&json!("completed"), &json!("approved")));
    assert_eq!(done["output"], json!({"waited_ms": 1}));

    let (status, problem) = decide(&house, &key, &path, None).await;
    assert_eq!(status, StatusCode::CONFLICT, "a decision is used once: {problem}");
    let (_, page) = house.get("/api/approvals").await;
    assert_eq!(page["items"], json!([]));
}

#[tokio::test]
async fn a_rejection_needs_a_reason_and_reaches_the_caller() {
    let house = House::new().await;
    let (row, key) = waiting(&house).await;
    let path = format!("/api/invocations/{}/reject", row["id"].as_str().unwrap());
    for (body, expected) in [
        (None, StatusCode::BAD_REQUEST),
        (Some(json!({})), StatusCode::UNPROCESSABLE_ENTITY),
        (Some(json!({"reason": " "})), StatusCode::UNPROCESSABLE_ENTITY),
        (Some(json!({"reason": "x".repeat(2_001)})), StatusCode::UNPROCESSABLE_ENTITY),
        (Some(json!({"reason": "no", "verdict": "yes"})), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (status, problem) = decide(&house, &key, &path, body.clone()).await;
        assert_eq!(status, expected, "{body:?}: {problem}");
    }
    let (status, rejected) = decide(&house, &key, &path, Some(json!({"reason": "not today"}))).await;
    assert_eq!((status, &rejected["status"]), (StatusCode::OK, &json!("rejected")), "{rejected}");
    let (_, envelope) =
        house.get(&format!("/api/invocations/{}/envelope", row["id"].as_str().unwrap())).await;
    assert_eq!(envelope["error"]["code"], "POLICY_DENIED");
    assert_eq!(envelope["error"]["details"]["reason"], "not today");
}

#[tokio::test]
async fn the_caller_cannot_approve_and_strangers_find_nothing() {
    let house = House::new().await;
    let (row, key) = waiting(&house).await;
    let path = format!("/api/invocations/{}/approve", row["id"].as_str().unwrap());
    let (status, problem) = house.post(&path, json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{problem}");
    let unknown = "/api/invocations/inv_00000000-0000-7000-8000-000000000000/approve";
    let (status, _) = decide(&house, &key, unknown, None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_approver_watches_questions_come_and_go() {
    let house = House::new().await;
    let (first, key) = waiting(&house).await;
    let counted = || async {
        let path = format!("{}/api/approvals/count", house.url);
        read(house.http.get(path).bearer_auth(&key).send().await.unwrap()).await.1
    };
    assert_eq!(counted().await, json!({"pending": 1}));
    let open = |last: Option<String>| {
        let request = house.http.get(format!("{}/api/approvals/stream", house.url)).bearer_auth(&key);
        let request = last.iter().fold(request, |request, id| request.header("last-event-id", id));
        async { Events::new(request.send().await.unwrap()) }
    };
    let mut watching = open(None).await;
    let (name, begin, count) = watching.next().await.unwrap();
    assert_eq!((name.as_str(), &count), ("count", &json!({"pending": 1})));

    house.post("/api/tools/calculate/invoke", json!({"expression": "1"})).await;
    let (_, second) = house.post("/api/tools/push/invoke", json!({"ms": 2})).await;
    let (name, _, asked) = watching.next().await.unwrap();
    assert_eq!((name.as_str(), &asked["id"]), ("needs_approval", &second["id"]), "and not the calculation");
    let (_, listed) = house.get("/api/approvals").await;
    assert_eq!(asked, listed["items"][0], "told as it is listed");

    let path = |row: &Value, verb: &str| format!("/api/invocations/{}/{verb}", row["id"].as_str().unwrap());
    decide(&house, &key, &path(&second, "reject"), Some(json!({"reason": "no"}))).await;
    let (name, _, decided) = watching.next().await.unwrap();
    assert_eq!((name.as_str(), &decided["status"]), ("decided", &json!("rejected")));
    decide(&house, &key, &path(&first, "approve"), None).await;
    let (_, last, decided) = watching.next().await.unwrap();
    assert_eq!((&decided["id"], &decided["status"]), (&first["id"], &json!("approved")));
    assert!(decided["by"].as_str().unwrap().starts_with("usr_"));
    assert_eq!(counted().await, json!({"pending": 0}));

    let mut resumed = open(Some(begin)).await;
    assert_eq!(resumed.next().await.unwrap().2, json!({"pending": 0}));
    for expected in ["needs_approval", "decided", "decided"] {
        assert_eq!(resumed.next().await.unwrap().0, expected, "nothing is missed");
    }
    let (_, third) = house.post("/api/tools/push/invoke", json!({"ms": 3})).await;
    let mut later = open(Some(last)).await;
    assert_eq!(later.next().await.unwrap().0, "count");
    assert_eq!(later.next().await.unwrap().2["id"], third["id"], "nothing comes twice");
}

#[tokio::test]
async fn where_several_must_agree_the_list_shows_who_has() {
    let house = House::new().await;
    let (_, key) = waiting(&house).await;
    let plain = house.get("/api/approvals").await.1;
    assert_eq!(plain["items"][0]["approval"], Value::Null, "one other person is the rule, and not said");
    let system = Caller::system(TenantId::DEFAULT, "default");
    let terms = ApprovalTerms { quorum: 2, ..ApprovalTerms::default() };
    let settings = ToolSettings { approval: Some(terms), ..ToolSettings::default() };
    house.engine.rules().set_tool_settings(&system, "push", settings).await.unwrap();
    let (_, row) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    let id = row["id"].as_str().unwrap();
    let (status, after) = decide(&house, &key, &format!("/api/invocations/{id}/approve"), None).await;
    assert_eq!((status, &after["status"]), (StatusCode::OK, &json!("pending")));
    let (_, page) = house.get("/api/approvals").await;
    let (_, one) = house.get(&format!("/api/invocations/{id}")).await;
    for shown in [&after, &page["items"][0], &one] {
        let approval = &shown["approval"];
        assert_eq!((&approval["quorum"], &approval["allow_self"]), (&json!(2), &json!(false)));
        assert_eq!(approval["votes"].as_array().unwrap().len(), 1);
    }
    let other = house.key_with(&[Scope::ApprovalsDecide]).await;
    decide(&house, &other, &format!("/api/invocations/{id}/approve"), None).await;
    assert_eq!(house.ended(id).await["status"], "completed");
}
