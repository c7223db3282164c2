//! What a link names, held against what is there: the first difference, and what it is.

use toolgate_domain::{
    audit::{Digest, Item, ItemKind},
    ids::Uuid,
};

use super::finding::{Finding, FindingKind, name};

/// A record that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// `None` when the record cannot be read.
    pub(super) item: Option<Item>,
    /// Its line, in a file.
    pub(super) line: Option<u64>,
}

impl Seen {
    pub(super) fn new(kind: ItemKind, id: Uuid, digest: Digest) -> Self {
        Self { item: Some(Item { kind, id, digest }), line: None }
    }

    pub(super) const UNREADABLE: Self = Self { item: None, line: None };

    pub(super) fn at(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }

    fn is(&self, other: &Item) -> bool {
        self.item.is_some_and(|item| same(&item, other))
    }

    pub(super) fn name(&self) -> String {
        match (self.item, self.line) {
            (Some(item), _) => name(item.kind, item.id),
            (None, Some(line)) => format!("line {line}"),
            (None, None) => "a record".to_owned(),
        }
    }
}

fn same(a: &Item, b: &Item) -> bool {
    (a.kind, a.id) == (b.kind, b.id)
}

/// The first place where `seen` is not what `items` names.
pub(super) fn first_difference(seq: u64, items: &[Item], seen: &[Seen]) -> Option<Finding> {
    let place = (0..items.len().max(seen.len()))
        .find(|place| items.get(*place).copied() != seen.get(*place).and_then(|seen| seen.item))?;
    let changed = |item: &Item| {
        let why = format!("it is not what link {seq} vouches for: it was changed after it was recorded");
        Finding::new(FindingKind::Changed, name(item.kind, item.id), why)
    };
    let removed = |item: &Item| {
        let why = format!("link {seq} vouches for it, and it is not there: it was removed");
        Finding::new(FindingKind::Removed, name(item.kind, item.id), why)
    };
    let inserted = |seen: &Seen| {
        let why = format!("it stands before link {seq}, which does not name it: it was inserted");
        Finding::new(FindingKind::Inserted, seen.name(), why)
    };
    Some(match (items.get(place), seen.get(place)) {
        (None, None) => return None,
        (Some(item), None) => removed(item),
        (None, Some(seen)) => inserted(seen),
        (Some(item), Some(found)) => {
            let named = found.item.is_some_and(|found| items.iter().any(|item| same(item, &found)));
            let is_there = seen.iter().any(|seen| seen.is(item));
            if found.is(item) {
                changed(item)
            } else if named && is_there {
                let why = format!("it is not in the place that link {seq} gives it: records were reordered");
                Finding::new(FindingKind::Changed, name(item.kind, item.id), why)
            } else if is_there {
                inserted(found)
            } else if !named && seen.len() >= items.len() {
                // Something else stands in its place: what it was can no longer be read, or bears another id.
                changed(item)
            } else {
                removed(item)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: u128, digest: u8) -> Item {
        Item { kind: ItemKind::Receipt, id: Uuid::from_u128(id), digest: [digest; 32] }
    }

    #[test]
    fn the_first_difference_has_a_name() {
        use FindingKind::{Changed, Inserted, Removed};
        let items = [item(1, 1), item(2, 2), item(3, 3)];
        let at = |id: u128, digest| Seen { item: Some(item(id, digest)), line: None };
        type Expected = Option<(FindingKind, u128)>;
        let cases: [(&[Seen], Expected); 9] = [
            (&[at(1, 1), at(2, 2), at(3, 3)], None),
            (&[at(1, 1), at(2, 9), at(3, 3)], Some((Changed, 2))),
            (&[at(1, 1), at(3, 3)], Some((Removed, 2))),
            (&[at(1, 1), at(2, 2)], Some((Removed, 3))),
            (&[at(1, 1), at(7, 7), at(2, 2), at(3, 3)], Some((Inserted, 7))),
            (&[at(1, 1), at(2, 2), at(3, 3), at(7, 7)], Some((Inserted, 7))),
            (&[at(2, 2), at(1, 1), at(3, 3)], Some((Changed, 1))),
            (&[at(1, 1), at(7, 2), at(3, 3)], Some((Changed, 2))),
            (&[at(1, 1), Seen::UNREADABLE, at(3, 3)], Some((Changed, 2))),
        ];
        for (seen, expected) in cases {
            let found = first_difference(1, &items, seen).map(|finding| (finding.kind, finding.record));
            let expected = expected.map(|(kind, id)| (kind, name(ItemKind::Receipt, Uuid::from_u128(id))));
            assert_eq!(found, expected, "{seen:?}");
        }
    }
}
