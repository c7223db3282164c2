//! Whether an ID token is the provider's answer to this very sign-in (OpenID Connect Core, 3.1.3.7).

use serde_json::Value;
use subtle::ConstantTimeEq;
use toolgate_domain::Timestamp;

use super::{
    OidcConfig, TokenError,
    jwt::{self, Jwt},
    keys::KeySet,
};

/// What a token must say to be the answer that is waited for.
pub(super) struct Expected<'a> {
    pub(super) config: &'a OidcConfig,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

/// The claims, once everything about them is believed. They have a `sub`.
pub(super) fn verify(token: &Jwt<'_>, keys: &KeySet, expected: &Expected<'_>) -> Result<Value, TokenError> {
    let claims = token.claims(keys)?;
    check(&claims, expected)?;
    Ok(claims)
}

fn check(claims: &Value, expected: &Expected<'_>) -> Result<(), TokenError> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(expected.config.issuer.as_str()) {
        return Err(TokenError::Issuer);
    }
    check_audience(claims, &expected.config.client_id)?;
    let issued = jwt::moment(claims, "iat")?.ok_or(TokenError::Malformed)?;
    jwt::check_times(claims, issued, expected.now)?;
    let nonce = text("nonce").unwrap_or_default();
    // An empty nonce would equal one that nobody sent.
    if nonce.is_empty() || !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return Err(TokenError::Nonce);
    }
    jwt::subject(claims).map(|_| ())
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
