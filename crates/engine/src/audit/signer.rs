//! The server's word on where a chain ended. Whoever rewrites a chain cannot repeat it without the key.

use std::{fmt, str::FromStr};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use toolgate_domain::{TenantId, Timestamp, audit::Digest};
use toolgate_store::{Head, SignedHead, StoreError};

use crate::Engine;

/// What is signed begins with what it is, so that no signature can be passed off as one of another kind.
const HEAD: &[u8] = b"toolgate-audit-head-v1";
const EXPORT: &[u8] = b"toolgate-audit-export-v1";

/// Signs with the installation's key.
pub struct HeadSigner(SigningKey);

impl HeadSigner {
    pub fn new(secret: &[u8]) -> Result<Self, StoreError> {
        let secret = secret.try_into().map_err(|_| {
            StoreError::Corrupt("the setting audit_signing_key has not 32 bytes: restore it".to_owned())
        })?;
        Ok(Self(SigningKey::from_bytes(secret)))
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub(super) fn head(&self, tenant: TenantId, head: Head, signed_at: Timestamp) -> SignedHead {
        let Head { seq, hash } = head;
        let signature = self.0.sign(&head_message(tenant, head, signed_at)).to_bytes().to_vec();
        SignedHead { seq, hash, signed_at, signature }
    }

    pub(super) fn export(&self, sha256: &Digest) -> Vec<u8> {
        self.0.sign(&[EXPORT, sha256].concat()).to_bytes().to_vec()
    }
}

fn head_message(tenant: TenantId, head: Head, signed_at: Timestamp) -> Vec<u8> {
    [
        HEAD,
        tenant.uuid().as_bytes(),
        &head.seq.to_be_bytes(),
        &head.hash,
        &signed_at.as_micros().to_be_bytes(),
    ]
    .concat()
}

/// What signatures are held against; hexadecimal as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

#[derive(Debug, thiserror::Error)]
#[error("this is not a public key: 64 hexadecimal digits are, as `audit verify` of a server shows them")]
pub struct PublicKeyError;

impl PublicKey {
    pub(super) fn vouches_for(&self, tenant: TenantId, head: &SignedHead) -> bool {
        let place = Head { seq: head.seq, hash: head.hash };
        self.signed(&head_message(tenant, place, head.signed_at), &head.signature)
    }

    pub(super) fn vouches_for_export(&self, sha256: &Digest, signature: &[u8]) -> bool {
        self.signed(&[EXPORT, sha256].concat(), signature)
    }

    fn signed(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(self.0.as_bytes()))
    }
}

impl FromStr for PublicKey {
    type Err = PublicKeyError;

    fn from_str(text: &str) -> Result<Self, PublicKeyError> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).map_err(|_| PublicKeyError)?;
        let bytes = bytes.as_slice().try_into().map_err(|_| PublicKeyError)?;
        VerifyingKey::from_bytes(bytes).map(Self).map_err(|_| PublicKeyError)
    }
}

impl Engine {
    /// Signs the end of every chain that has grown since it was last signed. An end that cannot be signed keeps no other from it.
    pub async fn sign_heads(&self) -> Result<(), StoreError> {
        let mut refused = Ok(());
        for (tenant, head) in self.stores.audit.unsigned_heads().await? {
            let signed = self.head_signer.head(tenant, head, self.clock.now());
            refused = refused.and(self.stores.audit.sign(tenant, &signed).await);
        }
        refused
    }

    /// What the signatures of this installation are held against.
    pub fn audit_public_key(&self) -> PublicKey {
        self.head_signer.public_key()
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    #[test]
    fn a_signature_counts_for_one_tenant_one_place_one_moment_and_one_key() {
        let signer = HeadSigner::new(&[7; 32]).unwrap();
        let (tenant, at) = (TenantId::DEFAULT, Timestamp::from_millis(1));
        let signed = signer.head(tenant, Head { seq: 3, hash: [9; 32] }, at);
        let key: PublicKey = signer.public_key().to_string().parse().unwrap();
        assert!(key.vouches_for(tenant, &signed));
        assert!(!key.vouches_for(TenantId::from_uuid(Uuid::max()), &signed));
        assert!(!key.vouches_for(tenant, &SignedHead { seq: 4, ..signed.clone() }));
        assert!(!key.vouches_for(tenant, &SignedHead { hash: [8; 32], ..signed.clone() }));
        assert!(!key.vouches_for(tenant, &SignedHead { signed_at: Timestamp::EPOCH, ..signed.clone() }));
        assert!(!key.vouches_for(tenant, &SignedHead { signature: vec![], ..signed.clone() }));
        assert!(!HeadSigner::new(&[8; 32]).unwrap().public_key().vouches_for(tenant, &signed));
        assert!(!key.vouches_for_export(&[9; 32], &signed.signature));
    }

    #[test]
    fn a_key_that_is_none_is_refused() {
        assert!(HeadSigner::new(&[7; 31]).is_err());
        for text in ["", "zz", "00", &"f".repeat(66)] {
            assert!(text.parse::<PublicKey>().is_err(), "{text}");
        }
    }
}
