//! Running the server: health, metrics, load, the end.

use reqwest::{Method, StatusCode};
use serde_json::json;
use toolgate_domain::Limits;

use crate::server::common::{Events, House, definition, read};

#[tokio::test]
async fn health_readiness_metrics_and_the_document() {
    let house = House::new().await;
    assert_eq!(house.get("/healthz").await.1["status"], "ok");
    assert_eq!(house.get("/readyz").await.0, StatusCode::OK);
    house.post("/api/tools/calculate/invoke", json!({"expression": "1+1"})).await;
    house.post("/api/tools/made_up_by_someone/invoke", json!({})).await;
    let (_, metrics) = house.get("/metrics").await;
    let metrics = metrics.as_str().unwrap();
    assert!(metrics.contains("toolgate_invocations_total{tool=\"calculate\",outcome=\"ok\"} 1"), "{metrics}");
    assert!(!metrics.contains("made_up_by_someone"), "callers cannot make labels");
    let (_, document) = house.get("/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/tools/{name}/invoke"]["post"].is_object());
    let page = house
        .http
        .get(format!("{}/docs", house.url))
        .basic_auth("me", Some(&house.key))
        .send()
        .await
        .unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src")).unwrap();
    assert_eq!(
        scripts.trim(),
        "script-src 'self'",
        "no script in the page runs, whatever came to stand there"
    );
    let page = page.text().await.unwrap();
    assert!(page.contains("api-reference"));
    for script in page.split("<script").skip(1) {
        assert!(script.starts_with(" src=") && script.contains("></script>"), "{script}");
    }
    let start = format!("{}/docs/start.js", house.url);
    let script = house.http.get(&start).basic_auth("me", Some(&house.key)).send().await.unwrap();
    assert_eq!(script.headers()["content-type"], "text/javascript; charset=utf-8");
    let script = script.text().await.unwrap();
    assert!(script.contains("createApiReference") && script.contains("/api/tools/{name}/invoke"));
    assert!(!script.contains("{{ document }}"));
    assert_eq!(house.http.get(&start).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let challenge = house.http.get(format!("{}/docs", house.url)).send().await.unwrap();
    assert!(challenge.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic"));
}

#[tokio::test]
async fn a_tenant_reads_the_metrics_of_its_own_calls_and_the_installations_own_reads_all() {
    let house = House::new().await;
    let (_, acme) = house.tenant("acme").await;
    let (_, beta) = house.tenant("beta").await;
    house.register(definition("announce_default", "wait", json!({}))).await;
    for (key, name) in [(&acme, "announce_acme"), (&beta, "announce_beta")] {
        let schema = json!({"type": "object", "properties": {"ms": {"type": "integer"}}});
        let tool = definition(name, "wait", json!({"egress_class": "write", "input_schema": schema}));
        let (status, made) = house.ask(key, Method::POST, "/api/tools", Some(tool)).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let invoke = format!("/api/tools/{name}/invoke");
        // One is refused and ends, one waits for a person.
        assert_eq!(house.ask(key, Method::POST, &invoke, Some(json!({"ms": "soon"}))).await.0.as_u16(), 422);
        assert_eq!(house.ask(key, Method::POST, &invoke, Some(json!({"ms": 1}))).await.0.as_u16(), 202);
    }
    house.post("/api/tools/announce_default/invoke", json!({"ms": 1})).await;

    let read = async |key: &str| {
        let (status, text) = house.ask(key, Method::GET, "/metrics", None).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        text.as_str().unwrap().to_owned()
    };
    for (key, own, other) in
        [(&acme, "announce_acme", "announce_beta"), (&beta, "announce_beta", "announce_acme")]
    {
        let text = read(key).await;
        let series = format!("toolgate_invocations_total{{tool=\"{own}\",outcome=\"VALIDATION_ERROR\"}} 1");
        assert!(text.contains(&series), "{text}");
        assert!(text.contains("toolgate_invocations_parked_total 1"), "{text}");
        for foreign in [other, "announce_default", "toolgate_requests_shed", "toolgate_invocations_running"] {
            assert!(!text.contains(foreign), "{foreign}: {text}");
        }
    }
    let all = read(&house.key).await;
    for tool in ["announce_acme", "announce_beta", "announce_default"] {
        assert!(all.contains(&format!("tool=\"{tool}\"")), "{all}");
    }
    assert!(all.contains("toolgate_invocations_parked_total 2"), "{all}");
}

#[tokio::test]
async fn beyond_its_bound_the_server_sheds_load_and_stays_healthy() {
    let house = House::with(Limits { max_requests: 1, ..Limits::default() }).await;
    let request = house.request(Method::POST, "/api/tools/wait/invoke").json(&json!({"ms": 60_000}));
    let mut events = Events::new(
        house.request(Method::GET, "/api/events").header("accept", "text/event-stream").send().await.unwrap(),
    );
    let waiting = tokio::spawn(request.send());
    let (_, _, started) = events.next().await.unwrap();
    let response = house.request(Method::GET, "/api/tools").send().await.unwrap();
    assert_eq!(response.headers()["retry-after"], "1");
    assert_eq!(
        (response.status(), read(response).await.1["code"].clone()),
        (StatusCode::SERVICE_UNAVAILABLE, json!("OVERLOADED"))
    );
    assert_eq!(house.get("/healthz").await.0, StatusCode::OK);
    assert_eq!(house.get("/metrics").await.0, StatusCode::OK);
    let id = started["invocation_id"].as_str().unwrap().parse().unwrap();
    house.engine.cancel(toolgate_domain::TenantId::DEFAULT, id).await.unwrap();
    waiting.await.unwrap().unwrap();
    assert_eq!(house.get("/api/tools").await.0, StatusCode::OK);
}

#[tokio::test]
async fn streams_are_bounded_too() {
    let house = House::with(Limits { max_streams: 1, ..Limits::default() }).await;
    let open = || house.request(Method::GET, "/api/events").header("accept", "text/event-stream").send();
    let first = open().await.unwrap();
    assert_eq!(open().await.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(first);
}

#[tokio::test]
async fn a_stopping_server_answers_what_it_began() {
    let house = House::new().await;
    let request = house.request(Method::POST, "/api/tools/wait/invoke").json(&json!({"ms": 300}));
    let mut events = Events::new(
        house.request(Method::GET, "/api/events").header("accept", "text/event-stream").send().await.unwrap(),
    );
    let waiting = tokio::spawn(request.send());
    events.next().await.unwrap();
    house.stop().await;
    let (status, envelope) = read(waiting.await.unwrap().unwrap()).await;
    assert_eq!((status, &envelope["output"]["waited_ms"]), (StatusCode::OK, &json!(300)));
}

#[tokio::test]
async fn calls_that_outlast_the_drain_are_cancelled_on_record() {
    let house = House::with(Limits { drain_ms: 50, ..Limits::default() }).await;
    let request = house.request(Method::POST, "/api/tools/wait/invoke").json(&json!({"ms": 60_000}));
    let mut events = Events::new(
        house.request(Method::GET, "/api/events").header("accept", "text/event-stream").send().await.unwrap(),
    );
    let waiting = tokio::spawn(request.send());
    events.next().await.unwrap();
    house.stop().await;
    let (_, envelope) = read(waiting.await.unwrap().unwrap()).await;
    assert_eq!(envelope["error"]["details"]["outcome"], "cancelled", "{envelope}");
}
