//! Envelope encryption: the master key wraps one data key per tenant, the data key seals the tenant's secrets.
//!
//! Changing the master key rewraps a key per tenant and touches no secret. Each ciphertext is bound to its place by
//! associated data: a row that is moved to another tenant, scope or name does not open.

use std::{fmt, str::FromStr};

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use data_encoding::{BASE64_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use rand::RngExt;
use sha2::{Digest, Sha256};
use toolgate_domain::TenantId;
use zeroize::{Zeroize, Zeroizing};

use super::{SecretName, SecretScope, SecretValue};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// What a ciphertext is for comes first in its associated data, so that neither kind opens as the other.
const WRAP_DOMAIN: &[u8] = b"toolgate tenant key 1\0";
const SEAL_DOMAIN: &[u8] = b"toolgate secret 1\0";

#[derive(Debug, thiserror::Error)]
#[error(
    "the master key is not 32 bytes written as 64 hex characters or as base64: make one with `openssl rand -base64 32`"
)]
pub struct MasterKeyError;

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error(
        "the key of {tenant} is wrapped by master key {needed}, and master key {given} was given: give master key {needed}, or rewrap the tenant's key if the master key was rotated"
    )]
    WrongMasterKey { tenant: TenantId, needed: String, given: String },
    #[error(
        "the wrapped key of {tenant} was tampered with, or belongs to another tenant: restore it from a backup"
    )]
    TamperedKey { tenant: TenantId },
    #[error(
        "the secret `{name}` was tampered with, or was moved from another tenant, scope or name: set it again"
    )]
    TamperedSecret { name: SecretName },
    #[error("the cipher refused to encrypt: nothing was stored, try again")]
    Refused,
}

/// The key-encryption key. It is wiped when dropped.
pub struct MasterKey {
    bytes: Zeroizing<[u8; KEY_BYTES]>,
    id: String,
}

impl MasterKey {
    /// Tells master keys apart and gives nothing away: the first 8 hex characters of the key's SHA-256.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A new key as text, for a key file.
    pub fn random_text() -> Zeroizing<String> {
        let bytes: Zeroizing<[u8; KEY_BYTES]> = Zeroizing::new(rand::rng().random());
        Zeroizing::new(data_encoding::BASE64.encode(bytes.as_slice()))
    }
}

impl FromStr for MasterKey {
    type Err = MasterKeyError;

    /// White space around the key is ignored: a key file usually ends in a newline.
    fn from_str(text: &str) -> Result<Self, MasterKeyError> {
        let text = text.trim();
        let decoded = if text.len() == 2 * KEY_BYTES {
            HEXLOWER_PERMISSIVE.decode(text.as_bytes())
        } else {
            let standard = Zeroizing::new(text.trim_end_matches('=').replace('-', "+").replace('_', "/"));
            BASE64_NOPAD.decode(standard.as_bytes())
        };
        let decoded = Zeroizing::new(decoded.map_err(|_| MasterKeyError)?);
        let bytes: [u8; KEY_BYTES] = decoded.as_slice().try_into().map_err(|_| MasterKeyError)?;
        let bytes = Zeroizing::new(bytes);
        let mut id = HEXLOWER.encode(&Sha256::digest(bytes.as_slice()));
        id.truncate(8);
        Ok(Self { bytes, id })
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A tenant's data key as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct WrappedKey {
    pub master_key_id: String,
    pub nonce: [u8; NONCE_BYTES],
    pub ciphertext: Vec<u8>,
}

impl fmt::Debug for WrappedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WrappedKey").field("master_key_id", &self.master_key_id).finish_non_exhaustive()
    }
}

/// A secret as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret {
    pub nonce: [u8; NONCE_BYTES],
    pub ciphertext: Vec<u8>,
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedSecret").finish_non_exhaustive()
    }
}

/// Where a secret lives. A sealed value opens here and nowhere else.
#[derive(Clone, Copy, Debug)]
pub struct SecretPlace<'a> {
    pub tenant: TenantId,
    pub scope: SecretScope,
    pub name: &'a SecretName,
}

impl SecretPlace<'_> {
    /// All parts but the last have a fixed length, so no two places share their bytes.
    fn associated_data(&self) -> Vec<u8> {
        let (kind, id) = match self.scope {
            SecretScope::User(id) => (b'u', id.uuid().into_bytes()),
            SecretScope::Workspace(id) => (b'w', id.uuid().into_bytes()),
            SecretScope::Tenant => (b't', [0; 16]),
        };
        [SEAL_DOMAIN, self.tenant.uuid().as_bytes(), &[kind], &id, self.name.as_str().as_bytes()].concat()
    }
}

/// Seals and opens with the installation's master key.
#[derive(Debug)]
pub struct Vault {
    master: MasterKey,
}

impl Vault {
    pub fn new(master: MasterKey) -> Self {
        Self { master }
    }

    pub fn master_key_id(&self) -> &str {
        self.master.id()
    }

    pub fn new_tenant_key(&self, tenant: TenantId) -> Result<WrappedKey, VaultError> {
        wrap(tenant, &Zeroizing::new(rand::rng().random()), &self.master)
    }

    pub fn seal(
        &self,
        key: &WrappedKey,
        place: SecretPlace<'_>,
        value: &SecretValue,
    ) -> Result<SealedSecret, VaultError> {
        let data_key = unwrap(place.tenant, key, &self.master)?;
        let (nonce, ciphertext) = encrypt(&data_key, &place.associated_data(), value.expose().as_bytes())
            .ok_or(VaultError::Refused)?;
        Ok(SealedSecret { nonce, ciphertext })
    }

    pub fn open(
        &self,
        key: &WrappedKey,
        place: SecretPlace<'_>,
        sealed: &SealedSecret,
    ) -> Result<SecretValue, VaultError> {
        let data_key = unwrap(place.tenant, key, &self.master)?;
        let tampered = || VaultError::TamperedSecret { name: place.name.clone() };
        let opened = decrypt(&data_key, &place.associated_data(), &sealed.nonce, &sealed.ciphertext)
            .ok_or_else(tampered)?;
        let text = String::from_utf8(opened).map_err(|error| {
            error.into_bytes().zeroize();
            tampered()
        })?;
        SecretValue::new(text).map_err(|_| tampered())
    }

    /// Moves a tenant's data key from one master key to another. The secrets sealed with it stay as they are.
    pub fn rewrap(
        tenant: TenantId,
        key: &WrappedKey,
        old: &MasterKey,
        new: &MasterKey,
    ) -> Result<WrappedKey, VaultError> {
        wrap(tenant, &unwrap(tenant, key, old)?, new)
    }

    /// The same between two vaults.
    pub fn rewrapped(
        &self,
        tenant: TenantId,
        key: &WrappedKey,
        new: &Self,
    ) -> Result<WrappedKey, VaultError> {
        Self::rewrap(tenant, key, &self.master, &new.master)
    }
}

type DataKey = Zeroizing<[u8; KEY_BYTES]>;

fn wrap(tenant: TenantId, data_key: &DataKey, master: &MasterKey) -> Result<WrappedKey, VaultError> {
    let (nonce, ciphertext) =
        encrypt(&master.bytes, &wrap_data(tenant), data_key.as_slice()).ok_or(VaultError::Refused)?;
    Ok(WrappedKey { master_key_id: master.id.clone(), nonce, ciphertext })
}

fn unwrap(tenant: TenantId, key: &WrappedKey, master: &MasterKey) -> Result<DataKey, VaultError> {
    if key.master_key_id != master.id {
        let (needed, given) = (key.master_key_id.clone(), master.id.clone());
        return Err(VaultError::WrongMasterKey { tenant, needed, given });
    }
    let tampered = || VaultError::TamperedKey { tenant };
    let opened =
        decrypt(&master.bytes, &wrap_data(tenant), &key.nonce, &key.ciphertext).ok_or_else(tampered)?;
    let opened = Zeroizing::new(opened);
    let bytes: [u8; KEY_BYTES] = opened.as_slice().try_into().map_err(|_| tampered())?;
    Ok(Zeroizing::new(bytes))
}

fn wrap_data(tenant: TenantId) -> Vec<u8> {
    [WRAP_DOMAIN, tenant.uuid().as_bytes()].concat()
}

/// Random nonces are safe here: at 24 bytes they do not repeat within the life of a key.
fn encrypt(key: &[u8; KEY_BYTES], aad: &[u8], msg: &[u8]) -> Option<([u8; NONCE_BYTES], Vec<u8>)> {
    let nonce: [u8; NONCE_BYTES] = rand::rng().random();
    let sealed =
        XChaCha20Poly1305::new(key.into()).encrypt(&XNonce::from(nonce), Payload { msg, aad }).ok()?;
    Some((nonce, sealed))
}

fn decrypt(key: &[u8; KEY_BYTES], aad: &[u8], nonce: &[u8; NONCE_BYTES], msg: &[u8]) -> Option<Vec<u8>> {
    XChaCha20Poly1305::new(key.into()).decrypt(&XNonce::from(*nonce), Payload { msg, aad }).ok()
}

#[cfg(test)]
mod tests;
