//! What is tried again, and how a status is told.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::Bench,
    host::{Host, Reply, json as answer, respond},
};

const HERE: &[&str] = &["127.0.0.1"];

#[rstest]
#[case("GET")]
#[case("HEAD")]
#[case("PUT")]
#[case("DELETE")]
#[case("OPTIONS")]
#[tokio::test]
async fn what_may_be_repeated_is_until_it_succeeds(#[case] method: &str) {
    let host = Host::start(|number, _| match number {
        0 => respond(503, &[], ""),
        1 => Reply::Bytes(Vec::new()),
        _ => respond(204, &[], ""),
    })
    .await;
    let config = json!({"method": method, "url": host.url("/"), "retries": {"max": 2, "backoff_ms": 1}});
    let answered = Bench::new(HERE).call(config, json!({})).await.unwrap();
    assert_eq!((&answered.value["status"], host.asked().len()), (&json!(204), 3));
}

#[rstest]
#[case("POST")]
#[case("PATCH")]
#[tokio::test]
async fn what_may_act_twice_is_sent_once(#[case] method: &str) {
    let host = Host::start(|_, _| respond(503, &[], "")).await;
    let bench = Bench::new(HERE);
    bench.call(json!({"method": method, "url": host.url("/")}), json!({})).await.unwrap_err();
    assert_eq!(host.asked().len(), 1);
    let refused =
        bench.check(json!({"method": method, "url": host.url("/"), "retries": {"max": 1}})).unwrap_err();
    assert!(refused.contains("idempotency_header"), "{refused}");
}

#[tokio::test]
async fn with_a_key_of_its_own_a_post_may_be_repeated() {
    let host = Host::start(|number, _| respond(if number == 0 { 500 } else { 201 }, &[], "")).await;
    let config = json!({
        "method": "POST", "url": host.url("/"),
        "retries": {"max": 1, "backoff_ms": 1, "idempotency_header": "Idempotency-Key"},
    });
    Bench::new(HERE).call(config, json!({})).await.unwrap();
    let keys: Vec<_> =
        host.asked().iter().map(|asked| asked.header("idempotency-key").unwrap().to_owned()).collect();
    assert_eq!(keys, ["inv_1", "inv_1"]);
}

#[rstest]
#[case(400, ErrorCode::ProviderError, 1)]
#[case(401, ErrorCode::AuthRequired, 1)]
#[case(403, ErrorCode::AuthRequired, 1)]
#[case(404, ErrorCode::ProviderError, 1)]
#[case(408, ErrorCode::Timeout, 2)]
#[case(429, ErrorCode::RateLimit, 2)]
#[case(500, ErrorCode::ProviderError, 2)]
#[case(502, ErrorCode::ProviderError, 2)]
#[case(504, ErrorCode::Timeout, 2)]
#[tokio::test]
async fn a_status_is_one_of_the_stable_codes(
    #[case] status: u16,
    #[case] code: ErrorCode,
    #[case] asked: usize,
) {
    let host = Host::start(move |_, _| answer(status, &json!({"why": "because"}))).await;
    let config = json!({"method": "GET", "url": host.url("/"), "retries": {"max": 1, "backoff_ms": 1}});
    let error = Bench::new(HERE).call(config.clone(), json!({})).await.unwrap_err();
    assert_eq!((error.code, host.asked().len()), (code, asked), "{error}");
    let details = error.details.unwrap();
    assert_eq!((&details["status"], &details["body"]), (&json!(status), &json!("{\"why\":\"because\"}")));
    // The author may want to see it as data.
    let mut accepting = config;
    accepting["accept_status"] = json!(["400-599"]);
    let answered = Bench::new(HERE).call(accepting, json!({})).await.unwrap();
    assert_eq!(
        (&answered.value["status"], &answered.value["body"]["why"]),
        (&json!(status), &json!("because"))
    );
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_kept_or_told() {
    // One second fits; an hour does not, and the caller learns of it.
    let host = Host::start(|number, _| match number {
        0 => respond(429, &[("retry-after", "1")], ""),
        _ => respond(200, &[], ""),
    })
    .await;
    let config =
        |host: &Host| json!({"method": "GET", "url": host.url("/"), "retries": {"max": 1, "backoff_ms": 1}});
    let began = std::time::Instant::now();
    Bench::new(HERE).call(config(&host), json!({})).await.unwrap();
    assert!(began.elapsed().as_millis() >= 1_000);
    for (header, at_least, at_most) in
        [("3600", 3_600, 3_600), ("Fri, 31 Dec 2100 23:59:59 GMT", 86_400, 86_400)]
    {
        let host = Host::start(move |_, _| respond(429, &[("retry-after", header)], "")).await;
        let error = Bench::new(HERE).call(config(&host), json!({})).await.unwrap_err();
        let after = error.retry_after_s.unwrap();
        assert!((at_least..=at_most).contains(&after), "{after}");
        assert_eq!(host.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_tool_can_limit_itself_per_host() {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    let config = json!({"method": "GET", "url": host.url("/"), "per_host": {"limit": 2, "window_s": 3600, "max_concurrent": 1}});
    let bench = Bench::new(HERE);
    for _ in 0..2 {
        bench.call(config.clone(), json!({})).await.unwrap();
    }
    let error = bench.call(config, json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::RateLimit);
    assert!(error.retry_after_s.unwrap() > 1_000);
    assert_eq!(host.asked().len(), 2);
}

#[tokio::test]
async fn an_error_shows_the_beginning_of_a_text_and_nothing_of_a_file() {
    for (kind, body, shown) in [
        ("text/plain", "x".repeat(5_000), json!("x".repeat(1_024))),
        ("image/png", "PNG".to_owned(), Value::Null),
    ] {
        let host = Host::start(move |_, _| respond(500, &[("content-type", kind)], &body)).await;
        let config = json!({"method": "GET", "url": host.url("/"), "retries": {"max": 0}});
        let error = Bench::new(HERE).call(config, json!({})).await.unwrap_err();
        assert_eq!(error.details.unwrap()["body"], shown);
    }
}
