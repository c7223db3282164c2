//! Changing tools: overrides of what ships, versions of what a tenant wrote, deleting, comparing, restoring.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{House, definition};

impl House {
    async fn patch(&self, key: &str, tool: &str, body: Value) -> (StatusCode, Value) {
        self.ask(key, Method::PATCH, &format!("/api/tools/{tool}"), Some(body)).await
    }

    async fn shown(&self, key: &str, tool: &str) -> Value {
        self.ask(key, Method::GET, &format!("/api/tools/{tool}"), None).await.1
    }

    async fn calculate(&self, key: &str) -> (StatusCode, Value) {
        let path = "/api/tools/calculate/invoke";
        self.ask(key, Method::POST, path, Some(json!({"expression": "1+1"}))).await
    }
}

fn greeting(text: &str) -> Value {
    definition(
        "greet",
        "render_template",
        json!({
            "input_schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "execution": {"kind": "builtin", "handler": "render_template", "arguments": {"template": text, "values": "$input"}},
        }),
    )
}

#[tokio::test]
async fn a_tenant_makes_a_tool_that_ships_stricter_for_itself_alone() {
    let house = House::new().await;
    let (_, foreign) = house.tenant("ims").await;
    let (_, before) = house.get("/api/tools/calculate").await;
    assert_eq!((&before["kind"], &before["override"]), (&json!("code"), &Value::Null));
    let stricter = json!({"description": "Ask finance first.", "requires_approval": true, "risk": "high", "timeout_ms": 500});
    let (status, done) = house.patch(&foreign, "calculate", stricter.clone()).await;
    assert_eq!((status, &done["created"]), (StatusCode::OK, &json!(false)), "{done}");
    let keys: Vec<_> =
        done["changes"].as_array().unwrap().iter().map(|c| c["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["description", "requires_approval", "risk", "timeout_ms"]);

    let shown = house.shown(&foreign, "calculate").await;
    assert_eq!((&shown["kind"], &shown["origin"]), (&json!("system_override"), &json!("code")));
    assert_eq!((&shown["description"], &shown["override"]), (&json!("Ask finance first."), &stricter));
    let (_, listed) = house.ask(&foreign, Method::GET, "/api/tools?search=finance", None).await;
    assert_eq!(listed["items"][0]["name"], "calculate", "lists see it as well");
    let (_, versions) = house.ask(&foreign, Method::GET, "/api/tools/calculate/versions", None).await;
    assert_eq!(versions["items"][0]["definition"]["risk"], "high");
    let explain = json!({"tool": "calculate", "input": {"expression": "1"}});
    let (_, explained) = house.ask(&foreign, Method::POST, "/api/decisions/explain", Some(explain)).await;
    assert_eq!(explained["decision"]["verdict"], "ask");
    assert_eq!(house.calculate(&foreign).await.0, StatusCode::ACCEPTED);
    assert_eq!(house.calculate(&house.key).await.0, StatusCode::OK, "nobody else is concerned");
    assert_eq!(house.shown(&house.key, "calculate").await["kind"], "code");

    let back = house.patch(&foreign, "calculate", json!({"requires_approval": null})).await.1;
    assert_eq!(back["items"][0]["requires_approval"], false);
    assert_eq!(back["items"][0]["risk"], "high", "the rest stays");
    let (status, _) = house.ask(&foreign, Method::DELETE, "/api/tools/calculate", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(house.shown(&foreign, "calculate").await, house.shown(&house.key, "calculate").await);
    let (status, _) = house.ask(&foreign, Method::DELETE, "/api/tools/calculate", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "there is nothing left to take back");
}

#[tokio::test]
async fn what_the_installation_demands_holds_for_everyone_and_the_strictest_wins() {
    let house = House::new().await;
    let (_, foreign) = house.tenant("ims").await;
    house.shown(&foreign, "calculate").await;
    let demanded = json!({"timeout_ms": 900, "risk": "medium", "permission_policy": "always_ask"});
    assert_eq!(house.patch(&house.key, "calculate", demanded).await.0, StatusCode::OK);
    assert_eq!(house.shown(&foreign, "calculate").await["timeout_ms"], 900);
    let (status, refused) = house.patch(&foreign, "calculate", json!({"timeout_ms": 901})).await;
    assert_eq!((status, &refused["pointer"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("/timeout_ms")));
    let (status, _) =
        house.patch(&foreign, "calculate", json!({"timeout_ms": 800, "required_permission": "a.b"})).await;
    assert_eq!(status, StatusCode::OK);
    house.patch(&house.key, "calculate", json!({"timeout_ms": 700, "required_permission": "c.d"})).await;
    let shown = house.shown(&foreign, "calculate").await;
    assert_eq!(
        (&shown["timeout_ms"], &shown["risk"]),
        (&json!(700), &json!("medium")),
        "the stricter of the two"
    );
    assert_eq!((&shown["required_permission"], &shown["also_required"]), (&json!("c.d"), &json!(["a.b"])));
    let narrow = house.key_with(&[Scope::ToolsExecute]).await;
    let (status, denied) = house.calculate(&narrow).await;
    assert_eq!((status, &denied["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")));
    assert!(denied["detail"].as_str().unwrap().contains("c.d"), "{denied}");
}

#[rstest]
#[case::risk(json!({"risk": "low"}), "risk")]
#[case::timeout(json!({"timeout_ms": 16_000}), "timeout_ms")]
#[case::policy(json!({"permission_policy": "auto"}), "permission_policy")]
#[case::fixed(json!({"execution": {"kind": "builtin", "handler": "wait"}}), "execution")]
#[case::schema(json!({"input_schema": {"type": "object"}}), "input_schema")]
#[case::egress(json!({"egress_class": "none"}), "egress_class")]
#[case::unknown(json!({"descripton": "x"}), "descripton")]
#[case::unknown_inside(json!({"rate_limit": {"limit": 1, "windows": 60}}), "rate_limit/windows")]
#[case::empty(json!({"description": " "}), "description")]
#[case::switch(json!({"enabled": "no"}), "enabled")]
#[case::no_such_default(json!({"defaults": {"nothing": 1}}), "defaults/nothing")]
#[case::wrong_default(json!({"defaults": {"slug": 7}}), "defaults/slug")]
#[tokio::test]
async fn nothing_gets_looser_and_the_refusal_names_the_key(#[case] patch: Value, #[case] key: &str) {
    let house = House::new().await;
    let before = house.shown(&house.key, "manageTools").await;
    let (status, refused) = house.patch(&house.key, "manageTools", patch).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert_eq!(refused["pointer"], format!("/{key}"), "{refused}");
    assert_eq!(house.shown(&house.key, "manageTools").await, before);
}

#[tokio::test]
async fn defaults_are_shown_filled_in_and_recorded() {
    let house = House::new().await;
    let defaults = json!({"defaults": {"template": "Hello {{ name }}", "values": {"name": "you"}}});
    let (status, done) = house.patch(&house.key, "render_template", defaults).await;
    assert_eq!(status, StatusCode::OK, "{done}");
    let schema = &house.shown(&house.key, "render_template").await["input_schema"];
    assert_eq!(schema["properties"]["template"]["default"], "Hello {{ name }}");
    assert_eq!(schema["required"], json!([]), "what has a default need not be given");
    let (status, envelope) =
        house.post("/api/tools/render_template/invoke", json!({"values": {"name": "Ada"}})).await;
    assert_eq!((status, &envelope["output"]["text"]), (StatusCode::OK, &json!("Hello Ada")), "{envelope}");
    let id = envelope["invocation_id"].as_str().unwrap();
    let (_, row) = house.get(&format!("/api/invocations/{id}")).await;
    assert_eq!(row["input"]["template"], "Hello {{ name }}", "what the row says is what ran");
    let (_, bare) = house.post("/api/tools/render_template/invoke", json!({})).await;
    assert_eq!(bare["output"]["text"], "Hello you");
    let again = || {
        house
            .request(Method::POST, "/api/tools/render_template/invoke")
            .header("idempotency-key", "k")
            .json(&json!({}))
    };
    let first: Value = again().send().await.unwrap().json().await.unwrap();
    let second: Value = again().send().await.unwrap().json().await.unwrap();
    assert_eq!(first, second, "the same key and the same words are the same call");
}

#[tokio::test]
async fn the_switch_is_part_of_the_override() {
    let house = House::new().await;
    let (status, _) = house.patch(&house.key, "calculate", json!({"enabled": false, "risk": "high"})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(house.get("/api/tools/calculate").await.0, StatusCode::NOT_FOUND);
    assert_eq!(
        house.get("/api/tools/calculate/settings").await.1["enabled"],
        false,
        "one switch, two ways to it"
    );
    house.patch(&house.key, "calculate", json!({"enabled": null})).await;
    assert_eq!(house.shown(&house.key, "calculate").await["risk"], "high");
    house.register(greeting("Hello {{ name }}")).await;
    house.patch(&house.key, "greet", json!({"enabled": false})).await;
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND);
    house.patch(&house.key, "greet", json!({"enabled": true})).await;
    assert_eq!(house.shown(&house.key, "greet").await["version"], "1.0.0", "a switch is no new version");
}

#[tokio::test]
async fn every_change_of_a_tenants_tool_is_a_version_that_can_be_compared_and_restored() {
    let house = House::new().await;
    house.register(greeting("Hello {{ name }}")).await;
    let execution = |text: &str| greeting(text)["execution"].clone();
    let (status, done) =
        house.patch(&house.key, "greet", json!({"execution": execution("Bye {{ name }}")})).await;
    assert_eq!((status, &done["created"]), (StatusCode::OK, &json!(true)), "{done}");
    assert_eq!(
        (&done["items"][0]["version"], &done["items"][0]["kind"]),
        (&json!("1.0.1"), &json!("tenant_custom"))
    );
    let (_, named) =
        house.patch(&house.key, "greet", json!({"description": "Parts.", "version": "2.0.0"})).await;
    assert_eq!(named["items"][0]["version"], "2.0.0");
    let (_, same) = house.patch(&house.key, "greet", json!({"description": "Parts."})).await;
    assert_eq!((&same["created"], &same["changes"]), (&json!(false), &json!([])), "no change, no version");
    let (status, refused) = house.patch(&house.key, "greet", json!({"name": "hail"})).await;
    assert_eq!((status, &refused["pointer"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("/name")));

    let (_, history) = house.get("/api/tools/greet/versions").await;
    let of = |n: usize| &history["items"][n];
    assert_eq!(
        (&of(0)["version"], &of(1)["version"], &of(2)["version"]),
        (&json!("2.0.0"), &json!("1.0.1"), &json!("1.0.0"))
    );
    assert_eq!(of(2)["definition"]["execution"], execution("Hello {{ name }}"));
    let (_, diff) = house.get("/api/tools/greet/diff?from=1.0.0&to=1.0.1").await;
    assert_eq!((&diff["from"], &diff["to"]), (&json!("greet@1.0.0"), &json!("greet@1.0.1")));
    let keys: Vec<_> =
        diff["changes"].as_array().unwrap().iter().map(|c| c["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["execution", "version"]);
    let (_, newest) = house.get("/api/tools/greet/diff").await;
    assert_eq!((&newest["from"], &newest["to"]), (&json!("greet@1.0.1"), &json!("greet@2.0.0")));
    assert_eq!(
        house.get("/api/tools/greet/diff?to=1.0.0").await.0,
        StatusCode::NOT_FOUND,
        "there is none before"
    );
    let (status, missing) = house.get("/api/tools/greet/diff?from=9.9.9").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(missing["detail"].as_str().unwrap().contains("1.0.1"), "{missing}");

    let (status, restored) = house.post("/api/tools/greet/restore", json!({"version": "1.0.0"})).await;
    assert_eq!((status, &restored["tool"]["version"]), (StatusCode::CREATED, &json!("2.0.1")), "{restored}");
    let (_, envelope) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    assert_eq!(envelope["output"]["text"], "Hello Ada");
    let (status, _) = house.post("/api/tools/calculate/restore", json!({"version": "1.0.0"})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "what ships is not restored");
}

#[tokio::test]
async fn a_deleted_tool_does_not_exist_and_can_be_brought_back() {
    let house = House::new().await;
    house.register(greeting("Hello {{ name }}")).await;
    let (_, receipt) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    let (status, _) = house.ask(&house.key, Method::DELETE, "/api/tools/greet", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    for (method, path, body) in [
        (Method::GET, "/api/tools/greet", None),
        (Method::GET, "/api/tools/greet@1.0.0", None),
        (Method::GET, "/api/tools/greet/settings", None),
        (Method::POST, "/api/tools/greet/invoke", Some(json!({"name": "Ada"}))),
        (Method::POST, "/api/tools/greet/test", Some(json!({"input": {"name": "Ada"}}))),
        (Method::PATCH, "/api/tools/greet", Some(json!({"description": "x"}))),
        (Method::PATCH, "/api/tools/greet", Some(json!({"lifecycle": "deprecated"}))),
        (Method::DELETE, "/api/tools/greet", None),
    ] {
        let (status, body) = house.ask(&house.key, method.clone(), path, body).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{method} {path}: {body}");
    }
    for lifecycle in ["active", "deprecated", "blocked", "draft"] {
        let (_, listed) = house.get(&format!("/api/tools?search=greet&lifecycle={lifecycle}")).await;
        assert_eq!(listed["items"], json!([]), "{lifecycle}");
    }
    let (_, listed) = house.get("/api/tools?search=greet&include_deprecated=true").await;
    assert_eq!(listed["items"], json!([]), "deleted is more than deprecated");
    let (_, listed) = house.get("/api/tools?lifecycle=archived").await;
    assert_eq!(listed["items"][0]["name"], "greet");
    let path = format!("/api/invocations/{}/envelope", receipt["invocation_id"].as_str().unwrap());
    assert_eq!(house.get(&path).await.1["name"], "greet", "its receipts stay");
    let (_, history) = house.get("/api/tools/greet/versions").await;
    assert_eq!(history["items"][0]["lifecycle"], "archived");

    let house = house.restart().await;
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND, "also after a restart");
    let (status, restored) = house.post("/api/tools/greet/restore", json!({"version": "1.0.0"})).await;
    assert_eq!((status, &restored["tool"]["version"]), (StatusCode::CREATED, &json!("1.0.1")), "{restored}");
    assert_eq!(house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await.0, StatusCode::OK);
    let (_, again) = house.register(greeting("Hello {{ name }}")).await;
    assert_eq!(
        (&again["created"], &again["tool"]["lifecycle"]),
        (&json!(false), &json!("active")),
        "registering revives it, too"
    );
    assert_eq!(house.get("/api/tools/greet@1.0.0").await.0, StatusCode::OK);
}

#[tokio::test]
async fn an_override_reaches_every_process_and_survives_a_restart() {
    let house = House::new().await;
    let beside = house.beside().await;
    assert_eq!(beside.shown(&beside.key, "calculate").await["kind"], "code");
    house.patch(&house.key, "calculate", json!({"requires_approval": true})).await;
    let mut asks = false;
    // The word goes around.
    for _ in 0..1_000 {
        asks = beside.calculate(&beside.key).await.0 == StatusCode::ACCEPTED;
        if asks {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert!(asks);
    beside.stop().await;
    let house = house.restart().await;
    assert_eq!(house.calculate(&house.key).await.0, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn what_was_approved_does_not_begin_when_its_tool_was_deleted() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let (_, asked) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    house.ask(&house.key, Method::DELETE, "/api/tools/push", None).await;
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

/// A step writes, so the whole does: silence is filled in, more is kept, less is refused, by every way in.
#[tokio::test]
async fn a_class_that_is_looser_than_what_the_tool_does_is_refused() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let pushes = |patch: Value| {
        let mut pushes = json!({
            "name": "pushes", "version": "1.0.0", "description": "d", "input_schema": {"type": "object"},
            "execution": {"kind": "composition", "steps": [{"id": "a", "tool": "push"}]},
        });
        pushes.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        pushes
    };
    let (status, refused) = house.register(pushes(json!({"egress_class": "read_only"}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert_eq!(refused["pointer"], "/egress_class");
    assert!(
        refused.to_string().contains("is looser than `write`, which is what push@1.0.0 does"),
        "{refused}"
    );
    let trial = json!({"definition": pushes(json!({"side_effects": "none"})), "input": {}});
    let (status, refused) = house.post("/api/tools/pushes/test", trial).await;
    assert_eq!(
        (status, &refused["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/egress_class")),
        "{refused}"
    );

    let (status, made) = house.register(pushes(json!({}))).await;
    assert_eq!((status, &made["tool"]["egress_class"]), (StatusCode::CREATED, &json!("write")), "{made}");
    let (_, again) = house.register(pushes(json!({"egress_class": "write"}))).await;
    assert_eq!((&again["created"], &again["changes"]), (&json!(false), &json!([])), "{again}");
    let (status, refused) = house.patch(&house.key, "pushes", json!({"egress_class": "none"})).await;
    assert_eq!(
        (status, &refused["pointer"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("/egress_class")),
        "{refused}"
    );
    let (status, said) = house.patch(&house.key, "pushes", json!({"description": "Pushes."})).await;
    assert_eq!((status, &said["items"][0]["egress_class"]), (StatusCode::OK, &json!("write")), "{said}");
}
