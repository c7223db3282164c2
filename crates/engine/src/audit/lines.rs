//! The lines of an export. Each has one spelling only: a line that is spelt otherwise was changed.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use toolgate_domain::{
    AuditId, InvocationId, TenantId, Timestamp,
    audit::{Digest, Item, ItemKind},
    ids::Uuid,
};
use toolgate_store::{Link, SignedHead};

use super::{compare::Seen, finding::name};

pub(super) const FORMAT: &str = "toolgate-audit-v1";

const RECEIPT: (&str, ItemKind) = (r#"{"type":"receipt","receipt":"#, ItemKind::Receipt);
const EVENT: (&str, ItemKind) = (r#"{"type":"event","event":"#, ItemKind::Event);

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Header(Header),
    Link(LinkLine),
    Head(HeadLine),
    End(EndLine),
    /// A row of the database that makes no sense.
    Unreadable,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) tenant_id: TenantId,
    pub(super) public_key: String,
    pub(super) exported_at: Timestamp,
    /// How many links follow, and the hash of the last.
    pub(super) links: u64,
    pub(super) hash: String,
    /// How many records the database held.
    pub(super) receipts: u64,
    pub(super) events: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkLine {
    seq: u64,
    hash: String,
    items: Vec<ItemField>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemField {
    kind: KindField,
    id: String,
    digest: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindField {
    Receipt,
    Event,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeadLine {
    /// The first signed head of a file is number 1.
    pub(super) number: u64,
    seq: u64,
    hash: String,
    signed_at: Timestamp,
    signature: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndLine {
    /// Of every byte before this line.
    pub(super) sha256: String,
    pub(super) signature: String,
}

impl Line {
    pub(super) fn read(text: &str) -> Option<Self> {
        let line: Self = serde_json::from_str(text).ok()?;
        (line.write() == text).then_some(line)
    }

    pub(super) fn write(&self) -> String {
        // A line always encodes: its keys are strings and its numbers finite.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A record's line: the bytes between what begins and what ends it are those that were digested.
pub(super) fn write_record(kind: ItemKind, record: &impl Serialize) -> String {
    let begin = match kind {
        ItemKind::Receipt => RECEIPT.0,
        ItemKind::Event => EVENT.0,
    };
    format!("{begin}{}}}", serde_json::to_string(record).unwrap_or_default())
}

/// `None` when the line is no record's.
pub(super) fn read_record(text: &str) -> Option<Seen> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
    }
    let (record, kind) =
        [RECEIPT, EVENT].into_iter().find_map(|(begin, kind)| Some((text.strip_prefix(begin)?, kind)))?;
    let record = record.strip_suffix('}')?;
    let id = serde_json::from_str::<Named>(record).ok().and_then(|named| read_id(kind, &named.id));
    let digest = Sha256::digest(record.as_bytes()).into();
    Some(id.map_or(Seen::UNREADABLE, |id| Seen::new(kind, id, digest)))
}

fn read_id(kind: ItemKind, text: &str) -> Option<Uuid> {
    match kind {
        ItemKind::Receipt => text.parse::<InvocationId>().ok().map(InvocationId::uuid),
        ItemKind::Event => text.parse::<AuditId>().ok().map(AuditId::uuid),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

pub(super) fn digest(text: &str) -> Option<Digest> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

impl LinkLine {
    pub(super) fn new(link: &Link, items: &[Item]) -> Self {
        let field = |item: &Item| ItemField {
            kind: match item.kind {
                ItemKind::Receipt => KindField::Receipt,
                ItemKind::Event => KindField::Event,
            },
            id: name(item.kind, item.id),
            digest: hex(&item.digest),
        };
        Self { seq: link.seq, hash: hex(&link.hash), items: items.iter().map(field).collect() }
    }

    pub(super) fn link(&self) -> Option<Link> {
        let mut items = Vec::new();
        for field in &self.items {
            let kind = match field.kind {
                KindField::Receipt => ItemKind::Receipt,
                KindField::Event => ItemKind::Event,
            };
            let id = read_id(kind, &field.id).filter(|id| name(kind, *id) == field.id)?;
            items.extend(Item { kind, id, digest: digest(&field.digest)? }.to_bytes());
        }
        Some(Link { seq: self.seq, hash: digest(&self.hash)?, items })
    }
}

impl HeadLine {
    pub(super) fn new(number: u64, head: &SignedHead) -> Self {
        let SignedHead { seq, hash, signed_at, signature } = head;
        let (hash, signature) = (hex(hash), hex(signature));
        Self { number, seq: *seq, hash, signed_at: *signed_at, signature }
    }

    pub(super) fn head(&self) -> Option<SignedHead> {
        let signature = HEXLOWER.decode(self.signature.as_bytes()).ok()?;
        Some(SignedHead { seq: self.seq, hash: digest(&self.hash)?, signed_at: self.signed_at, signature })
    }
}
