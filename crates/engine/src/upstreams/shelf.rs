//! The documents of one upstream: itself, and the locks of its tools.

use std::collections::BTreeMap;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use toolgate_domain::{
    AuditEvent, Caller, TenantId, UpstreamId,
    governance::{LockState, ToolLock, Upstream, UpstreamImport},
};
use toolgate_store::{Kind, Record, RecordWrite, Signal, StoreError};

use super::Upstreams;
use crate::RuleError;

/// An upstream with its locks, as they were read.
pub(super) struct Shelf {
    pub(super) upstream: Upstream,
    record: Record,
    /// By the server's own name of the tool.
    locks: BTreeMap<String, (Record, ToolLock)>,
}

impl Shelf {
    pub(super) fn locks(&self) -> impl Iterator<Item = &ToolLock> {
        self.locks.values().map(|(_, lock)| lock)
    }

    pub(super) fn lock(&self, own: &str) -> Option<&ToolLock> {
        self.locks.get(own).map(|(_, lock)| lock)
    }

    /// By the server's name of a tool, or by ours.
    pub(super) fn find(&self, tool: &str) -> Option<&ToolLock> {
        self.lock(tool).or_else(|| self.locks().find(|lock| lock.name == tool))
    }
}

fn decode<T: DeserializeOwned>(record: &Record) -> Result<T, StoreError> {
    T::deserialize(&record.body)
        .map_err(|e| StoreError::Corrupt(format!("{:?} {}: {e}", record.kind, record.id)))
}

fn encode(value: &impl Serialize) -> Result<Value, RuleError> {
    serde_json::to_value(value).map_err(|e| RuleError::Invalid(e.to_string()))
}

fn lock_name(upstream: UpstreamId, own: &str) -> String {
    format!("{}/{own}", upstream.uuid())
}

impl Upstreams<'_> {
    /// By id or by name.
    pub(super) async fn shelf(&self, tenant: TenantId, reference: &str) -> Result<Shelf, RuleError> {
        let records = &self.engine.stores.records;
        let found = match reference.parse::<UpstreamId>() {
            Ok(id) => records.get(tenant, Kind::Upstream, id.uuid()).await?,
            Err(_) => records.by_name(tenant, Kind::Upstream, reference).await?,
        };
        let shown: String = reference.chars().take(64).collect();
        let record = found.ok_or_else(|| RuleError::NotFound(format!("there is no MCP server `{shown}`")))?;
        let upstream: Upstream = decode(&record)?;
        let mut locks = BTreeMap::new();
        for record in records.named(tenant, Kind::UpstreamLock, &lock_name(upstream.id, "")).await? {
            let lock: ToolLock = decode(&record)?;
            locks.insert(lock.tool.clone(), (record, lock));
        }
        Ok(Shelf { upstream, record, locks })
    }

    pub(super) fn told(&self, caller: &Caller, action: &str, target: impl std::fmt::Display) -> AuditEvent {
        AuditEvent::by(caller, &*self.engine.ids, &*self.engine.clock, action, target)
    }

    pub(super) async fn add_upstream(&self, caller: &Caller, upstream: &Upstream) -> Result<(), RuleError> {
        let record = self.fresh(
            caller.tenant_id,
            Kind::Upstream,
            upstream.id.uuid(),
            &upstream.name,
            encode(upstream)?,
        );
        let event = self.told(caller, "mcp_server.create", &upstream.name).to(upstream);
        match self
            .engine
            .stores
            .records
            .commit(caller.tenant_id, vec![RecordWrite::Insert(record)], vec![event])
            .await
        {
            Err(StoreError::Conflict(_)) => {
                Err(RuleError::Conflict(format!("there is an MCP server `{}` already", upstream.name)))
            }
            done => {
                done?;
                self.engine.rules.changed(caller.tenant_id).await
            }
        }
    }

    fn fresh(
        &self,
        tenant_id: TenantId,
        kind: Kind,
        id: toolgate_domain::ids::Uuid,
        name: &str,
        body: Value,
    ) -> Record {
        let now = self.engine.clock.now();
        Record {
            tenant_id,
            kind,
            id,
            name: name.to_owned(),
            body,
            revision: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Keeps the upstream and those of its locks that changed, in one commit with what is told of it. Locks that are not among
    /// `locks` stay as they are; one that nobody accepted and that is gone is dropped. Others are told when it matters to calls.
    pub(super) async fn keep(
        &self,
        shelf: &Shelf,
        mut upstream: Upstream,
        locks: Vec<ToolLock>,
        events: Vec<AuditEvent>,
    ) -> Result<Upstream, RuleError> {
        let tenant = shelf.record.tenant_id;
        let mut writes = Vec::new();
        for lock in locks {
            let kept = shelf.locks.get(&lock.tool);
            if lock.state == LockState::Gone && lock.accepted.is_none() {
                upstream.imports.remove(&lock.tool);
                writes.extend(kept.map(|(record, _)| taken_away(record)));
                continue;
            }
            let import = UpstreamImport {
                name: lock.name.clone(),
                version: lock.version.clone(),
                state: lock.state,
                digest: lock.accepted.as_ref().map(|accepted| accepted.digest.clone()),
            };
            upstream.imports.insert(lock.tool.clone(), import);
            match kept {
                Some((_, old)) if *old == lock => {}
                Some((record, _)) => writes.push(RecordWrite::Update(self.changed(record, encode(&lock)?))),
                None => {
                    let name = lock_name(upstream.id, &lock.tool);
                    let id = self.engine.ids.uuid();
                    writes.push(RecordWrite::Insert(self.fresh(
                        tenant,
                        Kind::UpstreamLock,
                        id,
                        &name,
                        encode(&lock)?,
                    )));
                }
            }
        }
        writes.push(RecordWrite::Update(self.changed(&shelf.record, encode(&upstream)?)));
        self.engine.stores.records.commit(tenant, writes, events).await?;
        let matters = |of: &Upstream| {
            let Upstream { status: _, ref imports, .. } = *of;
            (imports.clone(), of.enabled, of.tools.clone(), of.updated_at, of.imported_at)
        };
        if matters(&upstream) != matters(&shelf.upstream) {
            self.engine.rules.changed(tenant).await?;
            // Whoever shows lists shows them anew.
            self.engine.rules.tell(Signal::Tools).await?;
        }
        Ok(upstream)
    }

    /// Takes an upstream away with all of its locks.
    pub(super) async fn drop_shelf(&self, caller: &Caller, shelf: &Shelf) -> Result<(), RuleError> {
        let mut writes: Vec<_> = shelf.locks.values().map(|(record, _)| taken_away(record)).collect();
        writes.push(taken_away(&shelf.record));
        let event = self.told(caller, "mcp_server.delete", &shelf.upstream.name).from(&shelf.upstream);
        self.engine.stores.records.commit(caller.tenant_id, writes, vec![event]).await?;
        self.engine.rules.changed(caller.tenant_id).await
    }

    fn changed(&self, record: &Record, body: Value) -> Record {
        let (revision, updated_at) = (record.revision + 1, self.engine.clock.now());
        Record { body, revision, updated_at, ..record.clone() }
    }
}

fn taken_away(record: &Record) -> RecordWrite {
    RecordWrite::Delete { kind: record.kind, id: record.id, revision: record.revision }
}
