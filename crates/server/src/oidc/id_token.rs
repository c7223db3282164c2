//! Whether an ID token is the provider's answer to this very sign-in (OpenID Connect Core, 3.1.3.7).
//!
//! jsonwebtoken checks the signature. The claims are checked here, because its own checks read the machine's clock.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;
use subtle::ConstantTimeEq;
use toolgate_domain::Timestamp;

use super::{
    OidcConfig, TokenError, http,
    keys::{self, KeySet, Signed},
};

/// How far the provider's clock may be from ours.
const LEEWAY_MS: i64 = 60_000;
const MAX_SUBJECT_BYTES: usize = 255;

/// An ID token, taken apart and not yet believed.
#[derive(Clone, Copy)]
pub(super) struct IdToken<'a> {
    message: &'a str,
    header: &'a str,
    claims: &'a str,
    signature: &'a str,
}

/// What a token must say to be the answer that is waited for.
pub(super) struct Expected<'a> {
    pub(super) config: &'a OidcConfig,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

impl<'a> IdToken<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, TokenError> {
        let (message, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, claims) = message.split_once('.').ok_or(TokenError::Malformed)?;
        if claims.contains('.') {
            return Err(TokenError::Malformed);
        }
        Ok(Self { message, header, claims, signature })
    }

    pub(super) fn signed(&self) -> Result<Signed, TokenError> {
        let header = decoded(self.header)?;
        // An extension that must be understood, and is not.
        if header.get("crit").is_some() {
            return Err(TokenError::Malformed);
        }
        let name = header.get("alg").and_then(Value::as_str).ok_or(TokenError::Algorithm)?;
        let algorithm = keys::algorithm(name).ok_or(TokenError::Algorithm)?;
        let key_id = match header.get("kid") {
            None => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(_) => return Err(TokenError::Malformed),
        };
        Ok(Signed { algorithm, key_id })
    }

    /// The claims, once everything about them is believed. They have a `sub`.
    pub(super) fn verify(&self, keys: &KeySet, expected: &Expected<'_>) -> Result<Value, TokenError> {
        keys.verify(&self.signed()?, self.message, self.signature)?;
        let claims = decoded(self.claims)?;
        check(&claims, expected)?;
        Ok(claims)
    }
}

fn decoded(part: &str) -> Result<Value, TokenError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    http::object(&bytes).ok_or(TokenError::Malformed)
}

fn check(claims: &Value, expected: &Expected<'_>) -> Result<(), TokenError> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(expected.config.issuer.as_str()) {
        return Err(TokenError::Issuer);
    }
    check_audience(claims, &expected.config.client_id)?;
    check_times(claims, expected.now)?;
    let nonce = text("nonce").unwrap_or_default();
    // An empty nonce would equal one that nobody sent.
    if nonce.is_empty() || !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return Err(TokenError::Nonce);
    }
    let subject = text("sub").unwrap_or_default();
    if subject.is_empty() || subject.len() > MAX_SUBJECT_BYTES {
        return Err(TokenError::Malformed);
    }
    Ok(())
}

/// A token for several audiences must say that it was made for us; one that says it was made for another was not.
fn check_audience(claims: &Value, client_id: &str) -> Result<(), TokenError> {
    let (is_for_us, several) = match claims.get("aud") {
        Some(Value::String(audience)) => (audience == client_id, false),
        Some(Value::Array(audiences)) => {
            (audiences.iter().any(|audience| audience == client_id), audiences.len() > 1)
        }
        _ => return Err(TokenError::Audience),
    };
    let party_fits = match claims.get("azp") {
        None => !several,
        Some(party) => party == client_id,
    };
    if is_for_us && party_fits { Ok(()) } else { Err(TokenError::Audience) }
}

fn check_times(claims: &Value, now: Timestamp) -> Result<(), TokenError> {
    let expires = moment(claims, "exp")?.ok_or(TokenError::Malformed)?;
    let issued = moment(claims, "iat")?.ok_or(TokenError::Malformed)?;
    if now >= expires.plus_ms(LEEWAY_MS) {
        return Err(TokenError::Expired);
    }
    let valid_from = moment(claims, "nbf")?.unwrap_or(issued).max(issued);
    if now.plus_ms(LEEWAY_MS) < valid_from {
        return Err(TokenError::NotYetValid);
    }
    Ok(())
}

/// Seconds since the epoch, which may have a fraction (RFC 7519, 2).
fn moment(claims: &Value, name: &str) -> Result<Option<Timestamp>, TokenError> {
    let Some(claim) = claims.get(name) else {
        return Ok(None);
    };
    let seconds = claim.as_f64().ok_or(TokenError::Malformed)?;
    // `as` saturates, and so does the timestamp: a token valid for a million years is a token valid for long.
    Ok(Some(Timestamp::from_millis((seconds * 1_000.0) as i64)))
}
