//! The provider's public keys, and the four algorithms in which they may speak.

use std::sync::Arc;

use jsonwebtoken::{
    Algorithm, DecodingKey, crypto,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde::Deserialize as _;
use serde_json::Value;

use super::{Asked, OidcError, TokenError};

/// A provider has a handful. The bound keeps the search short when one has not.
const MAX_KEYS: usize = 100;

#[derive(Clone, Debug)]
pub(super) struct KeySet(Arc<[Jwk]>);

/// How a token says it was signed. It is the token's own word: it only ever selects among published keys.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
}

impl KeySet {
    /// Keys of kinds that we don't know are passed over (RFC 7517, 5): providers publish others for encryption.
    pub(super) fn read(set: &Value) -> Result<Self, OidcError> {
        let malformed = |problem| OidcError::Malformed { asked: Asked::Keys, problem };
        let keys = set.get("keys").and_then(Value::as_array).ok_or_else(|| malformed("it has no `keys`"))?;
        if keys.len() > MAX_KEYS {
            return Err(malformed("it has more keys than a provider has use for"));
        }
        Ok(Self(keys.iter().filter_map(|key| Jwk::deserialize(key).ok()).collect()))
    }

    pub(super) fn has(&self, signed: &Signed) -> bool {
        self.matching(signed).next().is_some()
    }

    /// `message` is the token up to its last dot, `signature` what follows it.
    pub(super) fn verify(&self, signed: &Signed, message: &str, signature: &str) -> Result<(), TokenError> {
        if !self.has(signed) {
            return Err(TokenError::UnknownKey);
        }
        // A token need not name its key, and two keys may share a name. All are the provider's: any of them will do.
        let is_signed_by = |key: &Jwk| {
            let key = DecodingKey::from_jwk(key)?;
            crypto::verify(signature, message.as_bytes(), &key, signed.algorithm)
        };
        let is_signed = self.matching(signed).any(|key| is_signed_by(key).unwrap_or(false));
        if is_signed { Ok(()) } else { Err(TokenError::Signature) }
    }

    fn matching<'a>(&'a self, signed: &'a Signed) -> impl Iterator<Item = &'a Jwk> {
        self.0.iter().filter(move |key| {
            let named = signed.key_id.is_none() || key.common.key_id == signed.key_id;
            named && serves(key, signed.algorithm)
        })
    }
}

/// Only these four. `none` proves nothing, and with HS256 whoever knows the public key could sign.
pub(super) fn algorithm(name: &str) -> Option<Algorithm> {
    match name {
        "RS256" => Some(Algorithm::RS256),
        "PS256" => Some(Algorithm::PS256),
        "ES256" => Some(Algorithm::ES256),
        "EdDSA" => Some(Algorithm::EdDSA),
        _ => None,
    }
}

/// The key decides what it is for, not the token.
fn serves(key: &Jwk, algorithm: Algorithm) -> bool {
    let kind_fits = match &key.algorithm {
        AlgorithmParameters::RSA(_) => matches!(algorithm, Algorithm::RS256 | Algorithm::PS256),
        AlgorithmParameters::EllipticCurve(key) => {
            algorithm == Algorithm::ES256 && key.curve == EllipticCurve::P256
        }
        AlgorithmParameters::OctetKeyPair(key) => {
            algorithm == Algorithm::EdDSA && key.curve == EllipticCurve::Ed25519
        }
        _ => false,
    };
    let use_fits = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let declared_fits =
        key.common.key_algorithm.is_none_or(|declared| declared == KeyAlgorithm::from(algorithm));
    kind_fits && use_fits && declared_fits
}
