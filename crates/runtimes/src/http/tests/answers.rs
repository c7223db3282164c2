//! What becomes of a body.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{AttachmentKind, ErrorCode};

use super::{
    bench::Bench,
    host::{Host, respond},
};
use crate::http::run::Answer;

const HERE: &[&str] = &["127.0.0.1"];

async fn read(kind: &'static str, body: &'static [u8], extra: Value) -> Answer {
    let host = Host::start(move |_, _| respond(200, &[("content-type", kind)], body)).await;
    let mut config = json!({"method": "GET", "url": host.url("/")});
    for (key, value) in extra.as_object().unwrap() {
        config[key] = value.clone();
    }
    Bench::new(HERE).call(config, json!({})).await.unwrap()
}

#[rstest]
#[case::json("application/json; charset=utf-8", b"{\"a\": [1]}", json!({"a": [1]}))]
#[case::problem("application/problem+json", b"{\"a\": 1}", json!({"a": 1}))]
#[case::not_json("application/json", b"oops", json!("oops"))]
#[case::long_id("application/json", b"{\"id\": 12345678901234567}", json!({"id": "12345678901234567"}))]
#[case::text("text/plain", b"hello", json!("hello"))]
#[case::latin("text/plain; charset=iso-8859-1", b"caf\xe9", json!("café"))]
#[case::broken_utf8("text/plain", b"a\xffb", json!("a\u{fffd}b"))]
#[case::html("text/html", b"<h1>Hi</h1><script>x</script><p>A &amp; B", json!("# Hi\n\nA & B"))]
#[case::csv("text/csv", b"a,b\n1,2\n", json!({"columns": ["a", "b"], "rows": [["1", "2"]]}))]
#[case::tsv("text/tab-separated-values", b"a\tb\n1\t2\n", json!({"columns": ["a", "b"], "rows": [["1", "2"]]}))]
#[case::svg("image/svg+xml", b"<svg/>", json!("<svg/>"))]
#[case::unsaid_json("", b"[1]", json!([1]))]
#[case::unsaid_text("", b"plain", json!("plain"))]
#[case::empty("application/json", b"", Value::Null)]
#[tokio::test]
async fn a_body_is_read_by_its_content_type(
    #[case] kind: &'static str,
    #[case] body: &'static [u8],
    #[case] expected: Value,
) {
    let answered = read(kind, body, json!({})).await;
    assert_eq!(answered.value["body"], expected);
    assert!(answered.attachments.is_empty());
}

#[rstest]
#[case::image("image/png", AttachmentKind::Image, "image/png")]
#[case::file("application/pdf", AttachmentKind::Blob, "application/pdf")]
#[case::unsaid("", AttachmentKind::Blob, "application/octet-stream")]
#[tokio::test]
async fn images_and_files_are_attached(
    #[case] kind: &'static str,
    #[case] attached: AttachmentKind,
    #[case] content_type: &str,
) {
    let answered = read(kind, b"\x89PNG\xff\x00", json!({})).await;
    assert_eq!(answered.value["body"], json!({"attachment": 0, "content_type": content_type, "bytes": 6}));
    let [attachment] = answered.attachments.as_slice() else { panic!("one attachment") };
    assert_eq!(
        (attachment.kind, attachment.content_type.as_str(), attachment.bytes.len()),
        (attached, content_type, 6)
    );
}

#[rstest]
#[case("text", b"<b>x</b>", json!("<b>x</b>"))]
#[case("html", b"<b>x</b>", json!("x"))]
#[case("csv", b"a;b\n1;2", json!({"columns": ["a", "b"], "rows": [["1", "2"]]}))]
#[case("json", b"{\"a\": 1}", json!({"a": 1}))]
#[tokio::test]
async fn the_author_can_say_how_it_is_read(
    #[case] preview: &str,
    #[case] body: &'static [u8],
    #[case] expected: Value,
) {
    assert_eq!(read("text/html", body, json!({"preview": preview})).await.value["body"], expected);
}

#[rstest]
#[case::jsonpath(json!("$.list[*].n"), json!([1, 2]))]
#[case::jmespath(json!("list[?n > `1`].n | [0]"), json!(2))]
#[tokio::test]
async fn a_query_picks_what_is_wanted(#[case] query: Value, #[case] expected: Value) {
    let body = b"{\"list\": [{\"n\": 1}, {\"n\": 2}]}";
    let answered = read("application/json", body, json!({"response": query})).await;
    assert_eq!((&answered.value["body"], &answered.value["status"]), (&expected, &json!(200)));
    let whole = json!({"response": {"query": query, "as": "output"}});
    assert_eq!(read("application/json", body, whole).await.value, expected);
}

#[tokio::test]
async fn a_query_over_what_is_no_json_is_the_hosts_failure() {
    let host = Host::start(|_, _| respond(200, &[("content-type", "text/html")], "<p>maintenance</p>")).await;
    let config = json!({"method": "GET", "url": host.url("/"), "response": "$.a"});
    let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
    assert_eq!(
        (error.code, &error.details.unwrap()["reason"]),
        (ErrorCode::ProviderError, &json!("not_json"))
    );
}

#[tokio::test]
async fn only_headers_of_the_list_are_shown_and_the_query_is_not() {
    let host = Host::start(|_, _| {
        respond(
            200,
            &[
                ("content-type", "text/plain"),
                ("set-cookie", "a=b"),
                ("x-request-id", "7"),
                ("etag", "\"1\""),
            ],
            "x",
        )
    })
    .await;
    let bench = Bench::new(HERE);
    let config = json!({"method": "GET", "url": host.url("/a?secret=1")});
    let value = bench.call(config, json!({})).await.unwrap().value;
    assert_eq!(value["headers"], json!({"content-type": "text/plain", "etag": "\"1\""}));
    assert_eq!(value["url"], host.url("/a"));
    let config = json!({"method": "GET", "url": host.url("/"), "response_headers": ["X-Request-Id"]});
    assert_eq!(bench.call(config, json!({})).await.unwrap().value["headers"], json!({"x-request-id": "7"}));
}

#[tokio::test]
async fn head_has_no_body() {
    let host = Host::start(|_, _| {
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\nconnection: close\r\n\r\n"
            .to_owned()
            .into()
    })
    .await;
    let answered =
        Bench::new(HERE).call(json!({"method": "HEAD", "url": host.url("/")}), json!({})).await.unwrap();
    assert_eq!((&answered.value["status"], &answered.value["body"]), (&json!(200), &Value::Null));
}
