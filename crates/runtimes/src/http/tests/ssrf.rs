//! Nothing that a caller, a host or a name server says makes the client connect to where it may not. In every story a real
//! server stands at the forbidden place, and was not asked.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    host::{Host, json as answer, redirect},
};
use crate::http::HttpLimits;

async fn forbidden() -> Host {
    Host::start(|_, _| answer(200, &json!({"secret": "of the inside"}))).await
}

fn get(url: &str) -> Value {
    json!({"method": "GET", "url": url})
}

#[rstest]
#[case::plain("http://127.0.0.1:PORT/")]
#[case::decimal("http://2130706433:PORT/")]
#[case::octal("http://0177.0.0.1:PORT/")]
#[case::octal_whole("http://017700000001:PORT/")]
#[case::hex("http://0x7f.0x0.0x0.0x1:PORT/")]
#[case::hex_whole("http://0x7f000001:PORT/")]
#[case::mixed("http://0x7f.1:PORT/")]
#[case::short("http://127.1:PORT/")]
#[case::trailing_dot("http://127.0.0.1.:PORT/")]
#[case::escaped("http://%31%32%37.0.0.1:PORT/")]
#[case::full_width("http://１２７.０.０.１:PORT/")]
#[case::ideographic_dots("http://127。0。0。1:PORT/")]
#[case::circled("http://①②⑦.⓪.⓪.①:PORT/")]
#[case::other_loopback("http://127.0.0.2:PORT/")]
#[case::unspecified("http://0.0.0.0:PORT/")]
#[case::zero("http://0:PORT/")]
#[case::v6("http://[::1]:PORT/")]
#[case::v6_unspecified("http://[::]:PORT/")]
#[case::v6_mapped("http://[::ffff:127.0.0.1]:PORT/")]
#[case::v6_mapped_hex("http://[::ffff:7f00:1]:PORT/")]
#[case::v6_compatible("http://[::127.0.0.1]:PORT/")]
#[case::nat64("http://[64:ff9b::127.0.0.1]:PORT/")]
#[case::six_to_four("http://[2002:7f00:1::1]:PORT/")]
#[case::teredo("http://[2001:0:7f00:1::]:PORT/")]
#[case::localhost("http://localhost:PORT/")]
#[case::localhost_upper("http://LocalHost:PORT/")]
#[case::localhost_in_full("http://localhost.:PORT/")]
#[case::sub_localhost("http://x.localhost:PORT/")]
#[case::metadata("http://169.254.169.254/latest/meta-data/")]
#[case::metadata_decimal("http://2852039166/latest/meta-data/")]
#[case::metadata_name("http://metadata.google.internal/computeMetadata/v1/")]
#[case::private("http://10.0.0.1:PORT/")]
#[case::link_local("http://[fe80::1]:PORT/")]
#[case::broadcast("http://255.255.255.255:PORT/")]
#[tokio::test]
async fn an_address_inside_is_refused_however_it_is_spelled(#[case] url: &str) {
    let host = forbidden().await;
    let url = url.replace("PORT", &host.port().to_string());
    let refused = Bench::new(&[]).request(get(&url)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PolicyDenied, "{url}: {refused}");
    assert!(host.asked().is_empty());
}

#[rstest]
#[case::userinfo("http://good.example@127.0.0.1:PORT/")]
#[case::userinfo_with_password("http://good.example:80@127.0.0.1:PORT/")]
#[case::two_ats("http://a@good.example@127.0.0.1:PORT/")]
#[case::escaped_at("http://good.example%40127.0.0.1:PORT/")]
#[case::backslash("http://127.0.0.1:PORT\\@good.example/")]
#[case::tab_in_the_host("http://127.0.\t0.1:PORT/")]
#[case::line_break("http://127.0.0.1:PORT/\r\nX: y")]
#[case::line_break_in_the_query("http://good.example/?a=b\r\nHost: inner")]
#[case::space(" http://127.0.0.1:PORT/")]
#[case::file("file:///etc/passwd")]
#[case::gopher("gopher://127.0.0.1:PORT/_GET")]
#[case::scheme_case("FILE://127.0.0.1/x")]
#[case::no_host("http:///x")]
#[case::data("data:text/plain,x")]
#[tokio::test]
async fn a_url_that_can_be_read_in_two_ways_is_not_read(#[case] url: &str) {
    let host = forbidden().await;
    let url = url.replace("PORT", &host.port().to_string());
    let names = Names::of(&[("good.example", &[&["127.0.0.1"]])]);
    let bench = Bench::with(&["good.example", "127.0.0.1"], names, HttpLimits::default());
    let refused = bench.request(get(&url)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ValidationError, "{url}: {refused}");
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
