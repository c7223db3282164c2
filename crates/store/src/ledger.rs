//! The ledger: every change of an invocation, with its events, in one durable step.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use toolgate_domain::{
    AuditEvent, Invocation, InvocationId, NewEvent, NodeId, Outcome, Phase, TenantId, Timestamp,
    audit::{Digest, Item, ItemKind, Receipt},
};

use crate::{BlobRecord, StoreError};

/// A change of one existing invocation. It applies only while the row is still in `from`.
#[derive(Clone, Debug)]
pub struct Transition {
    pub id: InvocationId,
    pub from: Phase,
    pub to: Phase,
    /// The process that holds the call; with `from` running, only that process may end it.
    pub node_id: Option<NodeId>,
    pub started_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    pub outcome: Option<Outcome>,
    pub decided_by: Option<String>,
    pub reason: Option<String>,
    /// With an approval: the input as the person changed it.
    pub approved_input: Option<Value>,
}

impl Transition {
    /// The row as it will be.
    pub fn applied_to(&self, row: &Invocation) -> Invocation {
        let mut row = row.clone();
        row.phase = self.to;
        if self.to.is_terminal() {
            row.node_id = None;
        }
        row.started_at = self.started_at.or(row.started_at);
        row.completed_at = self.completed_at;
        row.outcome = self.outcome.clone().unwrap_or_default();
        row.approval_decided_by = self.decided_by.clone().or(row.approval_decided_by);
        row.approved_input = self.approved_input.clone().or(row.approved_input);
        row.approval_reason = self.reason.clone().or(row.approval_reason);
        row
    }

    /// The digest of the receipt that this change makes of `row`; none while the call goes on.
    pub fn receipt_of(&self, row: &Invocation) -> Option<Digest> {
        self.to.is_terminal().then(|| Receipt::of(&self.applied_to(row)).digest())
    }
}

/// A new row, with the JSON of it written once: for the digest of its receipt, and for its columns.
#[derive(Debug)]
pub struct NewRow<'a> {
    pub invocation: &'a Invocation,
    pub input: Box<RawValue>,
    pub decision: Box<RawValue>,
    pub output: Option<Box<RawValue>>,
}

impl<'a> NewRow<'a> {
    fn of(invocation: &'a Invocation) -> Self {
        Self {
            input: written(&invocation.input),
            decision: written(&invocation.decision),
            output: invocation.outcome.output.as_ref().map(written),
            invocation,
        }
    }

    /// What the chain is told of it, when it is already over.
    fn item(&self) -> Option<Item> {
        self.invocation.phase.is_terminal().then(|| {
            Receipt::with(self.invocation, &*self.input, &*self.decision, self.output.as_deref()).item()
        })
    }
}

fn written(value: &impl Serialize) -> Box<RawValue> {
    // Values of the domain have string keys and finite numbers; they always encode.
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Shared: whoever asked for it has it back once it is written, and another thread copies or frees nothing of it.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new row: parked, running, or already over.
    Insert(Arc<Invocation>),
    Advance(Arc<Transition>),
}

/// What becomes durable together.
#[derive(Clone, Debug)]
pub struct Entry {
    pub tenant_id: TenantId,
    pub change: Option<Change>,
    pub events: Vec<NewEvent>,
    pub blobs: Vec<BlobRecord>,
    /// The digest of the receipt, when the change ends a call that is on record. A new row's is made by whoever writes it: a ledger whose
    /// own thread has the time does it there.
    pub receipt: Option<Digest>,
    pub audit: Vec<AuditEvent>,
}

impl Entry {
    /// An entry with nothing in it yet.
    pub fn of(tenant_id: TenantId) -> Self {
        Self { tenant_id, change: None, events: vec![], blobs: vec![], receipt: None, audit: vec![] }
    }

    /// A new row.
    pub fn inserting(row: Arc<Invocation>) -> Self {
        let tenant_id = row.tenant_id;
        Self { change: Some(Change::Insert(row)), ..Self::of(tenant_id) }
    }

    /// Refuses one that speaks of several tenants. Every ledger asks, because it writes for all of them, and behind it no wall would
    /// notice.
    pub fn check(&self) -> Result<(), StoreError> {
        let inserted = match &self.change {
            Some(Change::Insert(row)) => Some(row.tenant_id),
            Some(Change::Advance(_)) | None => None,
        };
        let blobs = self.blobs.iter().map(|blob| blob.tenant_id);
        let audit = self.audit.iter().map(|event| event.tenant_id);
        if inserted.into_iter().chain(blobs).chain(audit).all(|tenant| tenant == self.tenant_id) {
            return Ok(());
        }
        Err(StoreError::Refused("an entry of the ledger speaks of several tenants".to_owned()))
    }

    /// The row that it makes, for the ledger to write.
    pub fn new_row(&self) -> Option<NewRow<'_>> {
        match &self.change {
            Some(Change::Insert(row)) => Some(NewRow::of(row)),
            Some(Change::Advance(_)) | None => None,
        }
    }

    /// What the chain is told, if the entry is written. `new_row`: the one that it makes, from whoever has it at hand.
    pub fn items(&self, new_row: Option<&NewRow<'_>>) -> impl Iterator<Item = Item> {
        let receipt = match &self.change {
            Some(Change::Insert(row)) => new_row.map_or_else(|| NewRow::of(row).item(), NewRow::item),
            Some(Change::Advance(transition)) => {
                self.receipt.map(|digest| Item { kind: ItemKind::Receipt, id: transition.id.uuid(), digest })
            }
            None => None,
        };
        receipt.into_iter().chain(self.audit.iter().map(AuditEvent::item))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The row is no longer where the caller believed it to be, or its id or idempotency key is taken.
    #[error("another change came first")]
    Conflict,
    /// More calls wait for the ledger than it may hold.
    #[error("the ledger's queue is full")]
    Overloaded,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Entries that arrive at the same moment share one transaction; each caller is answered after its own is durable.
#[async_trait]
pub trait Ledger: Send + Sync {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError>;
}
