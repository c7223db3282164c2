//! SHA-256 of what every call is named and vouched for by: some two kilobytes a call. On processors without instructions for it, this library
//! needs much less time for them than the portable `sha2`, which serves where hashing is rare.

use aws_lc_rs::digest::{Context, SHA256, digest};

/// A hash of 32 bytes.
pub type Digest = [u8; 32];

pub fn sha256(bytes: &[u8]) -> Digest {
    taken(digest(&SHA256, bytes).as_ref())
}

/// Of the pieces, one after the other.
pub fn sha256_of(pieces: &[&[u8]]) -> Digest {
    let mut context = Context::new(&SHA256);
    pieces.iter().for_each(|piece| context.update(piece));
    taken(context.finish().as_ref())
}

fn taken(hash: &[u8]) -> Digest {
    let mut taken = [0; 32];
    taken.copy_from_slice(hash);
    taken
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn it_is_the_same_as_everybody_elses() {
        for length in [0, 1, 55, 56, 64, 65, 1_000] {
            let bytes = vec![b'a'; length];
            let (head, tail) = bytes.split_at(length / 3);
            assert_eq!(sha256(&bytes), <Digest>::from(Sha256::digest(&bytes)));
            assert_eq!(sha256_of(&[head, tail]), sha256(&bytes));
        }
    }
}
