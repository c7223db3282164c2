//! A provider that answers whatever a test wants it to.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolgate_domain::Clock;
use toolgate_server::oidc::{Identity, OidcClient, OidcError};

use crate::oidc::{client, config, keys::SigningKey};

pub const CLIENT_ID: &str = "toolgate";
pub const SECRET: &str = "the-client-secret";
pub const CODE: &str = "the-authorization-code";
pub const NONCE: &str = "the-nonce-of-this-sign-in";

pub const DISCOVERY: &str = "/.well-known/openid-configuration";
pub const JWKS: &str = "/jwks";
pub const TOKEN: &str = "/token";
pub const USERINFO: &str = "/userinfo";

#[derive(Clone)]
pub enum Says {
    Json(Value),
    Error(StatusCode, Value),
    RedirectTo(String),
    Bytes(usize),
}

#[derive(Default)]
struct Script {
    answers: BTreeMap<&'static str, Says>,
    /// How often each path was asked.
    asked: BTreeMap<String, usize>,
}

pub struct HostileIssuer {
    pub url: String,
    pub key: SigningKey,
    script: Arc<Mutex<Script>>,
}

impl HostileIssuer {
    /// Until it is told otherwise it is an honest provider whose one user is alice.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::new(Mutex::new(Script::default()));
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let issuer = Self { url, key: SigningKey::new("key-1", 1), script };
        issuer.says(DISCOVERY, Says::Json(issuer.document()));
        issuer.publishes(&[&issuer.key]);
        issuer
    }

    pub fn document(&self) -> Value {
        let at = |path| format!("{}{path}", self.url);
        json!({
            "issuer": self.url, "authorization_endpoint": at("/authorize"), "token_endpoint": at(TOKEN),
            "jwks_uri": at(JWKS), "userinfo_endpoint": at(USERINFO),
        })
    }

    pub fn says(&self, path: &'static str, answer: Says) {
        self.script.lock().unwrap().answers.insert(path, answer);
    }

    pub fn publishes(&self, keys: &[&SigningKey]) {
        let keys: Vec<_> = keys.iter().map(|key| key.public()).collect();
        self.says(JWKS, Says::Json(json!({"keys": keys})));
    }

    pub fn gives(&self, id_token: &str) {
        self.says(
            TOKEN,
            Says::Json(json!({"access_token": "a", "token_type": "Bearer", "id_token": id_token})),
        );
    }

    pub fn times_asked(&self, path: &str) -> usize {
        self.script.lock().unwrap().asked.get(path).copied().unwrap_or(0)
    }

    /// What an honest token of this issuer says, changed by `patch`; a null takes a claim away.
    pub fn claims(&self, clock: &dyn Clock, patch: Value) -> Value {
        let now = clock.now().as_millis() / 1_000;
        let mut claims = json!({
            "iss": self.url, "sub": "alice", "aud": CLIENT_ID, "exp": now + 300, "iat": now, "nonce": NONCE,
            "email": "alice@people.example", "email_verified": true, "name": "Alice",
        });
        for (name, value) in patch.as_object().unwrap() {
            if value.is_null() {
                claims.as_object_mut().unwrap().remove(name);
            } else {
                claims[name] = value.clone();
            }
        }
        claims
    }

    pub fn client(&self, clock: Arc<dyn Clock>) -> OidcClient {
        client(config(&self.url, CLIENT_ID, Some(SECRET)), clock)
    }
}

/// Finishes a sign-in, and sees to it that an error gives nothing away.
pub async fn finish(client: &OidcClient) -> Result<Identity, OidcError> {
    let finished = client.finish(CODE, "the-verifier", NONCE).await;
    if let Err(error) = &finished {
        let said = format!("{error} {error:?}");
        for secret in [CODE, SECRET, NONCE, "the-verifier", "eyJ"] {
            assert!(!said.contains(secret), "{said}");
        }
    }
    finished
}

async fn answer(State(script): State<Arc<Mutex<Script>>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let mut script = script.lock().unwrap();
    *script.asked.entry(path.clone()).or_default() += 1;
    match script.answers.get(path.as_str()).cloned() {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Says::Json(value)) => axum::Json(value).into_response(),
        Some(Says::Error(status, value)) => (status, axum::Json(value)).into_response(),
        Some(Says::RedirectTo(url)) => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, url)]).into_response(),
        Some(Says::Bytes(length)) => vec![b' '; length].into_response(),
    }
}
