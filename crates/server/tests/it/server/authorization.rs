//! Every operation of the OpenAPI document is tried without a key, with a bad one, and with one that lacks the scope.
//! An operation that is not in the document cannot be reached, so none escapes.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{House, read};

/// Reachable without a key, and what they answer to one who brings nothing.
const OPEN: [(&str, StatusCode); 9] = [
    ("/healthz", StatusCode::OK),
    ("/readyz", StatusCode::OK),
    ("/api/auth/ways", StatusCode::OK),
    ("/api/auth/login", StatusCode::UNPROCESSABLE_ENTITY),
    ("/api/auth/oidc/start", StatusCode::NOT_FOUND),
    ("/api/auth/oidc/callback", StatusCode::NOT_FOUND),
    ("/api/auth/first", StatusCode::UNPROCESSABLE_ENTITY),
    ("/.well-known/oauth-protected-resource", StatusCode::NOT_FOUND),
    ("/.well-known/oauth-protected-resource/mcp", StatusCode::NOT_FOUND),
];

struct Operation {
    method: Method,
    path: String,
    /// `None` when the document says that no key is needed; an empty list when any key will do.
    scopes: Option<Vec<Scope>>,
}

fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(&toolgate_server::openapi().to_json().unwrap()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let scopes = operation["security"].as_array().map(|all| {
                let named = all[0]["key"].as_array().unwrap();
                named.iter().map(|scope| scope.as_str().unwrap().parse().unwrap()).collect()
            });
            let path = path
                .replace("{name}", "calculate")
                .replace("{tool}", "calculate")
                .replace("{session}", "lgn_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b12")
                .replace("{id}", "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11");
            operations.push(Operation { method: method.to_uppercase().parse().unwrap(), path, scopes });
        }
    }
    // The same handlers at the addresses of the sources, which the document lists once.
    let mounted: Vec<_> = operations
        .iter()
        .filter(|operation| operation.path.contains("/tools") && operation.path.starts_with("/api/agents/"))
        .map(|operation| Operation {
            method: operation.method.clone(),
            path: operation.path.replacen("/api/", "/ai/", 1),
            scopes: operation.scopes.clone(),
        })
        .collect();
    assert_eq!(mounted.len(), 3);
    operations.extend(mounted);
    assert!(operations.len() >= 70, "{}", operations.len());
    operations
}

async fn attempt(house: &House, operation: &Operation, key: Option<&str>) -> (StatusCode, Value) {
    let mut request = house
        .http
        .request(operation.method.clone(), format!("{}{}", house.url, operation.path))
        .json(&json!({}));
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    let response = request.send().await.unwrap();
    if response.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream") {
        // It was let in; the stream itself has no end.
        return (response.status(), Value::Null);
    }
    read(response).await
}

#[test]
fn every_answer_in_the_document_is_described() {
    let document: Value = serde_json::from_str(&toolgate_server::openapi().to_json().unwrap()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let described = response["description"].as_str().is_some_and(|text| !text.is_empty());
                assert!(described, "{method} {path} {status}");
            }
        }
    }
}

#[tokio::test]
async fn no_key_no_data() {
    let house = House::new().await;
    for operation in operations() {
        let (status, body) = attempt(&house, &operation, None).await;
        if let Some((_, expected)) = OPEN.iter().find(|(path, _)| *path == operation.path) {
            assert_eq!((status, operation.scopes.is_none()), (*expected, true), "{}", operation.path);
            continue;
        }
        assert!(operation.scopes.is_some(), "{} must say which key it needs", operation.path);
        assert_eq!(
            (status, &body["code"]),
            (StatusCode::UNAUTHORIZED, &json!("UNAUTHENTICATED")),
            "{} {}",
            operation.method,
            operation.path
        );
        let (status, _) = attempt(
            &house,
            &operation,
            Some("tg_0000000000000000000000000000000000000000000000000000000000000000"),
        )
        .await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{} {}", operation.method, operation.path);
    }
}

#[tokio::test]
async fn every_operation_wants_the_scope_it_declares_and_no_other() {
    let house = House::new().await;
    for operation in operations() {
        let Some(scopes) = operation.scopes.as_deref() else {
            continue;
        };
        // Every scope but those that stand for what is needed: who may change agents may read them.
        let includes = |s: &Scope| {
            let granted = Scope::granted([s]);
            scopes.iter().any(|needed| *needed != Scope::Admin && granted.contains_all(needed.permissions()))
        };
        let others: Vec<_> =
            Scope::ALL.iter().copied().filter(|s| *s != Scope::Admin && !includes(s)).collect();
        let (status, body) = attempt(&house, &operation, Some(&house.key_of_nobody(&others).await)).await;
        let refused = (status, body["code"].clone()) == (StatusCode::FORBIDDEN, json!("FORBIDDEN"));
        assert_eq!(
            refused,
            !scopes.is_empty(),
            "{} {} without {scopes:?}: {status} {body}",
            operation.method,
            operation.path
        );
        if let Some(scope) = scopes.first() {
            let (status, body) = attempt(&house, &operation, Some(&house.key_with(&[*scope]).await)).await;
            assert_ne!(
                body["code"], "FORBIDDEN",
                "{} {} with {scope}: {status}",
                operation.method, operation.path
            );
            assert_ne!(status, StatusCode::UNAUTHORIZED);
        }
    }
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked_at_once() {
    let house = House::new().await;
    let (status, made) = house.post("/api/keys", json!({"name": "ci", "scopes": ["tools:read"]})).await;
    assert_eq!(status, StatusCode::CREATED);
    let key = made["key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("tg_"));
    let listing = || async {
        read(house.http.get(format!("{}/api/tools", house.url)).bearer_auth(&key).send().await.unwrap())
            .await
            .0
    };
    assert_eq!(listing().await, StatusCode::OK);
    let (_, keys) = house.get("/api/keys").await;
    assert!(!keys.to_string().contains(&key), "a key is shown once");
    let gone = house
        .request(Method::DELETE, &format!("/api/keys/{}", made["id"].as_str().unwrap()))
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(listing().await, StatusCode::UNAUTHORIZED);

    let (status, body) = house.post("/api/keys", json!({"name": "x", "scopes": ["tools:reed"]})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(body["detail"].as_str().unwrap().contains("tools:read"));
    let (status, _) = house
        .post("/api/keys", json!({"name": "x", "scopes": ["admin"], "expires_at": "2001-01-01T00:00:00Z"}))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}
