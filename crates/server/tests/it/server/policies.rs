//! The tenant's own rules over REST: put in force, recorded with calls, tried on past calls.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{House, definition};

fn policy(verdict: &str, when: &str) -> Value {
    json!({"rules": [{
        "id": "no-long-sums", "tools": ["calculate"], "when": when, "verdict": verdict, "because": "sums stay short here",
        "examples": {
            "match": [{"input": {"expression": "1+1+1+1+1+1"}}],
            "no_match": [{"input": {"expression": "1"}}, {"tool": {"name": "get_time"}}],
        },
    }]})
}

const LONG: &str = "size(input.expression) > 8";

#[tokio::test]
async fn a_policy_decides_from_the_next_call_on_and_its_version_is_recorded() {
    let house = House::new().await;
    let long = json!({"expression": "1+1+1+1+1+1"});
    let (status, before) = house.post("/api/tools/calculate/invoke", long.clone()).await;
    assert_eq!(status, StatusCode::OK);
    let (status, made) = house.post("/api/policies", policy("deny", LONG)).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let (status, denied) = house.post("/api/tools/calculate/invoke", long).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(denied["detail"].as_str().unwrap().contains("sums stay short here"));
    let (_, row) =
        house.get(&format!("/api/invocations/{}", denied["invocation_id"].as_str().unwrap())).await;
    assert_eq!(row["decision"]["policy_version"], made["version"]);
    let (_, old) =
        house.get(&format!("/api/invocations/{}", before["invocation_id"].as_str().unwrap())).await;
    assert_eq!(old["decision"].get("policy_version"), None);
    let (_, explained) = house
        .post("/api/decisions/explain", json!({"tool": "calculate", "input": {"expression": "1+1+1+1+1+1"}}))
        .await;
    assert_eq!(explained["decision"]["verdict"], "deny", "{explained}");
}

#[tokio::test]
async fn a_bad_policy_is_refused_whole() {
    let house = House::new().await;
    house.post("/api/policies", policy("ask", LONG)).await;
    let lying = policy("ask", "size(input.expression) > 800");
    let (status, problem) = house.post("/api/policies", lying).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(problem["detail"].as_str().unwrap().contains("no-long-sums"), "{problem}");
    for broken in [json!({"rules": [{"id": "x"}]}), policy("ask", "size("), json!({"rulez": []}), json!([])] {
        let (status, problem) = house.post("/api/policies", broken).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let (_, list) = house.get("/api/policies").await;
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "what was in force stays in force");
    let (status, _) = house.post("/api/tools/calculate/invoke", json!({"expression": "1+1+1+1+1+1"})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn a_replay_tells_what_would_change_and_changes_nothing() {
    let house = House::new().await;
    for expression in ["1", "1+1+1+1+1+1", "2+2+2+2+2+2", "2"] {
        house.post("/api/tools/calculate/invoke", json!({"expression": expression})).await;
    }
    house.post("/api/tools/no_such_tool/invoke", json!({})).await;
    let (_, before) = house.get("/api/invocations").await;
    let (status, replay) =
        house.post("/api/policies/replay", json!({"policy": policy("deny", LONG), "last": 100})).await;
    assert_eq!(status, StatusCode::OK, "{replay}");
    assert_eq!(
        (&replay["judged"], &replay["skipped"], &replay["allow_to_deny"]),
        (&json!(4), &json!(1), &json!(2))
    );
    let change = &replay["changes"][0];
    assert_eq!(
        (&change["was"]["verdict"], &change["would_be"]["verdict"]),
        (&json!("allow"), &json!("deny"))
    );
    assert_eq!(house.get("/api/invocations").await.1, before, "nothing was executed");
    assert_eq!(house.get("/api/policies").await.1["items"], json!([]));
    let (_, last) =
        house.post("/api/policies/replay", json!({"policy": policy("deny", LONG), "last": 2})).await;
    assert_eq!(last["judged"].as_u64().unwrap() + last["skipped"].as_u64().unwrap(), 2);
}

#[tokio::test]
async fn a_call_asks_as_many_people_as_the_tool_says() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let terms = json!({"approval": {"quorum": 2, "allow_self": false}});
    let (status, body) = house.ask(&house.key, Method::PUT, "/api/tools/push/settings", Some(terms)).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let (_, asked) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(asked["decision"]["approval"], json!({"quorum": 2, "allow_self": false}));
    let path = format!("/api/invocations/{}/approve", asked["id"].as_str().unwrap());
    let (first, second) =
        (house.key_with(&[Scope::ApprovalsDecide]).await, house.key_with(&[Scope::ApprovalsDecide]).await);
    for _ in 0..2 {
        let (status, row) = house.ask(&first, Method::POST, &path, None).await;
        assert_eq!((status, &row["status"]), (StatusCode::OK, &json!("pending")), "one person counts once");
    }
    let edit = json!({"input": {"ms": 2}});
    let (status, _) = house.ask(&second, Method::POST, &path, Some(edit)).await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody changes what another agreed to");
    let (status, _) = house.ask(&house.key, Method::POST, &path, None).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "nor does the caller count");
    let (status, _) = house.ask(&second, Method::POST, &path, None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(house.ended(asked["id"].as_str().unwrap()).await["status"], "completed");
}

#[tokio::test]
async fn who_approves_may_change_the_input_and_both_are_kept() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write", "input_schema": {
        "type": "object", "properties": {"ms": {"type": "integer", "maximum": 50}}, "required": ["ms"],
    }}))).await;
    let (_, asked) = house.post("/api/tools/push/invoke", json!({"ms": 40})).await;
    let approver = house.key_with(&[Scope::ApprovalsDecide]).await;
    let path = format!("/api/invocations/{}/approve", asked["id"].as_str().unwrap());
    let (status, bad) = house.ask(&approver, Method::POST, &path, Some(json!({"input": {"ms": 51}}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    let edit = json!({"input": {"ms": 3}, "digest": asked["approval_digest"]});
    let (status, row) = house.ask(&approver, Method::POST, &path, Some(edit)).await;
    assert_eq!(status, StatusCode::OK, "{row}");
    let done = house.ended(asked["id"].as_str().unwrap()).await;
    assert_eq!((&done["input"], &done["approved_input"]), (&json!({"ms": 40}), &json!({"ms": 3})));
    assert_eq!(done["output"], json!({"waited_ms": 3}), "what was approved is what ran");
}
