//! Credentials reach the host that they are for, and nobody else.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    host::{Asked, Host, json as answer, redirect, respond},
};
use crate::http::HttpLimits;

const HERE: &[&str] = &["127.0.0.0/8"];
const KEY: &str = "s3cr3t-key";

fn bench() -> Bench {
    Bench::new(HERE).secret("KEY", KEY).secret("USER", "user1").secret("ID", "client-1")
}

fn holds_key(asked: &Asked) -> bool {
    format!("{asked:?}").contains(KEY)
}

#[rstest]
#[case::bearer(json!({"type": "bearer", "secret": "KEY"}), "authorization", "Bearer s3cr3t-key")]
#[case::header(json!({"type": "header", "name": "X-Api-Key", "secret": "KEY"}), "x-api-key", "s3cr3t-key")]
#[case::prefix(json!({"type": "header", "name": "Authorization", "prefix": "Token ", "secret": "KEY"}), "authorization", "Token s3cr3t-key")]
#[case::basic(json!({"type": "basic", "username": "ada", "password_secret": "KEY"}), "authorization", "Basic YWRhOnMzY3IzdC1rZXk=")]
#[case::basic_secret(json!({"type": "basic", "username_secret": "USER", "password_secret": "KEY"}), "authorization", "Basic dXNlcjE6czNjcjN0LWtleQ==")]
#[tokio::test]
async fn a_secret_goes_out_in_a_header(#[case] auth: Value, #[case] header: &str, #[case] value: &str) {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    bench().call(json!({"method": "GET", "url": host.url("/"), "auth": auth}), json!({})).await.unwrap();
    assert_eq!(host.last().header(header), Some(value));
}

#[tokio::test]
async fn a_secret_in_the_query_is_encoded_and_not_told() {
    let host = Host::start(|_, _| answer(404, &json!({}))).await;
    let auth = json!({"type": "query", "name": "key", "secret": "KEY"});
    let config = json!({"method": "GET", "url": host.url("/x?a=1"), "auth": auth, "accept_status": [404]});
    let answered = bench().secret("KEY", "a&b=c d").call(config.clone(), json!({})).await.unwrap();
    assert_eq!(host.last().path(), "/x?a=1&key=a%26b%3Dc+d");
    assert_eq!(answered.value["url"], host.url("/x"));
    let mut strict = config;
    strict["accept_status"] = json!([]);
    let error = bench().call(strict, json!({})).await.unwrap_err();
    assert!(!format!("{error:?}").contains(KEY));
}

#[tokio::test]
async fn an_error_of_the_network_does_not_tell_the_address() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let auth = json!({"type": "query", "name": "key", "secret": "KEY"});
    let config =
        json!({"method": "GET", "url": format!("http://{gone}/"), "auth": auth, "retries": {"max": 0}});
    let error = bench().call(config, json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NetworkError);
    assert!(!format!("{error:?}").contains(KEY));
}

#[rstest]
#[case::not_declared(None)]
#[case::line_break(Some("one\r\nX-Admin: 1"))]
#[tokio::test]
async fn a_secret_that_cannot_be_sent_is_not(#[case] value: Option<&str>) {
    let host = Host::start(|_, _| answer(200, &json!({}))).await;
    let bench = match value {
        None => Bench::new(HERE),
        Some(value) => Bench::new(HERE).secret("KEY", value),
    };
    let auth = json!({"type": "bearer", "secret": "KEY"});
    let error = bench
        .call(json!({"method": "GET", "url": host.url("/"), "auth": auth}), json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::AuthRequired);
    assert!(!format!("{error:?}").contains("X-Admin"));
    assert!(host.asked().is_empty());
}

#[rstest]
#[case::bearer(json!({"type": "bearer", "secret": "KEY"}))]
#[case::header(json!({"type": "header", "name": "X-Api-Key", "secret": "KEY"}))]
#[case::hidden_in_accept(json!({"type": "header", "name": "Accept", "secret": "KEY"}))]
#[case::query(json!({"type": "query", "name": "key", "secret": "KEY"}))]
#[tokio::test]
async fn credentials_do_not_cross_to_another_host(#[case] auth: Value) {
    let other = Host::start(|_, _| answer(200, &json!({}))).await;
    let to = other.url("/there");
    let host = Host::start(move |_, _| redirect(302, &to)).await;
    let config = json!({
        "method": "GET", "url": host.url("/"), "auth": auth,
        "headers": {"X-Tenant": "acme", "Cookie": "a=b", "User-Agent": "mine"},
    });
    bench().call(config, json!({})).await.unwrap();
    assert!(holds_key(&host.last()));
    let asked = other.last();
    assert!(!holds_key(&asked), "{asked:?}");
    assert_eq!(
        (asked.header("x-tenant"), asked.header("cookie"), asked.header("referer")),
        (None, None, None)
    );
    assert_eq!(asked.header("user-agent"), Some("mine"));
}

#[tokio::test]
async fn another_port_or_another_name_is_another_host() {
    let host = Host::start(|number, asked| {
        if number == 0 {
            redirect(
                302,
                &format!("http://two.example:{}/", asked.header("host").unwrap().split(':').nth(1).unwrap()),
            )
        } else {
            answer(200, &json!({}))
        }
    })
    .await;
    let names = Names::of(&[("one.example", &[&["127.0.0.1"]]), ("two.example", &[&["127.0.0.1"]])]);
    let bench = Bench::with(HERE, names, HttpLimits::default()).secret("KEY", KEY);
    let auth = json!({"type": "bearer", "secret": "KEY"});
    let url = format!("http://one.example:{}/", host.port());
    bench.call(json!({"method": "GET", "url": url, "auth": auth}), json!({})).await.unwrap();
    let asked = host.asked();
    assert!(holds_key(&asked[0]) && !holds_key(&asked[1]), "{asked:?}");
}

#[tokio::test]
async fn credentials_stay_with_the_same_host() {
    let host =
        Host::start(|number, _| if number == 0 { redirect(307, "/b") } else { answer(200, &json!({})) })
            .await;
    let auth = json!({"type": "bearer", "secret": "KEY"});
    bench()
        .call(json!({"method": "PUT", "url": host.url("/a"), "auth": auth, "body": {"a": 1}}), json!({}))
        .await
        .unwrap();
    let asked = host.last();
    assert_eq!((asked.line.as_str(), asked.body.as_str()), ("PUT /b HTTP/1.1", "{\"a\":1}"));
    assert!(holds_key(&asked));
}

#[rstest]
#[case(307, "POST")]
#[case(308, "PUT")]
#[case(302, "DELETE")]
#[tokio::test]
async fn a_change_is_not_redirected_to_another_host(#[case] status: u16, #[case] method: &str) {
    let other = Host::start(|_, _| answer(200, &json!({}))).await;
    let to = other.url("/");
    let host = Host::start(move |_, _| redirect(status, &to)).await;
    let error = bench().request(json!({"method": method, "url": host.url("/")})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn a_post_that_is_answered_elsewhere_is_read_there() {
    let host =
        Host::start(|number, _| if number == 0 { redirect(303, "/done") } else { answer(200, &json!({})) })
            .await;
    bench().request(json!({"method": "POST", "url": host.url("/"), "body": "x"})).await.unwrap();
    let asked = host.last();
    assert_eq!(
        (asked.line.as_str(), asked.body.as_str(), asked.header("content-type")),
        ("GET /done HTTP/1.1", "", None)
    );
}

/// A token's host and an API in one.
async fn oauth(life_s: u64, accepts: &'static str) -> Host {
    Host::start(move |number, asked| match asked.path() {
        "/token" => answer(
            200,
            &json!({"access_token": format!("token-{number}"), "token_type": "Bearer", "expires_in": life_s}),
        ),
        _ if asked.header("authorization").unwrap().contains(accepts) => respond(
            200,
            &[("content-type", "text/plain")],
            format!("you are {}", asked.header("authorization").unwrap()),
        ),
        _ => answer(401, &json!({})),
    })
    .await
}

fn with_grant(host: &Host, extra: &Value) -> Value {
    let mut auth = json!({
        "type": "oauth2_client_credentials", "token_url": host.url("/token"), "client_id_secret": "ID",
        "client_secret": "KEY", "scope": "read write",
    });
    for (key, value) in extra.as_object().unwrap() {
        auth[key] = value.clone();
    }
    json!({"method": "GET", "url": host.url("/api"), "auth": auth})
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_struck_from_what_comes_back() {
    let host = oauth(3600, "token-0").await;
    let bench = bench();
    for _ in 0..2 {
        let answered = bench.call(with_grant(&host, &json!({})), json!({})).await.unwrap();
        assert_eq!(answered.value["body"], "you are Bearer [redacted:credentials]");
    }
    let asked = host.asked();
    assert_eq!(asked.iter().map(Asked::path).collect::<Vec<_>>(), ["/token", "/api", "/api"]);
    assert_eq!(asked[0].body, "grant_type=client_credentials&scope=read+write");
    assert_eq!(asked[0].header("authorization"), Some("Basic Y2xpZW50LTE6czNjcjN0LWtleQ=="));
}

#[tokio::test]
async fn credentials_go_into_the_body_where_the_host_wants_that() {
    let host = oauth(3600, "token").await;
    let config = with_grant(&host, &json!({"credentials_in": "body", "audience": "api"}));
    bench().call(config, json!({})).await.unwrap();
    let asked = &host.asked()[0];
    assert_eq!(
        asked.body,
        "grant_type=client_credentials&client_id=client-1&client_secret=s3cr3t-key&scope=read+write&audience=api"
    );
    assert_eq!(asked.header("authorization"), None);
}

#[tokio::test]
async fn a_token_that_expires_at_once_or_was_revoked_is_replaced() {
    let host = oauth(10, "token").await;
    let (bench, config) = (bench(), with_grant(&host, &json!({})));
    bench.call(config.clone(), json!({})).await.unwrap();
    bench.call(config, json!({})).await.unwrap();
    assert_eq!(host.asked().iter().filter(|asked| asked.path() == "/token").count(), 2);

    let host = oauth(3600, "token-2").await;
    let answered = self::bench().call(with_grant(&host, &json!({})), json!({})).await.unwrap();
    assert_eq!(answered.value["status"], 200, "the first token is refused, the second is not");
}

#[rstest]
#[case::refused(401, json!({"error": "invalid_client"}), ErrorCode::AuthRequired)]
#[case::no_token(200, json!({"token_type": "bearer"}), ErrorCode::AuthRequired)]
#[case::other_kind(200, json!({"access_token": "abcdef", "token_type": "mac"}), ErrorCode::AuthRequired)]
#[case::down(500, json!({}), ErrorCode::ProviderError)]
#[tokio::test]
async fn without_a_token_the_call_fails(#[case] status: u16, #[case] body: Value, #[case] code: ErrorCode) {
    let host = Host::start(move |_, _| answer(status, &body)).await;
    let error = bench().call(with_grant(&host, &json!({})), json!({})).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
    assert_eq!(host.asked().len(), 1);
}

#[tokio::test]
async fn the_host_of_a_token_is_not_followed_elsewhere() {
    let other = Host::start(|_, _| answer(200, &json!({"access_token": "abcdef"}))).await;
    let to = other.url("/token");
    let host = Host::start(move |_, _| redirect(307, &to)).await;
    bench().call(with_grant(&host, &json!({})), json!({})).await.unwrap_err();
    assert!(other.asked().is_empty());
}
