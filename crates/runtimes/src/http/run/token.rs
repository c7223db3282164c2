//! Tokens of OAuth2's client credentials grant: asked for once, kept until shortly before they expire.

use std::time::Duration;

use bytes::Bytes;
use dashmap::DashMap;
use reqwest::{
    Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use tokio::time::Instant;
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::SecretValue;
use url::form_urlencoded;

use super::{
    authorize::{basic, find, text_of},
    execute::{Core, Job},
    status::failure_of,
};
use crate::http::{
    client::{Bounds, Outgoing, Response},
    config::{ClientCredentials, CredentialsIn, Source, check_value},
};

/// A token that expires within this time is not used any more.
const MARGIN: Duration = Duration::from_secs(30);
const DEFAULT_LIFE_S: u64 = 300;
const MAX_LIFE_S: u64 = 24 * 3600;
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// The tokens of a process, by a digest of everything that they were asked for with.
pub(in crate::http) struct Tokens {
    kept: DashMap<blake3::Hash, (SecretValue, Instant)>,
    max: usize,
}

impl Tokens {
    pub(super) fn new(max: usize) -> Self {
        Self { kept: DashMap::new(), max }
    }

    pub(super) async fn get(
        &self,
        core: &Core,
        job: &Job<'_>,
        grant: &ClientCredentials,
    ) -> Result<SecretValue, ToolError> {
        let client_id = text_of(job.secrets, &grant.client_id)?;
        let client_secret = find(job.secrets, &grant.client_secret)?;
        let key = key(job, grant, &client_id, &client_secret);
        if let Some(kept) = self.kept.get(&key)
            && kept.1 > Instant::now()
        {
            return Ok(kept.0.clone());
        }
        let (token, life_s) = ask(core, job, grant, &client_id, &client_secret).await?;
        if self.kept.len() >= self.max {
            self.kept.retain(|_, (_, until)| *until > Instant::now());
            if self.kept.len() >= self.max {
                self.kept.clear();
            }
        }
        let life = Duration::from_secs(life_s.min(MAX_LIFE_S)).saturating_sub(MARGIN);
        self.kept.insert(key, (token.clone(), Instant::now() + life));
        Ok(token)
    }

    /// Forgets a token that a host did not accept.
    pub(super) fn forget(&self, job: &Job<'_>, grant: &ClientCredentials) -> Result<(), ToolError> {
        let client_id = text_of(job.secrets, &grant.client_id)?;
        let client_secret = find(job.secrets, &grant.client_secret)?;
        self.kept.remove(&key(job, grant, &client_id, &client_secret));
        Ok(())
    }
}

fn key(
    job: &Job<'_>,
    grant: &ClientCredentials,
    client_id: &str,
    client_secret: &SecretValue,
) -> blake3::Hash {
    let parts = json!([
        job.tenant,
        grant.token_url.as_str(),
        client_id,
        client_secret.expose(),
        grant.scope,
        grant.audience
    ]);
    blake3::hash(parts.to_string().as_bytes())
}

async fn ask(
    core: &Core,
    job: &Job<'_>,
    grant: &ClientCredentials,
    client_id: &str,
    client_secret: &SecretValue,
) -> Result<(SecretValue, u64), ToolError> {
    let request = question(job, grant, client_id, client_secret)?;
    let timeout_ms = job.plan.timeout_ms;
    let deadline = job.deadline.min(Instant::now() + Duration::from_millis(timeout_ms));
    // The request holds the client's secret: it goes to the address that the author wrote, and nowhere else.
    let bounds = Bounds { deadline, timeout_ms, max_redirects: 0, max_response_bytes: MAX_ANSWER_BYTES };
    let response = core.client.fetch(job.wall, request, bounds).await.map_err(|failure| failure.error)?;
    read(&response)
}

/// RFC 6749, section 4.4.2.
fn question(
    job: &Job<'_>,
    grant: &ClientCredentials,
    client_id: &str,
    client_secret: &SecretValue,
) -> Result<Outgoing, ToolError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let mut request = Outgoing { method: Method::POST, url: grant.token_url.clone(), headers, body: None };
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    match grant.credentials_in {
        CredentialsIn::Header => {
            // RFC 6749 wants both form-encoded before they are joined.
            let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let id = Source::Literal(encode(client_id));
            let secret = SecretValue::new(encode(client_secret.expose()))
                .map_err(|_| no_token("has no usable secret", None))?;
            let value = format!("Basic {}", basic(job.secrets, &id, &secret)?);
            let value = check_value(&AUTHORIZATION, &value).map_err(|error| no_token(&error, None))?;
            request.set_sensitive(AUTHORIZATION, value);
        }
        CredentialsIn::Body => {
            form.append_pair("client_id", client_id).append_pair("client_secret", client_secret.expose());
        }
    }
    for (name, value) in [("scope", &grant.scope), ("audience", &grant.audience)] {
        if let Some(value) = value {
            form.append_pair(name, value);
        }
    }
    request.body = Some(Bytes::from(form.finish()));
    Ok(request)
}

fn read(response: &Response) -> Result<(SecretValue, u64), ToolError> {
    let body = toolgate_domain::json::parse(&response.body, 8).unwrap_or(Value::Null);
    let status = response.status.as_u16();
    if !response.status.is_success() {
        // An error of the grant is about the credentials; any other is about the host.
        return Err(match (status, body["error"].as_str()) {
            (400 | 401 | 403, code) => no_token("did not accept the client", code),
            _ => failure_of(response, "", 0),
        });
    }
    let token = body["access_token"].as_str().unwrap_or_default();
    let bearer = body["token_type"].as_str().is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
    let token = SecretValue::new(token.to_owned()).ok().filter(|_| bearer);
    let token = token.ok_or_else(|| no_token("gave no bearer token", None))?;
    Ok((token, body["expires_in"].as_u64().unwrap_or(DEFAULT_LIFE_S)))
}

fn no_token(what: &str, code: Option<&str>) -> ToolError {
    let code: Option<String> = code.map(|code| code.chars().take(60).collect());
    ToolError::new(ErrorCode::AuthRequired, format!("the token's host {what}"))
        .with_details(json!({"reason": "oauth2", "error": code}))
}
