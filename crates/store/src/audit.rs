use async_trait::async_trait;
use toolgate_domain::{
    AuditEvent, AuditId, TenantId, Timestamp,
    audit::{Digest, GENESIS, Item, ItemKind},
    ids::Uuid,
};

use crate::StoreError;

/// A link as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub seq: u64,
    pub hash: Digest,
    /// Whole items, one after the other.
    pub items: Vec<u8>,
}

/// Where a tenant's chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub seq: u64,
    pub hash: Digest,
}

impl Default for Head {
    fn default() -> Self {
        Self { seq: 0, hash: GENESIS }
    }
}

/// The server's word that a chain ended there at that moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedHead {
    pub seq: u64,
    pub hash: Digest,
    pub signed_at: Timestamp,
    /// Ed25519.
    pub signature: Vec<u8>,
}

/// Which audit events to list; newest first.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Begins with this: `agent.` finds every change of an agent.
    pub action: Option<String>,
    pub actor: Option<String>,
    pub target: Option<String>,
    /// From this moment on.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
    /// Events older than this one.
    pub before: Option<AuditId>,
    pub limit: usize,
}

/// What happened to the rules, and the chain that vouches for it and for every receipt.
#[async_trait]
pub trait Audit: Send + Sync {
    /// Appends events and nothing else.
    async fn append(&self, tenant: TenantId, events: &[AuditEvent]) -> Result<(), StoreError>;

    async fn events(&self, tenant: TenantId, filter: &AuditFilter) -> Result<Vec<AuditEvent>, StoreError>;

    /// Those of the given events that exist.
    async fn events_by_id(&self, tenant: TenantId, ids: &[AuditId]) -> Result<Vec<AuditEvent>, StoreError>;

    /// Links after `seq`, in order.
    async fn links(&self, tenant: TenantId, after: u64, limit: usize) -> Result<Vec<Link>, StoreError>;

    async fn head(&self, tenant: TenantId) -> Result<Head, StoreError>;

    /// Keeps the server's word; the same head twice is kept once.
    async fn sign(&self, tenant: TenantId, head: &SignedHead) -> Result<(), StoreError>;

    /// Signed heads after `seq`, in order.
    async fn signed_heads(
        &self,
        tenant: TenantId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<SignedHead>, StoreError>;

    /// Where chains end, of any tenant, without the server's word on it yet.
    async fn unsigned_heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError>;

    /// How many calls have ended, and how many audit events there are: more than the chain holds means that some were inserted.
    /// What is still to be sealed counts for neither.
    async fn counts(&self, tenant: TenantId) -> Result<Counts, StoreError>;

    /// The ids, after this one and in order, of the calls that have ended or of the audit events: all that the chain should hold.
    async fn ids(
        &self,
        tenant: TenantId,
        kind: ItemKind,
        after: Uuid,
        limit: usize,
    ) -> Result<Vec<Uuid>, StoreError>;

    /// What clients in the database left for the server to put into the chains, of any tenant. Where there are no such clients there
    /// is nothing.
    async fn unsealed(&self, _limit: usize) -> Result<Vec<Unsealed>, StoreError> {
        Ok(Vec::new())
    }

    /// Puts those of the items that are still unsealed into the tenant's chain; answers how many there were.
    async fn seal(&self, _tenant: TenantId, _items: &[Item]) -> Result<usize, StoreError> {
        Ok(0)
    }
}

/// A record that no chain vouches for yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsealed {
    pub tenant_id: TenantId,
    pub kind: ItemKind,
    pub id: Uuid,
}

/// What there is, and where the chain ended at the same moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub receipts: u64,
    pub events: u64,
    pub head: Head,
}
