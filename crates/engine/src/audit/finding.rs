//! What a verification found.

use serde::Serialize;
use toolgate_domain::{AuditId, InvocationId, audit::ItemKind, ids::Uuid};

use super::PublicKey;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A record is not what it was.
    Changed,
    /// Something that the chain names is gone.
    Removed,
    /// Something is there that the chain does not name.
    Inserted,
    /// A link does not stand on the one before it.
    BrokenLink,
    /// A signature is not the server's, or is for another chain.
    BadSignature,
    /// The chain ends before it should.
    Truncated,
}

/// The first thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub kind: FindingKind,
    /// `inv_…`, `aud_…`, `link 17`, `head 17`; in a file also `header`, `end` or `line 4`.
    pub record: String,
    pub explanation: String,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, record: impl ToString, explanation: impl Into<String>) -> Self {
        Self { kind, record: record.to_string(), explanation: explanation.into() }
    }
}

/// The record's id, as everyone writes it.
pub(super) fn name(kind: ItemKind, id: Uuid) -> String {
    match kind {
        ItemKind::Receipt => InvocationId::from_uuid(id).to_string(),
        ItemKind::Event => AuditId::from_uuid(id).to_string(),
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub links: u64,
    pub receipts: u64,
    pub events: u64,
    pub signed_heads: u64,
}

/// Where the key came from that the signatures were held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// The server's own.
    Server,
    /// The one who verifies brought it.
    Given,
    /// The file says so itself: whoever wrote the file chose the key.
    File,
}

/// The answer; up to the finding, where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub ok: bool,
    #[serde(flatten)]
    pub totals: Totals,
    /// `None` when not even the key could be read.
    pub public_key: Option<String>,
    pub key_source: KeySource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
}

impl Verification {
    pub(super) fn new(
        totals: Totals,
        key: Option<PublicKey>,
        key_source: KeySource,
        finding: Option<Finding>,
    ) -> Self {
        let public_key = key.map(|key| key.to_string());
        Self { ok: finding.is_none(), totals, public_key, key_source, finding }
    }
}
