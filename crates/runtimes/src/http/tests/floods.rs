//! Hosts that send too much, too slowly, or round in circles.

use std::{io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    host::{Host, Reply, json as answer, redirect, respond},
};
use crate::http::HttpLimits;

const HERE: &[&str] = &["127.0.0.1"];

fn get(host: &Host) -> Value {
    json!({"method": "GET", "url": host.url("/"), "retries": {"max": 0}})
}

fn reason(error: &toolgate_domain::ToolError) -> String {
    error.details.as_ref().unwrap()["reason"].as_str().unwrap_or_default().to_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn what_is_packed_is_unpacked() {
    let packed = gzip(br#"{"a": 1}"#);
    let host = Host::start(move |_, _| {
        respond(200, &[("content-type", "application/json"), ("content-encoding", "gzip")], &packed)
    })
    .await;
    let answered = Bench::new(HERE).call(get(&host), json!({})).await.unwrap();
    assert_eq!(answered.value["body"], json!({"a": 1}));
    assert_eq!(host.last().header("accept-encoding"), Some("gzip, deflate, br"));
}

#[tokio::test]
async fn a_bomb_does_not_unpack() {
    // 200 MB of nothing in about 200 KB.
    let bomb = gzip(&vec![0; 200_000_000]);
    let host = Host::start(move |_, _| {
        respond(200, &[("content-type", "text/plain"), ("content-encoding", "gzip")], &bomb)
    })
    .await;
    let mut config = get(&host);
    config["max_response_bytes"] = json!(64 * 1024 * 1024);
    let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
    assert_eq!((error.code, reason(&error).as_str()), (ErrorCode::ProviderError, "unpack_ratio"));
}

#[rstest]
#[case::unknown("zstd", b"x".to_vec())]
#[case::twice("gzip, gzip", gzip(b"x"))]
#[case::broken("gzip", b"not gzip at all".to_vec())]
#[case::broken_brotli("br", vec![0xff; 64])]
#[case::broken_deflate("deflate", b"nor this".to_vec())]
#[tokio::test]
async fn what_cannot_be_unpacked_is_an_error(#[case] encoding: &'static str, #[case] body: Vec<u8>) {
    let host = Host::start(move |_, _| respond(200, &[("content-encoding", encoding)], &body)).await;
    let error = Bench::new(HERE).call(get(&host), json!({})).await.unwrap_err();
    assert_eq!((error.code, reason(&error).as_str()), (ErrorCode::ProviderError, "encoding"));
}

#[tokio::test]
async fn a_text_without_end_is_cut_and_it_is_said() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".to_vec();
    let host = Host::start(move |_, _| Reply::Endless(head.clone(), vec![b'x'; 10_000])).await;
    let mut config = get(&host);
    config["max_response_bytes"] = json!(100_000);
    let answered = Bench::new(HERE).call(config, json!({})).await.unwrap();
    assert_eq!(answered.value["body"].as_str().unwrap().len(), 100_000);
    assert_eq!(answered.value["truncated"], true);
}

#[tokio::test]
async fn json_or_a_file_that_is_too_large_is_an_error() {
    for kind in ["application/json", "application/pdf", "image/png"] {
        let host = Host::start(move |_, _| respond(200, &[("content-type", kind)], vec![b'1'; 1_001])).await;
        let mut config = get(&host);
        config["max_response_bytes"] = json!(1_000);
        let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
        assert_eq!((error.code, reason(&error).as_str()), (ErrorCode::ProviderError, "too_large"), "{kind}");
    }
}

#[rstest]
#[case::says_nothing(b"".to_vec())]
#[case::half_a_status(b"HTTP/1.1 20".to_vec())]
#[case::half_a_head(b"HTTP/1.1 200 OK\r\ncontent-type: text/pl".to_vec())]
#[case::half_a_body(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec())]
#[tokio::test]
async fn a_host_that_goes_silent_is_left_when_time_is_up(#[case] said: Vec<u8>) {
    let host = Host::start(move |_, _| Reply::Hang(said.clone())).await;
    let mut config = get(&host);
    config["timeout_ms"] = json!(150);
    let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
    assert_eq!((error.code, &error.details.unwrap()["timeout_ms"]), (ErrorCode::Timeout, &json!(150)));
}

#[tokio::test]
async fn the_deadline_of_the_call_ends_retries_and_redirects_alike() {
    let host = Host::start(|_, _| Reply::Hang(Vec::new())).await;
    let mut bench = Bench::new(HERE);
    bench.timeout = Duration::from_millis(300);
    let config = json!({"method": "GET", "url": host.url("/"), "timeout_ms": 100, "retries": {"max": 5, "backoff_ms": 50}});
    let began = std::time::Instant::now();
    let error = bench.call(config, json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn more_headers_than_are_read_are_an_error() {
    let many: String = (0..2_000).map(|n| format!("x-{n}: y\r\n")).collect();
    let long = format!("x-long: {}\r\n", "y".repeat(70_000));
    for headers in [many, long] {
        let host =
            Host::start(move |_, _| format!("HTTP/1.1 200 OK\r\n{headers}content-length: 0\r\n\r\n").into())
                .await;
        let error = Bench::new(HERE).call(get(&host), json!({})).await.unwrap_err();
        assert!(matches!(error.code, ErrorCode::ProviderError | ErrorCode::NetworkError), "{error}");
    }
}

#[tokio::test]
async fn headers_without_end_are_an_error() {
    let line = "x-more: of the same\r\n".repeat(100).into_bytes();
    let host = Host::start(move |_, _| Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), line.clone())).await;
    let error = Bench::new(HERE).call(get(&host), json!({})).await.unwrap_err();
    assert!(matches!(error.code, ErrorCode::ProviderError | ErrorCode::NetworkError), "{error}");
}

#[tokio::test]
async fn redirects_in_a_circle_end_after_five() {
    let host = Host::start(|_, _| redirect(302, "/again")).await;
    let error = Bench::new(HERE).call(get(&host), json!({})).await.unwrap_err();
    assert_eq!((error.code, reason(&error).as_str()), (ErrorCode::ProviderError, "redirects"));
    assert_eq!(host.asked().len(), 6);
}

#[tokio::test]
async fn redirects_that_are_not_followed_are_data() {
    let host = Host::start(|_, _| redirect(302, "/elsewhere")).await;
    let mut config = get(&host);
    config["follow_redirects"] = json!(false);
    let answered = Bench::new(HERE).call(config, json!({})).await.unwrap();
    assert_eq!(
        (&answered.value["status"], &answered.value["headers"]["location"]),
        (&json!(302), &json!("/elsewhere"))
    );
}

#[tokio::test]
async fn what_is_not_http_is_a_network_error() {
    let host = Host::start(|_, _| Reply::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())).await;
    let error = Bench::new(HERE).call(get(&host), json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NetworkError);
}

#[tokio::test]
async fn nobody_there_and_no_tls_there_are_network_errors() {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    let (here, address) = (Bench::new(HERE), host.address);
    let plain = json!({"method": "GET", "url": format!("https://{address}/"), "retries": {"max": 0}});
    assert_eq!(here.call(plain, json!({})).await.unwrap_err().code, ErrorCode::NetworkError, "no TLS");
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = json!({"method": "GET", "url": format!("http://{gone}/"), "retries": {"max": 0}});
    let error = here.call(gone, json!({})).await.unwrap_err();
    assert_eq!((error.code, &error.details.unwrap()["phase"]), (ErrorCode::NetworkError, &json!("connect")));
}

#[tokio::test]
async fn a_body_that_is_too_large_is_not_sent() {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    let limits = HttpLimits { max_request_bytes: 100, ..HttpLimits::default() };
    let bench = Bench::with(HERE, Names::of(&[]), limits);
    let input = json!({"method": "POST", "url": host.url("/"), "body": "x".repeat(101)});
    assert_eq!(bench.request(input).await.unwrap_err().code, ErrorCode::ValidationError);
    assert!(host.asked().is_empty());
}
