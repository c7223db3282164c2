//! A link that answers one question, once: all it stands for is in it, under a signature.

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolgate_domain::{InvocationId, TenantId, WebhookId};

use super::post::mac;

const MAX_TOKEN_BYTES: usize = 2_048;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkAction {
    Approve,
    Reject,
}

impl LinkAction {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Link {
    pub(super) tenant: TenantId,
    pub(super) invocation: InvocationId,
    /// Of exactly what is asked.
    pub(super) digest: String,
    pub(super) webhook: WebhookId,
    pub(super) action: LinkAction,
    /// Unix seconds.
    pub(super) expires: i64,
    pub(super) nonce: String,
}

impl Link {
    pub(super) fn token(&self, key: &[u8]) -> String {
        let payload = serde_json::to_string(self).unwrap_or_default();
        let payload = BASE64URL_NOPAD.encode(payload.as_bytes());
        let signature = BASE64URL_NOPAD.encode(&mac(key, payload.as_bytes()));
        format!("{payload}.{signature}")
    }

    /// Nothing unless every byte is as it was signed.
    pub(super) fn read(token: &str, key: &[u8]) -> Option<Self> {
        if token.len() > MAX_TOKEN_BYTES {
            return None;
        }
        let (payload, signature) = token.split_once('.')?;
        let expected = BASE64URL_NOPAD.encode(&mac(key, payload.as_bytes()));
        if expected.is_empty() || !bool::from(expected.as_bytes().ct_eq(signature.as_bytes())) {
            return None;
        }
        let payload = String::from_utf8(BASE64URL_NOPAD.decode(payload.as_bytes()).ok()?).ok()?;
        serde_json::from_str(&payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    #[test]
    fn a_link_reads_back_and_no_byte_of_it_can_be_changed() {
        let link = Link {
            tenant: TenantId::DEFAULT,
            invocation: InvocationId::from_uuid(Uuid::from_u128(1)),
            digest: "d".repeat(64),
            webhook: WebhookId::from_uuid(Uuid::from_u128(2)),
            action: LinkAction::Reject,
            expires: 10,
            nonce: "n".to_owned(),
        };
        let token = link.token(b"key");
        assert_eq!(Link::read(&token, b"key"), Some(link));
        assert_eq!(Link::read(&token, b"other"), None);
        for place in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert_eq!(Link::read(&forged, b"key"), None, "changed at {place}");
        }
        for nothing in ["", ".", "a.", ".a", token.split_once('.').unwrap().0] {
            assert_eq!(Link::read(nothing, b"key"), None, "{nothing}");
        }
    }
}
