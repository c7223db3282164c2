//! Every run is one trace: what it did, under what, and how it ended.

use serde_json::{Value, json};
use toolgate_domain::{Invocation, RunId, Span, SpanId, SpanRef, Surface, TenantId, TraceId};
use toolgate_engine::{Answer, Approval, Call, Ruling};

use crate::run::common::{House, approver, caller};

const SCRIPT: &str = "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 2+2}}
      - {name: announce, arguments: {ms: 1}}
    usage: {input_tokens: 11, output_tokens: 7, cached_input_tokens: 3}
  - {text: announced}
";

async fn spans_of(house: &House, run: RunId) -> Vec<Span> {
    house.engine.trace(TenantId::DEFAULT, run).await.unwrap().unwrap().spans
}

fn run_of(row: &Invocation) -> RunId {
    RunId::from_uuid(row.id.uuid())
}

/// Every span as `parent > name`, with what is remarkable about it.
fn lines(spans: &[Span]) -> Vec<String> {
    let name_of = |id: SpanId| {
        spans.iter().find(|span| span.span_id == id).map_or("nothing", |span| span.name.as_str())
    };
    let mut lines: Vec<String> = spans
        .iter()
        .map(|span| {
            let parent = span.parent_span_id.map_or("", name_of);
            let state = match (&span.error, span.ended_at) {
                (Some(error), _) => format!(" ({error})"),
                (None, None) => " (goes on)".to_owned(),
                (None, Some(_)) => String::new(),
            };
            format!("{parent} > {}{state}", span.name)
        })
        .collect();
    lines.sort();
    lines
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no span `{name}`"))
}

fn has(span: &Span, attributes: Value) {
    for (key, value) in attributes.as_object().unwrap() {
        assert_eq!(span.attributes.get(key), Some(value), "{key} of {}", span.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_with_an_approval_and_a_restart_in_the_middle_is_one_trace() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    let run = run_of(&outer);
    let before = spans_of(&house, run).await;
    assert_eq!(
        lines(&before),
        [
            " > invoke_agent helper (goes on)",
            "execute_tool announce > await approval (goes on)",
            "execute_tool announce > guard",
            "execute_tool calculate > guard",
            "execute_tool calculate > tool builtin",
            "invoke_agent helper > chat scripted",
            "invoke_agent helper > execute_tool announce (goes on)",
            "invoke_agent helper > execute_tool calculate",
            "invoke_agent helper > guard",
            "invoke_agent helper > guard",
        ],
        "what there is while it waits"
    );
    house.engine.stop().await;
    let House { engine, directory, .. } = house;
    drop(engine);

    let house = House::open(directory, SCRIPT).await;
    let asks = named(&before, "await approval").invocation_id.unwrap();
    house.engine.decide(&approver(), asks, None, Ruling::Approve(Approval::default())).await.unwrap();
    let output = house.ended(outer.id).await.outcome.output.unwrap();
    assert_eq!(output["traces_url"], format!("/runs/{run}/trace"));
    let spans = spans_of(&house, run).await;
    assert_eq!(
        lines(&spans),
        [
            " > invoke_agent helper",
            "execute_tool announce > await approval",
            "execute_tool announce > guard",
            "execute_tool announce > tool builtin",
            "execute_tool calculate > guard",
            "execute_tool calculate > tool builtin",
            "invoke_agent helper > chat scripted",
            "invoke_agent helper > chat scripted",
            "invoke_agent helper > execute_tool announce",
            "invoke_agent helper > execute_tool calculate",
            "invoke_agent helper > guard",
            "invoke_agent helper > guard",
            "invoke_agent helper > guard",
        ]
    );
    assert!(spans.iter().all(|span| span.trace_id == TraceId::of(outer.id.uuid())), "one trace");
    let root = named(&spans, "invoke_agent helper");
    for span in &spans {
        assert!(root.started_at <= span.started_at && span.ended_at <= root.ended_at, "{span:?}");
    }
    let receipt = house.row(asks).await;
    has(
        root,
        json!({
            "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "gen_ai.agent.id": receipt.agent_id,
            "gen_ai.conversation.id": outer.session_id, "toolgate.status": "completed", "toolgate.run_id": run,
        }),
    );
    has(
        named(&spans, "chat scripted"),
        json!({
            "gen_ai.operation.name": "chat", "gen_ai.provider.name": "scripted", "gen_ai.request.model": "scripted",
            "gen_ai.usage.input_tokens": 11, "gen_ai.usage.output_tokens": 7,
            "gen_ai.usage.cache_read.input_tokens": 3, "gen_ai.response.finish_reasons": ["tool_calls"],
        }),
    );
    let announced = named(&spans, "execute_tool announce");
    has(
        announced,
        json!({
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "announce",
            "gen_ai.tool.call.id": receipt.call_id, "toolgate.invocation_id": asks, "toolgate.cached": false,
            "toolgate.egress_class": "write", "toolgate.status": "completed",
        }),
    );
    has(named(&spans, "await approval"), json!({"toolgate.approval.outcome": "approved"}));
    let asked = spans
        .iter()
        .find(|span| span.name == "guard" && span.parent_span_id == Some(announced.span_id))
        .unwrap();
    has(asked, json!({"toolgate.guard.decision": "ask"}));
    assert!(!asked.attributes["toolgate.guard.rules"].as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_says_what_was_denied_and_never_what_was_said() {
    let house = House::new(
        "turns:
  - tool_calls: [{name: hash_text, arguments: {text: hush-argument}}, {name: calculate, arguments: {expression: 40404+1}}]
  - {text: hush-answer}
",
    )
    .await;
    house.agent("helper", &["calculate"]).await;
    let envelope = house.run("helper", "hush-message").await;
    let spans = spans_of(&house, RunId::from_uuid(envelope.invocation_id.uuid())).await;
    let denied = named(&spans, "execute_tool hash_text");
    has(denied, json!({"error.type": denied.error, "toolgate.status": "failed"}));
    assert!(denied.error.is_some());
    let guard = spans.iter().find(|span| span.parent_span_id == Some(denied.span_id)).unwrap();
    assert_eq!((guard.name.as_str(), guard.error.as_deref()), ("guard", Some("denied")));
    has(guard, json!({"toolgate.guard.decision": "deny"}));
    let told = format!("{spans:?}");
    for said in ["hush-message", "hush-argument", "hush-answer", "40404", "40405"] {
        assert!(!told.contains(said), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_and_a_guard_that_stops_are_in_the_trace() {
    let house = House::new("turns: [{error: {code: PROVIDER_ERROR, message: broken}}]").await;
    house.agent("helper", &["calculate"]).await;
    let envelope = house.run("helper", "hello").await;
    let code = envelope.error.unwrap().code.as_str();
    let spans = spans_of(&house, RunId::from_uuid(envelope.invocation_id.uuid())).await;
    for name in ["chat scripted", "invoke_agent helper"] {
        let span = named(&spans, name);
        assert_eq!(span.error.as_deref(), Some(code), "{name}");
        has(span, json!({"error.type": code}));
    }

    let again = "  - tool_calls: [{name: calculate, arguments: {expression: 1+1}}]\n";
    let house = House::new(&format!("turns:\n{}", again.repeat(3))).await;
    house.guarded_agent("helper", &["calculate"], json!({"max_iterations": 1})).await;
    let envelope = house.run("helper", "for ever").await;
    let spans = spans_of(&house, RunId::from_uuid(envelope.invocation_id.uuid())).await;
    let stopped = spans.iter().find(|span| span.error.as_deref() == Some("denied")).unwrap();
    has(
        stopped,
        json!({"toolgate.guard.rules": ["guard.max_iterations"], "toolgate.guard.decision": "deny", "toolgate.guard.iteration": 2}),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_withdrawn_while_it_waits_leaves_no_span_open() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    house.engine.cancel(TenantId::DEFAULT, outer.id).await.unwrap();
    house.ended(outer.id).await;
    let spans = spans_of(&house, run_of(&outer)).await;
    assert!(spans.iter().all(|span| span.ended_at.is_some()), "{:?}", lines(&spans));
    let root = named(&spans, "invoke_agent helper");
    has(root, json!({"toolgate.status": "cancelled", "gen_ai.agent.name": "helper"}));
    has(named(&spans, "await approval"), json!({"toolgate.approval.outcome": "withdrawn"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_within_a_run_has_a_trace_of_its_own_and_they_are_linked() {
    let house = House::new(
        "rules:
  - {contains: hand it over, replies: [{tool_calls: [{name: run_agent, arguments: {agent: other, message: to you}}]}]}
  - {contains: '', replies: [{text: done}]}
",
    )
    .await;
    house.agent("helper", &["run_agent"]).await;
    house.agent("other", &["calculate"]).await;
    let far = SpanRef::from_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    let input = json!({"agent": "helper", "message": "hand it over"});
    let call = Call { traceparent: far, ..Call::new(caller(), Surface::Rest, "run_agent", input) };
    let answer = house.engine.invoke(call).await.unwrap();
    let spans = spans_of(&house, RunId::from_uuid(answer.envelope().unwrap().invocation_id.uuid())).await;
    assert_eq!(named(&spans, "invoke_agent helper").links, [far.unwrap()], "who asked from outside");
    let handed = named(&spans, "execute_tool run_agent");
    let inner: RunId = serde_json::from_value(handed.attributes["toolgate.run_id"].clone()).unwrap();
    let spans = spans_of(&house, inner).await;
    let root = named(&spans, "invoke_agent other");
    assert_eq!(root.links, [SpanRef { trace_id: handed.trace_id, span_id: handed.span_id }]);
    assert_eq!(root.trace_id, TraceId::of(inner.uuid()));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_outside_runs_leave_no_trace() {
    let house = House::new("turns: [{text: hello}]").await;
    let call = Call::new(caller(), Surface::Rest, "calculate", json!({"expression": "1+1"}));
    let answer = house.engine.invoke(call).await.unwrap();
    let id = answer.envelope().unwrap().invocation_id;
    assert_eq!(house.engine.trace(TenantId::DEFAULT, RunId::from_uuid(id.uuid())).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_did_not_get_to_write_is_told_again_from_the_record() {
    let house = House::new(SCRIPT).await;
    house.announcing_agent().await;
    let Answer::Parked(outer) = house.start("helper", "announce it").await else { panic!("it must wait") };
    let run = run_of(&outer);
    let asks = named(&spans_of(&house, run).await, "await approval").invocation_id.unwrap();
    house.engine.stop().await;
    let House { engine, directory, .. } = house;
    drop(engine);
    let lost = rusqlite::Connection::open(directory.path().join("t.db")).unwrap();
    assert!(lost.execute("DELETE FROM spans", ()).unwrap() > 5);
    drop(lost);

    let house = House::open(directory, SCRIPT).await;
    house.engine.decide(&approver(), asks, None, Ruling::Approve(Approval::default())).await.unwrap();
    house.ended(outer.id).await;
    let told = lines(&spans_of(&house, run).await);
    for line in [
        " > invoke_agent helper",
        "invoke_agent helper > chat scripted",
        "invoke_agent helper > execute_tool calculate",
        "invoke_agent helper > execute_tool announce",
        "execute_tool announce > await approval",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}: {told:?}");
    }
    assert_eq!(told.iter().filter(|told| told.ends_with("chat scripted")).count(), 2);
}
