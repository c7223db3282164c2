//! Changing the keys: each tenant's data key is wrapped by another master key, and on request replaced itself.
//!
//! A tenant is one commit. What was done is skipped when the command runs again, so it can be broken off at any time.

use serde_json::json;
use toolgate_domain::{AuditEvent, Caller, Clock, IdGen, TenantId};
use toolgate_store::{Kind, RecordWrite, Stores};

use super::{MasterKey, SecretError, Vault, document::KeptSecret, tenant_key::TenantKey};

const MAX_TRIES: usize = 8;

/// What a change of keys did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rekeyed {
    /// Tenants whose key is now wrapped by the new master key.
    pub tenants: usize,
    /// Tenants whose key was wrapped by it already.
    pub skipped: usize,
    /// Secrets that were sealed anew.
    pub secrets: usize,
}

/// Wraps every tenant's key by `new`. With `fresh_tenant_keys` each tenant gets another data key as well, and its secrets are
/// sealed anew. No process may use the secrets with the old master key meanwhile: it could not open them any more.
pub async fn rekey(
    stores: &Stores,
    clock: &dyn Clock,
    ids: &dyn IdGen,
    (old, new): (MasterKey, MasterKey),
    fresh_tenant_keys: bool,
) -> Result<Rekeyed, SecretError> {
    let keys = Keys { stores, clock, ids, old: &Vault::new(old), new: &Vault::new(new) };
    let mut done = Rekeyed::default();
    for tenant in stores.tenants.list().await? {
        match keys.change(tenant.id, &tenant.slug, fresh_tenant_keys).await? {
            None => {}
            Some(Changed { skipped: true, .. }) => done.skipped += 1,
            Some(changed) => {
                done.tenants += 1;
                done.secrets += changed.secrets;
            }
        }
    }
    Ok(done)
}

/// The ids of the master keys that tenants' keys are wrapped by: more than one while a change of keys is unfinished.
pub async fn sealed_by(stores: &Stores) -> Result<Vec<String>, SecretError> {
    let mut ids = Vec::new();
    for tenant in stores.tenants.list().await? {
        if let Some(key) = TenantKey::read(stores, tenant.id).await? {
            ids.push(key.wrapped.master_key_id);
        }
    }
    ids.sort();
    ids.dedup();
    Ok(ids)
}

struct Keys<'a> {
    stores: &'a Stores,
    clock: &'a dyn Clock,
    ids: &'a dyn IdGen,
    old: &'a Vault,
    new: &'a Vault,
}

struct Changed {
    skipped: bool,
    secrets: usize,
}

impl Keys<'_> {
    /// `None` when the tenant has no key.
    async fn change(
        &self,
        tenant: TenantId,
        slug: &str,
        fresh: bool,
    ) -> Result<Option<Changed>, SecretError> {
        for _ in 0..MAX_TRIES {
            match self.try_change(tenant, slug, fresh).await {
                Err(error) if error.is_overtaken() => {}
                other => return other,
            }
        }
        let message =
            format!("the secrets of {tenant} are being changed: stop what changes them, then go on");
        Err(SecretError::Conflict(message))
    }

    async fn try_change(
        &self,
        tenant: TenantId,
        slug: &str,
        fresh: bool,
    ) -> Result<Option<Changed>, SecretError> {
        let Some(key) = TenantKey::read(self.stores, tenant).await? else {
            return Ok(None);
        };
        if key.wrapped.master_key_id == self.new.master_key_id() {
            return Ok(Some(Changed { skipped: true, secrets: 0 }));
        }
        let from = key.wrapped.master_key_id.clone();
        let mut writes = Vec::new();
        let wrapped = if fresh {
            let wrapped = self.new.new_tenant_key(tenant)?;
            for record in self.stores.records.all(tenant, Kind::Secret).await? {
                let kept = KeptSecret::read(record)?;
                let value = self.old.open(&key.wrapped, kept.place(tenant), &kept.sealed()?)?;
                let sealed = self.new.seal(&wrapped, kept.place(tenant), &value)?;
                writes.push(RecordWrite::Update(kept.resealed(&sealed)?));
            }
            wrapped
        } else {
            self.old.rewrapped(tenant, &key.wrapped, self.new)?
        };
        let secrets = writes.len();
        writes.push(key.replaced(&wrapped, self.clock.now())?);
        let event =
            AuditEvent::by(&Caller::system(tenant, slug), self.ids, self.clock, "secrets.rekey", tenant)
                .from(json!({"master_key_id": from}))
                .to(json!({"master_key_id": wrapped.master_key_id, "sealed_anew": secrets}));
        self.stores.records.commit(tenant, writes, vec![event]).await?;
        Ok(Some(Changed { skipped: false, secrets }))
    }
}
