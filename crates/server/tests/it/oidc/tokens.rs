//! ID tokens that must not be believed.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::time::{ClockAhead, SystemClock};
use toolgate_server::oidc::{OidcError, TokenError};

use crate::oidc::{
    hostile_issuer::{CLIENT_ID, HostileIssuer, JWKS, Says, USERINFO, finish},
    keys::{SigningKey, sign_hs256, unsigned},
};

fn problem(finished: Result<toolgate_server::oidc::Identity, OidcError>) -> Option<TokenError> {
    match finished {
        Ok(_) => None,
        Err(OidcError::Token(problem)) => Some(problem),
        Err(other) => panic!("{other}"),
    }
}

async fn judge(token: impl Fn(&HostileIssuer) -> String) -> Option<TokenError> {
    let issuer = HostileIssuer::start().await;
    issuer.gives(&token(&issuer));
    problem(finish(&issuer.client(Arc::new(SystemClock))).await)
}

fn now() -> i64 {
    toolgate_domain::Clock::now(&SystemClock).as_millis() / 1_000
}

#[rstest]
#[case::honest(json!({}), None)]
#[case::audience_in_a_list(json!({"aud": [CLIENT_ID]}), None)]
#[case::several_audiences_and_ours_authorized(json!({"aud": [CLIENT_ID, "b"], "azp": CLIENT_ID}), None)]
#[case::clock_a_little_ahead(json!({"iat": now() + 30}), None)]
#[case::expired_a_moment_ago(json!({"exp": now() - 30}), None)]
#[case::times_with_a_fraction(json!({"iat": now() as f64 + 0.5}), None)]
#[case::another_issuer(json!({"iss": "https://id.example"}), Some(TokenError::Issuer))]
#[case::issuer_with_a_slash(json!({"iss": "http://127.0.0.1/"}), Some(TokenError::Issuer))]
#[case::no_issuer(json!({"iss": null}), Some(TokenError::Issuer))]
#[case::another_audience(json!({"aud": "b"}), Some(TokenError::Audience))]
#[case::not_among_the_audiences(json!({"aud": ["b", "c"], "azp": CLIENT_ID}), Some(TokenError::Audience))]
#[case::several_audiences_none_authorized(json!({"aud": [CLIENT_ID, "b"]}), Some(TokenError::Audience))]
#[case::another_authorized(json!({"aud": [CLIENT_ID, "b"], "azp": "b"}), Some(TokenError::Audience))]
#[case::sole_audience_another_authorized(json!({"azp": "b"}), Some(TokenError::Audience))]
#[case::no_audience(json!({"aud": null}), Some(TokenError::Audience))]
#[case::audience_of_no_kind(json!({"aud": {"a": CLIENT_ID}}), Some(TokenError::Audience))]
#[case::expired(json!({"exp": now() - 61}), Some(TokenError::Expired))]
#[case::never_expires(json!({"exp": null}), Some(TokenError::Malformed))]
#[case::expires_in_words(json!({"exp": "tomorrow"}), Some(TokenError::Malformed))]
#[case::from_the_future(json!({"iat": now() + 120}), Some(TokenError::NotYetValid))]
#[case::not_valid_before(json!({"nbf": now() + 120}), Some(TokenError::NotYetValid))]
#[case::never_issued(json!({"iat": null}), Some(TokenError::Malformed))]
#[case::another_nonce(json!({"nonce": "of-another-sign-in"}), Some(TokenError::Nonce))]
#[case::no_nonce(json!({"nonce": null}), Some(TokenError::Nonce))]
#[case::no_subject(json!({"sub": null}), Some(TokenError::Malformed))]
#[case::empty_subject(json!({"sub": ""}), Some(TokenError::Malformed))]
#[case::endless_subject(json!({"sub": "s".repeat(256)}), Some(TokenError::Malformed))]
#[tokio::test]
async fn every_claim_is_checked(#[case] patch: Value, #[case] expected: Option<TokenError>) {
    let found = judge(|issuer| issuer.key.sign(&issuer.claims(&SystemClock, patch.clone()))).await;
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_token_is_not_believed_once_its_time_has_passed() {
    let (issuer, clock) = (HostileIssuer::start().await, Arc::new(ClockAhead::default()));
    issuer.gives(&issuer.key.sign(&issuer.claims(clock.as_ref(), json!({}))));
    let client = issuer.client(clock.clone());
    assert_eq!(problem(finish(&client).await), None);
    clock.put_forward_ms(361_000);
    assert_eq!(problem(finish(&client).await), Some(TokenError::Expired));
}

#[tokio::test]
async fn an_empty_nonce_matches_nothing() {
    let issuer = HostileIssuer::start().await;
    issuer.gives(&issuer.key.sign(&issuer.claims(&SystemClock, json!({"nonce": ""}))));
    let finished = issuer.client(Arc::new(SystemClock)).finish("code", "verifier", "").await;
    assert_eq!(problem(finished), Some(TokenError::Nonce));
}

#[tokio::test]
async fn a_changed_token_is_noticed() {
    let found = judge(|issuer| {
        let token = issuer.key.sign(&issuer.claims(&SystemClock, json!({})));
        let (_, signature) = token.rsplit_once('.').unwrap();
        let mallory = issuer.claims(&SystemClock, json!({"sub": "mallory"}));
        format!("{}.{signature}", unsigned(&json!({"alg": "EdDSA", "kid": "key-1"}), &mallory))
    });
    assert_eq!(found.await, Some(TokenError::Signature));
}

#[tokio::test]
async fn a_stranger_with_the_same_key_id_does_not_count() {
    let found = judge(|issuer| SigningKey::new("key-1", 2).sign(&issuer.claims(&SystemClock, json!({}))));
    assert_eq!(found.await, Some(TokenError::Signature));
}

#[rstest]
#[case("none")]
#[case("None")]
#[case("NONE")]
#[case("")]
#[tokio::test]
async fn a_token_that_is_not_signed_proves_nothing(#[case] algorithm: &str) {
    let token = |issuer: &HostileIssuer| {
        let header = json!({"alg": algorithm, "kid": "key-1"});
        format!("{}.", unsigned(&header, &issuer.claims(&SystemClock, json!({}))))
    };
    assert_eq!(judge(token).await, Some(TokenError::Algorithm));
}

#[tokio::test]
async fn a_token_that_says_it_is_signed_and_is_not_is_noticed() {
    let token = |issuer: &HostileIssuer| {
        let header = json!({"alg": "EdDSA", "kid": "key-1"});
        format!("{}.", unsigned(&header, &issuer.claims(&SystemClock, json!({}))))
    };
    assert_eq!(judge(token).await, Some(TokenError::Signature));
}

#[rstest]
#[case::named(json!({"alg": "HS256", "kid": "key-1"}), TokenError::Algorithm)]
#[case::unnamed(json!({"alg": "HS256"}), TokenError::Algorithm)]
// The signature is made with HS256 all the same: the key decides how it is checked.
#[case::disguised(json!({"alg": "EdDSA", "kid": "key-1"}), TokenError::Signature)]
#[case::as_another_kind_of_key(json!({"alg": "RS256", "kid": "key-1"}), TokenError::UnknownKey)]
#[tokio::test]
async fn the_public_key_is_not_a_shared_secret(#[case] header: Value, #[case] expected: TokenError) {
    let token = |issuer: &HostileIssuer| {
        sign_hs256(&issuer.key.public_bytes(), &header, &issuer.claims(&SystemClock, json!({})))
    };
    assert_eq!(judge(token).await, Some(expected));
}

#[tokio::test]
async fn a_shared_secret_among_the_published_keys_is_passed_over() {
    let issuer = HostileIssuer::start().await;
    issuer.says(JWKS, Says::Json(json!({"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "key-1"}]})));
    let claims = issuer.claims(&SystemClock, json!({}));
    let client = issuer.client(Arc::new(SystemClock));
    issuer.gives(&sign_hs256(b"secret", &json!({"alg": "HS256", "kid": "key-1"}), &claims));
    assert_eq!(problem(finish(&client).await), Some(TokenError::Algorithm));
    issuer.gives(&sign_hs256(b"secret", &json!({"alg": "EdDSA", "kid": "key-1"}), &claims));
    assert_eq!(problem(finish(&client).await), Some(TokenError::UnknownKey));
}

#[tokio::test]
async fn a_key_in_the_token_itself_is_not_trusted() {
    let stranger = SigningKey::new("mine", 3);
    let header = json!({"alg": "EdDSA", "kid": "mine", "jwk": stranger.public()});
    let found = judge(|issuer| stranger.sign_with_header(&header, &issuer.claims(&SystemClock, json!({}))));
    assert_eq!(found.await, Some(TokenError::UnknownKey));
}

#[rstest]
#[case::an_extension_that_must_be_understood(json!({"alg": "EdDSA", "kid": "key-1", "crit": ["b64"], "b64": false}))]
#[case::a_key_id_of_no_kind(json!({"alg": "EdDSA", "kid": 1}))]
#[tokio::test]
async fn a_header_that_could_be_read_in_two_ways_is_refused(#[case] header: Value) {
    let found = judge(|issuer| issuer.key.sign_with_header(&header, &issuer.claims(&SystemClock, json!({}))));
    assert_eq!(found.await, Some(TokenError::Malformed));
}

#[rstest]
#[case("")]
#[case("a.b")]
#[case("a.b.c")]
#[case("a.b.c.d.e")]
#[case("....")]
#[tokio::test]
async fn what_is_no_token_is_refused(#[case] token: &str) {
    assert_eq!(judge(|_| token.to_owned()).await, Some(TokenError::Malformed));
}

#[tokio::test]
async fn userinfo_about_somebody_else_is_not_believed() {
    let issuer = HostileIssuer::start().await;
    issuer.gives(&issuer.key.sign(&issuer.claims(&SystemClock, json!({"email": null}))));
    issuer.says(
        USERINFO,
        Says::Json(json!({"sub": "bob", "email": "bob@people.example", "email_verified": true})),
    );
    let error = finish(&issuer.client(Arc::new(SystemClock))).await.unwrap_err();
    assert!(matches!(error, OidcError::OtherSubject), "{error}");
}
