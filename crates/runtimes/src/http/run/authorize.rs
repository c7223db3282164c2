//! Adds what shows who asks, and remembers what was made of secrets so that it can be struck from what comes back.

use std::borrow::Cow;

use data_encoding::BASE64;
use reqwest::header::{AUTHORIZATION, HeaderName};
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::SecretValue;

use super::{
    build::set_parameter,
    execute::{Core, Job, SecretSource},
};
use crate::http::{
    client::Outgoing,
    config::{Auth, Source, check_value},
};

const MARK: &str = "[redacted:credentials]";
/// Shorter texts would match half of every response.
const MIN_NEEDLE_BYTES: usize = 6;

/// What this call sent to prove itself.
#[derive(Clone, Default)]
pub(in crate::http) struct Credentials {
    needles: Vec<SecretValue>,
    /// Whether a token of OAuth2 is among them, which may have been revoked early.
    pub(super) has_token: bool,
}

impl Credentials {
    fn keep(&mut self, text: &str) {
        let known = self.needles.iter().any(|needle| needle.expose() == text);
        if text.len() >= MIN_NEEDLE_BYTES
            && !known
            && let Ok(needle) = SecretValue::new(text.to_owned())
        {
            self.needles.push(needle);
        }
    }

    /// The text without what this call sent to prove itself.
    pub(in crate::http) fn scrub<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut clean = Cow::Borrowed(text);
        for needle in self.needles.iter().filter(|needle| text.contains(needle.expose())) {
            clean = Cow::Owned(clean.replace(needle.expose(), MARK));
        }
        clean
    }

    pub(super) fn scrub_error(&self, mut error: ToolError) -> ToolError {
        if self.needles.is_empty() {
            return error;
        }
        error.message = self.scrub(&error.message).into_owned();
        if let Some(body) = error.details.as_mut().and_then(|details| details.get_mut("body"))
            && let Some(text) = body.as_str()
        {
            *body = self.scrub(text).into_owned().into();
        }
        error
    }
}

/// Adds credentials to a request.
pub(super) async fn authorize(
    core: &Core,
    job: &Job<'_>,
    request: &mut Outgoing,
    credentials: &mut Credentials,
) -> Result<(), ToolError> {
    match &job.plan.auth {
        None => Ok(()),
        Some(Auth::Bearer { secret }) => {
            let value = find(job.secrets, secret)?;
            set(request, AUTHORIZATION, &format!("Bearer {}", value.expose()))
        }
        Some(Auth::Basic { username, password }) => {
            let password = find(job.secrets, password)?;
            let encoded = basic(job.secrets, username, &password)?;
            credentials.keep(&encoded);
            set(request, AUTHORIZATION, &format!("Basic {encoded}"))
        }
        Some(Auth::Header { name, prefix, secret }) => {
            let value = find(job.secrets, secret)?;
            set(request, name.clone(), &format!("{prefix}{}", value.expose()))
        }
        Some(Auth::Query { name, secret }) => {
            set_parameter(&mut request.url, name, find(job.secrets, secret)?.expose());
            Ok(())
        }
        Some(Auth::ClientCredentials(grant)) => {
            let token = core.tokens.get(core, job, grant).await?;
            credentials.keep(token.expose());
            credentials.has_token = true;
            set(request, AUTHORIZATION, &format!("Bearer {}", token.expose()))
        }
    }
}

/// `user:password` in base64.
pub(super) fn basic(
    secrets: SecretSource<'_>,
    username: &Source,
    password: &SecretValue,
) -> Result<String, ToolError> {
    let username = text_of(secrets, username)?;
    if username.contains(':') {
        return Err(unusable("a username cannot hold a colon"));
    }
    Ok(BASE64.encode(format!("{username}:{}", password.expose()).as_bytes()))
}

pub(super) fn text_of(secrets: SecretSource<'_>, source: &Source) -> Result<String, ToolError> {
    match source {
        Source::Literal(text) => Ok(text.clone()),
        Source::Secret(name) => Ok(find(secrets, name)?.expose().to_owned()),
    }
}

pub(super) fn find(secrets: SecretSource<'_>, name: &str) -> Result<SecretValue, ToolError> {
    secrets(name).ok_or_else(|| {
        let message = format!(
            "the tool's auth names the secret `{name}`, which the tool does not declare in `secrets`"
        );
        ToolError::new(ErrorCode::AuthRequired, message).with_details(serde_json::json!({"missing": [name]}))
    })
}

fn set(request: &mut Outgoing, name: HeaderName, value: &str) -> Result<(), ToolError> {
    // The message of `check_value` names the header, not the value.
    let value = check_value(&name, value).map_err(|error| unusable(&error))?;
    request.set_sensitive(name, value);
    Ok(())
}

fn unusable(message: &str) -> ToolError {
    ToolError::new(ErrorCode::AuthRequired, format!("the secret cannot be sent: {message}"))
        .with_details(serde_json::json!({"reason": "unusable_secret"}))
}
