//! An upstream can tell of its part in the trace of the call that it works for.

use futures::FutureExt;
use rstest::rstest;
use serde_json::json;
use toolgate_domain::{SpanId, SpanRef, Surface, TraceId};
use toolgate_engine::{Answer, Call};

use crate::client::{
    common::{House, operator, text},
    web::{Raw, answer, manners, said},
};

const MADE_BY: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[rstest]
#[case::older("2025-06-18")]
#[case::newest("2026-07-28")]
#[tokio::test]
async fn a_program_is_told_the_span_of_this_very_call(#[case] revision: &str) {
    let house = House::new().await;
    house.add_program("files", &[revision]).await;
    let call = || Call::new(operator(), Surface::Mcp, "files_trace", json!({}));

    let lone = house.call("files_trace", json!({})).await;
    let id = lone.invocation_id;
    let span = SpanRef { trace_id: TraceId::of(id.uuid()), span_id: SpanId::of_call(id) };
    assert_eq!(text(&lone), span.traceparent(false), "nobody keeps the span of a call outside any trace");

    let made_by = SpanRef::from_traceparent(MADE_BY);
    let Answer::Done(traced) = house.engine.invoke(Call { traceparent: made_by, ..call() }).await.unwrap()
    else {
        panic!("it must end")
    };
    let span = SpanRef { span_id: SpanId::of_call(traced.invocation_id), ..made_by.unwrap() };
    assert_eq!(text(&traced), span.traceparent(true), "it goes on with the trace of its caller");
}

#[tokio::test]
async fn over_http_the_header_says_the_same_as_the_message() {
    let house = House::new().await;
    let server = Raw::new(|asked| {
        let said = manners(&asked).unwrap_or_else(|| answer(&asked, said("fine")));
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    let called = house.call("raw_one", json!({})).await.invocation_id;
    house.call("raw_one", json!({})).await;
    let asked = server.asked.lock().unwrap();
    let calls: Vec<_> = asked.iter().filter(|asked| asked.wants() == "tools/call").collect();
    let of = |nth: usize| calls[nth].body["params"]["_meta"]["traceparent"].as_str().unwrap();
    assert_eq!(SpanRef::from_traceparent(of(0)).unwrap().span_id, SpanId::of_call(called));
    assert_ne!(of(0), of(1), "each call has a span of its own, on one connection");
    for (nth, call) in calls.iter().enumerate() {
        assert_eq!(call.headers["traceparent"], of(nth));
    }
}
