//! Snapshots leave the process and come back later. A seal says that one is ours, unchanged, and of this very run.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use toolgate_domain::{InvocationId, TenantId};

const MAGIC: &[u8; 8] = b"TGSNAP01";
const MAC_BYTES: usize = 32;

/// What a snapshot belongs to. It fits no other tenant, no other call, and no other code.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    pub tenant_id: TenantId,
    pub invocation_id: InvocationId,
    pub runtime: &'a str,
    pub code: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot is not one of this run")]
pub struct SealError;

/// Seals snapshots with a key of the installation.
#[derive(Clone)]
pub struct SnapshotSeal {
    key: [u8; 32],
}

impl SnapshotSeal {
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// `magic ‖ mac ‖ snapshot`
    pub fn seal(&self, snapshot: &[u8], binding: &Binding<'_>) -> Result<Vec<u8>, SealError> {
        let mac = self.mac(snapshot, binding)?.finalize().into_bytes();
        Ok([MAGIC.as_slice(), &mac, snapshot].concat())
    }

    /// The snapshot, when the seal holds.
    pub fn open<'s>(&self, sealed: &'s [u8], binding: &Binding<'_>) -> Result<&'s [u8], SealError> {
        let rest = sealed.strip_prefix(MAGIC.as_slice()).ok_or(SealError)?;
        let (mac, snapshot) = rest.split_at_checked(MAC_BYTES).ok_or(SealError)?;
        self.mac(snapshot, binding)?.verify_slice(mac).map_err(|_| SealError)?;
        Ok(snapshot)
    }

    fn mac(&self, snapshot: &[u8], binding: &Binding<'_>) -> Result<Hmac<Sha256>, SealError> {
        // HMAC takes a key of any length: this never fails.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).map_err(|_| SealError)?;
        let parts = [
            MAGIC.as_slice(),
            binding.tenant_id.to_string().as_bytes(),
            binding.invocation_id.to_string().as_bytes(),
            binding.runtime.as_bytes(),
            &Sha256::digest(binding.code.as_bytes()),
            snapshot,
        ]
        .map(<[u8]>::to_vec);
        for part in &parts {
            // With its length before it, no part can pose as the end of another.
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        Ok(mac)
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::Uuid;

    use super::*;

    fn binding() -> Binding<'static> {
        Binding {
            tenant_id: TenantId::from_uuid(Uuid::from_u128(1)),
            invocation_id: InvocationId::from_uuid(Uuid::from_u128(2)),
            runtime: "default",
            code: "tool()",
        }
    }

    #[test]
    fn a_sealed_snapshot_opens_for_its_own_run() {
        let seal = SnapshotSeal::new([7; 32]);
        let sealed = seal.seal(b"state", &binding()).unwrap();
        assert_eq!(seal.open(&sealed, &binding()), Ok(b"state".as_slice()));
    }

    #[test]
    fn any_changed_byte_breaks_the_seal() {
        let seal = SnapshotSeal::new([7; 32]);
        let sealed = seal.seal(b"state", &binding()).unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(seal.open(&changed, &binding()), Err(SealError), "byte {at}");
        }
    }

    #[test]
    fn any_shortened_or_lengthened_snapshot_is_refused() {
        let seal = SnapshotSeal::new([7; 32]);
        let sealed = seal.seal(b"state", &binding()).unwrap();
        for length in 0..sealed.len() {
            assert_eq!(seal.open(&sealed[..length], &binding()), Err(SealError), "{length} bytes");
        }
        assert_eq!(seal.open(&[sealed.as_slice(), b"x"].concat(), &binding()), Err(SealError));
    }

    #[test]
    fn a_snapshot_of_another_run_tenant_code_runtime_or_installation_is_refused() {
        let seal = SnapshotSeal::new([7; 32]);
        let sealed = seal.seal(b"state", &binding()).unwrap();
        let others = [
            Binding { invocation_id: InvocationId::from_uuid(Uuid::from_u128(3)), ..binding() },
            Binding { tenant_id: TenantId::from_uuid(Uuid::from_u128(3)), ..binding() },
            Binding { code: "tool() ", ..binding() },
            Binding { runtime: "full", ..binding() },
        ];
        for other in &others {
            assert_eq!(seal.open(&sealed, other), Err(SealError), "{other:?}");
        }
        assert_eq!(SnapshotSeal::new([8; 32]).open(&sealed, &binding()), Err(SealError));
    }
}
