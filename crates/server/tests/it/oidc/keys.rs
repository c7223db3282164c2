//! Keys with which a hostile provider signs what it likes.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, crypto, jwk::Jwk};
use serde_json::{Value, json};

/// What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410).
const ED25519_PREFIX: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

pub struct SigningKey {
    id: &'static str,
    key: EncodingKey,
}

impl SigningKey {
    pub fn new(id: &'static str, seed: u8) -> Self {
        let der = [ED25519_PREFIX.as_slice(), &[seed; 32]].concat();
        Self { id, key: EncodingKey::from_ed_der(&der) }
    }

    pub fn public(&self) -> Value {
        let jwk = Jwk::from_encoding_key(&self.key, Algorithm::EdDSA).unwrap();
        let mut jwk = serde_json::to_value(jwk).unwrap();
        jwk["kid"] = self.id.into();
        jwk["use"] = "sig".into();
        jwk
    }

    /// The public key's 32 bytes, which everybody knows.
    pub fn public_bytes(&self) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(self.public()["x"].as_str().unwrap()).unwrap()
    }

    pub fn sign(&self, claims: &Value) -> String {
        self.sign_with_header(&json!({"alg": "EdDSA", "kid": self.id}), claims)
    }

    pub fn sign_with_header(&self, header: &Value, claims: &Value) -> String {
        let message = unsigned(header, claims);
        let signature = crypto::sign(message.as_bytes(), &self.key, Algorithm::EdDSA).unwrap();
        format!("{message}.{signature}")
    }
}

/// Signed with a shared secret.
pub fn sign_hs256(secret: &[u8], header: &Value, claims: &Value) -> String {
    let message = unsigned(header, claims);
    let key = EncodingKey::from_secret(secret);
    format!("{message}.{}", crypto::sign(message.as_bytes(), &key, Algorithm::HS256).unwrap())
}

pub fn unsigned(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}
