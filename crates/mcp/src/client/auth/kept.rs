//! What a login leaves behind. It is kept as JSON, in one secret.

use std::fmt;

use rmcp::transport::auth::{StoredAuthorizationState, StoredCredentials};
use serde::{Deserialize, Serialize};
use toolgate_domain::Timestamp;
use toolgate_engine::SecretValue;

use super::KeeperError;

/// How long a person has to answer.
pub(super) const MAX_PENDING_MS: u64 = 10 * 60 * 1_000;
/// A token is renewed this long before it expires.
const RENEW_BEFORE_S: u64 = 30;
/// A challenge is an HTTP header: what is longer is not worth keeping.
const MAX_CHALLENGE_BYTES: usize = 4_096;

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct KeptLogin {
    /// Always written: a secret is never as short as an empty document.
    #[serde(default)]
    format: u32,
    /// The client that the tokens were given to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client: Option<KeptClient>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<StoredCredentials>,
    /// Asked for at the next login too: the server wanted them for some call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) wanted: Vec<String>,
    /// What was asked for at the last login.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<String>,
    /// Where the server told us to look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) challenge: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pending: Option<Pending>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptClient {
    pub(super) id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    pub(super) redirect_uri: String,
    /// The authorization server that knows the client. No other is ever told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) issuer: Option<String>,
}

/// A login that waits for a person.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Pending {
    /// Who started it: nobody else finishes it.
    pub(super) by: String,
    pub(super) client: KeptClient,
    pub(super) started_at: Timestamp,
    pub(super) scopes: Vec<String>,
    pub(super) state: Option<StoredAuthorizationState>,
}

impl KeptLogin {
    pub(super) fn read(text: &SecretValue) -> Result<Self, KeeperError> {
        // The parser's own message may quote what it read.
        serde_json::from_str(text.expose()).map_err(|_| {
            KeeperError("it is not what a login leaves behind: delete it and log in again".to_owned())
        })
    }

    pub(super) fn write(&self) -> Result<SecretValue, KeeperError> {
        let text = serde_json::to_string(self).map_err(|error| KeeperError(error.to_string()))?;
        SecretValue::new(text).map_err(|error| KeeperError(error.to_string()))
    }

    /// The token, and when it is no longer good. `None` for the time: nobody said.
    pub(super) fn token(&self) -> Option<(String, Option<Timestamp>)> {
        let stored = self.tokens.as_ref()?;
        let tokens = serde_json::to_value(stored.token_response.as_ref()?).ok()?;
        let token = tokens.get("access_token")?.as_str()?.to_owned();
        let lasts_s = tokens.get("expires_in").and_then(serde_json::Value::as_u64);
        let until = lasts_s.zip(stored.token_received_at).map(|(lasts_s, received_s)| {
            let until_s = received_s.saturating_add(lasts_s).saturating_sub(RENEW_BEFORE_S);
            Timestamp::from_millis(i64::try_from(until_s).unwrap_or(i64::MAX).saturating_mul(1_000))
        });
        Some((token, until))
    }

    pub(super) fn remember(&mut self, challenge: Option<&str>) {
        if let Some(challenge) = challenge.filter(|text| text.len() <= MAX_CHALLENGE_BYTES) {
            self.challenge = Some(challenge.to_owned());
        }
    }
}

impl fmt::Debug for KeptLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptLogin")
            .field("has_tokens", &self.tokens.is_some())
            .field("is_pending", &self.pending.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_holds_nothing_yet_can_be_kept() {
        let kept = KeptLogin::default().write().unwrap();
        assert!(KeptLogin::read(&kept).unwrap().tokens.is_none());
    }
}
