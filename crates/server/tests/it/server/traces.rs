//! The trace of a run: as JSON, and as the page that `traces_url` leads to.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{
    InvocationId, RunId, Scope, Span, SpanId, SpanKind, SpanRef, TenantId, TraceId, ids::Uuid,
};

use crate::server::common::House;

const HOSTILE: &str = "<script>alert('x')</script>\"&'";

/// A run with a call under it, whose names and attributes somebody chose with care.
pub async fn hostile_run(house: &House) -> RunId {
    let run = RunId::generate(house.engine.ids());
    let now = house.engine.clock().now();
    let call = InvocationId::generate(house.engine.ids());
    let span = |span_id, parent: Option<SpanId>, name: &str, after_ms| Span {
        tenant_id: TenantId::DEFAULT,
        trace_id: TraceId::of(run.uuid()),
        span_id,
        parent_span_id: parent,
        name: name.to_owned(),
        kind: SpanKind::Internal,
        started_at: now.plus_ms(after_ms),
        ended_at: Some(now.plus_ms(after_ms + 5)),
        error: None,
        attributes: json!({HOSTILE: HOSTILE, "gen_ai.usage.input_tokens": 7}).as_object().cloned().unwrap(),
        links: vec![SpanRef { trace_id: TraceId::of(Uuid::max()), span_id: SpanId::of_run(run) }],
        run_id: Some(run),
        invocation_id: Some(call),
    };
    let root = SpanId::of_run(run);
    let asked = Span { ended_at: None, ..span(root, None, "invoke_agent helper", 0) };
    let called = Span {
        error: Some(HOSTILE.to_owned()),
        ..span(SpanId::of_call(call), Some(root), &format!("execute_tool {HOSTILE}"), 1)
    };
    house.engine.stores().spans.add_spans(&[called, asked]).await.unwrap();
    run
}

#[tokio::test]
async fn a_trace_reads_as_json() {
    let house = House::new().await;
    let run = hostile_run(&house).await;
    let (status, trace) = house.get(&format!("/api/runs/{run}/trace")).await;
    assert_eq!(status, StatusCode::OK, "{trace}");
    assert_eq!((&trace["run_id"], &trace["truncated"]), (&json!(run), &json!(false)));
    assert_eq!(trace["trace_id"], run.uuid().simple().to_string());
    let spans = trace["spans"].as_array().unwrap();
    assert_eq!(spans.len(), 2);
    assert_eq!((&spans[0]["status"], &spans[0]["duration_ms"]), (&json!("running"), &Value::Null));
    assert_eq!((&spans[1]["status"], &spans[1]["duration_ms"]), (&json!("error"), &json!(5.0)));
    assert_eq!(spans[1]["parent_span_id"], spans[0]["span_id"]);
    let (status, _) = house.get("/api/runs/run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11/trace").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(house.get("/api/runs/nonsense/trace").await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_page_shows_hostile_names_and_runs_none_of_them() {
    let house = House::new().await;
    let run = hostile_run(&house).await;
    let page = house.request(Method::GET, &format!("/runs/{run}/trace")).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("script") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    let html = page.text().await.unwrap();
    assert!(!html.contains("<script"), "{html}");
    assert!(html.contains("execute_tool &lt;script&gt;"), "{html}");
    for line in html.lines().filter(|line| line.contains("alert")) {
        assert!(!line.contains("alert('x')"), "quotes are escaped too: {line}");
    }
    assert!(html.contains("goes on"), "{html}");
    assert!(html.contains("<a href=\"/api/invocations/inv_"), "the receipts are a click away");
}

#[tokio::test]
async fn the_page_asks_a_browser_for_a_key_and_the_key_for_its_scope() {
    let house = House::new().await;
    let run = hostile_run(&house).await;
    let path = format!("{}/runs/{run}/trace", house.url);
    let nobody = house.http.get(&path).send().await.unwrap();
    assert_eq!(nobody.status(), StatusCode::UNAUTHORIZED);
    assert!(nobody.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic"));
    let with = |key: String| house.http.get(&path).basic_auth("anybody", Some(key)).send();
    assert_eq!(with(house.key.clone()).await.unwrap().status(), StatusCode::OK);
    let narrow = house.key_with(&[Scope::ToolsRead]).await;
    assert_eq!(with(narrow).await.unwrap().status(), StatusCode::FORBIDDEN);
}
