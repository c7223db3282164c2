//! The ledger: every change of an invocation, with its events, in one durable step.

use async_trait::async_trait;
use toolgate_domain::{Invocation, InvocationId, NewEvent, NodeId, Outcome, Phase, TenantId, Timestamp};

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
}

#[derive(Clone, Debug)]
pub enum Change {
    /// A new row: parked, running, or already over.
    Insert(Box<Invocation>),
    Advance(Box<Transition>),
}

/// What becomes durable together.
#[derive(Clone, Debug)]
pub struct Entry {
    pub tenant_id: TenantId,
    pub change: Option<Change>,
    pub events: Vec<NewEvent>,
    pub blobs: Vec<BlobRecord>,
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
