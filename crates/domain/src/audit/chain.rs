//! The chain of one tenant. A link carries the digests of what was committed together; its hash covers them, its place, and the
//! link before it. Whoever changes, removes or inserts anything breaks a hash that everything later stands on.

use uuid::Uuid;

use super::Digest;
use crate::hash::sha256_of;

/// What the first link stands on.
pub const GENESIS: Digest = [0; 32];

/// Kind, id, digest.
pub const ITEM_BYTES: usize = 1 + 16 + 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    /// A call that ended.
    Receipt,
    /// A change of the rules, or a person's decision.
    Event,
}

/// One record that the chain vouches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub id: Uuid,
    pub digest: Digest,
}

impl Item {
    pub fn to_bytes(self) -> [u8; ITEM_BYTES] {
        let mut bytes = [0; ITEM_BYTES];
        bytes[0] = match self.kind {
            ItemKind::Receipt => 1,
            ItemKind::Event => 2,
        };
        bytes[1..17].copy_from_slice(self.id.as_bytes());
        bytes[17..].copy_from_slice(&self.digest);
        bytes
    }

    fn from_bytes(bytes: &[u8; ITEM_BYTES]) -> Option<Self> {
        let kind = match bytes[0] {
            1 => ItemKind::Receipt,
            2 => ItemKind::Event,
            _ => return None,
        };
        let id = Uuid::from_slice(&bytes[1..17]).ok()?;
        let digest = bytes[17..].try_into().ok()?;
        Some(Self { kind, id, digest })
    }
}

/// The items of a link; `None` when the bytes are not whole items.
pub fn read_items(bytes: &[u8]) -> Option<Vec<Item>> {
    let (items, rest) = bytes.as_chunks::<ITEM_BYTES>();
    if !rest.is_empty() {
        return None;
    }
    items.iter().map(Item::from_bytes).collect()
}

/// The hash of the link at `seq` (the first is 1), which stands on `previous`.
pub fn link_hash(previous: &Digest, seq: u64, items: &[u8]) -> Digest {
    sha256_of(&[previous, &seq.to_be_bytes(), items])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_read_back_and_anything_else_is_refused() {
        let item = Item { kind: ItemKind::Event, id: Uuid::max(), digest: [7; 32] };
        assert_eq!(read_items(&item.to_bytes()), Some(vec![item]));
        assert_eq!(read_items(&item.to_bytes()[1..]), None);
        assert_eq!(read_items(&[9; ITEM_BYTES]), None);
    }

    #[test]
    fn the_hash_covers_what_came_before_the_place_and_the_items() {
        let hash = link_hash(&GENESIS, 1, b"a");
        assert_ne!(hash, link_hash(&hash, 1, b"a"));
        assert_ne!(hash, link_hash(&GENESIS, 2, b"a"));
        assert_ne!(hash, link_hash(&GENESIS, 1, b"b"));
    }
}
