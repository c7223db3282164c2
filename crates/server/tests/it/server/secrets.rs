//! Secrets over REST: they go in, and only their names come out.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{Caller, Scope, TenantId};
use toolgate_engine::NewUser;
use toolgate_store::KeyBinding;

use crate::server::common::{House, definition, read};

const SECRET: &str = "s3cr3t-value-4711";

async fn send(house: &House, key: &str, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
    let request = house.http.request(method, format!("{}{path}", house.url)).bearer_auth(key).json(&body);
    read(request.send().await.unwrap()).await
}

/// The key of a person with a role, in some workspaces.
async fn person(house: &House, email: &str, role: &str, workspaces: &[&str]) -> String {
    let system = Caller::system(TenantId::DEFAULT, "default");
    let rules = house.engine.rules();
    let all = rules.workspaces(&system).await.unwrap();
    let workspaces = all.iter().filter(|w| workspaces.contains(&w.slug.as_str())).map(|w| w.id).collect();
    let new = NewUser {
        email: email.to_owned(),
        name: email.to_owned(),
        roles: vec![role.to_owned()],
        workspaces,
        password: None,
    };
    let user_id = Some(rules.create_user(&system, new).await.unwrap().id);
    let bound = KeyBinding { user_id, ..KeyBinding::default() };
    house.engine.keys().create_bound(&system, email, &[Scope::Admin], None, bound).await.unwrap().secret
}

#[tokio::test]
async fn a_secret_is_set_rotated_listed_and_deleted_and_never_shown() {
    let house = House::new().await;
    let key = house.key.clone();
    let body = json!({"value": SECRET, "scope": "tenant"});
    let mut seen = String::new();
    for (method, path, body, expected) in [
        (Method::POST, "/api/secrets/API_KEY/rotate", body.clone(), StatusCode::NOT_FOUND),
        (Method::PUT, "/api/secrets/API_KEY", body.clone(), StatusCode::CREATED),
        (Method::PUT, "/api/secrets/API_KEY", body.clone(), StatusCode::OK),
        (Method::POST, "/api/secrets/API_KEY/rotate", body.clone(), StatusCode::OK),
        (Method::GET, "/api/secrets", json!({}), StatusCode::OK),
    ] {
        let (status, answer) = send(&house, &key, method.clone(), path, body).await;
        assert_eq!(status, expected, "{method} {path}: {answer}");
        seen.push_str(&answer.to_string());
    }
    assert!(!seen.contains(SECRET) && !seen.contains("ciphertext"), "{seen}");
    let (_, listed) = house.get("/api/secrets").await;
    let item = &listed["items"][0];
    assert_eq!(
        (&item["name"], &item["scope"], &item["revision"], &item["last_used_at"]),
        (&json!("API_KEY"), &json!("tenant"), &json!(3), &Value::Null)
    );
    let delete = || send(&house, &key, Method::DELETE, "/api/secrets/API_KEY?scope=tenant", json!({}));
    assert_eq!(delete().await.0, StatusCode::NO_CONTENT);
    assert_eq!(delete().await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn no_complaint_about_a_value_repeats_it() {
    let house = House::new().await;
    let long = "4711".repeat(20_000);
    let bodies = [
        json!({"value": 4711, "scope": "tenant"}),
        json!({"value": ["4711-in-a-list"]}),
        json!({"value": "471", "scope": "tenant"}),
        json!({"value": long, "scope": "tenant"}),
        json!({"value": "4711-well", "scope": "4711"}),
        json!({"value": "4711-well", "4711": 1}),
        json!({"value": "4711-well", "scope": "tenant", "workspace": "4711"}),
        json!({"value": "4711-well"}),
        json!("4711"),
    ];
    for body in bodies {
        let (status, answer) =
            send(&house, &house.key, Method::PUT, "/api/secrets/API_KEY", body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
        assert!(!answer.to_string().contains("471"), "{answer}");
    }
    let (status, answer) = house.post_bytes("/api/secrets/API_KEY/rotate", "{\"value\": 4711").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(!answer.to_string().contains("4711"), "{answer}");
    let (status, answer) =
        send(&house, &house.key, Method::PUT, "/api/secrets/4711%20value", json!({"value": SECRET})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(!answer.to_string().contains("4711"), "a value pasted as the name: {answer}");
}

#[tokio::test]
async fn scopes_are_walls() {
    let house = House::new().await;
    let system = Caller::system(TenantId::DEFAULT, "default");
    for slug in ["red", "blue"] {
        house.engine.rules().create_workspace(&system, slug, slug).await.unwrap();
    }
    let ada = person(&house, "ada@example.com", "builder", &["red"]).await;
    let bob = person(&house, "bob@example.com", "member", &["blue"]).await;
    let put = |key, scope: Value| send(&house, key, Method::PUT, "/api/secrets/API_KEY", scope);
    assert_eq!(put(&ada, json!({"value": SECRET})).await.0, StatusCode::CREATED);
    assert_eq!(put(&ada, json!({"value": SECRET, "scope": "workspace"})).await.0, StatusCode::CREATED);
    assert_eq!(put(&ada, json!({"value": SECRET, "workspace": "blue"})).await.0, StatusCode::FORBIDDEN);
    assert_eq!(put(&ada, json!({"value": SECRET, "workspace": "green"})).await.0, StatusCode::NOT_FOUND);
    assert_eq!(put(&ada, json!({"value": SECRET, "scope": "tenant"})).await.0, StatusCode::FORBIDDEN);
    assert_eq!(put(&bob, json!({"value": SECRET, "scope": "workspace"})).await.0, StatusCode::FORBIDDEN);
    let (_, of_bob) = send(&house, &bob, Method::GET, "/api/secrets", json!({})).await;
    assert_eq!(of_bob["items"], json!([]));
    let (_, of_ada) = send(&house, &ada, Method::GET, "/api/secrets", json!({})).await;
    let scopes: Vec<_> = of_ada["items"].as_array().unwrap().iter().map(|s| s["scope"].clone()).collect();
    assert_eq!(scopes, ["user", "workspace"]);
}

#[tokio::test]
async fn a_tool_shows_which_secrets_its_caller_lacks() {
    let house = House::new().await;
    let ada = person(&house, "ada@example.com", "member", &[]).await;
    let bob = person(&house, "bob@example.com", "member", &[]).await;
    house.register(definition("keyed", "wait", json!({"secrets": ["API_KEY", "OTHER"]}))).await;
    let body = json!({"value": SECRET});
    send(&house, &ada, Method::PUT, "/api/secrets/API_KEY", body).await;
    for (key, expected) in [(&ada, json!(["OTHER"])), (&bob, json!(["API_KEY", "OTHER"]))] {
        let (_, tool) = send(&house, key, Method::GET, "/api/tools/keyed", json!({})).await;
        assert_eq!(tool["missing_secrets"], expected, "{tool}");
        let (_, page) = send(&house, key, Method::GET, "/api/tools?search=keyed", json!({})).await;
        assert_eq!(page["items"][0]["missing_secrets"], expected);
        let (status, refused) = send(&house, key, Method::POST, "/api/tools/keyed/invoke", json!({})).await;
        assert_eq!(status, StatusCode::FAILED_DEPENDENCY);
        assert_eq!(refused["error"]["details"]["missing"], expected, "{refused}");
    }
    let (_, free) = house.get("/api/tools/calculate").await;
    assert_eq!(free.get("missing_secrets"), None);
}
