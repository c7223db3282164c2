//! A sign-in that waits for its browser to return, sealed into that browser's cookie.
//!
//! The cookie ties the two halves to one browser, and being sealed it can be neither read nor made by anyone else.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolgate_domain::{Timestamp, json};

use super::OidcError;

const NONCE_BYTES: usize = 24;
/// What a browser keeps under one name.
const MAX_COOKIE_BYTES: usize = 4_096;
const MAX_RETURN_TO_BYTES: usize = 2_048;
/// An object of plain values.
const MAX_DEPTH: usize = 1;
/// The purpose comes first: nothing else that this key may seal one day opens as a sign-in.
const SEAL_DOMAIN: &[u8] = b"toolgate pending sign-in 1\0";

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    pub state: String,
    pub nonce: String,
    pub code_verifier: String,
    pub return_to: ReturnTo,
    /// The slug of the tenant that the person wants to sign in to.
    #[serde(default)]
    pub tenant: Option<String>,
    pub expires_at: Timestamp,
}

impl Pending {
    /// Whether the answer that came back belongs to this sign-in.
    pub fn is_answered_by(&self, state: &str) -> bool {
        !state.is_empty() && bool::from(self.state.as_bytes().ct_eq(state.as_bytes()))
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("return_to", &self.return_to)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// Where to go after signing in: a path of this server, whatever a browser makes of it.
///
/// `//host` and `/\host` name other servers, and browsers drop tabs and newlines before they look; so only a single
/// slash is let in, followed by characters that mean themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReturnTo(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address to return to is not a path of this server: it begins with one `/` and has only printable ASCII without `\\`"
)]
pub struct NotLocal;

impl ReturnTo {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ReturnTo {
    fn default() -> Self {
        Self("/".to_owned())
    }
}

impl TryFrom<String> for ReturnTo {
    type Error = NotLocal;

    fn try_from(path: String) -> Result<Self, NotLocal> {
        let is_local = path.starts_with('/')
            && !path.starts_with("//")
            && path.len() <= MAX_RETURN_TO_BYTES
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        if is_local { Ok(Self(path)) } else { Err(NotLocal) }
    }
}

impl From<ReturnTo> for String {
    fn from(path: ReturnTo) -> Self {
        path.0
    }
}

/// A cookie's value: URL-safe, and within what a browser keeps.
pub fn seal(pending: &Pending, key: &[u8; 32]) -> Result<String, OidcError> {
    let plain = serde_json::to_vec(pending).map_err(|_| OidcError::NotSealed)?;
    let nonce: [u8; NONCE_BYTES] = rand::rng().random();
    let sealed = XChaCha20Poly1305::new(key.into())
        .encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: SEAL_DOMAIN })
        .map_err(|_| OidcError::NotSealed)?;
    let value = BASE64_URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat());
    if value.len() > MAX_COOKIE_BYTES { Err(OidcError::NotSealed) } else { Ok(value) }
}

/// None for what was not sealed with this key, was changed, or has expired: to the browser it is all one.
pub fn open(value: &str, key: &[u8; 32], now: Timestamp) -> Option<Pending> {
    if value.len() > MAX_COOKIE_BYTES {
        return None;
    }
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(value).ok()?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
    let plain = XChaCha20Poly1305::new(key.into())
        .decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: SEAL_DOMAIN })
        .ok()?;
    let pending: Pending = serde_json::from_value(json::parse(&plain, MAX_DEPTH).ok()?).ok()?;
    (now < pending.expires_at).then_some(pending)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const KEY: [u8; 32] = [7; 32];
    const NOW: i64 = 1_800_000_000_000;

    fn now() -> Timestamp {
        Timestamp::from_millis(NOW)
    }

    fn pending(return_to: &str) -> Pending {
        Pending {
            state: "state-of-mind".to_owned(),
            nonce: "only-once".to_owned(),
            code_verifier: "v".repeat(43),
            return_to: ReturnTo::try_from(return_to.to_owned()).unwrap(),
            tenant: None,
            expires_at: now().plus_ms(600_000),
        }
    }

    #[test]
    fn what_was_sealed_opens_until_it_expires() {
        let pending = pending("/tools?page=2#top");
        let value = seal(&pending, &KEY).unwrap();
        assert_eq!(open(&value, &KEY, now()), Some(pending.clone()));
        assert_eq!(open(&value, &KEY, now().plus_ms(599_999)), Some(pending));
        assert_eq!(open(&value, &KEY, now().plus_ms(600_000)), None);
    }

    #[test]
    fn a_cookie_shows_nothing_and_never_looks_the_same() {
        let (one, two) = (seal(&pending("/"), &KEY).unwrap(), seal(&pending("/"), &KEY).unwrap());
        assert_ne!(one, two);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(one).unwrap();
        assert!(!bytes.windows(5).any(|window| window == b"state"));
    }

    #[test]
    fn a_change_anywhere_is_noticed() {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(seal(&pending("/"), &KEY).unwrap()).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(open(&BASE64_URL_SAFE_NO_PAD.encode(changed), &KEY, now()), None, "byte {at}");
        }
        for length in 0..bytes.len() {
            assert_eq!(open(&BASE64_URL_SAFE_NO_PAD.encode(&bytes[..length]), &KEY, now()), None);
        }
    }

    #[rstest]
    #[case("")]
    #[case("not base64!")]
    #[case("AAAA")]
    fn nonsense_does_not_open(#[case] value: &str) {
        assert_eq!(open(value, &KEY, now()), None);
    }

    #[test]
    fn another_key_does_not_open_it() {
        assert_eq!(open(&seal(&pending("/"), &KEY).unwrap(), &[8; 32], now()), None);
    }

    #[test]
    fn what_the_key_seals_for_another_purpose_is_no_sign_in() {
        let plain = serde_json::to_vec(&pending("/")).unwrap();
        let nonce = [1; NONCE_BYTES];
        let sealed = XChaCha20Poly1305::new((&KEY).into())
            .encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: b"another purpose" })
            .unwrap();
        let value = BASE64_URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat());
        assert_eq!(open(&value, &KEY, now()), None);
    }

    #[test]
    fn the_longest_path_still_fits_a_cookie() {
        let longest = format!("/{}", "a".repeat(MAX_RETURN_TO_BYTES - 1));
        let pending = pending(&longest);
        assert_eq!(open(&seal(&pending, &KEY).unwrap(), &KEY, now()), Some(pending));
    }

    #[test]
    fn an_answer_belongs_to_the_sign_in_with_its_state() {
        let pending = pending("/");
        assert!(pending.is_answered_by("state-of-mind"));
        assert!(!pending.is_answered_by("state-of-mine"));
        assert!(!pending.is_answered_by(""));
    }

    #[rstest]
    #[case("/", true)]
    #[case("/tools/a?b=c&d=%2F#e", true)]
    #[case("/a//b", true)]
    #[case("", false)]
    #[case("tools", false)]
    #[case("//evil.example", false)]
    #[case("/\\evil.example", false)]
    #[case("\\\\evil.example", false)]
    #[case("/a\\b", false)]
    #[case("/\t/evil.example", false)]
    #[case("/\n/evil.example", false)]
    #[case("/a\r\nset-cookie: b", false)]
    #[case("/a\u{7f}", false)]
    #[case("/a\u{85}", false)]
    #[case("/a b", false)]
    #[case("https://evil.example", false)]
    #[case("javascript:alert(1)", false)]
    fn only_a_path_of_this_server_is_returned_to(#[case] path: &str, #[case] accepted: bool) {
        assert_eq!(ReturnTo::try_from(path.to_owned()).is_ok(), accepted);
    }

    #[test]
    fn a_path_is_checked_again_when_a_cookie_is_opened() {
        assert!(serde_json::from_str::<ReturnTo>(r#""//evil.example""#).is_err());
    }
}
