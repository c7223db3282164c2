//! Setting, listing, rotating and deleting secrets. Each change is one commit with its audit event, which holds names and
//! scopes and never a value.

use std::sync::Arc;

use dashmap::DashMap;
use serde_json::{Value, json};
use toolgate_domain::{AuditEvent, Caller, Clock, IdGen, Limits, TenantId, Timestamp, ids::Uuid};
use toolgate_store::{Kind, Record, RecordWrite, Stores};

use super::{
    MasterKey, SecretError, SecretInfo, SecretName, SecretPlace, SecretScope, SecretTarget, SecretValue,
    Vault,
    document::{KeptSecret, body_of, record_name},
    tenant_key::TenantKey,
};
use crate::Rules;

/// How often a change starts over because somebody else wrote the same row.
const MAX_TRIES: usize = 8;

/// Keeps secrets.
pub struct Secrets {
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGen>,
    limits: Limits,
    pub(super) rules: Arc<Rules>,
    pub(super) vault: Vault,
    /// When this process last noted that a secret was used.
    pub(super) noted: DashMap<Uuid, Timestamp>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Set,
    /// Only what is there can be rotated.
    Rotate,
}

impl Change {
    fn action(self) -> &'static str {
        match self {
            Self::Set => "secret.set",
            Self::Rotate => "secret.rotate",
        }
    }
}

impl Secrets {
    pub(crate) fn new(
        stores: Stores,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGen>,
        limits: Limits,
        rules: Arc<Rules>,
        master: MasterKey,
    ) -> Self {
        Self { stores, clock, ids, limits, rules, vault: Vault::new(master), noted: DashMap::new() }
    }

    /// Sets a secret, or gives the one that is there a new value.
    pub async fn set(
        &self,
        caller: &Caller,
        name: &SecretName,
        target: &SecretTarget,
        value: &SecretValue,
    ) -> Result<SecretInfo, SecretError> {
        self.change(caller, name, target, value, Change::Set).await
    }

    /// Gives a secret that is there a new value.
    pub async fn rotate(
        &self,
        caller: &Caller,
        name: &SecretName,
        target: &SecretTarget,
        value: &SecretValue,
    ) -> Result<SecretInfo, SecretError> {
        self.change(caller, name, target, value, Change::Rotate).await
    }

    pub async fn delete(
        &self,
        caller: &Caller,
        name: &SecretName,
        target: &SecretTarget,
    ) -> Result<(), SecretError> {
        let scope = self.changeable(caller, target).await?;
        for _ in 0..MAX_TRIES {
            let old = self.kept(caller.tenant_id, scope, name.as_str()).await?;
            let old = old.ok_or_else(|| missing(name, scope))?;
            let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "secret.delete", name)
                .from(shown(scope, old.revision()));
            let (id, revision) = (old.record.id, old.record.revision);
            let write = RecordWrite::Delete { kind: Kind::Secret, id, revision };
            match self.commit(caller.tenant_id, vec![write], event).await {
                Err(error) if error.is_overtaken() => {}
                other => return other,
            }
        }
        Err(overtaken())
    }

    /// The caller's own secrets, those of their workspaces, and the tenant's; by name, the narrowest scope first.
    pub async fn list(&self, caller: &Caller) -> Result<Vec<SecretInfo>, SecretError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let mut scopes: Vec<_> = caller.user_id().map(SecretScope::User).into_iter().collect();
        let workspaces = rules.workspaces.keys().copied().filter(|id| caller.is_in(Some(*id)));
        scopes.extend(workspaces.map(SecretScope::Workspace));
        scopes.push(SecretScope::Tenant);
        let mut listed = Vec::new();
        for scope in scopes {
            let prefix = record_name(scope, "");
            for record in self.stores.records.named(caller.tenant_id, Kind::Secret, &prefix).await? {
                listed.push(KeptSecret::read(record)?.info());
            }
        }
        listed.sort_by(|a, b| (&a.name, a.scope).cmp(&(&b.name, b.scope)));
        Ok(listed)
    }

    async fn change(
        &self,
        caller: &Caller,
        name: &SecretName,
        target: &SecretTarget,
        value: &SecretValue,
        change: Change,
    ) -> Result<SecretInfo, SecretError> {
        let scope = self.changeable(caller, target).await?;
        for _ in 0..MAX_TRIES {
            match self.try_change(caller, name, scope, value, change).await {
                Err(error) if error.is_overtaken() => {}
                other => return other,
            }
        }
        Err(overtaken())
    }

    async fn try_change(
        &self,
        caller: &Caller,
        name: &SecretName,
        scope: SecretScope,
        value: &SecretValue,
        change: Change,
    ) -> Result<SecretInfo, SecretError> {
        let (tenant, now) = (caller.tenant_id, self.clock.now());
        let key = match TenantKey::read(&self.stores, tenant).await? {
            Some(key) => key,
            None => TenantKey::new(tenant, self.vault.new_tenant_key(tenant)?, &*self.ids, now)?,
        };
        let sealed = self.vault.seal(&key.wrapped, SecretPlace { tenant, scope, name }, value)?;
        let old = self.kept(tenant, scope, name.as_str()).await?;
        let revision = old.as_ref().map_or(1, |old| old.revision() + 1);
        let body = body_of(&sealed, old.as_ref(), caller.principal.to_string())?;
        let mut event = AuditEvent::by(caller, &*self.ids, &*self.clock, change.action(), name)
            .to(shown(scope, revision));
        let (write, record) = match old {
            Some(old) => {
                event = event.from(shown(scope, old.revision()));
                let record =
                    Record { body, revision: old.record.revision + 1, updated_at: now, ..old.record };
                (RecordWrite::Update(record.clone()), record)
            }
            None if change == Change::Rotate => return Err(missing(name, scope)),
            None => {
                self.has_room(tenant).await?;
                let record = Record {
                    tenant_id: tenant,
                    kind: Kind::Secret,
                    id: self.ids.uuid(),
                    name: record_name(scope, name.as_str()),
                    body,
                    revision: 1,
                    created_at: now,
                    updated_at: now,
                };
                (RecordWrite::Insert(record.clone()), record)
            }
        };
        self.commit(tenant, vec![key.held(), write], event).await?;
        Ok(KeptSecret::read(record)?.info())
    }

    async fn has_room(&self, tenant: TenantId) -> Result<(), SecretError> {
        let known = self.stores.records.all(tenant, Kind::Secret).await?.len() as u64;
        if known < self.limits.max_documents {
            return Ok(());
        }
        Err(SecretError::Conflict(format!(
            "this tenant has {known} secrets, the most it may have: delete one first"
        )))
    }

    async fn commit(
        &self,
        tenant: TenantId,
        writes: Vec<RecordWrite>,
        event: AuditEvent,
    ) -> Result<(), SecretError> {
        Ok(self.stores.records.commit(tenant, writes, vec![event]).await?)
    }

    pub(super) async fn kept(
        &self,
        tenant: TenantId,
        scope: SecretScope,
        name: &str,
    ) -> Result<Option<KeptSecret>, SecretError> {
        let record = self.stores.records.by_name(tenant, Kind::Secret, &record_name(scope, name)).await?;
        record.map(KeptSecret::read).transpose()
    }
}

/// What an audit event tells of a secret.
fn shown(scope: SecretScope, revision: u64) -> Value {
    json!({"scope": scope.to_string(), "revision": revision})
}

fn missing(name: &SecretName, scope: SecretScope) -> SecretError {
    SecretError::NotFound(format!("there is no secret `{name}` in the scope {}: set it first", scope.kind()))
}

fn overtaken() -> SecretError {
    SecretError::Conflict("others change the same secrets right now: try again in a moment".to_owned())
}
