//! Addresses of blobs that work without a key, for a while.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use toolgate_domain::{BlobId, Timestamp};

/// Signs and checks blob addresses with the installation's secret.
pub struct BlobSigner {
    secret: Vec<u8>,
}

impl BlobSigner {
    pub fn new(secret: Vec<u8>) -> Self {
        Self { secret }
    }

    /// `/api/blobs/{id}?expires=…&signature=…`
    pub fn sign(&self, id: BlobId, expires: Timestamp) -> String {
        let seconds = expires.as_millis() / 1_000;
        format!("/api/blobs/{id}?expires={seconds}&signature={}", self.signature(id, seconds))
    }

    pub fn is_valid(&self, id: BlobId, expires_s: i64, signature: &str, now: Timestamp) -> bool {
        let fresh = now.as_millis() / 1_000 < expires_s;
        let expected = self.signature(id, expires_s);
        fresh & bool::from(expected.as_bytes().ct_eq(signature.as_bytes()))
    }

    fn signature(&self, id: BlobId, expires_s: i64) -> String {
        // HMAC takes a key of any length, so this arm is never taken; an empty signature would match nothing.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.secret) else {
            return String::new();
        };
        mac.update(format!("{id} {expires_s}").as_bytes());
        HEXLOWER.encode(&mac.finalize().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    #[test]
    fn an_address_works_until_it_expires_and_for_its_own_blob_only() {
        let signer = BlobSigner::new(vec![1; 32]);
        let (id, other) = (BlobId::from_uuid(Uuid::from_u128(1)), BlobId::from_uuid(Uuid::from_u128(2)));
        let url = signer.sign(id, Timestamp::from_millis(10_000));
        let signature = url.rsplit_once('=').unwrap().1;
        assert!(signer.is_valid(id, 10, signature, Timestamp::from_millis(9_000)));
        assert!(!signer.is_valid(id, 10, signature, Timestamp::from_millis(10_000)));
        assert!(!signer.is_valid(id, 11, signature, Timestamp::from_millis(9_000)));
        assert!(!signer.is_valid(other, 10, signature, Timestamp::from_millis(9_000)));
        assert!(!signer.is_valid(id, 10, "", Timestamp::from_millis(9_000)));
        assert!(!BlobSigner::new(vec![2; 32]).is_valid(id, 10, signature, Timestamp::from_millis(9_000)));
    }
}
