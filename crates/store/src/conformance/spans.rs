//! The spans of runs.

use serde_json::json;
use toolgate_domain::{
    Clock, InvocationId, RunId, Span, SpanId, SpanKind, SpanRef, TenantId, Timestamp, TraceId,
};

use super::Fixture;

pub async fn a_span_is_replaced_while_it_goes_on_and_stays_once_it_ended(f: &Fixture) {
    let spans = &f.stores.spans;
    let run = RunId::generate(&f.ids);
    let trace = TraceId::of(run.uuid());
    let now = f.clock.now();
    let link = SpanRef { trace_id: TraceId::of(f.new_uuid()), span_id: SpanId::of_run(run) };
    let span = |nth: u64, ended_at: Option<Timestamp>| Span {
        tenant_id: TenantId::DEFAULT,
        trace_id: trace,
        span_id: SpanId::of(run.uuid(), "chat", nth),
        parent_span_id: (nth > 0).then(|| SpanId::of_run(run)),
        name: format!("chat é{nth}"),
        kind: SpanKind::Client,
        started_at: now.plus_ms(i64::try_from(nth).unwrap()),
        ended_at,
        error: None,
        attributes: json!({"gen_ai.usage.input_tokens": nth}).as_object().cloned().unwrap(),
        links: Vec::new(),
        run_id: Some(run),
        invocation_id: Some(InvocationId::from_uuid(run.uuid())),
    };
    let open = Span { links: vec![link], ..span(0, None) };
    let ended = span(1, Some(now.plus_ms(9)));
    spans.add_spans(&[ended.clone(), open.clone()]).await.unwrap();
    let all = |limit| spans.spans(TenantId::DEFAULT, trace, limit);
    assert_eq!(all(10).await.unwrap(), [open.clone(), ended.clone()], "in the order in which they began");
    assert_eq!(all(1).await.unwrap(), [open]);

    let closed = Span { error: Some("TIMEOUT".to_owned()), name: "other".to_owned(), ..span(0, Some(now)) };
    let late = Span { name: "too late".to_owned(), ..ended.clone() };
    spans.add_spans(&[closed.clone(), late]).await.unwrap();
    let closed = Span { links: vec![link], ..closed };
    assert_eq!(all(10).await.unwrap(), [closed.clone(), ended.clone()], "the links stay");
    spans.add_spans(&[span(0, None), span(1, None)]).await.unwrap();
    assert_eq!(all(10).await.unwrap(), [closed.clone(), ended], "what ended does not go on");

    let one = spans.span(TenantId::DEFAULT, trace, closed.span_id).await.unwrap();
    assert_eq!(one, Some(closed.clone()));
    assert_eq!(spans.span(TenantId::DEFAULT, trace, SpanId::of_run(run)).await.unwrap(), None);
    let update = "UPDATE spans SET name = 'rewritten'";
    assert!(f.raw.execute(update).await.is_err(), "not even around the traits");
}

pub async fn the_spans_of_a_tenant_are_nobody_elses(f: &Fixture) {
    let spans = &f.stores.spans;
    let trace = TraceId::of(f.new_uuid());
    let others = TenantId::from_uuid(f.new_uuid());
    let span = |tenant_id, name: &str| Span {
        tenant_id,
        trace_id: trace,
        span_id: SpanId::of(TenantId::DEFAULT.uuid(), "same", 0),
        parent_span_id: None,
        name: name.to_owned(),
        kind: SpanKind::Internal,
        started_at: f.clock.now(),
        ended_at: None,
        error: None,
        attributes: serde_json::Map::new(),
        links: Vec::new(),
        run_id: None,
        invocation_id: None,
    };
    let (mine, theirs) = (span(TenantId::DEFAULT, "mine"), span(others, "theirs"));
    spans.add_spans(&[mine.clone(), theirs.clone()]).await.unwrap();
    assert_eq!(spans.spans(TenantId::DEFAULT, trace, 10).await.unwrap(), [mine]);
    assert_eq!(spans.spans(others, trace, 10).await.unwrap(), [theirs]);
}
