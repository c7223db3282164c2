//! Access tokens: what a program shows instead of a key, when a person let it (RFC 9068; RFC 8707 for whom it is made).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use reqwest::ClientBuilder;
use serde_json::Value;
use toolgate_domain::{Clock, Scope, Timestamp};

use super::{
    Asked, Identity, OidcError, TokenError,
    config::Issuer,
    http,
    jwt::{self, Jwt},
    keys::KeySet,
    provider::Known,
};

/// A token with many claims has four kilobytes.
const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// Scopes, groups or roles of one token that are looked at.
const MAX_WORDS: usize = 256;
const MAX_TENANT_BYTES: usize = 64;
/// Anybody can send a token that names an issuer. One that does not answer is left alone for this long.
const REST_AFTER_FAILURE_MS: u64 = 5_000;

/// An issuer whose access tokens are believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessConfig {
    /// To the letter as it stands in the tokens.
    pub issuer: String,
    /// The tenant, by its slug, whose people this issuer knows; the installation's own when absent.
    pub tenant: Option<String>,
    /// The claim that names the tenant, for an issuer that serves several.
    pub tenant_claim: Option<String>,
    /// The claim that gives the scopes: a name, or a JSON pointer such as `/realm_access/roles`. Without it `scope`, then `scp`.
    pub scope_claim: Option<String>,
    /// What a word of that claim stands for. A word that is the name of a scope stands for that scope.
    pub scopes: BTreeMap<String, Vec<Scope>>,
}

/// Everybody whose access tokens are believed, and for which resource they must be made.
pub struct AccessTokens {
    resource: String,
    asked_scopes: Vec<String>,
    issuers: Vec<Trusted>,
    clock: Arc<dyn Clock>,
}

struct Trusted {
    config: AccessConfig,
    http: reqwest::Client,
    known: Known,
    failed: Mutex<Option<Timestamp>>,
}

/// What a token that is believed says.
pub(crate) struct Shown {
    pub(crate) identity: Identity,
    pub(crate) tenant: Option<String>,
    pub(crate) scopes: Vec<Scope>,
}

impl fmt::Debug for AccessTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers: Vec<_> = self.issuers.iter().map(|trusted| &trusted.config).collect();
        f.debug_struct("AccessTokens").field("resource", &self.resource).field("issuers", &issuers).finish()
    }
}

impl AccessTokens {
    /// `resource` is the audience that a token must have; `asked_scopes` what a client is told to ask its issuer for.
    pub fn new(
        resource: String,
        asked_scopes: Vec<String>,
        issuers: Vec<AccessConfig>,
        http: impl Fn() -> ClientBuilder,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OidcError> {
        let refused = |setting, problem| OidcError::Setting { setting, problem };
        if !url::Url::parse(&resource).is_ok_and(|url| url.has_host() && url.fragment().is_none()) {
            let problem = "is not an address without a fragment: write where clients reach /mcp";
            return Err(refused("resource", problem));
        }
        // It goes into a header, between quotes (RFC 6749, 3.3).
        let is_word = |scope: &String| {
            let fits = |b: u8| b.is_ascii_graphic() && b != b'"' && b != b'\\';
            !scope.is_empty() && scope.bytes().all(fits)
        };
        if !asked_scopes.iter().all(is_word) {
            return Err(refused("scopes", "has an entry that is not one word: write one scope an entry"));
        }
        let mut seen = BTreeSet::new();
        let trust = |config: AccessConfig| {
            Issuer(&config.issuer).check()?;
            if !seen.insert(config.issuer.clone()) {
                return Err(refused("issuer", "is named twice: give each issuer once"));
            }
            let http = http::client(http())?;
            Ok(Trusted { config, http, known: Known::default(), failed: Mutex::default() })
        };
        let issuers = issuers.into_iter().map(trust).collect::<Result<_, _>>()?;
        Ok(Self { resource, asked_scopes, issuers, clock })
    }

    pub(crate) fn resource(&self) -> &str {
        &self.resource
    }

    pub(crate) fn asked_scopes(&self) -> &[String] {
        &self.asked_scopes
    }

    pub(crate) fn issuers(&self) -> impl Iterator<Item = &str> {
        self.issuers.iter().map(|trusted| trusted.config.issuer.as_str())
    }

    pub(crate) async fn verify(&self, token: &str) -> Result<Shown, OidcError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Malformed.into());
        }
        let token = Jwt::parse(token)?;
        check_kind(&token)?;
        let named = token.unproven_claims()?;
        let named = named.get("iss").and_then(Value::as_str).ok_or(TokenError::Issuer)?;
        let trusted = self.issuers.iter().find(|trusted| trusted.config.issuer == named);
        let trusted = trusted.ok_or(TokenError::Issuer)?;
        let now = self.clock.now();
        let claims = token.claims(&trusted.keys(&token, now).await?)?;
        check(&claims, &trusted.config.issuer, &self.resource, now)?;
        Ok(trusted.config.shown(&claims)?)
    }
}

impl Trusted {
    async fn keys(&self, token: &Jwt<'_>, now: Timestamp) -> Result<KeySet, OidcError> {
        let signed = token.signed()?;
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some_and(|at| now.ms_since(at) < REST_AFTER_FAILURE_MS) {
            return Err(OidcError::Malformed { asked: Asked::Keys, problem: "it failed a moment ago" });
        }
        let asked = async {
            let provider = self.known.provider(Issuer(&self.config.issuer), &self.http, now).await?;
            self.known.keys(&provider, &self.http, now, |keys| keys.has(&signed)).await
        }
        .await;
        if asked.is_err() {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
            self.known.forget_provider().await;
        }
        asked
    }
}

impl AccessConfig {
    fn shown(&self, claims: &Value) -> Result<Shown, TokenError> {
        let identity = Identity::new(&self.issuer, jwt::subject(claims)?, claims);
        let tenant = match &self.tenant_claim {
            // An issuer of several tenants that does not say which means none of them.
            Some(claim) => {
                let slug = found(claims, claim).and_then(Value::as_str).ok_or(TokenError::Malformed)?;
                Some(slug.to_owned()).filter(|slug| slug.len() <= MAX_TENANT_BYTES)
            }
            None => self.tenant.clone(),
        };
        if self.tenant_claim.is_some() && tenant.is_none() {
            return Err(TokenError::Malformed);
        }
        Ok(Shown { identity, tenant, scopes: self.scopes_of(claims) })
    }

    /// Words that mean nothing here are passed over: a token may be good for more than this server.
    fn scopes_of(&self, claims: &Value) -> Vec<Scope> {
        let claim = match &self.scope_claim {
            Some(claim) => found(claims, claim),
            None => claims.get("scope").or_else(|| claims.get("scp")),
        };
        let words: Vec<&str> = match claim {
            Some(Value::String(words)) => words.split_ascii_whitespace().take(MAX_WORDS).collect(),
            Some(Value::Array(words)) => words.iter().take(MAX_WORDS).filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut scopes = BTreeSet::new();
        for word in words {
            match self.scopes.get(word) {
                Some(mapped) => scopes.extend(mapped),
                None => scopes.extend(word.parse::<Scope>().ok()),
            }
        }
        scopes.into_iter().collect()
    }
}

fn found<'a>(claims: &'a Value, claim: &str) -> Option<&'a Value> {
    if claim.starts_with('/') { claims.pointer(claim) } else { claims.get(claim) }
}

/// Tokens of other kinds bear the same signatures, and are no leave to do anything (RFC 8725, 3.11).
fn check_kind(token: &Jwt<'_>) -> Result<(), TokenError> {
    let is_known = match token.header()?.get("typ") {
        None => true,
        Some(Value::String(kind)) => {
            let kind = kind.to_ascii_lowercase();
            matches!(kind.strip_prefix("application/").unwrap_or(&kind), "at+jwt" | "jwt")
        }
        Some(_) => false,
    };
    if is_known { Ok(()) } else { Err(TokenError::Kind) }
}

fn check(claims: &Value, issuer: &str, resource: &str, now: Timestamp) -> Result<(), TokenError> {
    if claims.get("iss").and_then(Value::as_str) != Some(issuer) {
        return Err(TokenError::Issuer);
    }
    let is_for_us = match claims.get("aud") {
        Some(Value::String(audience)) => audience == resource,
        Some(Value::Array(audiences)) => audiences.iter().any(|audience| audience == resource),
        _ => false,
    };
    if !is_for_us {
        return Err(TokenError::Audience);
    }
    // Whoever shows it must also prove that they hold a key, and a bearer does not (RFC 7800, RFC 9449).
    if claims.get("cnf").is_some() {
        return Err(TokenError::Kind);
    }
    let issued = jwt::moment(claims, "iat")?.unwrap_or(now);
    jwt::check_times(claims, issued, now)
}
