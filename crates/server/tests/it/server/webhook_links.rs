//! Answers that come back by a link.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;
use toolgate_domain::{
    Caller, Scope, TenantId,
    governance::{ApprovalTerms, ToolSettings},
};

use crate::server::{
    common::House,
    webhooks::{Letter, Receiver, ask, hasty, hook},
};

/// A question that reached somebody.
async fn asked() -> (House, Value, Letter) {
    let house = House::with(hasty()).await;
    let mut receiver = Receiver::start(&[]).await;
    hook(&house, &receiver.url).await;
    let row = ask(&house).await;
    let letter = receiver.next().await;
    (house, row, letter)
}

/// Follows a link without a key, as a browser does.
async fn follow(house: &House, method: Method, url: &str, form: &str) -> (StatusCode, String) {
    let request = house.http.request(method, url).body(form.to_owned());
    let response = request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("script"), "{policy}");
    assert_eq!(response.headers()["cache-control"], "no-store");
    (response.status(), response.text().await.unwrap())
}

async fn status_of(house: &House, row: &Value) -> Value {
    house.get(&format!("/api/invocations/{}", row["id"].as_str().unwrap())).await.1["status"].clone()
}

async fn ended(house: &House, row: &Value) -> Value {
    house.ended(row["id"].as_str().unwrap()).await
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

/// The link as the server itself would sign it, with another content.
async fn signed_with(house: &House, url: &str, patch: Value) -> String {
    let key = house.engine.stores().settings.get_or_init("webhook_key", b"").await.unwrap();
    let (base, token) = url.rsplit_once('/').unwrap();
    let payload = BASE64.decode(token.split_once('.').unwrap().0).unwrap();
    let mut link: Value = serde_json::from_str(std::str::from_utf8(&payload).unwrap()).unwrap();
    link.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    let payload = BASE64.encode(link.to_string());
    let signature = BASE64.encode(mac(&mac(&key, b"approval link"), payload.as_bytes()));
    format!("{base}/{payload}.{signature}")
}

#[tokio::test]
async fn looking_decides_nothing_and_answering_counts_exactly_once() {
    let (house, row, letter) = asked().await;
    let (approve, reject) =
        (letter.body["approve_url"].as_str().unwrap(), letter.body["reject_url"].as_str().unwrap());
    for _ in 0..2 {
        let (status, page) = follow(&house, Method::GET, approve, "").await;
        assert_eq!(status, StatusCode::OK);
        for word in ["push@1.0.0", "&quot;ms&quot;: 1", row["caller"].as_str().unwrap(), "<form"] {
            assert!(page.contains(word), "{word} in {page}");
        }
        assert!(!page.contains("<script"));
    }
    assert_eq!(status_of(&house, &row).await, "pending", "a scanner that opens links decides nothing");

    let (one, other) =
        tokio::join!(follow(&house, Method::POST, approve, ""), follow(&house, Method::POST, approve, ""));
    let mut both = [one.0, other.0];
    both.sort();
    assert_eq!(both, [StatusCode::OK, StatusCode::CONFLICT], "of two at once, one counts");
    let done = ended(&house, &row).await;
    assert_eq!((&done["status"], &done["output"]), (&json!("completed"), &json!({"waited_ms": 1})));
    assert!(done["approval_decided_by"].as_str().unwrap().starts_with("whk_"), "{done}");
    for (method, link) in [(Method::POST, approve), (Method::GET, approve), (Method::POST, reject)] {
        assert_eq!(follow(&house, method, link, "reason=late").await.0, StatusCode::CONFLICT);
    }
}

#[tokio::test]
async fn a_rejection_by_link_needs_a_reason() {
    let (house, row, letter) = asked().await;
    let reject = letter.body["reject_url"].as_str().unwrap();
    let (status, page) = follow(&house, Method::GET, reject, "").await;
    assert!(status == StatusCode::OK && page.contains("name=\"reason\""));
    assert_eq!(follow(&house, Method::POST, reject, "").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(status_of(&house, &row).await, "pending");
    let (status, _) = follow(&house, Method::POST, reject, "reason=not+on+%3Cb%3E+a+Sunday").await;
    assert_eq!(status, StatusCode::OK);
    let end = ended(&house, &row).await;
    assert_eq!(
        (&end["status"], &end["approval_reason"]),
        (&json!("rejected"), &json!("not on <b> a Sunday"))
    );
}

#[tokio::test]
async fn a_link_that_is_forged_old_or_about_something_else_gets_nothing() {
    let (house, row, letter) = asked().await;
    let approve = letter.body["approve_url"].as_str().unwrap();
    let (base, token) = approve.rsplit_once('/').unwrap();
    let (payload, signature) = token.split_once('.').unwrap();
    let (_, of_reject) = letter.body["reject_url"].as_str().unwrap().rsplit_once('.').unwrap();
    let unsigned = BASE64.encode(json!({"action": "approve"}).to_string());
    for forged in [
        format!("{base}/{payload}.{of_reject}"),
        format!("{base}/{payload}."),
        format!("{base}/{payload}"),
        format!("{base}/{unsigned}.{signature}"),
        format!("{base}/{}", "A".repeat(5_000)),
    ] {
        for method in [Method::GET, Method::POST] {
            let (status, page) = follow(&house, method, &forged, "").await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{forged}");
            assert!(!page.contains("push"), "nothing is told");
        }
    }
    let other = signed_with(&house, approve, json!({"digest": "0".repeat(64)})).await;
    let old = signed_with(&house, approve, json!({"expires": 1})).await;
    let gone =
        signed_with(&house, approve, json!({"webhook": "whk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"})).await;
    let elsewhere =
        signed_with(&house, approve, json!({"tenant": "ten_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"})).await;
    for (link, expected) in [
        (other, StatusCode::CONFLICT),
        (old, StatusCode::GONE),
        (gone, StatusCode::NOT_FOUND),
        (elsewhere, StatusCode::NOT_FOUND),
    ] {
        assert_eq!(follow(&house, Method::POST, &link, "").await.0, expected);
    }
    assert_eq!(status_of(&house, &row).await, "pending", "none of them decided anything");
    let same = signed_with(&house, approve, json!({})).await;
    assert_eq!(
        follow(&house, Method::POST, &same, "").await.0,
        StatusCode::OK,
        "the forgeries were well made"
    );
}

#[tokio::test]
async fn a_link_is_worth_nothing_once_somebody_decided_or_its_webhook_is_gone() {
    let (house, row, letter) = asked().await;
    let path = format!("/api/invocations/{}/reject", row["id"].as_str().unwrap());
    house.post(&path, json!({"reason": "no"})).await;
    let approve = letter.body["approve_url"].as_str().unwrap();
    assert_eq!(follow(&house, Method::POST, approve, "").await.0, StatusCode::CONFLICT);
    assert_eq!(status_of(&house, &row).await, "rejected");

    let (house, row, letter) = asked().await;
    let (_, hooks) = house.get("/api/webhooks").await;
    let path = format!("/api/webhooks/{}", hooks["items"][0]["id"].as_str().unwrap());
    house.request(Method::DELETE, &path).send().await.unwrap();
    let approve = letter.body["approve_url"].as_str().unwrap();
    assert_eq!(follow(&house, Method::POST, approve, "").await.0, StatusCode::NOT_FOUND);
    assert_eq!(status_of(&house, &row).await, "pending");
}

#[tokio::test]
async fn where_two_must_agree_a_webhook_is_one_of_them() {
    let house = House::with(hasty()).await;
    let mut receiver = Receiver::start(&[]).await;
    let (id, _) = hook(&house, &receiver.url).await;
    let system = Caller::system(TenantId::DEFAULT, "default");
    let terms = ApprovalTerms { quorum: 2, allow_self: false };
    let settings = ToolSettings { approval: Some(terms), ..ToolSettings::default() };
    house.engine.rules().set_tool_settings(&system, "push", settings).await.unwrap();
    let row = ask(&house).await;
    let approve = receiver.next().await.body["approve_url"].as_str().unwrap().to_owned();
    let (status, page) = follow(&house, Method::POST, &approve, "").await;
    assert!(status == StatusCode::OK && page.contains("Others must agree"), "{page}");
    assert_eq!(follow(&house, Method::POST, &approve, "").await.0, StatusCode::CONFLICT);
    let (_, page) = house.get("/api/approvals").await;
    assert_eq!(page["items"][0]["approval"]["votes"], json!([id]), "one vote, however often it is cast");
    let key = house.key_with(&[Scope::ApprovalsDecide]).await;
    let path = format!("{}/api/invocations/{}/approve", house.url, row["id"].as_str().unwrap());
    assert_eq!(house.http.post(path).bearer_auth(key).send().await.unwrap().status(), StatusCode::OK);
    assert_eq!(ended(&house, &row).await["status"], "completed");
}
