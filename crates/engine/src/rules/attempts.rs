//! Attempts to sign in, counted so that a stranger guesses little and keeps nobody out.
//!
//! A browser that has signed in to an account keeps a mark of it, and has a count of its own there. Every other attempt counts three
//! times: for the account from this address, for the address, and for the account from all addresses together. A stranger can use up
//! these three, and none of them is asked of the browser that the account's owner always uses.

use std::net::{IpAddr, Ipv6Addr};

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use toolgate_domain::{
    Timestamp,
    rate::{RateDecision, RateLimit},
};

use super::{RuleError, Rules, users::normal_email};

const WINDOW_S: u32 = 300;
/// The slug of the installation's own tenant, which a sign-in need not name.
const OWN_TENANT: &str = "default";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;

/// Where an attempt to sign in comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignInSource<'a> {
    /// The address in the network; attempts from unknown ones count together.
    pub address: Option<IpAddr>,
    /// The mark that the browser kept, as [`DeviceMark::value`] was.
    pub device: Option<&'a str>,
    /// The kind of client, for the person's list of sessions.
    pub client: Option<&'a str>,
}

/// What a browser keeps to be known again when it signs in to the same account.
pub struct DeviceMark {
    /// Another one for each account.
    pub name: String,
    pub value: String,
}

/// An account, whether or not there is one: of a length that no caller chooses.
pub(super) struct Account(String);

impl Account {
    pub(super) fn of(tenant: Option<&str>, email: &str) -> Self {
        let tenant = tenant.unwrap_or(OWN_TENANT);
        let named = Sha256::new().chain_update(tenant).chain_update([0]).chain_update(normal_email(email));
        Self(HEXLOWER.encode(&named.finalize()))
    }

    fn mark_name(&self) -> String {
        self.0.chars().take(16).collect()
    }
}

/// The name under which a browser keeps its mark for an account.
pub fn device_mark_name(tenant: Option<&str>, email: &str) -> String {
    Account::of(tenant, email).mark_name()
}

impl Rules {
    /// Counts an attempt before its password is looked at.
    pub(super) async fn count_attempt(
        &self,
        account: &Account,
        source: &SignInSource<'_>,
    ) -> Result<(), RuleError> {
        let limits = &self.limits;
        if let Some(nonce) = self.known_device(account, source.device).await? {
            return self.count(&format!("login:device:{nonce}"), limits.sign_in_attempts).await;
        }
        let address = source.address.map_or_else(|| "unknown".to_owned(), network);
        let id = &account.0;
        // The narrowest comes first: what it refuses uses up neither of the others.
        self.count(&format!("login:{id}:{address}"), limits.sign_in_attempts).await?;
        self.count(&format!("login:from:{address}"), limits.sign_in_address_attempts).await?;
        self.count(&format!("login:{id}"), limits.sign_in_account_attempts).await
    }

    async fn count(&self, key: &str, limit: u64) -> Result<(), RuleError> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX).max(1);
        let rate = RateLimit { limit, window_s: WINDOW_S, concurrency: None };
        match self.stores.rates.check(key, rate, self.clock.now()).await? {
            RateDecision::Allowed { .. } => Ok(()),
            RateDecision::Limited { retry_after_us } => {
                let retry_after_s = u64::try_from(retry_after_us).unwrap_or(0).div_ceil(1_000_000);
                Err(RuleError::TooMany { retry_after_s })
            }
        }
    }

    /// A mark for the browser that has just signed in.
    pub(super) async fn mark_device(&self, account: &Account) -> Result<DeviceMark, RuleError> {
        let ttl_s = i64::try_from(self.limits.sign_in_device_s).unwrap_or(i64::MAX);
        let expires_s = seconds(self.clock.now()).saturating_add(ttl_s);
        let nonce = HEXLOWER.encode(&rand::rng().random::<[u8; NONCE_BYTES]>());
        let signature = signature(self.device_key().await?, account, expires_s, &nonce);
        Ok(DeviceMark { name: account.mark_name(), value: format!("{expires_s}.{nonce}.{signature}") })
    }

    /// The nonce of a mark that was made here for this account and still counts.
    async fn known_device<'a>(
        &self,
        account: &Account,
        mark: Option<&'a str>,
    ) -> Result<Option<&'a str>, RuleError> {
        let mut parts = mark.unwrap_or_default().split('.');
        let (Some(expires_s), Some(nonce), Some(given), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Ok(None);
        };
        let Ok(expires_s) = expires_s.parse::<i64>() else { return Ok(None) };
        let expected = signature(self.device_key().await?, account, expires_s, nonce);
        let is_ours = bool::from(expected.as_bytes().ct_eq(given.as_bytes()));
        Ok((is_ours && !expected.is_empty() && seconds(self.clock.now()) < expires_s).then_some(nonce))
    }

    /// Every process must know the marks of the others.
    async fn device_key(&self) -> Result<&[u8], RuleError> {
        let fresh = rand::rng().random::<[u8; KEY_BYTES]>();
        let kept = || self.stores.settings.get_or_init("sign_in_device_key", &fresh);
        Ok(self.device_key.get_or_try_init(kept).await?)
    }
}

fn signature(key: &[u8], account: &Account, expires_s: i64, nonce: &str) -> String {
    // HMAC takes a key of any length, so this arm is never taken; an empty signature matches nothing.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return String::new();
    };
    mac.update(format!("{} {expires_s} {nonce}", account.0).as_bytes());
    HEXLOWER.encode(&mac.finalize().into_bytes())
}

fn seconds(at: Timestamp) -> i64 {
    at.as_millis() / 1_000
}

/// An address as it counts. A customer of a provider has a whole /64 of IPv6 addresses to try from.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_one_customer_has_count_as_one() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }

    #[test]
    fn an_account_is_the_same_however_it_is_written() {
        let name = |tenant, email| device_mark_name(tenant, email);
        assert_eq!(name(None, " Ada@Example.org"), name(Some("default"), "ada@example.org"));
        assert_ne!(name(None, "ada@example.org"), name(Some("north"), "ada@example.org"));
        assert_eq!(name(None, &"x".repeat(1_000_000)).len(), 16);
    }

    #[test]
    fn a_mark_is_signed_for_its_account_its_end_and_its_nonce() {
        let (ada, bob) = (Account::of(None, "ada@example.org"), Account::of(None, "bob@example.org"));
        let signed = signature(&[1; 32], &ada, 10, "n");
        for other in [
            signature(&[1; 32], &bob, 10, "n"),
            signature(&[1; 32], &ada, 11, "n"),
            signature(&[1; 32], &ada, 10, "m"),
            signature(&[2; 32], &ada, 10, "n"),
        ] {
            assert_ne!(signed, other);
        }
    }
}
