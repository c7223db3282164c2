//! Real stores that stumble where a test says so.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::{broadcast, watch};
use toolgate_domain::{
    AuditEvent, EventType, Lifecycle, TenantId, Timestamp, Tool, ToolId, ToolName, ids::Uuid,
};
use toolgate_store::{
    Alias, Entry, Kind, Ledger, LedgerError, Record, RecordWrite, Records, SchemaVersion, Signal, Signals,
    StoreError, Tools,
};

pub struct Stumbling<S: ?Sized> {
    real: Arc<S>,
    due: watch::Sender<usize>,
}

impl<S: ?Sized> Stumbling<S> {
    pub fn over(real: &Arc<S>) -> Arc<Self> {
        Arc::new(Self { real: Arc::clone(real), due: watch::Sender::new(0) })
    }

    /// So many of the next steps fail.
    pub fn stumble(&self, times: usize) {
        self.due.send_replace(times);
    }

    /// Waits until none of them is left.
    pub async fn stumbled(&self) {
        self.due.subscribe().wait_for(|due| *due == 0).await.unwrap();
    }

    fn step(&self) -> Result<(), StoreError> {
        let fails = self.due.send_if_modified(|due| due.checked_sub(1).map(|left| *due = left).is_some());
        if fails { Err(StoreError::Unavailable("it stumbled".to_owned())) } else { Ok(()) }
    }
}

/// Stumbles over calls that came to their end.
#[async_trait]
impl Ledger for Stumbling<dyn Ledger> {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError> {
        if entry.events.iter().any(|event| event.kind == EventType::Completed) {
            self.step()?;
        }
        self.real.record(entry).await
    }
}

/// Stumbles over what the rules of a tenant begin with, when they are read as a whole.
#[async_trait]
impl Records for Stumbling<dyn Records> {
    async fn get(&self, tenant: TenantId, kind: Kind, id: Uuid) -> Result<Option<Record>, StoreError> {
        self.real.get(tenant, kind, id).await
    }

    async fn by_name(&self, tenant: TenantId, kind: Kind, name: &str) -> Result<Option<Record>, StoreError> {
        self.real.by_name(tenant, kind, name).await
    }

    async fn all(&self, tenant: TenantId, kind: Kind) -> Result<Vec<Record>, StoreError> {
        if kind == Kind::Setting {
            self.step()?;
        }
        self.real.all(tenant, kind).await
    }

    async fn named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<Vec<Record>, StoreError> {
        self.real.named(tenant, kind, prefix).await
    }

    async fn last_named(
        &self,
        tenant: TenantId,
        kind: Kind,
        prefix: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        self.real.last_named(tenant, kind, prefix, before, limit).await
    }

    async fn count_named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<u64, StoreError> {
        self.real.count_named(tenant, kind, prefix).await
    }

    async fn commit(
        &self,
        tenant: TenantId,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), StoreError> {
        self.real.commit(tenant, writes, audit).await
    }
}

/// Stumbles over the tools of a tenant, when they are read as a whole.
#[async_trait]
impl Tools for Stumbling<dyn Tools> {
    async fn insert(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        self.real.insert(tool, schemas, audit).await
    }

    async fn update(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        self.real.update(tool, schemas, audit).await
    }

    async fn set_lifecycle(
        &self,
        tenant: TenantId,
        id: ToolId,
        lifecycle: Lifecycle,
        at: Timestamp,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        self.real.set_lifecycle(tenant, id, lifecycle, at, audit).await
    }

    async fn all(&self, tenant: TenantId) -> Result<Vec<Tool>, StoreError> {
        self.step()?;
        self.real.all(tenant).await
    }

    async fn schema_versions(
        &self,
        tenant: TenantId,
        name: &ToolName,
    ) -> Result<Vec<SchemaVersion>, StoreError> {
        self.real.schema_versions(tenant, name).await
    }

    async fn put_alias(&self, alias: &Alias, audit: &AuditEvent) -> Result<(), StoreError> {
        self.real.put_alias(alias, audit).await
    }

    async fn rename(
        &self,
        tool: &Tool,
        schemas: &SchemaVersion,
        alias: &Alias,
        audit: &AuditEvent,
    ) -> Result<(), StoreError> {
        self.real.rename(tool, schemas, alias, audit).await
    }

    async fn aliases(&self, tenant: TenantId) -> Result<Vec<Alias>, StoreError> {
        self.real.aliases(tenant).await
    }
}

/// Stumbles when it should tell the others.
#[async_trait]
impl Signals for Stumbling<dyn Signals> {
    fn ledger(&self) -> watch::Receiver<u64> {
        self.real.ledger()
    }

    fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.real.subscribe()
    }

    async fn publish(&self, signal: Signal) -> Result<(), StoreError> {
        self.step()?;
        self.real.publish(signal).await
    }
}
