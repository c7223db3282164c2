//! `webSearch` speaks Exa's format, held against files.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    host::{Host, json as answer},
};
use crate::http::HttpLimits;

fn bench(host: &Host, path: &str) -> Bench {
    Bench::searching(&[], Names::of(&[]), HttpLimits::default(), &host.url(path))
        .secret("EXA_API_KEY", "exa-key-1")
}

fn fixture(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn a_search_goes_out_and_comes_back_in_our_shape() {
    let response = fixture(include_str!("fixtures/exa_response.json"));
    let host = Host::start(move |_, _| answer(200, &response)).await;
    let input = json!({
        "query": "Who maintains the time zone database?", "num_results": 3,
        "include_domains": ["iana.org", "example.org"], "exclude_domains": ["spam.example"],
        "start_published_date": "2026-01-31",
    });
    // The operator named the host, so the wall lets it through although it is on this machine.
    let (found, cost) = bench(&host, "").search(input).await.unwrap();
    let asked = host.last();
    assert_eq!(
        (asked.line.as_str(), asked.header("x-api-key")),
        ("POST /search HTTP/1.1", Some("exa-key-1"))
    );
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(fixture(&asked.body), fixture(include_str!("fixtures/exa_request.json")));
    assert_eq!(
        found,
        json!({
            "query": "Who maintains the time zone database?",
            "results": [
                {
                    "title": "Time Zone Database", "url": "https://www.iana.org/time-zones",
                    "snippet": "The Time Zone Database contains code and data that represent the history of local time.",
                    "published_date": "2026-02-03T00:00:00.000Z", "author": "IANA", "score": 0.460_016_578_435_897_8,
                },
                {
                    "title": "https://example.org/tz", "url": "https://example.org/tz", "snippet": "A highlight.",
                    "published_date": null, "author": null, "score": null,
                },
            ],
        })
    );
    assert_eq!(cost, Some(0.006));
    let schema = crate::http::tools::WebSearch::spec().output_schema.unwrap();
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&found));
}

#[tokio::test]
async fn a_search_may_live_below_a_path_and_is_repeated_when_the_host_is_busy() {
    let host =
        Host::start(|number, _| answer(if number == 0 { 503 } else { 200 }, &json!({"results": []}))).await;
    let (found, cost) = bench(&host, "/exa/").search(json!({"query": "x"})).await.unwrap();
    assert_eq!((&found["results"], cost), (&json!([]), None));
    assert_eq!(host.last().path(), "/exa/search");
    assert_eq!(fixture(&host.last().body)["numResults"], 10);
}

#[rstest]
#[case(401, json!({"error": "bad key"}), ErrorCode::AuthRequired)]
#[case(429, json!({}), ErrorCode::RateLimit)]
#[case(400, json!({}), ErrorCode::ProviderError)]
#[case(200, json!({"nothing": 1}), ErrorCode::ProviderError)]
#[tokio::test]
async fn a_search_that_fails_says_how(#[case] status: u16, #[case] body: Value, #[case] code: ErrorCode) {
    let host = Host::start(move |_, _| answer(status, &body)).await;
    assert_eq!(bench(&host, "").search(json!({"query": "x"})).await.unwrap_err().code, code);
}

#[tokio::test]
async fn without_a_key_nothing_is_asked() {
    let host = Host::start(|_, _| answer(200, &json!({"results": []}))).await;
    let bench = Bench::searching(&[], Names::of(&[]), HttpLimits::default(), &host.url(""));
    let error = bench.search(json!({"query": "x"})).await.unwrap_err();
    assert_eq!(
        (error.code, error.details.unwrap()),
        (ErrorCode::AuthRequired, json!({"missing": ["EXA_API_KEY"]}))
    );
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn the_way_to_the_search_is_open_to_the_search_alone() {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    let error = bench(&host, "").request(json!({"method": "GET", "url": host.url("/")})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::PolicyDenied);
}
