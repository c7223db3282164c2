//! The whole flow against node-oidc-provider.

use std::sync::Arc;

use rstest::rstest;
use toolgate_domain::{Clock, time::SystemClock};
use toolgate_server::oidc::{Identity, OidcClient, OidcError, Pending, ReturnTo, TokenError, open, seal};
use url::Url;

use crate::oidc::{REDIRECT_URI, browser::Browser, client, config, provider::RealProvider};

const SECRET: &str = "s3cret: 100%+&=";
const COOKIE_KEY: [u8; 32] = [9; 32];

fn answer(callback: &Url, name: &str) -> String {
    callback.query_pairs().find(|(key, _)| key == name).expect("the answer has it").1.into_owned()
}

/// A code that the provider gave out, and what it takes to use it.
async fn code_for(client: &OidcClient, login: &str) -> (String, Pending) {
    let begun = client.begin().await.unwrap();
    let pending = Pending {
        state: begun.state,
        nonce: begun.nonce,
        code_verifier: begun.code_verifier,
        return_to: ReturnTo::default(),
        tenant: None,
        expires_at: SystemClock.now().plus_ms(600_000),
    };
    let cookie = seal(&pending, &COOKIE_KEY).unwrap();
    let callback =
        Browser::new().sign_in_until(&begun.authorization_url, login, crate::oidc::REDIRECT_URI).await;
    let pending = open(&cookie, &COOKIE_KEY, SystemClock.now()).expect("the cookie comes back");
    assert!(pending.is_answered_by(&answer(&callback, "state")));
    (answer(&callback, "code"), pending)
}

fn person(issuer: &str, login: &str) -> Identity {
    Identity {
        issuer: issuer.to_owned(),
        subject: login.to_owned(),
        email: Some(format!("{login}@people.example")),
        email_verified: true,
        name: Some(format!("The {login}")),
    }
}

#[rstest]
#[case::rs256("confidential-RS256", Some(SECRET))]
#[case::ps256("confidential-PS256", Some(SECRET))]
#[case::es256("confidential-ES256", Some(SECRET))]
#[case::eddsa("confidential-EdDSA", Some(SECRET))]
#[case::public("public", None)]
#[tokio::test]
async fn a_person_signs_in(#[case] client_id: &str, #[case] secret: Option<&str>) {
    let provider = RealProvider::start(&[]).await;
    let client = client(config(&provider.issuer, client_id, secret), Arc::new(SystemClock));
    let (code, pending) = code_for(&client, "alice").await;
    let identity = client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap();
    assert_eq!(identity, person(&provider.issuer, "alice"));
}

#[tokio::test]
async fn claims_in_the_id_token_count_as_well() {
    let provider = RealProvider::start(&["claims-in-id-token"]).await;
    let client = client(config(&provider.issuer, "public", None), Arc::new(SystemClock));
    let (code, pending) = code_for(&client, "bob").await;
    let identity = client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap();
    assert_eq!(identity, person(&provider.issuer, "bob"));
}

#[tokio::test]
async fn without_the_scopes_only_the_subject_is_known() {
    let provider = RealProvider::start(&[]).await;
    let mut config = config(&provider.issuer, "public", None);
    config.scopes.clear();
    let client = client(config, Arc::new(SystemClock));
    let (code, pending) = code_for(&client, "carol").await;
    let identity = client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap();
    assert_eq!((identity.subject.as_str(), identity.email, identity.name), ("carol", None, None));
}

#[tokio::test]
async fn a_code_counts_once_and_only_for_the_browser_that_asked() {
    let provider = RealProvider::start(&[]).await;
    let client = client(config(&provider.issuer, "public", None), Arc::new(SystemClock));
    let (stolen, _) = code_for(&client, "alice").await;
    let (code, pending) = code_for(&client, "mallory").await;
    let refused =
        |error: OidcError| assert!(matches!(error, OidcError::Refused { reason: "invalid_grant", .. }));

    // PKCE: another browser's verifier does not open a stolen code.
    refused(client.finish(&stolen, &pending.code_verifier, &pending.nonce).await.unwrap_err());
    client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap();
    refused(client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap_err());
}

#[tokio::test]
async fn a_token_for_another_sign_in_is_not_believed() {
    let provider = RealProvider::start(&[]).await;
    let client = client(config(&provider.issuer, "public", None), Arc::new(SystemClock));
    let (code, pending) = code_for(&client, "alice").await;
    let error = client.finish(&code, &pending.code_verifier, "another nonce").await.unwrap_err();
    assert!(matches!(error, OidcError::Token(TokenError::Nonce)), "{error}");
}

#[tokio::test]
async fn a_wrong_secret_is_refused_and_not_repeated() {
    let provider = RealProvider::start(&[]).await;
    let config = config(&provider.issuer, "confidential-RS256", Some("not-the-secret"));
    let client = client(config, Arc::new(SystemClock));
    let (code, pending) = code_for(&client, "alice").await;
    let error = client.finish(&code, &pending.code_verifier, &pending.nonce).await.unwrap_err();
    assert!(matches!(error, OidcError::Refused { reason: "invalid_client", .. }), "{error}");
    let said = format!("{error} {error:?} {client:?}");
    assert!(!said.contains(&code) && !said.contains("not-the-secret"), "{said}");
}

#[tokio::test]
async fn the_address_asks_for_a_code_with_a_challenge_and_nothing_repeats() {
    let provider = RealProvider::start(&[]).await;
    let client = client(config(&provider.issuer, "public", None), Arc::new(SystemClock));
    let (one, two) = (client.begin().await.unwrap(), client.begin().await.unwrap());
    let url = Url::parse(&one.authorization_url).unwrap();
    assert_eq!(answer(&url, "response_type"), "code");
    assert_eq!(answer(&url, "redirect_uri"), REDIRECT_URI);
    assert_eq!(answer(&url, "scope"), "openid email profile");
    assert_eq!(answer(&url, "code_challenge_method"), "S256");
    assert_eq!(answer(&url, "state"), one.state);
    assert_eq!(answer(&url, "nonce"), one.nonce);
    assert!(!one.authorization_url.contains(&one.code_verifier));
    // 32 bytes in base64url.
    for text in [&one.state, &one.nonce, &one.code_verifier] {
        assert_eq!(text.len(), 43);
    }
    let all = [&one.state, &one.nonce, &one.code_verifier, &two.state, &two.nonce, &two.code_verifier];
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
}
