//! Programs that bring an access token: of a real provider, and of those who would like to be believed.

use std::{collections::BTreeMap, sync::Arc};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use reqwest::{StatusCode, header::CONTENT_TYPE};
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toolgate_domain::{
    Clock, Scope,
    time::{ClockAhead, SystemClock},
};
use toolgate_server::{
    ServerOptions,
    oidc::{AccessConfig, AccessTokens},
};
use url::{Url, form_urlencoded};

use crate::oidc::{
    REDIRECT_URI,
    browser::Browser,
    hostile_issuer::{DISCOVERY, HostileIssuer, JWKS, Says},
    house::Serving,
    keys::{SigningKey, sign_hs256, unsigned},
    provider::RealProvider,
};

fn trusting(issuer: &str) -> AccessConfig {
    AccessConfig { issuer: issuer.to_owned(), ..AccessConfig::default() }
}

fn tokens(url: &str, issuers: Vec<AccessConfig>, clock: Arc<dyn Clock>) -> ServerOptions {
    let scopes = vec!["tools:read".to_owned(), "tools:execute".to_owned()];
    let http = || reqwest::Client::builder().no_proxy().tls_certs_only([]);
    let access = AccessTokens::new(format!("{url}/mcp"), scopes, issuers, http, clock).unwrap();
    ServerOptions { access: Some(access), ..ServerOptions::default() }
}

async fn ask(url: &str, path: &str, token: &str) -> (StatusCode, Value) {
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let answer = http.get(format!("{url}{path}")).bearer_auth(token).send().await.unwrap();
    (answer.status(), serde_json::from_str(&answer.text().await.unwrap()).unwrap())
}

/// What a program does that a person lets in: the code flow with PKCE, for one resource.
async fn token_of(provider: &RealProvider, login: &str, resource: &str, scope: &str) -> String {
    let verifier = "v".repeat(43);
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    let mut start = Url::parse(&format!("{}/auth", provider.issuer)).unwrap();
    start.query_pairs_mut().extend_pairs([
        ("response_type", "code"),
        ("client_id", "public"),
        ("redirect_uri", REDIRECT_URI),
        ("scope", &format!("openid {scope}")),
        ("resource", resource),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ]);
    let back = Browser::new().sign_in_until(start.as_str(), login, crate::oidc::REDIRECT_URI).await;
    let (_, code) = back.query_pairs().find(|(name, _)| name == "code").unwrap_or_else(|| panic!("{back}"));
    let form = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("grant_type", "authorization_code"),
            ("client_id", "public"),
            ("redirect_uri", REDIRECT_URI),
            ("code", &code),
            ("code_verifier", &verifier),
            ("resource", resource),
        ])
        .finish();
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let request = http.post(format!("{}/token", provider.issuer)).body(form);
    let answer = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").send().await.unwrap();
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[rstest]
#[case("RS256")]
#[case("ES256")]
#[case("EdDSA")]
#[tokio::test]
async fn a_program_that_a_person_let_in_may_do_what_both_may(#[case] algorithm: &str) {
    let (listener, url) = Serving::listen().await;
    let provider =
        RealProvider::start(&[&format!("access-token-alg={algorithm}"), "claims-in-access-token"]).await;
    let options = tokens(&url, vec![trusting(&provider.issuer)], Arc::new(SystemClock));
    let house = Serving::open(listener, options).await;
    house.add(json!({"email": "alice@people.example", "name": "Alice", "roles": ["member"]})).await;

    let token = token_of(&provider, "alice", &format!("{url}/mcp"), "tools:read").await;
    let (status, told) = ask(&url, "/api/auth/me", &token).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert!(told["principal"].as_str().unwrap().starts_with("usr_"), "{told}");
    assert_eq!((&told["roles"], &told["scopes"]), (&json!(["member"]), &json!(["tools:read"])));
    assert_eq!(
        told["permissions"],
        json!(["tools.tenant.read"]),
        "what the role has and the token asked for"
    );
    assert_eq!(ask(&url, "/api/tools", &token).await.0, StatusCode::OK);
    // The member may, this token may not.
    let (status, problem) = ask(&url, "/api/invocations", &token).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{problem}");

    // The token may, the member may not.
    let wide = token_of(&provider, "alice", &format!("{url}/mcp"), "tools:read metrics:read").await;
    let (_, told) = ask(&url, "/api/auth/me", &wide).await;
    assert_eq!(told["scopes"], json!(["tools:read", "metrics:read"]));
    assert_eq!(told["permissions"], json!(["tools.tenant.read"]));

    let elsewhere = token_of(&provider, "alice", "https://other.example/mcp", "tools:read").await;
    let (status, problem) = ask(&url, "/api/tools", &elsewhere).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNAUTHORIZED, &json!("UNAUTHENTICATED")));
    assert!(problem["detail"].as_str().unwrap().contains("made for something else"), "{problem}");

    let stranger = token_of(&provider, "mallory", &format!("{url}/mcp"), "tools:read").await;
    assert_eq!(ask(&url, "/api/tools", &stranger).await.0, StatusCode::UNAUTHORIZED);
}

/// A server that trusts one hostile issuer, and knows alice.
pub struct Trap {
    pub issuer: HostileIssuer,
    pub house: Serving,
    clock: Arc<ClockAhead>,
}

impl Trap {
    async fn with(change: impl FnOnce(&mut AccessConfig)) -> Self {
        let (listener, url) = Serving::listen().await;
        let (issuer, clock) = (HostileIssuer::start().await, Arc::new(ClockAhead::default()));
        let mut config = trusting(&issuer.url);
        change(&mut config);
        let house = Serving::open(listener, tokens(&url, vec![config], clock.clone())).await;
        house.add(json!({"email": "alice@people.example", "name": "Alice", "roles": ["member"]})).await;
        Self { issuer, house, clock }
    }

    pub async fn new() -> Self {
        Self::with(|_| ()).await
    }

    /// What an honest access token says, changed by `patch`.
    fn claims(&self, patch: &Value) -> Value {
        let resource = format!("{}/mcp", self.house.url);
        let mut claims = self.issuer.claims(
            &*self.clock,
            json!({"aud": resource, "scope": "tools:read tools:execute", "nonce": null}),
        );
        for (name, value) in patch.as_object().unwrap() {
            match value {
                Value::Null => claims.as_object_mut().unwrap().remove(name),
                other => claims.as_object_mut().unwrap().insert(name.clone(), other.clone()),
            };
        }
        claims
    }

    pub fn token(&self, patch: Value) -> String {
        self.issuer.key.sign(&self.claims(&patch))
    }

    async fn list_tools(&self, token: &str) -> (StatusCode, Value) {
        ask(&self.house.url, "/api/tools", token).await
    }
}

fn now() -> i64 {
    SystemClock.now().as_millis() / 1_000
}

const OK: StatusCode = StatusCode::OK;
const UNKNOWN: StatusCode = StatusCode::UNAUTHORIZED;
const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;

#[rstest]
#[case::honest(json!({}), OK)]
#[case::never_says_when_it_was_made(json!({"iat": null}), OK)]
#[case::expired_a_moment_ago(json!({"exp": now() - 30}), OK)]
#[case::scopes_in_a_list(json!({"scope": null, "scp": ["tools:read"]}), OK)]
#[case::words_of_others(json!({"scope": "openid tools:read offline_access"}), OK)]
#[case::another_issuer(json!({"iss": "https://id.example"}), UNKNOWN)]
#[case::no_issuer(json!({"iss": null}), UNKNOWN)]
#[case::another_audience(json!({"aud": "https://other.example/mcp"}), UNKNOWN)]
#[case::audience_that_only_begins_like_ours(json!({"aud": "http://127.0.0.1"}), UNKNOWN)]
#[case::no_audience(json!({"aud": null}), UNKNOWN)]
#[case::audience_of_no_kind(json!({"aud": {"a": 1}}), UNKNOWN)]
#[case::expired(json!({"exp": now() - 61}), UNKNOWN)]
#[case::never_expires(json!({"exp": null}), UNKNOWN)]
#[case::not_yet(json!({"nbf": now() + 120}), UNKNOWN)]
#[case::from_the_future(json!({"iat": now() + 120}), UNKNOWN)]
#[case::nobody(json!({"sub": null}), UNKNOWN)]
#[case::a_stranger(json!({"sub": "mallory", "email": "mallory@people.example"}), UNKNOWN)]
#[case::an_address_that_nobody_verified(json!({"email_verified": false}), UNKNOWN)]
#[case::bound_to_a_key(json!({"cnf": {"jkt": "x"}}), UNKNOWN)]
#[case::no_scope(json!({"scope": null}), FORBIDDEN)]
#[case::only_scopes_of_others(json!({"scope": "openid email"}), FORBIDDEN)]
#[case::another_scope_of_ours(json!({"scope": "tools:execute"}), FORBIDDEN)]
#[case::scope_in_another_spelling(json!({"scope": "Tools:Read"}), FORBIDDEN)]
#[tokio::test]
async fn every_claim_of_an_access_token_is_checked(#[case] patch: Value, #[case] expected: StatusCode) {
    let trap = Trap::new().await;
    let (status, said) = trap.list_tools(&trap.token(patch)).await;
    assert_eq!(status, expected, "{said}");
    assert!(!said.to_string().contains("eyJ"), "{said}");
}

#[tokio::test]
async fn an_audience_among_several_is_enough() {
    let trap = Trap::new().await;
    let audiences = json!(["https://other.example", format!("{}/mcp", trap.house.url)]);
    assert_eq!(trap.list_tools(&trap.token(json!({"aud": audiences}))).await.0, OK);
}

#[rstest]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": "at+jwt"}), OK)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": "application/at+JWT"}), OK)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": "JWT"}), OK)]
#[case(json!({"alg": "EdDSA"}), OK)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": "dpop+jwt"}), UNKNOWN)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": "logout+jwt"}), UNKNOWN)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "typ": 1}), UNKNOWN)]
#[case(json!({"alg": "EdDSA", "kid": "key-1", "crit": ["exp"]}), UNKNOWN)]
#[tokio::test]
async fn a_token_of_another_kind_is_no_access_token(#[case] header: Value, #[case] expected: StatusCode) {
    let trap = Trap::new().await;
    let token = trap.issuer.key.sign_with_header(&header, &trap.claims(&json!({})));
    assert_eq!(trap.list_tools(&token).await.0, expected);
}

#[tokio::test]
async fn what_the_issuer_did_not_sign_is_not_believed() {
    let trap = Trap::new().await;
    let claims = trap.claims(&json!({}));
    let named = |algorithm: &str| json!({"alg": algorithm, "kid": "key-1"});
    let honest = trap.token(json!({}));
    let (_, signature) = honest.rsplit_once('.').unwrap();
    let public = trap.issuer.key.public_bytes();
    let forged = [
        format!("{}.", unsigned(&named("none"), &claims)),
        format!("{}.", unsigned(&named("EdDSA"), &claims)),
        sign_hs256(&public, &named("HS256"), &claims),
        sign_hs256(&public, &named("EdDSA"), &claims),
        sign_hs256(&public, &named("RS256"), &claims),
        // Changed after it was signed.
        format!("{}.{signature}", unsigned(&named("EdDSA"), &trap.claims(&json!({"scope": "admin"})))),
        SigningKey::new("key-1", 2).sign(&claims),
        "a.b.c".to_owned(),
        "..".to_owned(),
        format!("{honest}{}", "A".repeat(20_000)),
    ];
    for token in forged {
        let (status, said) = trap.list_tools(&token).await;
        assert_eq!((status, &said["code"]), (UNKNOWN, &json!("UNAUTHENTICATED")), "{token}");
    }
    assert_eq!(trap.list_tools(&honest).await.0, OK);
}

#[tokio::test]
async fn a_storm_of_unknown_keys_asks_the_issuer_once_a_minute() {
    let trap = Trap::new().await;
    assert_eq!(trap.list_tools(&trap.token(json!({}))).await.0, OK);
    assert_eq!((trap.issuer.times_asked(DISCOVERY), trap.issuer.times_asked(JWKS)), (1, 1));
    let stranger = SigningKey::new("key-2", 2);
    let token = stranger.sign(&trap.claims(&json!({})));
    for _ in 0..20 {
        assert_eq!(trap.list_tools(&token).await.0, UNKNOWN);
    }
    assert_eq!(trap.issuer.times_asked(JWKS), 2, "one search for the key");
    // A key that the issuer really changed to is found by the next search.
    trap.issuer.publishes(&[&trap.issuer.key, &stranger]);
    trap.clock.put_forward_ms(60_000);
    assert_eq!(trap.list_tools(&stranger.sign(&trap.claims(&json!({})))).await.0, OK);
    assert_eq!(trap.issuer.times_asked(JWKS), 3);
}

#[tokio::test]
async fn an_issuer_that_fails_is_left_alone_for_a_moment_and_the_token_is_not_blamed() {
    let trap = Trap::new().await;
    trap.issuer.says(DISCOVERY, Says::Error(StatusCode::BAD_GATEWAY, json!({})));
    for _ in 0..20 {
        let (status, said) = trap.list_tools(&trap.token(json!({}))).await;
        assert_eq!((status, &said["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("UNAVAILABLE")));
    }
    assert_eq!(trap.issuer.times_asked(DISCOVERY), 1);
    trap.issuer.says(DISCOVERY, Says::Json(trap.issuer.document()));
    trap.clock.put_forward_ms(5_000);
    assert_eq!(trap.list_tools(&trap.token(json!({}))).await.0, OK);
}

#[tokio::test]
async fn an_issuer_need_not_speak_openid_connect() {
    let trap = Trap::new().await;
    trap.issuer.says(DISCOVERY, Says::Error(StatusCode::NOT_FOUND, json!({})));
    trap.issuer.says("/.well-known/oauth-authorization-server", Says::Json(trap.issuer.document()));
    assert_eq!(trap.list_tools(&trap.token(json!({}))).await.0, OK);
}

#[tokio::test]
async fn a_person_who_was_disabled_has_no_tokens_any_more() {
    let trap = Trap::new().await;
    let token = trap.token(json!({"sub": "bob", "email": "bob@people.example"}));
    assert_eq!(trap.list_tools(&token).await.0, UNKNOWN);
    let bob = trap.house.add(json!({"email": "bob@people.example", "name": "Bob"})).await;
    assert_eq!(trap.list_tools(&token).await.0, OK);
    // From then on the subject says who it is, and not the address, which may pass to somebody else.
    let other = trap.token(json!({"sub": "not-bob", "email": "bob@people.example"}));
    assert_eq!(trap.list_tools(&other).await.0, UNKNOWN);
    assert_eq!(trap.list_tools(&trap.token(json!({"sub": "bob", "email": null}))).await.0, OK);
    trap.house.disable(&bob).await;
    assert_eq!(trap.list_tools(&token).await.0, UNKNOWN);
}

#[tokio::test]
async fn a_token_opens_the_tenant_that_its_issuer_stands_for_and_no_other() {
    let trap = Trap::with(|config| config.tenant_claim = Some("org".to_owned())).await;
    let admin = toolgate_domain::Caller::system(toolgate_domain::TenantId::DEFAULT, "default");
    trap.house.engine.rules().create_tenant(&admin, "north", "North").await.unwrap();
    let token = |org: Value| trap.token(json!({"org": org}));
    assert_eq!(trap.list_tools(&token(json!("default"))).await.0, OK);
    assert_eq!(trap.list_tools(&token(json!("north"))).await.0, UNKNOWN, "alice is nobody there");
    assert_eq!(trap.list_tools(&token(json!("nowhere"))).await.0, UNKNOWN);
    assert_eq!(trap.list_tools(&token(Value::Null)).await.0, UNKNOWN);
    assert_eq!(trap.list_tools(&token(json!(["default"]))).await.0, UNKNOWN);

    let trap = Trap::with(|config| config.tenant = Some("north".to_owned())).await;
    assert_eq!(trap.list_tools(&trap.token(json!({}))).await.0, UNKNOWN);
}

#[tokio::test]
async fn the_operator_says_which_words_stand_for_which_scopes() {
    let trap = Trap::with(|config| {
        config.scope_claim = Some("/realm_access/roles".to_owned());
        config.scopes = BTreeMap::from([("mcp-user".to_owned(), vec![Scope::ToolsRead])]);
    })
    .await;
    let roles = |roles: Value| trap.token(json!({"realm_access": {"roles": roles}}));
    assert_eq!(trap.list_tools(&roles(json!(["mcp-user"]))).await.0, OK);
    assert_eq!(trap.list_tools(&roles(json!(["other"]))).await.0, FORBIDDEN);
    assert_eq!(trap.list_tools(&trap.token(json!({}))).await.0, FORBIDDEN, "`scope` is not the claim");
}

#[rstest]
#[case("/.well-known/oauth-protected-resource")]
#[case("/.well-known/oauth-protected-resource/mcp")]
#[tokio::test]
async fn a_client_finds_out_where_tokens_come_from(#[case] path: &str) {
    let trap = Trap::new().await;
    let get = |url: String, host: Option<&'static str>| async move {
        let mut request = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap().get(url);
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let answer = request.send().await.unwrap();
        (answer.status(), serde_json::from_str::<Value>(&answer.text().await.unwrap()).unwrap())
    };
    let (status, told) = get(format!("{}{path}", trap.house.url), None).await;
    assert_eq!(status, OK, "{told}");
    let expected = json!({
        "resource": format!("{}/mcp", trap.house.url),
        "authorization_servers": [trap.issuer.url],
        "scopes_supported": ["tools:read", "tools:execute"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Toolgate",
        "resource_documentation": format!("{}/docs", trap.house.url),
    });
    assert_eq!(told, expected);
    let (status, _) = get(format!("{}{path}", trap.house.url), Some("rebound.example")).await;
    assert_eq!(status, FORBIDDEN);

    let (listener, url) = Serving::listen().await;
    let _keys_only = Serving::open(listener, ServerOptions::default()).await;
    let (status, problem) = get(format!("{url}{path}"), None).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("NOT_FOUND")));
    assert!(problem["detail"].as_str().unwrap().contains("--oauth-issuer"), "{problem}");
    let (status, problem) = ask(&url, "/api/tools", &trap.token(json!({}))).await;
    assert_eq!(status, UNKNOWN, "{problem}");
}
