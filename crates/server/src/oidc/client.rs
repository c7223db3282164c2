//! The two halves of a sign-in: where the browser is sent, and who it came back as.

use std::{fmt, sync::Arc};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::RngExt;
use reqwest::{ClientBuilder, RequestBuilder, header::CONTENT_TYPE};
use serde_json::Value;
use sha2::{Digest, Sha256};
use toolgate_domain::Clock;
use url::form_urlencoded;

use super::{
    Asked, Identity, OidcConfig, OidcError, http,
    id_token::{self, Expected},
    jwt::{self, Jwt},
    provider::{Known, Provider},
};

/// A sign-in that has begun. All but the address must be kept, out of others' sight, until the browser returns.
pub struct Begun {
    pub authorization_url: String,
    pub state: String,
    pub nonce: String,
    pub code_verifier: String,
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begun").finish_non_exhaustive()
    }
}

/// A client of one provider. It asks the provider nothing until somebody signs in.
pub struct OidcClient {
    config: OidcConfig,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    known: Known,
}

impl fmt::Debug for OidcClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcClient").field("config", &self.config).finish_non_exhaustive()
    }
}

impl OidcClient {
    /// `http` brings what an installation needs, such as a proxy or its own certificate authority. Redirects and
    /// timeouts are set here, over whatever it says.
    pub fn new(config: OidcConfig, http: ClientBuilder, clock: Arc<dyn Clock>) -> Result<Self, OidcError> {
        config.check()?;
        Ok(Self { config, http: http::client(http)?, clock, known: Known::default() })
    }

    /// Who vouches for people.
    pub fn issuer(&self) -> &str {
        &self.config.issuer
    }

    pub async fn begin(&self) -> Result<Begun, OidcError> {
        let provider = self.provider().await?;
        let (state, nonce, code_verifier) = (random_text(), random_text(), random_text());
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(code_verifier.as_bytes()));
        let mut url = provider.authorization_endpoint;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", &self.config.redirect_uri)
            .append_pair("scope", &self.config.scope())
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(Begun { authorization_url: url.into(), state, nonce, code_verifier })
    }

    /// The caller has compared the `state` that came back with the one that was kept; the rest is checked here.
    pub async fn finish(&self, code: &str, code_verifier: &str, nonce: &str) -> Result<Identity, OidcError> {
        let provider = self.provider().await?;
        let finished = self.finish_at(&provider, code, code_verifier, nonce).await;
        if let Err(error) = &finished
            && is_about_an_endpoint(error)
        {
            self.known.forget_provider().await;
        }
        finished
    }

    async fn finish_at(
        &self,
        provider: &Provider,
        code: &str,
        code_verifier: &str,
        nonce: &str,
    ) -> Result<Identity, OidcError> {
        let tokens = self.exchange(provider, code, code_verifier).await?;
        let token = tokens
            .get("id_token")
            .and_then(Value::as_str)
            .ok_or(OidcError::Malformed { asked: Asked::Token, problem: "the answer has no `id_token`" })?;
        let token = Jwt::parse(token)?;
        let signed = token.signed()?;
        let now = self.clock.now();
        let keys = self.known.keys(provider, &self.http, now, |keys| keys.has(&signed)).await?;
        let claims = id_token::verify(&token, &keys, &Expected { config: &self.config, nonce, now })?;
        let subject = jwt::subject(&claims)?;
        let identity = Identity::new(&self.config.issuer, subject, &claims);
        self.complete(provider, identity, &tokens).await
    }

    async fn exchange(
        &self,
        provider: &Provider,
        code: &str,
        code_verifier: &str,
    ) -> Result<Value, OidcError> {
        let request = self
            .authenticated(self.http.post(provider.token_endpoint.clone()))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(self.exchange_form(code, code_verifier));
        let answer = http::ask(Asked::Token, request).await?;
        if answer.status.is_success() {
            let problem = "the answer is not a JSON object";
            return answer.object().ok_or(OidcError::Malformed { asked: Asked::Token, problem });
        }
        let status = OidcError::Status { asked: Asked::Token, status: answer.status.as_u16() };
        Err(answer.object().as_ref().and_then(refusal).unwrap_or(status))
    }

    /// Apart from the exchange, because a serializer must not wait: it cannot move between threads.
    fn exchange_form(&self, code: &str, code_verifier: &str) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &self.config.redirect_uri)
            .append_pair("code_verifier", code_verifier);
        if self.config.client_secret.is_none() {
            form.append_pair("client_id", &self.config.client_id);
        }
        form.finish()
    }

    /// Both parts are form-encoded before they are joined (RFC 6749, 2.3.1): a secret may have a colon or a percent sign.
    fn authenticated(&self, request: RequestBuilder) -> RequestBuilder {
        let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        match &self.config.client_secret {
            Some(secret) => request.basic_auth(encoded(&self.config.client_id), Some(encoded(secret))),
            None => request,
        }
    }

    /// A provider that follows the letter (OpenID Connect Core, 5.4) tells the address at its userinfo endpoint only.
    async fn complete(
        &self,
        provider: &Provider,
        identity: Identity,
        tokens: &Value,
    ) -> Result<Identity, OidcError> {
        let wants = |scope: &str| self.config.scopes.iter().any(|wanted| wanted == scope);
        let is_open =
            identity.email.is_none() && wants("email") || identity.name.is_none() && wants("profile");
        let access_token = tokens.get("access_token").and_then(Value::as_str);
        let (true, Some(endpoint), Some(access_token)) = (is_open, &provider.userinfo_endpoint, access_token)
        else {
            return Ok(identity);
        };
        let request = self.http.get(endpoint.clone()).bearer_auth(access_token);
        let claims = http::ask_for_object(Asked::UserInfo, request).await?;
        // What it says is not signed; it counts only for the one whom the ID token proves.
        if claims.get("sub").and_then(Value::as_str) != Some(identity.subject.as_str()) {
            return Err(OidcError::OtherSubject);
        }
        Ok(identity.completed_by(&claims))
    }

    async fn provider(&self) -> Result<Provider, OidcError> {
        self.known.provider(self.config.at(), &self.http, self.clock.now()).await
    }
}

/// The errors after which the provider's description is worth another look.
fn is_about_an_endpoint(error: &OidcError) -> bool {
    matches!(
        error,
        OidcError::Unreachable { .. }
            | OidcError::Slow { .. }
            | OidcError::Redirected { .. }
            | OidcError::Status { .. }
            | OidcError::TooLarge { .. }
            | OidcError::Malformed { .. }
    )
}

/// Only the words of RFC 6749, 5.2 are repeated, and in our spelling.
fn refusal(answer: &Value) -> Option<OidcError> {
    const TRY_AGAIN: &str = "the code was used, has expired, or is another sign-in's; sign in again";
    const REGISTRATION: &str = "compare the client's registration at the provider with these settings";
    const REASONS: [(&str, &str); 6] = [
        ("invalid_grant", TRY_AGAIN),
        ("invalid_client", "compare the client id and the client secret with the provider's"),
        ("unauthorized_client", REGISTRATION),
        ("invalid_request", REGISTRATION),
        ("invalid_scope", REGISTRATION),
        ("unsupported_grant_type", "allow the authorization code grant for this client at the provider"),
    ];
    let given = answer.get("error")?.as_str()?;
    let (reason, advice) = REASONS.into_iter().find(|(reason, _)| *reason == given)?;
    Some(OidcError::Refused { reason, advice })
}

fn random_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 32]>())
}
