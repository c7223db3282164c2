//! Upstreams over HTTP: those of the SDK in its oldest and its newest revision, and others.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use rmcp::model::ProtocolVersion;
use rstest::rstest;
use serde_json::json;
use toolgate_domain::ErrorCode;

use crate::client::{
    common::{House, failure, text},
    web::{Raw, answer, manners, polite, reply, said},
};

#[rstest]
#[case::oldest(&[ProtocolVersion::V_2024_11_05], "2024-11-05")]
#[case::with_sessions(&[ProtocolVersion::V_2025_03_26, ProtocolVersion::V_2025_11_25], "2025-11-25")]
#[case::newest(ProtocolVersion::KNOWN_VERSIONS, "2026-07-28")]
#[tokio::test]
async fn the_newest_common_revision_is_spoken(#[case] revisions: &[ProtocolVersion], #[case] spoken: &str) {
    let house = House::new().await;
    let url = polite(revisions).await;
    let added = house.add("polite", json!({"kind": "http", "url": url})).await;
    assert_eq!(added.error, None);
    assert_eq!(added.upstream.status.revision.as_deref(), Some(spoken));
    assert_eq!(house.text("polite_echo", json!({"text": "hello"})).await, "hello");
    let measured = house.call("polite_measure", json!({"text": "hello"})).await;
    assert_eq!(measured.output, Some(json!({"length": 5})), "{:?}", measured.error);
}

#[rstest]
#[case::unauthorized(401, &[("www-authenticate", "Bearer")], ErrorCode::AuthRequired, None)]
#[case::forbidden(403, &[], ErrorCode::AuthRequired, None)]
#[case::too_many(429, &[("retry-after", "17")], ErrorCode::RateLimit, Some(17))]
#[case::failed(503, &[], ErrorCode::ProviderError, None)]
#[case::elsewhere(307, &[("location", "http://127.0.0.1:1/")], ErrorCode::ProviderError, None)]
#[case::no_json(200, &[("content-type", "application/json")], ErrorCode::ProviderError, None)]
#[case::a_page(200, &[("content-type", "text/html")], ErrorCode::ProviderError, None)]
#[tokio::test]
async fn a_status_has_its_code(
    #[case] status: u16,
    #[case] headers: &'static [(&'static str, &'static str)],
    #[case] code: ErrorCode,
    #[case] retry_after_s: Option<u64>,
) {
    let house = House::new().await;
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| match asked.tool() {
            "one" => reply(status, headers, "{oh"),
            _ => answer(&asked, said("fine")),
        });
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    let failed = house.call("raw_one", json!({})).await;
    assert_eq!((failure(&failed).0, failed.error.unwrap().retry_after_s), (code, retry_after_s));
    assert_eq!(server.count("tools/call"), 1, "it is not made again");
    assert_eq!(house.text("raw_two", json!({})).await, "fine");
}

#[rstest]
#[case::at_once("content-length: 50000000\r\n", "")]
#[case::while_it_comes("transfer-encoding: chunked\r\n", "2000000\r\n")]
#[tokio::test]
async fn a_result_that_is_too_large_is_not_read_to_its_end(
    #[case] length: &'static str,
    #[case] chunk: &'static str,
) {
    let house = House::new().await;
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| {
            let mut bytes =
                format!("HTTP/1.1 200 x\r\ncontent-type: application/json\r\n{length}\r\n{chunk}")
                    .into_bytes();
            // More than may be read, and less than is said: whoever waits for the rest waits for ever.
            bytes.resize(bytes.len() + 20_000_000, b'x');
            Some(bytes)
        });
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    let failed = house.call("raw_one", json!({})).await;
    assert_eq!(failure(&failed), (ErrorCode::ProviderError, "too_large".to_owned()));
}

#[rstest]
#[case::of_a_tool("raw_one", json!({}))]
#[case::of_a_resource("read_upstream_resource", json!({"server": "raw", "uri": "file:///huge"}))]
#[tokio::test]
async fn a_stream_whose_answer_is_too_large_ends_the_same_and_is_not_asked_again(
    #[case] tool: &str,
    #[case] input: serde_json::Value,
) {
    let house = House::new().await;
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| {
            let text = "x".repeat(50_000_000);
            let result = json!({"contents": [{"uri": "file:///huge", "text": text}], "content": []});
            let answer = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result});
            reply(200, &[("content-type", "text/event-stream")], &format!("data: {answer}\n\n"))
        });
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    let failed = house.call(tool, input).await;
    assert_eq!(failure(&failed), (ErrorCode::ProviderError, "too_large".to_owned()));
    assert_eq!(server.count("tools/call") + server.count("resources/read"), 1);
}

#[tokio::test]
async fn a_session_that_the_server_ended_is_begun_anew() {
    let house = House::new().await;
    let calls = AtomicUsize::new(0);
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| match calls.fetch_add(1, Ordering::SeqCst) {
            0 => reply(404, &[], ""),
            _ => answer(&asked, said("again")),
        });
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    assert_eq!(house.text("raw_one", json!({})).await, "again");
    assert_eq!(server.count("initialize"), 2);
}

#[tokio::test]
async fn a_stream_that_breaks_before_the_answer_fails_the_call_and_is_not_made_again() {
    let house = House::new().await;
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| {
            let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "on my way"}});
            let answer = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": said("there")});
            let events = match asked.tool() {
                "one" => format!("data: {log}\n\n"),
                _ => format!("data: {log}\n\ndata: {answer}\n\n"),
            };
            reply(200, &[("content-type", "text/event-stream")], &events)
        });
        async move { said }.boxed()
    })
    .await;
    house.add("raw", json!({"kind": "http", "url": server.url})).await;
    let failed = house.call("raw_one", json!({})).await;
    assert_eq!(failure(&failed).0, ErrorCode::NetworkError, "{:?}", failed.error);
    assert_eq!(server.count("tools/call"), 1);
    let whole = house.call("raw_two", json!({})).await;
    assert_eq!(text(&whole), "there");
    assert!(
        house.record(&whole).await.contains("on my way"),
        "what it logs on the stream of the answer is told"
    );
}

#[tokio::test]
async fn an_upstream_that_sends_byte_by_byte_costs_its_own_call_alone() {
    let house = House::new().await;
    let server = Raw::new(move |asked| {
        let said = manners(&asked).unwrap_or_else(|| match asked.tool() {
            "one" => Some(
                b"HTTP/1.1 200 x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{".to_vec(),
            ),
            _ => answer(&asked, said("fine")),
        });
        async move { said }.boxed()
    })
    .await;
    let spec = json!({
        "name": "raw", "transport": {"kind": "http", "url": server.url}, "egress_class": "read_only", "timeout_ms": 500,
    });
    house.add_spec(&crate::client::common::operator(), spec).await;
    let (slow, fine) = tokio::join!(house.call("raw_one", json!({})), house.text("raw_two", json!({})));
    assert_eq!(failure(&slow).0, ErrorCode::Timeout);
    assert_eq!(fine, "fine");
}
