//! Randomness that can be had again: a suspended run is repeated from its start, and must take the same way.

use sha2::{Digest, Sha256};

pub(crate) struct Random {
    seed: [u8; 32],
    block: u64,
}

impl Random {
    pub(crate) fn new(parts: &[&[u8]]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Self { seed: digest.finalize().into(), block: 0 }
    }

    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let digest =
                Sha256::new().chain_update(self.seed).chain_update(self.block.to_le_bytes()).finalize();
            chunk.copy_from_slice(&digest[..chunk.len()]);
            self.block += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_gives_others() {
        let bytes = |parts: &[&[u8]]| {
            let mut bytes = [0; 50];
            Random::new(parts).fill(&mut bytes);
            bytes
        };
        assert_eq!(bytes(&[b"a", b"b"]), bytes(&[b"a", b"b"]));
        assert_ne!(bytes(&[b"a", b"b"]), bytes(&[b"ab", b""]));
    }
}
