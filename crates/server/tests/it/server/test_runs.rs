//! Trying tools, published and not.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{Events, House, definition};

fn draft(text: &str, patch: Value) -> Value {
    let mut draft = definition(
        "greet",
        "render_template",
        json!({"execution": {"kind": "builtin", "handler": "render_template", "arguments": {"template": text, "values": "$input"}}}),
    );
    draft.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    draft
}

async fn try_draft(house: &House, key: &str, definition: Value) -> (StatusCode, Value) {
    let body = json!({"definition": definition, "input": {"name": "Ada"}});
    house.ask(key, Method::POST, "/api/tools/greet/test", Some(body)).await
}

#[tokio::test]
async fn a_test_run_leaves_a_trace_marked_as_one_and_stays_out_of_the_cache() {
    let house = House::new().await;
    house.register(draft("Hello {{ name }}", json!({"cache": "forever"}))).await;
    let (_, called) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    let (status, tried) = house.post("/api/tools/greet/test", json!({"input": {"name": "Ada"}})).await;
    assert_eq!((status, &tried["output"]["text"]), (StatusCode::OK, &json!("Hello Ada")));
    assert_ne!(tried["cached"], true, "what is kept is not used");
    house.post("/api/tools/greet/test", json!({"input": {"name": "Bo"}})).await;
    let (_, fresh) = house.post("/api/tools/greet/invoke", json!({"name": "Bo"})).await;
    assert_ne!(fresh["cached"], true, "what was tried is not kept");
    let (_, kept) = house.post("/api/tools/greet/invoke", json!({"name": "Bo"})).await;
    assert_eq!(kept["cached"], true, "a call is");
    let ids = |page: Value| {
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|row| (row["id"].clone(), row["is_test"] == true)).collect::<Vec<_>>()
    };
    let tests = ids(house.get("/api/invocations?test=true").await.1);
    assert_eq!((tests.len(), tests[1].clone()), (2, (tried["invocation_id"].clone(), true)));
    let others = ids(house.get("/api/invocations?test=false").await.1);
    assert_eq!((others.len(), others[2].clone()), (3, (called["invocation_id"].clone(), false)));
    assert_eq!(ids(house.get("/api/invocations").await.1).len(), 5, "lists leave nothing out by themselves");
}

#[tokio::test]
async fn a_draft_runs_before_it_is_published_and_exists_for_nobody_else() {
    let house = House::new().await;
    let (status, tried) = try_draft(&house, &house.key, draft("Hello {{ name }}", json!({}))).await;
    assert_eq!((status, &tried["output"]["text"]), (StatusCode::OK, &json!("Hello Ada")), "{tried}");
    let version = tried["version"].as_str().unwrap().to_owned();
    assert!(version.starts_with("0.0.0-draft-"), "{version}");
    let (_, row) = house.get(&format!("/api/invocations/{}", tried["invocation_id"].as_str().unwrap())).await;
    assert_eq!(
        (&row["is_test"], row["tool_id"].is_string()),
        (&json!(true), true),
        "the ledger names a tool that exists"
    );
    for path in ["greet".to_owned(), format!("greet@{version}")] {
        assert_eq!(house.get(&format!("/api/tools/{path}")).await.0, StatusCode::NOT_FOUND);
        let (status, _) = house.post(&format!("/api/tools/{path}/invoke"), json!({"name": "Ada"})).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(house.get("/api/tools/greet/versions").await.0, StatusCode::NOT_FOUND);
    let (_, listed) = house.get("/api/tools?search=greet").await;
    assert_eq!(listed["items"], json!([]));
    let (_, same) =
        try_draft(&house, &house.key, draft("Hello {{ name }}", json!({"version": "7.0.0"}))).await;
    assert_eq!(same["version"], version.as_str(), "the same definition is the same draft");
    let (_, other) = try_draft(&house, &house.key, draft("Bye {{ name }}", json!({}))).await;
    assert_eq!(other["output"]["text"], "Bye Ada");
    assert_ne!(other["version"], version.as_str());
    let (status, again) =
        house.post(&format!("/api/tools/greet@{version}/test"), json!({"input": {"name": "Bo"}})).await;
    assert_eq!((status, &again["output"]["text"]), (StatusCode::OK, &json!("Hello Bo")), "{again}");

    assert_eq!(house.register(draft("Hello {{ name }}", json!({}))).await.0, StatusCode::CREATED);
    let (_, versions) = house.get("/api/tools/greet/versions").await;
    assert_eq!(versions["items"].as_array().unwrap().len(), 1, "a draft is no version");
    let (status, _) = house.register(draft("Hello", json!({"version": version}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "nor can one be published as such");
    let house = house.restart().await;
    let (status, _) =
        house.post(&format!("/api/tools/greet@{version}/test"), json!({"input": {"name": "Cy"}})).await;
    assert_eq!(status, StatusCode::OK, "after a restart as well");
}

#[tokio::test]
async fn a_draft_is_governed_like_any_tool() {
    let house = House::new().await;
    let writes = draft("Hello {{ name }}", json!({"egress_class": "write"}));
    let (status, asked) = try_draft(&house, &house.key, writes.clone()).await;
    assert_eq!(
        (status, &asked["status"], &asked["is_test"]),
        (StatusCode::ACCEPTED, &json!("pending"), &json!(true)),
        "{asked}"
    );
    // Another draft of the same name does not change what was asked.
    try_draft(&house, &house.key, draft("Bye {{ name }}", json!({"egress_class": "write"}))).await;
    let approver = house.key_with(&[Scope::ApprovalsDecide]).await;
    let id = asked["id"].as_str().unwrap();
    house.ask(&approver, Method::POST, &format!("/api/invocations/{id}/approve"), None).await;
    assert_eq!(house.ended(id).await["output"]["text"], "Hello Ada");

    let (status, problem) =
        try_draft(&house, &house.key_with(&[Scope::ToolsExecute]).await, writes.clone()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{problem}");
    let (status, problem) = try_draft(&house, &house.key, draft("x", json!({"egres_class": "none"}))).await;
    assert_eq!((status, &problem["pointer"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("/egres_class")));
    let (status, _) = house.post("/api/tools/hail/test", json!({"definition": writes, "input": {}})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "a definition is tried under its own name");
    let reserved = definition("calculate", "wait", json!({}));
    let (status, _) =
        house.post("/api/tools/calculate/test", json!({"definition": reserved, "input": {}})).await;
    assert_eq!(status, StatusCode::CONFLICT, "a name of ours is nobody's draft");
}

#[tokio::test]
async fn drafts_are_bounded() {
    let limits = toolgate_domain::Limits { max_drafts: 1, ..Default::default() };
    let house = House::with(limits).await;
    assert_eq!(try_draft(&house, &house.key, draft("a", json!({}))).await.0, StatusCode::OK);
    let (status, problem) = try_draft(&house, &house.key, draft("b", json!({}))).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")), "{problem}");
    assert_eq!(
        try_draft(&house, &house.key, draft("a", json!({}))).await.0,
        StatusCode::OK,
        "the known one still runs"
    );
}

#[tokio::test]
async fn a_test_run_streams_like_a_call() {
    let house = House::new().await;
    let body =
        json!({"definition": definition("pause", "wait", json!({})), "input": {"ms": 20, "every_ms": 10}});
    let request = house.request(Method::POST, "/api/tools/pause/test/stream").json(&body);
    let mut events = Events::new(request.send().await.unwrap());
    let (name, _, started) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &started["name"]), ("started", &json!("pause")));
    let (name, _, chunk) = events.next().await.unwrap();
    assert_eq!((name.as_str(), chunk), ("output", json!({"waited_ms": 10})));
    let mut last = events.next().await.unwrap();
    while last.0 == "output" {
        last = events.next().await.unwrap();
    }
    assert_eq!((last.0.as_str(), &last.2["output"]["waited_ms"]), ("finished", &json!(20)));
}
