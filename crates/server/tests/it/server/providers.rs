//! Providers of models over REST.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::House;

#[tokio::test]
async fn providers_are_brought_changed_and_removed_and_the_trail_tells() {
    let house = House::new().await;
    let new = json!({
        "name": "mine", "api": "anthropic", "api_key_secret": "MODEL_KEY", "models": ["small"],
        "prices": {"small": {"input": 1.0, "output": 2.0}},
    });
    let builder = house.key_with(&[Scope::AgentsRead, Scope::AgentsWrite]).await;
    let (status, refused) = house.ask(&builder, Method::POST, "/api/providers", Some(new.clone())).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "it would be sent a secret: {refused}");
    let (status, made) = house.post("/api/providers", new.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    assert!(made["id"].as_str().unwrap().starts_with("prv_"));
    assert_eq!(house.post("/api/providers", new).await.0, StatusCode::CONFLICT);
    let changed =
        json!({"name": "ours", "api": "openai_compatible", "base_url": "https://models.example/v1"});
    let (status, changed) = house.ask(&house.key, Method::PUT, "/api/providers/mine", Some(changed)).await;
    assert_eq!((status, &changed["id"]), (StatusCode::OK, &made["id"]), "{changed}");
    assert_eq!(house.get("/api/providers").await.1["items"], json!([changed]));
    let (status, _) = house.ask(&house.key, Method::DELETE, "/api/providers/ours", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(house.get("/api/providers/ours").await.0, StatusCode::NOT_FOUND);
    let (_, trail) = house.get("/api/audit?action=provider.").await;
    let actions: Vec<_> = trail["items"].as_array().unwrap().iter().map(|e| e["action"].clone()).collect();
    assert_eq!(actions, ["provider.delete", "provider.update", "provider.create"]);
}

#[rstest]
#[case::name(json!({"name": "a/b", "api": "anthropic"}))]
#[case::api(json!({"name": "x", "api": "scripted"}))]
#[case::key_in_the_clear(json!({"name": "x", "api": "anthropic", "api_key": "sk-1"}))]
#[case::variable(json!({"name": "x", "api": "anthropic", "api_key_env": "PATH"}))]
#[case::secret(json!({"name": "x", "api": "anthropic", "api_key_secret": "not a name"}))]
#[case::timeout(json!({"name": "x", "api": "anthropic", "timeout_ms": 0}))]
#[case::price(json!({"name": "x", "api": "anthropic", "prices": {"m": {"input": -1.0, "output": 0.0}}}))]
#[tokio::test]
async fn what_cannot_be_a_provider_is_refused(#[case] bad: Value) {
    let house = House::new().await;
    let (status, problem) = house.post("/api/providers", bad).await;
    assert!(status.is_client_error(), "{status} {problem}");
    assert_eq!(house.get("/api/providers").await.1["items"], json!([]));
}
