//! A token of three parts, taken apart; whoever it is for, its signature and its times are checked alike.
//!
//! jsonwebtoken checks the signature. The claims are checked by us, because its own checks read the machine's clock.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;
use toolgate_domain::Timestamp;

use super::{
    TokenError, http,
    keys::{self, KeySet, Signed},
};

/// How far the provider's clock may be from ours.
const LEEWAY_MS: i64 = 60_000;
const MAX_SUBJECT_BYTES: usize = 255;

/// A token, taken apart and not yet believed.
#[derive(Clone, Copy)]
pub(super) struct Jwt<'a> {
    message: &'a str,
    header: &'a str,
    claims: &'a str,
    signature: &'a str,
}

impl<'a> Jwt<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, TokenError> {
        let (message, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, claims) = message.split_once('.').ok_or(TokenError::Malformed)?;
        if claims.contains('.') {
            return Err(TokenError::Malformed);
        }
        Ok(Self { message, header, claims, signature })
    }

    pub(super) fn signed(&self) -> Result<Signed, TokenError> {
        let header = self.header()?;
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

    /// What the token says of its own kind.
    pub(super) fn header(&self) -> Result<Value, TokenError> {
        decoded(self.header)
    }

    /// What the token says, before anything of it is believed: good for finding out whom to ask, and for nothing else.
    pub(super) fn unproven_claims(&self) -> Result<Value, TokenError> {
        decoded(self.claims)
    }

    /// The claims, once the signature is believed.
    pub(super) fn claims(&self, keys: &KeySet) -> Result<Value, TokenError> {
        keys.verify(&self.signed()?, self.message, self.signature)?;
        decoded(self.claims)
    }
}

fn decoded(part: &str) -> Result<Value, TokenError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    http::object(&bytes).ok_or(TokenError::Malformed)
}

/// Whom the token is about.
pub(super) fn subject(claims: &Value) -> Result<&str, TokenError> {
    let subject = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
    let fits = !subject.is_empty() && subject.len() <= MAX_SUBJECT_BYTES;
    if fits { Ok(subject) } else { Err(TokenError::Malformed) }
}

/// `issued` is when the token says it was made, where it must say so.
pub(super) fn check_times(claims: &Value, issued: Timestamp, now: Timestamp) -> Result<(), TokenError> {
    let expires = moment(claims, "exp")?.ok_or(TokenError::Malformed)?;
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
pub(super) fn moment(claims: &Value, name: &str) -> Result<Option<Timestamp>, TokenError> {
    let Some(claim) = claims.get(name) else {
        return Ok(None);
    };
    let seconds = claim.as_f64().ok_or(TokenError::Malformed)?;
    // `as` saturates, and so does the timestamp: a token valid for a million years is a token valid for long.
    Ok(Some(Timestamp::from_millis((seconds * 1_000.0) as i64)))
}
