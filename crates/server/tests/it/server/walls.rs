//! The walls: between tenants, between teams, around the database, around approvals. An attack for each.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::{
    common::{House, definition},
    traces::hostile_run,
};

/// Addresses that carry an id or a name and are not tried below, with the reason.
const NOT_TRIED: [(&str, &str, &str); 5] = [
    ("get", "/api/blobs/{id}", "reached by a signature; `receipts.rs` tries to forge it"),
    ("delete", "/api/auth/sessions/{id}", "ends one's own sessions only; `own_sessions.rs` tries others'"),
    ("delete", "/api/users/{id}/sessions/{session}", "`own_sessions.rs` tries the sessions of others"),
    ("put", "/api/roles/{name}", "makes a role of one's own"),
    ("put", "/api/secrets/{name}", "makes a secret of one's own"),
];

/// Every address that can name something of another tenant, as that tenant's admin might try it.
async fn attempts(house: &House) -> Vec<(&'static str, &'static str, String, Value)> {
    house.agent("ada").await;
    let (_, run) = house.post("/api/runs", json!({"agent": "ada", "message": "hello"})).await;
    assert_eq!(run["status"], "completed", "{run}");
    let (_, thread) = house.post("/api/threads", json!({"agent": "ada"})).await;
    assert!(thread["id"].is_string(), "{thread}");
    house.register(definition("ours", "wait", json!({"egress_class": "write"}))).await;
    let (_, asked) = house.post("/api/tools/ours/invoke", json!({"ms": 1})).await;
    let traced = json!({"id": hostile_run(house).await});
    let (_, profile) = house.post("/api/profiles", json!({"name": "p"})).await;
    let (_, skill) = house.post("/api/skills", json!({"name": "s", "instructions": "x"})).await;
    let (_, provider) = house.post("/api/providers", json!({"name": "m", "api": "anthropic"})).await;
    let (_, server) = house.post("/api/mcp/servers", crate::server::mcp_servers::files(json!({}))).await;
    assert!(server["server"]["id"].is_string(), "{server}");
    house.register(definition("chore", "", json!({"execution": {"kind": "task", "title": "x"}}))).await;
    let (_, chore) = house.post("/api/tools/chore/invoke", json!({})).await;
    let task = json!({"id": chore["output"]["task_id"]});
    assert!(
        skill["id"].is_string() && provider["id"].is_string() && task["id"].is_string(),
        "{skill} {provider} {chore}"
    );
    let (_, user) = house.post("/api/users", json!({"email": "a@b.c", "name": "A"})).await;
    let (_, key) = house.post("/api/keys", json!({"name": "k", "scopes": ["tools:read"]})).await;
    let (_, hook) = house.post("/api/webhooks", json!({"name": "w", "url": "http://127.0.0.1:9/"})).await;
    assert!(hook["id"].is_string(), "{hook}");
    let role = json!({"permissions": ["tools.tenant.read"]});
    house.ask(&house.key, Method::PUT, "/api/roles/ours", Some(role)).await;
    let secret = json!({"value": "s3cr3t-of-ours", "scope": "tenant"});
    house.ask(&house.key, Method::PUT, "/api/secrets/OURS", Some(secret)).await;
    let alias = json!({"alias": "our_alias", "remove_by": "2099-01-01T00:00:00Z"});
    assert_eq!(house.post("/api/tools/ours/aliases", alias).await.0, StatusCode::OK);
    let manifest = "name: ours\nversion: 1.0.0\ntitle: t\ndescription: d\nlicense: MIT\ntools: [packed]\n";
    let packed = "---\nname: packed\nversion: 1.0.0\ndescription: d\ninput_schema: {type: object}\nexecution: {kind: builtin, handler: wait}\n---\n";
    let pack = json!({"manifest": manifest, "files": {"packed/TOOL.md": packed}});
    let (status, made) = house.post("/api/packs", pack).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let confirm = json!({"confirm": true});
    let remove_by = json!({"alias": "theirs", "remove_by": "2099-01-01T00:00:00Z"});
    let (_, audit) = house.get("/api/audit?limit=1").await;
    let audited = &audit["items"][0];
    [
        ("get", "/api/audit/{id}", audited, json!({})),
        ("get", "/api/invocations/{id}", &asked, json!({})),
        ("get", "/api/invocations/{id}/envelope", &asked, json!({})),
        ("post", "/api/invocations/{id}/approve", &asked, json!({})),
        ("post", "/api/invocations/{id}/reject", &asked, json!({"reason": "x"})),
        ("post", "/api/invocations/{id}/cancel", &asked, json!({})),
        ("get", "/api/runs/{id}/trace", &traced, json!({})),
        ("get", "/runs/{id}/trace", &traced, json!({})),
        ("get", "/api/runs/{id}", &run, json!({})),
        ("get", "/api/runs/{id}/steps", &run, json!({})),
        ("get", "/api/runs/{id}/calls", &run, json!({})),
        ("get", "/api/runs/{id}/events", &run, json!({})),
        ("post", "/api/runs/{id}/cancel", &run, json!({})),
        ("get", "/api/threads/{id}", &thread, json!({})),
        ("patch", "/api/threads/{id}", &thread, json!({"title": "x"})),
        ("delete", "/api/threads/{id}", &thread, json!({})),
        ("get", "/api/threads/{id}/messages", &thread, json!({})),
        ("post", "/api/threads/{id}/messages", &thread, json!({"content": "x"})),
        (
            "post",
            "/api/threads/{id}/retry",
            &thread,
            json!({"message_id": thread["id"].as_str().unwrap()[4..]}),
        ),
        ("get", "/api/threads/{id}/events", &thread, json!({})),
        ("get", "/api/runs/{id}/bundle", &run, json!({})),
        ("get", "/api/agents/{id}", &Value::Null, json!({})),
        ("patch", "/api/agents/{id}", &Value::Null, json!({"bio": "x"})),
        ("post", "/api/agents/{id}/archive", &Value::Null, confirm),
        ("get", "/api/agents/{id}/tools", &Value::Null, json!({})),
        ("get", "/api/agents/{id}/actions", &Value::Null, json!({})),
        ("put", "/api/agents/{id}/tools", &Value::Null, json!({"tools": []})),
        ("get", "/api/agents/{id}/tools/catalog", &Value::Null, json!({})),
        ("get", "/api/agents/{id}/assignments", &Value::Null, json!({})),
        ("post", "/api/agents/{id}/assignments", &Value::Null, json!({"tool": "calculate"})),
        ("delete", "/api/agents/{id}/assignments/{tool}", &Value::Null, json!({})),
        ("delete", "/api/agents/{id}/overrides/{tool}", &Value::Null, json!({})),
        ("get", "/api/profiles/{id}", &profile, json!({})),
        ("put", "/api/profiles/{id}", &profile, json!({"name": "q"})),
        ("delete", "/api/profiles/{id}", &profile, json!({})),
        ("get", "/api/skills/{id}", &skill, json!({})),
        ("put", "/api/skills/{id}", &skill, json!({"name": "t", "instructions": "x"})),
        ("delete", "/api/skills/{id}", &skill, json!({})),
        ("get", "/api/providers/{id}", &provider, json!({})),
        ("put", "/api/providers/{id}", &provider, json!({"name": "n", "api": "anthropic"})),
        ("delete", "/api/providers/{id}", &provider, json!({})),
        ("get", "/api/mcp/servers/{name}", &Value::Null, json!({})),
        ("patch", "/api/mcp/servers/{name}", &Value::Null, json!({"enabled": false})),
        ("delete", "/api/mcp/servers/{name}", &Value::Null, json!({})),
        ("post", "/api/mcp/servers/{name}/refresh", &Value::Null, json!({})),
        (
            "post",
            "/api/mcp/servers/{name}/oauth/start",
            &Value::Null,
            json!({"redirect_uri": "http://127.0.0.1:4711/callback"}),
        ),
        (
            "post",
            "/api/mcp/servers/{name}/oauth/finish",
            &Value::Null,
            json!({"code": "c", "state": "s", "owner": "tenant"}),
        ),
        ("get", "/api/mcp/servers/{name}/tools", &Value::Null, json!({})),
        ("post", "/api/mcp/servers/{name}/tools/{tool}/accept", &Value::Null, json!({"digest": "x"})),
        ("post", "/api/mcp/servers/{name}/tools/{tool}/reject", &Value::Null, json!({"digest": "x"})),
        ("get", "/api/tasks/{id}", &task, json!({})),
        ("post", "/api/tasks/{id}/start", &task, json!({})),
        ("post", "/api/tasks/{id}/complete", &task, json!({})),
        ("post", "/api/tasks/{id}/cancel", &task, json!({})),
        ("get", "/api/users/{id}", &user, json!({})),
        ("get", "/api/users/{id}/sessions", &user, json!({})),
        ("patch", "/api/users/{id}", &user, json!({"name": "x"})),
        ("delete", "/api/keys/{id}", &key, json!({})),
        ("delete", "/api/webhooks/{id}", &hook, json!({})),
        ("get", "/api/webhooks/{id}/deliveries", &hook, json!({})),
        ("post", "/api/webhooks/{id}/test", &hook, json!({})),
        ("delete", "/api/roles/{name}", &Value::Null, json!({})),
        ("delete", "/api/secrets/{name}", &Value::Null, json!({})),
        (
            "post",
            "/api/secrets/{name}/rotate",
            &Value::Null,
            json!({"value": "another-value", "scope": "tenant"}),
        ),
        ("delete", "/api/packs/{name}", &Value::Null, json!({})),
        ("get", "/api/tools/{name}", &Value::Null, json!({})),
        ("patch", "/api/tools/{name}", &Value::Null, json!({"lifecycle": "blocked"})),
        ("delete", "/api/tools/{name}", &Value::Null, json!({})),
        ("get", "/api/tools/{name}/diff", &Value::Null, json!({})),
        ("post", "/api/tools/{name}/restore", &Value::Null, json!({"version": "1.0.0"})),
        ("post", "/api/tools/{name}/aliases", &Value::Null, remove_by),
        ("delete", "/api/aliases/{name}", &Value::Null, json!({})),
        ("post", "/api/tools/{name}/rename", &Value::Null, json!({"name": "stolen"})),
        ("get", "/api/tools/{name}/usage", &Value::Null, json!({})),
        ("delete", "/api/tools/{name}/cache", &Value::Null, json!({})),
        ("get", "/api/tools/{name}/versions", &Value::Null, json!({})),
        ("get", "/api/tools/{name}/settings", &Value::Null, json!({})),
        ("put", "/api/tools/{name}/settings", &Value::Null, json!({"enabled": false})),
        ("post", "/api/tools/{name}/invoke", &Value::Null, json!({"ms": 1})),
        ("post", "/api/tools/{name}/test", &Value::Null, json!({"input": {"ms": 1}})),
    ]
    .into_iter()
    .map(|(method, template, thing, body)| {
        let id = thing["id"].as_str().unwrap_or("ada");
        let name = match template.split('/').nth(2) {
            Some("secrets") => "OURS",
            Some("aliases") => "our_alias",
            _ => "ours",
        };
        let query = if (method, name) == ("delete", "OURS") { "?scope=tenant" } else { "" };
        let path = template.replace("{id}", id).replace("{tool}", "calculate").replace("{name}", name);
        (method, template, format!("{path}{query}"), body)
    })
    .collect()
}

#[tokio::test]
async fn what_belongs_to_another_tenant_does_not_exist() {
    let house = House::with_script("rules: [{replies: [{text: hello}]}]").await;
    let (tenant, foreign) = house.tenant("ims").await;
    let attempts = attempts(&house).await;
    for (method, _, path, body) in &attempts {
        let method: Method = method.to_uppercase().parse().unwrap();
        let (status, problem) = house.ask(&foreign, method.clone(), path, Some(body.clone())).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{method} {path}: {problem}");
    }
    let (_, calls) = house.ask(&foreign, Method::GET, "/api/invocations", None).await;
    assert_eq!(calls["items"].as_array().unwrap().len(), 2, "only their own failed attempts");
    for list in [
        "/api/agents",
        "/api/runs",
        "/api/threads",
        "/api/assignments",
        "/api/profiles",
        "/api/skills",
        "/api/providers",
        "/api/mcp/servers",
        "/api/tasks",
        "/api/users",
        "/api/approvals",
        "/api/webhooks",
        "/api/secrets",
        "/api/policies",
        "/api/aliases",
        "/api/usage/deprecated",
        "/api/packs",
    ] {
        let (status, page) = house.ask(&foreign, Method::GET, list, None).await;
        assert_eq!((status, &page["items"]), (StatusCode::OK, &json!([])), "{list}");
    }
    let (_, asked) = house.get("/api/approvals").await;
    let session = asked["items"][0]["session_id"].as_str().unwrap();
    let (status, log) =
        house.ask(&foreign, Method::GET, &format!("/api/sessions/{session}/events"), None).await;
    assert_eq!((status, &log["items"]), (StatusCode::OK, &json!([])), "a session is what its events are");
    let stream =
        house.ask(&foreign, Method::POST, "/api/tools/ours/invoke/stream", Some(json!({"ms": 1}))).await;
    assert!(!stream.1.to_string().contains("waited_ms"), "{stream:?}");
    let trial = Some(json!({"input": {"ms": 1}}));
    let stream = house.ask(&foreign, Method::POST, "/api/tools/ours/test/stream", trial).await;
    assert!(!stream.1.to_string().contains("waited_ms"), "{stream:?}");
    let (_, tool) = house.get("/api/tools/ours").await;
    assert_eq!(tool["lifecycle"], "active", "nobody else deletes it");
    for path in ["/api/tenants".to_owned(), format!("/api/tenants/{tenant}/archive")] {
        let method = if path.ends_with("archive") { Method::POST } else { Method::GET };
        let (status, _) = house.ask(&foreign, method, &path, None).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "tenants are the installation's");
    }
    assert_eq!(asked["items"][0]["status"], "pending", "nothing happened to it");
    every_address_was_tried(&attempts);
}

/// A new address that can name something must be tried here, or say why not.
fn every_address_was_tried(attempts: &[(&str, &str, String, Value)]) {
    let elsewhere = [
        ("get", "/api/sessions/{id}/events"),
        ("post", "/api/tools/{name}/invoke/stream"),
        ("post", "/api/tools/{name}/test/stream"),
        ("post", "/api/tenants/{id}/archive"),
    ];
    let document: Value = serde_json::from_str(&toolgate_server::openapi().to_json().unwrap()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().filter(|_| path.contains('{')) {
            let tried = attempts.iter().any(|(m, template, ..)| m == method && template == path)
                || elsewhere.contains(&(method.as_str(), path.as_str()))
                || NOT_TRIED.iter().any(|(m, template, _)| m == method && template == path);
            assert!(tried, "{method} {path} could name something of another tenant: try it");
        }
    }
}

#[tokio::test]
async fn tenant_ids_in_the_input_change_nothing() {
    let house = House::new().await;
    let (tenant, foreign) = house.tenant("ims").await;
    let forged = json!({"input": {"expression": "1", "tenant_id": tenant, "user_id": "usr_x"}});
    let (status, _) = house.post("/api/tools/calculate/invoke", forged).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, theirs) = house.ask(&foreign, Method::GET, "/api/invocations", None).await;
    assert_eq!(theirs["items"], json!([]));
    let beside = json!({"input": {"expression": "1"}, "tenant_id": tenant});
    let (status, _) = house.post("/api/tools/calculate/invoke", beside).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "it is input like any other, and not the tool's");
}

#[tokio::test]
async fn an_archived_tenant_is_closed() {
    let house = House::new().await;
    let (tenant, foreign) = house.tenant("ims").await;
    let (status, _) = house.ask(&foreign, Method::GET, "/api/tools", None).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = house.post(&format!("/api/tenants/{tenant}/archive"), json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let mut status = StatusCode::OK;
    // The word goes around; a key that was just used is forgotten when it arrives.
    for _ in 0..1_000 {
        status = house.ask(&foreign, Method::GET, "/api/tools", None).await.0;
        if status == StatusCode::UNAUTHORIZED {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_agent_of_another_team_is_forbidden_not_missing() {
    let house = House::new().await;
    let (_, ours) = house.post("/api/workspaces", json!({"slug": "ours", "name": "Ours"})).await;
    let (_, theirs) = house.post("/api/workspaces", json!({"slug": "theirs", "name": "Theirs"})).await;
    let agent = json!({"handle": "eve", "display_name": "Eve", "workspace_id": theirs["id"]});
    let (status, body) = house.post("/api/agents", agent).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let member = json!({"email": "a@b.c", "name": "A", "roles": ["builder"], "workspaces": [ours["id"]]});
    let (_, user) = house.post("/api/users", member).await;
    let key = json!({"name": "a", "scopes": ["agents:read", "agents:write"], "user": user["id"]});
    let (_, made) = house.post("/api/keys", key).await;
    let key = made["key"].as_str().unwrap();
    for (method, path, body) in [
        (Method::GET, "/api/agents/eve", None),
        (Method::GET, "/api/agents/eve/tools", None),
        (Method::PUT, "/ai/agents/eve/tools", Some(json!({"tools": []}))),
        (Method::PATCH, "/api/agents/eve", Some(json!({"bio": "x"}))),
    ] {
        let (status, problem) = house.ask(key, method, path, body).await;
        assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{path}");
    }
    let (_, list) = house.ask(key, Method::GET, "/api/agents", None).await;
    assert_eq!(list["items"], json!([]));
}

#[tokio::test]
async fn switches_hide_a_tool_for_one_tenant_or_for_all() {
    let house = House::new().await;
    let (_, foreign) = house.tenant("ims").await;
    let sees = |key: String| {
        let house = &house;
        async move { house.ask(&key, Method::GET, "/api/tools/calculate", None).await.0 == StatusCode::OK }
    };
    let switch = |key: String, enabled: Value| {
        let house = &house;
        async move {
            let body = json!({"enabled": enabled});
            let (status, body) =
                house.ask(&key, Method::PUT, "/api/tools/calculate/settings", Some(body)).await;
            assert_eq!(status, StatusCode::OK, "{body}");
        }
    };
    switch(foreign.clone(), json!(false)).await;
    assert_eq!((sees(foreign.clone()).await, sees(house.key.clone()).await), (false, true));
    let (status, _) = house
        .ask(&foreign, Method::POST, "/api/tools/calculate/invoke", Some(json!({"expression": "1"})))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    switch(foreign.clone(), json!(null)).await;
    assert!(sees(foreign.clone()).await);
    switch(house.key.clone(), json!(false)).await;
    assert_eq!((sees(foreign.clone()).await, sees(house.key.clone()).await), (false, false));
    switch(foreign.clone(), json!(true)).await;
    assert!(!sees(foreign).await, "off for everyone is off");
}

#[tokio::test]
async fn what_was_approved_must_still_be_allowed_when_it_begins() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    house.post("/api/agents/ada/assignments", json!({"tool": "calculate"})).await;
    let call = json!({"expression": "1"});
    let (_, asked) = house.ask(&key, Method::POST, "/api/tools/calculate/invoke", Some(call)).await;
    house.ask(&house.key, Method::DELETE, "/api/agents/ada/assignments/calculate", None).await;
    let approver = house.key_with(&[Scope::ApprovalsDecide]).await;
    let id = asked["id"].as_str().unwrap();
    house.ask(&approver, Method::POST, &format!("/api/invocations/{id}/approve"), None).await;
    let ended = house.ended(id).await;
    assert_eq!(
        (&ended["status"], &ended["error"]["code"]),
        (&json!("failed"), &json!("POLICY_DENIED")),
        "{ended}"
    );
}

#[tokio::test]
async fn a_key_grants_no_more_than_its_maker_has() {
    let house = House::new().await;
    let (_, user) =
        house.post("/api/users", json!({"email": "a@b.c", "name": "A", "roles": ["admin"]})).await;
    let narrow = json!({"name": "n", "scopes": ["admin"], "user": user["id"]});
    let (status, _) = house.post("/api/keys", narrow).await;
    assert_eq!(status, StatusCode::CREATED);
    let both = json!({"name": "n", "scopes": ["tools:read"], "user": user["id"], "service_role": true});
    let (status, _) = house.post("/api/keys", both).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let nobody = json!({"name": "n", "scopes": ["tools:read"], "agent": "nobody"});
    let (status, _) = house.post("/api/keys", nobody).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_tool_that_writes_asks_however_it_came_in() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    let relaxed = json!({"egress_class": "write", "requires_approval": false, "permission_policy": "auto"});
    let (status, made) = house.register(definition("push", "wait", relaxed)).await;
    assert_eq!(
        (status, &made["tool"]["requires_approval"]),
        (StatusCode::CREATED, &json!(true)),
        "over REST: {made}"
    );
    let spec = toolgate_engine::parse_tool_md(
        "---\nname: publish\nversion: 1.0.0\ndescription: d\negress_class: writes\nrequires_approval: false\n\
         input_schema: {type: object}\nexecution: {kind: builtin, handler: wait}\n---\nWrites.\n",
    )
    .unwrap();
    let admin = toolgate_domain::Caller::system(toolgate_domain::TenantId::DEFAULT, "default");
    house.engine.registry().register(&admin, spec, false).await.unwrap();
    let profile = json!({"name": "free", "requires_approval": false});
    house.post("/api/profiles", profile).await;
    for tool in ["push", "publish"] {
        house.post("/api/agents/ada/assignments", json!({"tool": tool, "profile": "free"})).await;
        let allowed = json!({"tools": [{"toolName": tool, "permissionStatus": "always_allow"}]});
        let (status, _) = house.ask(&house.key, Method::PUT, "/api/agents/ada/tools", Some(allowed)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "by permission");
        let settings = json!({"approval": {"quorum": 1, "allow_self": true}});
        house.ask(&house.key, Method::PUT, &format!("/api/tools/{tool}/settings"), Some(settings)).await;
        for caller in [&key, &house.key] {
            let path = format!("/api/tools/{tool}/invoke");
            let (status, asked) = house.ask(caller, Method::POST, &path, Some(json!({"ms": 1}))).await;
            assert_eq!(
                (status, &asked["status"]),
                (StatusCode::ACCEPTED, &json!("pending")),
                "{tool}: {asked}"
            );
        }
    }
}

#[tokio::test]
async fn nobody_bypasses_approval_on_a_server_that_was_not_started_with_it() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let key = json!({"name": "s", "scopes": ["tools:execute"], "service_role": true});
    let (_, made) = house.post("/api/keys", key).await;
    let call = json!({"input": {"ms": 1}, "bypass_approval": true});
    for key in [made["key"].as_str().unwrap(), &house.key] {
        let (status, denied) =
            house.ask(key, Method::POST, "/api/tools/push/invoke", Some(call.clone())).await;
        assert_eq!((status, &denied["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")), "{denied}");
    }
}
