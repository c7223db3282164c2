//! Agents: what they are, what they were given, and what people said about each tool.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{House, definition};

async fn call(house: &House, key: &str, tool: &str, input: Value) -> (StatusCode, Value) {
    house.ask(key, Method::POST, &format!("/api/tools/{tool}/invoke"), Some(input)).await
}

async fn allow(house: &House, agent: &str, tools: &[(&str, &str)]) {
    let tools: Vec<_> =
        tools.iter().map(|(tool, status)| json!({"toolName": tool, "permissionStatus": status})).collect();
    let path = format!("/api/agents/{agent}/tools");
    let (status, body) = house.ask(&house.key, Method::PUT, &path, Some(json!({"tools": tools}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

#[tokio::test]
async fn an_agent_is_made_changed_and_archived() {
    let house = House::new().await;
    let (id, key) = house.agent("ada").await;
    let (status, clash) = house.post("/api/agents", json!({"handle": "ada", "display_name": "Other"})).await;
    assert_eq!((status, &clash["code"]), (StatusCode::CONFLICT, &json!("CONFLICT")));

    let patch = json!({"bio": "counts", "model": "m-1", "status": "paused"});
    let (status, changed) = house.ask(&house.key, Method::PATCH, "/api/agents/ada", Some(patch)).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    assert_eq!(changed["patched_keys"], json!(["bio", "model", "status"]));
    let odd = json!({"bio": "x", "handle": "eve", "tenant_id": "t"});
    let (status, problem) = house.ask(&house.key, Method::PATCH, "/api/agents/ada", Some(odd)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("handle, tenant_id cannot be changed"), "{detail}");
    let (_, agent) = house.get("/api/agents/ada").await;
    assert_eq!(agent["bio"], "counts", "nothing changed");

    let archive = format!("/api/agents/{id}/archive");
    let (status, _) = house.post(&archive, json!({"confirm": false})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, _) = house.post(&archive, json!({"confirm": true})).await;
    assert_eq!(status, StatusCode::OK);
    let (_, list) = house.get("/api/agents").await;
    assert_eq!(list["items"], json!([]), "hidden");
    let (_, list) = house.get("/api/agents?archived=true").await;
    assert_eq!(list["items"][0]["status"], "archived", "its history stays");
    let (status, _) = call(&house, &key, "calculate", json!({"expression": "1"})).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "its key speaks for nobody");
}

#[tokio::test]
async fn the_picture_of_an_agent_is_a_link_to_a_website_or_none() {
    let house = House::new().await;
    let ask = |method, path: &'static str, body| house.ask(&house.key, method, path, Some(body));
    let refused = |(status, problem): (StatusCode, Value)| {
        let detail = problem["detail"].as_str().unwrap().to_owned();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert!(
            detail.contains("avatar_url is no link to a website") && detail.contains("https://"),
            "{detail}"
        );
    };
    for link in ["javascript:alert(1)", "data:text/html,hello", " https://pictures.example", "/ada.png", ""] {
        let new = json!({"handle": "ada", "display_name": "Ada", "avatar_url": link});
        refused(ask(Method::POST, "/api/agents", new).await);
    }
    let new =
        json!({"handle": "ada", "display_name": "Ada", "avatar_url": "https://pictures.example/ada.png"});
    assert_eq!(ask(Method::POST, "/api/agents", new).await.0, StatusCode::CREATED);
    refused(ask(Method::PATCH, "/api/agents/ada", json!({"avatar_url": "vbscript:x", "bio": "x"})).await);
    let (_, agent) = house.get("/api/agents/ada").await;
    assert_eq!(
        (&agent["avatar_url"], &agent["bio"]),
        (&json!("https://pictures.example/ada.png"), &Value::Null),
        "nothing changed"
    );
    let (status, _) = ask(Method::PATCH, "/api/agents/ada", json!({"avatar_url": null})).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn an_agent_sees_and_calls_what_it_was_given_and_by_default_asks() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    let (_, none) = house.ask(&key, Method::GET, "/api/tools", None).await;
    assert_eq!(none["items"], json!([]));
    let (status, denied) = call(&house, &key, "calculate", json!({"expression": "1+1"})).await;
    assert_eq!((status, &denied["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")));
    assert_eq!(denied["error"]["details"]["decision"]["evidence"][1]["rule"], "assignment");

    let (status, given) = house.post("/api/agents/ada/assignments", json!({"tool": "calculate"})).await;
    assert_eq!((status, &given["allowed"]), (StatusCode::OK, &json!(true)), "{given}");
    let (_, seen) = house.ask(&key, Method::GET, "/api/tools", None).await;
    assert_eq!(seen["items"].as_array().unwrap().len(), 1);
    let (status, waits) = call(&house, &key, "calculate", json!({"expression": "1+1"})).await;
    assert_eq!(
        (status, &waits["status"]),
        (StatusCode::ACCEPTED, &json!("pending")),
        "needs_approval is the default"
    );

    allow(&house, "ada", &[("calculate", "always_allow"), ("get_time", "blocked")]).await;
    let (status, done) = call(&house, &key, "calculate", json!({"expression": "1+1"})).await;
    assert_eq!((status, &done["output"]["result"]), (StatusCode::OK, &json!("2")));
    let (status, _) = call(&house, &key, "get_time", json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (_, row) = house.get(&format!("/api/invocations/{}", done["invocation_id"].as_str().unwrap())).await;
    assert_eq!(row["decision"]["evidence"][1]["rule"], "permission", "the evidence is stored");
    assert!(row["agent_id"].as_str().unwrap().starts_with("agt_"));
}

#[tokio::test]
async fn permissions_are_replaced_whole_at_both_addresses_and_the_old_shape_is_named() {
    let house = House::new().await;
    house.agent("ada").await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    allow(&house, "ada", &[("calculate", "always_allow"), ("get_time", "needs_approval")]).await;
    allow(&house, "ada", &[("get_time", "blocked")]).await;
    let (_, now) = house.get("/ai/agents/ada/tools").await;
    assert_eq!(
        now["tools"],
        json!([{"toolName": "get_time", "permissionStatus": "blocked", "providerKey": null}])
    );
    let old = json!({"enabledTools": ["calculate"]});
    let (status, problem) = house.ask(&house.key, Method::PUT, "/ai/agents/ada/tools", Some(old)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(problem["detail"].as_str().unwrap().contains("permissionStatus"), "{problem}");
    let write = json!({"tools": [{"toolName": "push", "permissionStatus": "always_allow"}]});
    let (status, problem) = house.ask(&house.key, Method::PUT, "/api/agents/ada/tools", Some(write)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    let unknown = json!({"tools": [{"toolName": "nothing", "permissionStatus": "blocked"}]});
    let (status, _) = house.ask(&house.key, Method::PUT, "/api/agents/ada/tools", Some(unknown)).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (_, catalog) = house.get("/ai/agents/ada/tools/catalog").await;
    let names: Vec<_> =
        catalog["tools"].as_array().unwrap().iter().map(|t| t["toolName"].as_str().unwrap()).collect();
    assert!(names.contains(&"calculate") && names.is_sorted(), "{names:?}");
}

#[tokio::test]
async fn a_tool_that_is_revoked_fails_the_calls_in_flight() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    house.post("/api/agents/ada/assignments", json!({"tool": "wait"})).await;
    allow(&house, "ada", &[("wait", "always_allow")]).await;
    // Without the permission entry, which would by itself make the tool the agent's.
    let (_, list) = house.get("/api/agents/ada/assignments").await;
    assert_eq!(list["items"][0]["tool"], "wait");
    let long = call(&house, &key, "wait", json!({"ms": 60_000, "every_ms": 10}));
    let revoke = async {
        // Once its first chunk is on record, it runs.
        let mut ledger = house.engine.stores().signals.ledger();
        loop {
            let (_, running) = house.get("/api/invocations?status=running").await;
            if !running["items"].as_array().unwrap().is_empty() {
                break;
            }
            ledger.changed().await.unwrap();
        }
        allow(&house, "ada", &[("wait", "blocked")]).await;
    };
    let ((status, ended), ()) = tokio::join!(long, revoke);
    assert_eq!(
        (status, &ended["error"]["code"]),
        (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")),
        "{ended}"
    );
    assert_eq!(ended["error"]["details"]["outcome"], "revoked");
}

#[tokio::test]
async fn a_tool_that_is_revoked_is_out_of_reach_whatever_was_said_of_it() {
    let house = House::new().await;
    let (id, key) = house.agent("ada").await;
    let assignments = format!("/api/agents/{id}/assignments");
    let input = || json!({"expression": "1+1"});
    let one = format!("{assignments}/calculate");
    let revoke = || house.ask(&house.key, Method::DELETE, &one, None);

    assert!(house.post(&assignments, json!({"tool": "calculate"})).await.0.is_success());
    allow(&house, "ada", &[("calculate", "always_allow")]).await;
    assert_eq!(call(&house, &key, "calculate", input()).await.0, StatusCode::OK);
    assert!(revoke().await.0.is_success());
    assert_eq!(call(&house, &key, "calculate", input()).await.0, StatusCode::FORBIDDEN);
    let (_, left) = house.get(&format!("/api/agents/{id}/tools")).await;
    assert_eq!(left["tools"], json!([]), "{left}");

    // Taking back a refusal gives nothing, and takes nothing away.
    allow(&house, "ada", &[("calculate", "always_allow")]).await;
    assert!(house.post(&assignments, json!({"tool": "calculate", "allowed": false})).await.0.is_success());
    assert_eq!(call(&house, &key, "calculate", input()).await.0, StatusCode::FORBIDDEN);
    assert!(revoke().await.0.is_success());
    assert_eq!(call(&house, &key, "calculate", input()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn approve_always_is_an_override_that_can_be_listed_and_revoked() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    house.post("/api/agents/ada/assignments", json!({"tool": "calculate"})).await;
    let (_, asked) = call(&house, &key, "calculate", json!({"expression": "1"})).await;
    let approver = house.approver().await;
    let path = format!("/api/invocations/{}/approve", asked["id"].as_str().unwrap());
    let (status, body) = house.ask(&approver, Method::POST, &path, Some(json!({"always": true}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let (status, _) = call(&house, &key, "calculate", json!({"expression": "2"})).await;
    assert_eq!(status, StatusCode::OK, "it need not ask again");
    let (_, tools) = house.get("/api/agents/ada/tools").await;
    assert_eq!(
        (&tools["overrides"][0]["toolName"], &tools["overrides"][0]["invocationId"]),
        (&json!("calculate"), &asked["id"])
    );
    let (status, _) =
        house.ask(&house.key, Method::DELETE, "/api/agents/ada/overrides/calculate", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = call(&house, &key, "calculate", json!({"expression": "3"})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "it asks again");
}

#[tokio::test]
async fn a_write_is_never_approved_for_good() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    house.post("/api/agents/ada/assignments", json!({"tool": "push"})).await;
    let (_, asked) = call(&house, &key, "push", json!({"ms": 1})).await;
    let approver = house.key_with(&[Scope::ApprovalsDecide]).await;
    let path = format!("/api/invocations/{}/approve", asked["id"].as_str().unwrap());
    let (status, _) = house.ask(&approver, Method::POST, &path, Some(json!({"always": true}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_profile_tightens_timeout_rate_and_approval() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    let profile =
        json!({"name": "slow lane", "timeout_ms": 20, "rate_limit": {"limit": 2, "window_s": 3600}});
    let (status, made) = house.post("/api/profiles", profile).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    house.post("/api/agents/ada/assignments", json!({"tool": "wait", "profile": "slow lane"})).await;
    allow(&house, "ada", &[("wait", "always_allow")]).await;
    let (_, late) = call(&house, &key, "wait", json!({"ms": 5_000})).await;
    assert_eq!(late["error"]["code"], "TIMEOUT", "{late}");
    call(&house, &key, "wait", json!({"ms": 1})).await;
    let (status, limited) = call(&house, &key, "wait", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(limited["retry_after_s"].as_u64().unwrap() > 0, "{limited}");
    let strict = json!({"name": "slow lane", "requires_approval": true});
    let path = format!("/api/profiles/{}", made["id"].as_str().unwrap());
    house.ask(&house.key, Method::PUT, &path, Some(strict)).await;
    let (status, _) = call(&house, &key, "wait", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let (status, _) = house.ask(&house.key, Method::DELETE, &path, None).await;
    assert_eq!(status, StatusCode::CONFLICT, "it is in use");
}

#[tokio::test]
async fn an_agents_day_and_budget_have_an_end() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    allow(&house, "ada", &[("calculate", "always_allow")]).await;
    house.ask(&house.key, Method::PUT, "/api/settings", Some(json!({"agent_daily_calls": 2}))).await;
    for n in 0..2 {
        let (status, _) = call(&house, &key, "calculate", json!({"expression": format!("{n}")})).await;
        assert_eq!(status, StatusCode::OK);
    }
    let (status, spent) = call(&house, &key, "calculate", json!({"expression": "3"})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!((1..=86_400).contains(&spent["retry_after_s"].as_u64().unwrap()), "{spent}");
    house.ask(&house.key, Method::PUT, "/api/settings", Some(json!({"budget": {"daily": 0.0}}))).await;
    let (status, spent) = house.post("/api/tools/calculate/invoke", json!({"expression": "1"})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a budget of nothing buys nothing: {spent}");
    let details = &spent["error"]["details"];
    let expected = json!(["budget_exceeded", "tenant", "day", "cost", "0.00"]);
    let told = ["reason", "budget", "window", "unit", "cap"].map(|key| details[key].clone());
    assert_eq!(json!(told), expected, "{spent}");
    assert!(details["renews_at"].is_string(), "{spent}");
}

#[tokio::test]
async fn a_limit_that_limits_nothing_is_refused() {
    let house = House::new().await;
    for rate in [
        json!({"limit": 0, "window_s": 1}),
        json!({"limit": 1, "window_s": 0}),
        json!({"limit": 1, "window_s": 1, "concurrency": 2}),
    ] {
        let settings = json!({"rate_limit": rate});
        let (status, problem) = house.ask(&house.key, Method::PUT, "/api/settings", Some(settings)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        let (status, _) = house.post("/api/profiles", json!({"name": "p", "rate_limit": rate})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test]
async fn a_run_is_bounded_and_the_tenant_can_only_lower_the_bounds() {
    let house = House::new().await;
    let run = "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    let settings = json!({"guard": {"max_tool_calls": 2, "max_iterations": 1000, "side_effects": "none"}});
    house.ask(&house.key, Method::PUT, "/api/settings", Some(settings)).await;
    let in_run = |n: u32| json!({"input": {"expression": format!("{n}")}, "run_id": run});
    for n in 0..2 {
        let (status, body) = house.post("/api/tools/calculate/invoke", in_run(n)).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let (status, over) = house.post("/api/tools/calculate/invoke", in_run(3)).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(over["detail"].as_str().unwrap().contains("2 calls, the most it may make"), "{over}");
    house.register(definition("look", "wait", json!({"egress_class": "read_only"}))).await;
    let elsewhere = json!({"input": {"ms": 1}, "run_id": "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b12"});
    let (status, far) = house.post("/api/tools/look/invoke", elsewhere).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(far["detail"].as_str().unwrap().contains("as far as none"), "{far}");
}
