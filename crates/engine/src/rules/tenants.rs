//! Tenants are made and archived from the installation's own tenant.

use toolgate_domain::{AuditEvent, Caller, TenantId};
use toolgate_store::{Signal, StoreError, Tenant};

use super::{RuleError, Rules, powers::must_change_powers, workspaces::is_slug};

impl Rules {
    fn may_manage_tenants(caller: &Caller) -> Result<(), RuleError> {
        must_change_powers(caller)?;
        if caller.tenant_id == TenantId::DEFAULT && caller.has("tenants.server.update") {
            return Ok(());
        }
        Err(RuleError::Forbidden(
            "tenants are managed from the installation's own tenant, by its admins".to_owned(),
        ))
    }

    pub async fn tenants(&self, caller: &Caller) -> Result<Vec<Tenant>, RuleError> {
        Self::may_manage_tenants(caller)?;
        Ok(self.stores.tenants.list().await?)
    }

    pub async fn create_tenant(&self, caller: &Caller, slug: &str, name: &str) -> Result<Tenant, RuleError> {
        Self::may_manage_tenants(caller)?;
        if !is_slug(slug) || name.trim().is_empty() || name.chars().count() > 120 {
            let message = "a tenant has a slug of 1 to 63 lower-case letters, digits or `-`, and a name of 1 to 120 characters";
            return Err(RuleError::Invalid(message.to_owned()));
        }
        let tenant = Tenant {
            id: TenantId::generate(&*self.ids),
            slug: slug.to_owned(),
            name: name.trim().to_owned(),
            created_at: self.clock.now(),
            archived_at: None,
        };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tenant.create", tenant.id).to(&tenant);
        match self.stores.tenants.insert(&tenant, &event).await {
            Ok(()) => Ok(tenant),
            Err(StoreError::Conflict(_)) => {
                Err(RuleError::Conflict(format!("the slug `{slug}` is taken: choose another")))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// From now on nobody of the tenant gets in. Its ledger stays.
    pub async fn archive_tenant(&self, caller: &Caller, id: TenantId) -> Result<Tenant, RuleError> {
        Self::may_manage_tenants(caller)?;
        if id == TenantId::DEFAULT {
            return Err(RuleError::Conflict("the installation's own tenant cannot be archived".to_owned()));
        }
        let tenant = self.stores.tenants.get(id).await?.ok_or_else(|| RuleError::missing("tenant", id))?;
        if tenant.archived_at.is_some() {
            return Ok(tenant);
        }
        let now = self.clock.now();
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tenant.archive", id).from(&tenant);
        self.stores.tenants.archive(id, now, &event).await?;
        self.stores.signals.publish(Signal::Keys).await?;
        Ok(Tenant { archived_at: Some(now), ..tenant })
    }

    /// The tenant that a caller from outside means: by slug, or the installation's own.
    pub(crate) async fn open_tenant(&self, slug: Option<&str>) -> Result<Option<Tenant>, StoreError> {
        let found = match slug {
            Some(slug) => self.stores.tenants.by_slug(slug).await?,
            None => self.stores.tenants.get(TenantId::DEFAULT).await?,
        };
        Ok(found.filter(|tenant| tenant.archived_at.is_none()))
    }
}
