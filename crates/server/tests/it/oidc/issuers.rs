//! Providers that lie about themselves, change their keys, or answer too much.

use std::sync::Arc;

use axum::http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::time::{ClockAhead, SystemClock};
use toolgate_server::oidc::{Asked, OidcError, TokenError};

use crate::oidc::{
    hostile_issuer::{CODE, DISCOVERY, HostileIssuer, JWKS, SECRET, Says, TOKEN, USERINFO, finish},
    keys::SigningKey,
};

const MEGABYTE: usize = 1 << 20;

async fn begin_with(patch: Value) -> OidcError {
    let issuer = HostileIssuer::start().await;
    let mut document = issuer.document();
    for (name, value) in patch.as_object().unwrap() {
        document[name] = value.clone();
    }
    issuer.says(DISCOVERY, Says::Json(document));
    issuer.client(Arc::new(SystemClock)).begin().await.unwrap_err()
}

#[tokio::test]
async fn a_provider_that_calls_itself_otherwise_is_not_used() {
    let error = begin_with(json!({"issuer": "https://id.example"})).await;
    assert!(matches!(error, OidcError::IssuerMismatch { found, .. } if found == "https://id.example"));
}

#[rstest]
#[case("authorization_endpoint")]
#[case("token_endpoint")]
#[case("jwks_uri")]
#[case("userinfo_endpoint")]
#[tokio::test]
async fn an_endpoint_in_the_clear_is_not_used(#[case] name: &str) {
    let error = begin_with(json!({name: "http://id.example/there"})).await;
    assert!(matches!(error, OidcError::InsecureEndpoint { endpoint } if endpoint == name), "{error}");
}

#[rstest]
#[case("issuer")]
#[case("authorization_endpoint")]
#[case("token_endpoint")]
#[case("jwks_uri")]
#[tokio::test]
async fn a_description_must_be_whole(#[case] name: &str) {
    let error = begin_with(json!({name: null})).await;
    assert!(matches!(error, OidcError::Malformed { asked: Asked::Discovery, .. }), "{error}");
}

/// An issuer that is honest but for one path.
async fn but_for(path: &'static str, answer: Says) -> OidcError {
    let issuer = HostileIssuer::start().await;
    issuer.gives(&issuer.key.sign(&issuer.claims(&SystemClock, json!({"email": null}))));
    issuer.says(path, answer);
    finish(&issuer.client(Arc::new(SystemClock))).await.unwrap_err()
}

#[rstest]
#[case(DISCOVERY, Asked::Discovery)]
#[case(JWKS, Asked::Keys)]
#[case(TOKEN, Asked::Token)]
#[case(USERINFO, Asked::UserInfo)]
#[tokio::test]
async fn redirects_size_and_form_are_bounded_everywhere(#[case] path: &'static str, #[case] asked: Asked) {
    let elsewhere = HostileIssuer::start().await;
    let redirect = Says::RedirectTo(format!("{}{path}", elsewhere.url));
    let error = but_for(path, redirect).await;
    assert!(matches!(error, OidcError::Redirected { asked: at } if at == asked), "{error}");
    assert_eq!(elsewhere.times_asked(path), 0, "nothing is sent where a redirect points");

    let error = but_for(path, Says::Bytes(MEGABYTE + 1)).await;
    assert!(matches!(error, OidcError::TooLarge { asked: at, .. } if at == asked), "{error}");
    let error = but_for(path, Says::Bytes(MEGABYTE)).await;
    assert!(matches!(error, OidcError::Malformed { asked: at, .. } if at == asked), "{error}");
    let error = but_for(path, Says::Json(json!([]))).await;
    assert!(matches!(error, OidcError::Malformed { asked: at, .. } if at == asked), "{error}");
    let error = but_for(path, Says::Error(StatusCode::BAD_GATEWAY, json!({}))).await;
    assert!(matches!(error, OidcError::Status { asked: at, status: 502 } if at == asked), "{error}");
}

#[tokio::test]
async fn what_a_refusal_says_is_not_repeated_unless_it_is_a_known_word() {
    let echo = json!({"error": format!("{CODE} {SECRET}"), "error_description": CODE});
    let error = but_for(TOKEN, Says::Error(StatusCode::BAD_REQUEST, echo)).await;
    assert!(matches!(error, OidcError::Status { asked: Asked::Token, status: 400 }), "{error}");
    let known = json!({"error": "invalid_grant", "error_description": CODE});
    let error = but_for(TOKEN, Says::Error(StatusCode::BAD_REQUEST, known)).await;
    assert!(matches!(error, OidcError::Refused { reason: "invalid_grant", .. }), "{error}");
}

#[tokio::test]
async fn an_answer_without_an_id_token_signs_nobody_in() {
    let error = but_for(TOKEN, Says::Json(json!({"access_token": "a"}))).await;
    assert!(matches!(error, OidcError::Malformed { asked: Asked::Token, .. }), "{error}");
}

#[tokio::test]
async fn a_description_is_fetched_when_needed_kept_for_an_hour_and_a_failure_is_not_kept() {
    let (issuer, clock) = (HostileIssuer::start().await, Arc::new(ClockAhead::default()));
    let client = issuer.client(clock.clone());
    assert_eq!(issuer.times_asked(DISCOVERY), 0);

    issuer.says(DISCOVERY, Says::Error(StatusCode::SERVICE_UNAVAILABLE, json!({})));
    client.begin().await.unwrap_err();
    issuer.says(DISCOVERY, Says::Json(issuer.document()));
    client.begin().await.unwrap();
    client.begin().await.unwrap();
    assert_eq!(issuer.times_asked(DISCOVERY), 2);

    clock.put_forward_ms(3_600_000);
    client.begin().await.unwrap();
    assert_eq!(issuer.times_asked(DISCOVERY), 3);
}

#[tokio::test]
async fn an_endpoint_that_moved_is_found_at_the_next_sign_in() {
    let issuer = HostileIssuer::start().await;
    issuer.gives(&issuer.key.sign(&issuer.claims(&SystemClock, json!({}))));
    let mut moved = issuer.document();
    moved["token_endpoint"] = format!("{}/gone", issuer.url).into();
    issuer.says(DISCOVERY, Says::Json(moved));
    let client = issuer.client(Arc::new(SystemClock));
    let error = finish(&client).await.unwrap_err();
    assert!(matches!(error, OidcError::Status { asked: Asked::Token, status: 404 }), "{error}");
    issuer.says(DISCOVERY, Says::Json(issuer.document()));
    finish(&client).await.unwrap();
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_said_to_be_unreachable() {
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    drop(socket);
    let client = crate::oidc::client(crate::oidc::config(&url, "toolgate", None), Arc::new(SystemClock));
    let error = client.begin().await.unwrap_err();
    assert!(matches!(error, OidcError::Unreachable { asked: Asked::Discovery, .. }), "{error}");
}

#[tokio::test]
async fn a_new_key_is_looked_for_once_a_minute_and_no_more() {
    let (issuer, clock) = (HostileIssuer::start().await, Arc::new(ClockAhead::default()));
    let client = issuer.client(clock.clone());
    let token = |key: &SigningKey| key.sign(&issuer.claims(clock.as_ref(), json!({})));
    issuer.gives(&token(&issuer.key));
    finish(&client).await.unwrap();
    finish(&client).await.unwrap();
    assert_eq!(issuer.times_asked(JWKS), 1);

    // The provider changes its key: the first token that names the new one finds it.
    let new = SigningKey::new("key-2", 2);
    issuer.publishes(&[&new]);
    issuer.gives(&token(&new));
    finish(&client).await.unwrap();
    assert_eq!(issuer.times_asked(JWKS), 2);

    // Keys that are nowhere make nobody ask again within the minute.
    let nowhere = SigningKey::new("key-3", 3);
    issuer.gives(&token(&nowhere));
    for _ in 0..3 {
        let error = finish(&client).await.unwrap_err();
        assert!(matches!(error, OidcError::Token(TokenError::UnknownKey)), "{error}");
    }
    assert_eq!(issuer.times_asked(JWKS), 2);
    clock.put_forward_ms(60_000);
    finish(&client).await.unwrap_err();
    assert_eq!(issuer.times_asked(JWKS), 3);
}

#[tokio::test]
async fn a_withdrawn_key_counts_for_an_hour_at_most() {
    let (issuer, clock) = (HostileIssuer::start().await, Arc::new(ClockAhead::default()));
    let client = issuer.client(clock.clone());
    issuer.gives(&issuer.key.sign(&issuer.claims(clock.as_ref(), json!({}))));
    finish(&client).await.unwrap();
    issuer.publishes(&[]);
    clock.put_forward_ms(3_600_000);
    issuer.gives(&issuer.key.sign(&issuer.claims(clock.as_ref(), json!({}))));
    let error = finish(&client).await.unwrap_err();
    assert!(matches!(error, OidcError::Token(TokenError::UnknownKey)), "{error}");
}

#[tokio::test]
async fn a_silent_provider_keeps_nobody_longer_than_ten_seconds() {
    // The kernel accepts the connection; nobody ever reads from it.
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let client = crate::oidc::client(crate::oidc::config(&url, "toolgate", None), Arc::new(SystemClock));
    // Together, because the second must not wait its own ten seconds after the first one's.
    let waiting = async { tokio::join!(client.begin(), client.begin()) };
    let both =
        tokio::time::timeout(std::time::Duration::from_secs(15), waiting).await.expect("an answer in time");
    for error in [both.0.unwrap_err(), both.1.unwrap_err()] {
        assert!(matches!(error, OidcError::Slow { asked: Asked::Discovery, .. }), "{error}");
    }
}
