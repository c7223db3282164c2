//! What the caller's values become, and what they cannot become.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::Bench,
    host::{Host, json as answer},
};

const HERE: &[&str] = &["127.0.0.1"];

async fn echo() -> Host {
    Host::start(|_, _| answer(200, &json!({}))).await
}

#[tokio::test]
async fn values_go_into_path_query_headers_and_body() {
    let host = echo().await;
    let config = json!({
        "method": "POST",
        "url": host.url("/teams/{team}/people?fixed=1"),
        "query": {"tag": "$input.tags", "since": "$input.since", "limit": 5, "q": "name:{$input.name}"},
        "headers": {"X-Name": "I am {$input.name}", "X-Gone": "$input.gone"},
        "body": {"name": "$input.name", "tags": "$input.tags", "gone": "$input.gone", "kind": "person"},
    });
    let input = json!({"team": "a/b", "name": "Ada \"L\"", "tags": ["x", "y&z"]});
    Bench::new(HERE).call(config, input).await.unwrap();
    let asked = host.last();
    // Keys of an object are sorted, so that a request can be told in advance.
    assert_eq!(
        asked.line,
        "POST /teams/a%2Fb/people?fixed=1&limit=5&q=name%3AAda+%22L%22&tag=x&tag=y%26z HTTP/1.1"
    );
    assert_eq!((asked.header("x-name"), asked.header("x-gone")), (Some("I am Ada \"L\""), None));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    assert_eq!(body, json!({"name": "Ada \"L\"", "tags": ["x", "y&z"], "kind": "person"}));
}

#[tokio::test]
async fn a_form_is_encoded_and_a_text_is_sent_as_it_is() {
    let host = echo().await;
    let bench = Bench::new(HERE);
    let form = json!({"method": "POST", "url": host.url("/"), "form": {"a": "$input.a", "b": "x{$input.a}"}});
    bench.call(form, json!({"a": "1&b=2"})).await.unwrap();
    assert_eq!(host.last().body, "a=1%26b%3D2&b=x1%26b%3D2");
    assert_eq!(host.last().header("content-type"), Some("application/x-www-form-urlencoded"));
    let text = json!({"method": "PUT", "url": host.url("/"), "body": "Hello {$input.a}"});
    bench.call(text, json!({"a": "you"})).await.unwrap();
    assert_eq!(
        (host.last().body.as_str(), host.last().header("content-type")),
        ("Hello you", Some("text/plain; charset=utf-8"))
    );
}

#[tokio::test]
async fn a_body_that_the_caller_left_out_is_left_out() {
    let host = echo().await;
    let bench = Bench::new(HERE);
    let config = json!({"method": "POST", "url": host.url("/"), "body": "$input.body"});
    bench.call(config.clone(), json!({})).await.unwrap();
    assert_eq!((host.last().body.as_str(), host.last().header("content-type")), ("", None));
    bench.call(config, json!({"body": null})).await.unwrap();
    assert_eq!(
        (host.last().body.as_str(), host.last().header("content-type")),
        ("null", Some("application/json"))
    );
}

#[tokio::test]
async fn a_value_cannot_break_out_of_xml() {
    let host = echo().await;
    let config = json!({
        "method": "POST", "url": host.url("/"), "headers": {"Content-Type": "application/xml"},
        "body": "<name>{$input.name}</name>",
    });
    Bench::new(HERE).call(config, json!({"name": "</name><admin/>"})).await.unwrap();
    assert_eq!(host.last().body, "<name>&lt;/name&gt;&lt;admin/&gt;</name>");
}

#[rstest]
#[case::carriage_return("x\r\nX-Admin: 1")]
#[case::line_feed("x\nX-Admin: 1")]
#[case::nul("x\0y")]
#[tokio::test]
async fn a_line_break_in_a_header_is_refused(#[case] value: &str) {
    let host = echo().await;
    let bench = Bench::new(HERE);
    let config = json!({"method": "GET", "url": host.url("/"), "headers": {"X-Name": "$input.name"}});
    assert_eq!(
        bench.call(config, json!({"name": value})).await.unwrap_err().code,
        ErrorCode::ValidationError
    );
    let request = json!({"method": "GET", "url": host.url("/"), "headers": {"X-Name": value}});
    assert_eq!(bench.request(request).await.unwrap_err().code, ErrorCode::ValidationError);
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn a_line_break_in_path_or_query_is_encoded() {
    let host = echo().await;
    let config = json!({"method": "GET", "url": host.url("/{p}?a={q}"), "query": {"b": "$input.q"}});
    Bench::new(HERE).call(config, json!({"p": "x\r\ny", "q": "1\r\nHost: z"})).await.unwrap();
    assert_eq!(host.last().line, "GET /x%0D%0Ay?a=1%0D%0AHost%3A%20z&b=1%0D%0AHost%3A+z HTTP/1.1");
}

#[rstest]
#[case("Host")]
#[case("Connection")]
#[case("Transfer-Encoding")]
#[case("Content-Length")]
#[case("Upgrade")]
#[case("Proxy-Authorization")]
#[case("bad name")]
#[case("X-A\r\nX-B")]
#[case("Authorization")]
#[case("Cookie")]
#[tokio::test]
async fn http_request_sends_no_header_of_the_connection_and_no_credentials(#[case] name: &str) {
    let host = echo().await;
    let request = json!({"method": "GET", "url": host.url("/"), "headers": {name: "x"}});
    assert_eq!(Bench::new(HERE).request(request).await.unwrap_err().code, ErrorCode::ValidationError);
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn http_request_sends_what_it_is_told() {
    let host = echo().await;
    let bench = Bench::new(HERE);
    let request = json!({
        "method": "PATCH", "url": host.url("/a?b=1#part"), "query": {"c": "d e", "n": 2},
        "headers": {"Accept": "application/json"}, "body": {"x": [1]},
    });
    bench.request(request).await.unwrap();
    let asked = host.last();
    assert_eq!(asked.line, "PATCH /a?b=1&c=d+e&n=2 HTTP/1.1");
    assert_eq!((asked.header("accept"), asked.body.as_str()), (Some("application/json"), "{\"x\":[1]}"));
    bench.request(json!({"method": "POST", "url": host.url("/"), "body": "plain"})).await.unwrap();
    assert_eq!(host.last().body, "plain");
    let get = json!({"method": "GET", "url": host.url("/"), "body": "x"});
    assert_eq!(bench.request(get).await.unwrap_err().code, ErrorCode::ValidationError);
}
