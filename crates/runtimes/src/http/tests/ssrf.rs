//! Nothing that a caller, a host or a name server says makes the client connect to where it may not. In every story a real
//! server stands at the forbidden place, and was not asked.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    forms,
    host::{Host, json as answer, redirect},
};
use crate::http::HttpLimits;

async fn forbidden() -> Host {
    Host::start(|_, _| answer(200, &json!({"secret": "of the inside"}))).await
}

fn get(url: &str) -> Value {
    json!({"method": "GET", "url": url})
}

#[tokio::test]
async fn an_address_inside_is_refused_however_it_is_spelled() {
    let (host, bench) = (forbidden().await, Bench::new(&[]));
    for url in forms::INSIDE {
        let url = url.replace("PORT", &host.port().to_string());
        let refused = bench.request(get(&url)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::PolicyDenied, "{url}: {refused}");
    }
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn a_url_that_can_be_read_in_two_ways_is_not_read() {
    let host = forbidden().await;
    let names = Names::of(&[("good.example", &[&["127.0.0.1"]])]);
    let bench = Bench::with(&["good.example", "127.0.0.1"], names, HttpLimits::default());
    for url in forms::AMBIGUOUS {
        let url = url.replace("PORT", &host.port().to_string());
        let refused = bench.request(get(&url)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ValidationError, "{url}: {refused}");
    }
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn a_fragment_that_looks_like_a_host_is_none() {
    let host = forbidden().await;
    let url = format!("http://127.0.0.1:{}#@good.example/", host.port());
    let refused = Bench::new(&["good.example"]).request(get(&url)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied);
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn a_name_that_resolves_inside_is_refused() {
    let host = forbidden().await;
    let names =
        Names::of(&[("evil.example", &[&["127.0.0.1"]]), ("mapped.example", &[&["::ffff:127.0.0.1"]])]);
    let bench = Bench::with(&[], names, HttpLimits::default());
    for name in ["evil.example", "mapped.example"] {
        let refused = bench.request(get(&format!("http://{name}:{}/", host.port()))).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::PolicyDenied);
        assert!(!refused.message.contains("127.0.0.1"), "what it resolved to is not told: {refused}");
    }
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn one_address_inside_among_several_refuses_them_all() {
    let host = forbidden().await;
    let names = Names::of(&[("both.example", &[&["93.184.216.34", "127.0.0.1"]])]);
    let bench = Bench::with(&[], names, HttpLimits::default());
    let refused = bench.request(get(&format!("http://both.example:{}/", host.port()))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied);
    assert!(host.asked().is_empty());
}

/// 127.0.0.1 is allowed and stands for the world outside; 127.0.0.2, at the same port, for the inside.
async fn outside_and_inside() -> (Host, Host, String) {
    let outside = Host::start(|_, _| answer(200, &json!({"from": "outside"}))).await;
    let at = format!("127.0.0.2:{}", outside.port());
    let inside = Host::start_at(&at, |_, _| answer(200, &json!({"from": "inside"}))).await;
    let url = format!("http://rebind.example:{}/", outside.port());
    (outside, inside, url)
}

#[tokio::test]
async fn a_name_that_answers_differently_the_second_time_gains_nothing() {
    let (outside, inside, url) = outside_and_inside().await;
    let names = Names::of(&[("rebind.example", &[&["127.0.0.1"], &["127.0.0.2"]])]);
    let bench = Bench::with(&["127.0.0.1"], names.clone(), HttpLimits::default());
    // The address that was judged is the one that is connected to: the name is asked for once.
    let answered = bench.request(get(&url)).await.unwrap();
    assert_eq!(answered.value["body"], json!({"from": "outside"}));
    assert_eq!(names.asked.lock().unwrap().len(), 1);
    // The next call asks again, and sees the other face.
    assert_eq!(bench.request(get(&url)).await.unwrap_err().code, ErrorCode::PolicyDenied);
    assert_eq!((outside.asked().len(), inside.asked().len()), (1, 0));
}

#[tokio::test]
async fn a_name_that_turns_between_two_hops_is_caught_at_the_second() {
    let outside =
        Host::start(|_, asked| redirect(302, &format!("http://{}/again", asked.header("host").unwrap())))
            .await;
    let inside =
        Host::start_at(&format!("127.0.0.2:{}", outside.port()), |_, _| answer(200, &json!({}))).await;
    let names = Names::of(&[("rebind.example", &[&["127.0.0.1"], &["127.0.0.2"]])]);
    let bench = Bench::with(&["127.0.0.1"], names, HttpLimits::default());
    let refused =
        bench.request(get(&format!("http://rebind.example:{}/", outside.port()))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied);
    assert_eq!((outside.asked().len(), inside.asked().len()), (1, 0));
}

#[tokio::test]
async fn a_retry_is_judged_anew() {
    let outside = Host::start(|_, _| answer(503, &json!({}))).await;
    let inside =
        Host::start_at(&format!("127.0.0.2:{}", outside.port()), |_, _| answer(200, &json!({}))).await;
    let names = Names::of(&[("rebind.example", &[&["127.0.0.1"], &["127.0.0.2"]])]);
    let bench = Bench::with(&["127.0.0.1"], names, HttpLimits::default());
    let refused =
        bench.request(get(&format!("http://rebind.example:{}/", outside.port()))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied);
    assert_eq!((outside.asked().len(), inside.asked().len()), (1, 0));
}

#[rstest]
#[case::address("http://127.0.0.2:PORT/x")]
#[case::decimal("http://2130706434:PORT/x")]
#[case::hex("//0x7f000002:PORT/x")]
#[case::mapped("http://[::ffff:127.0.0.2]:PORT/x")]
#[case::metadata("http://169.254.169.254/latest/meta-data/")]
#[case::localhost("http://localhost:PORT/x")]
#[case::name("http://inner.example:PORT/x")]
#[case::userinfo("http://good.example@127.0.0.2:PORT/x")]
#[case::file("file:///etc/passwd")]
#[case::ftp("ftp://127.0.0.2:PORT/x")]
#[tokio::test]
async fn a_redirect_inside_is_not_followed(#[case] location: &str) {
    let inside = Host::start_at("127.0.0.2:0", |_, _| answer(200, &json!({}))).await;
    let location = location.replace("PORT", &inside.port().to_string());
    let outside = Host::start(move |_, _| redirect(302, &location)).await;
    let names = Names::of(&[("inner.example", &[&["127.0.0.2"]])]);
    let bench = Bench::with(&["127.0.0.1"], names, HttpLimits::default());
    let refused = bench.request(get(&outside.url("/"))).await.unwrap_err();
    assert!(matches!(refused.code, ErrorCode::PolicyDenied | ErrorCode::ProviderError), "{refused}");
    assert_eq!((outside.asked().len(), inside.asked().len()), (1, 0));
}

#[tokio::test]
async fn an_allowed_port_does_not_open_the_others() {
    let (allowed, other) = (forbidden().await, forbidden().await);
    let bench = Bench::new(&[&format!("127.0.0.1:{}", allowed.port())]);
    bench.request(get(&allowed.url("/"))).await.unwrap();
    let refused = bench.request(get(&other.url("/"))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied);
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_asked() {
    // The client is built without proxies; a name that only a proxy could resolve shows it.
    let bench = Bench::new(&[]);
    let error = bench.request(get("http://only-a-proxy.example/")).await.unwrap_err();
    assert_eq!((error.code, &error.details.unwrap()["phase"]), (ErrorCode::NetworkError, &json!("dns")));
}

#[rstest]
#[case::host_of_another("https://{host}/x")]
#[case::inside("http://127.0.0.1/x")]
#[case::localhost("http://localhost:8080/x")]
#[case::credentials("https://user:word@a.example/x")]
#[case::userinfo_placeholder("https://{user}@a.example/x")]
#[tokio::test]
async fn a_definition_that_leads_inside_or_anywhere_is_not_saved(#[case] url: &str) {
    let refused = Bench::new(&[]).check(json!({"method": "GET", "url": url})).unwrap_err();
    assert!(refused.starts_with("`url`"), "{refused}");
}
