//! The provider's description of itself, and the keys it publishes; both kept for a while.

use reqwest::Client;
use serde_json::Value;
use tokio::sync::Mutex;
use toolgate_domain::Timestamp;
use url::Url;

use super::{Asked, OidcError, config::Issuer, http, keys::KeySet};

/// After this, both are asked for again: a provider that withdraws a key or moves an endpoint is heard.
const MAX_AGE_MS: u64 = 60 * 60 * 1_000;
/// Anybody can make a provider sign with a key that we don't know; nobody can make us ask more often than this.
const MIN_KEY_SEARCH_INTERVAL_MS: u64 = 60 * 1_000;
const MAX_QUOTED_CHARS: usize = 200;

#[derive(Clone, Debug)]
pub(super) struct Provider {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    jwks_uri: Url,
}

/// What is known of the provider. A failure is never kept: the next caller asks again.
#[derive(Default)]
pub(super) struct Known {
    // Held while asking, so that a crowd of sign-ins asks once.
    provider: Mutex<Option<(Provider, Timestamp)>>,
    keys: Mutex<KnownKeys>,
}

#[derive(Default)]
struct KnownKeys {
    keys: Option<(KeySet, Timestamp)>,
    /// When they were last asked for because a token named one that is not among them.
    searched: Option<Timestamp>,
}

impl Known {
    pub(super) async fn provider(
        &self,
        issuer: Issuer<'_>,
        client: &Client,
        now: Timestamp,
    ) -> Result<Provider, OidcError> {
        let fetch = async {
            let mut known = self.provider.lock().await;
            if let Some((provider, since)) = known.as_ref()
                && now.ms_since(*since) < MAX_AGE_MS
            {
                return Ok(provider.clone());
            }
            let mut asked = http::ask_for_object(Asked::Discovery, client.get(issuer.discovery_url())).await;
            if let (Err(OidcError::Status { status: 404, .. }), Some(url)) = (&asked, issuer.oauth_url()) {
                asked = http::ask_for_object(Asked::Discovery, client.get(url)).await;
            }
            let document = asked?;
            let provider = Provider::read(issuer, &document)?;
            *known = Some((provider.clone(), now));
            Ok(provider)
        };
        // The wait for others' attempts counts too: otherwise a crowd before a silent provider waits its turns.
        tokio::time::timeout(http::TIMEOUT, fetch).await.map_err(|_| http::slow(Asked::Discovery))?
    }

    /// The provider's keys. When `suffice` finds those already known wanting they are asked for again, if the last such
    /// search was long enough ago.
    pub(super) async fn keys(
        &self,
        provider: &Provider,
        client: &Client,
        now: Timestamp,
        suffice: impl Fn(&KeySet) -> bool,
    ) -> Result<KeySet, OidcError> {
        let fetch = async {
            let mut known = self.keys.lock().await;
            if let Some((keys, since)) = &known.keys
                && now.ms_since(*since) < MAX_AGE_MS
            {
                let searched_lately =
                    known.searched.is_some_and(|at| now.ms_since(at) < MIN_KEY_SEARCH_INTERVAL_MS);
                if searched_lately || suffice(keys) {
                    return Ok(keys.clone());
                }
                // Before the answer, so that a search that fails counts as well.
                known.searched = Some(now);
            }
            let set = http::ask_for_object(Asked::Keys, client.get(provider.jwks_uri.clone())).await?;
            let keys = KeySet::read(&set)?;
            known.keys = Some((keys.clone(), now));
            Ok(keys)
        };
        tokio::time::timeout(http::TIMEOUT, fetch).await.map_err(|_| http::slow(Asked::Keys))?
    }

    /// After an endpoint failed: perhaps the provider has moved it.
    pub(super) async fn forget_provider(&self) {
        *self.provider.lock().await = None;
    }
}

impl Provider {
    fn read(at: Issuer<'_>, document: &Value) -> Result<Self, OidcError> {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let missing = |problem| OidcError::Malformed { asked: Asked::Discovery, problem };
        let issuer = text("issuer").ok_or_else(|| missing("it names no `issuer`"))?;
        if issuer != at.0 {
            let found = issuer.chars().take(MAX_QUOTED_CHARS).collect();
            return Err(OidcError::IssuerMismatch { configured: at.0.to_owned(), found });
        }
        let endpoint =
            |name: &'static str, problem| at.endpoint(name, text(name).ok_or_else(|| missing(problem))?);
        Ok(Self {
            authorization_endpoint: endpoint(
                "authorization_endpoint",
                "it names no `authorization_endpoint`",
            )?,
            token_endpoint: endpoint("token_endpoint", "it names no `token_endpoint`")?,
            jwks_uri: endpoint("jwks_uri", "it names no `jwks_uri`")?,
            userinfo_endpoint: text("userinfo_endpoint")
                .map(|address| at.endpoint("userinfo_endpoint", address))
                .transpose()?,
        })
    }
}
