//! Snapshots of tenants in memory; changes through the store, one at a time.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use arc_swap::ArcSwap;
use tokio::sync::Mutex;
use toolgate_domain::{AuditEvent, Caller, Clock, IdGen, Limits, TenantId};
use toolgate_store::{RecordWrite, Signal, StoreError, Stores};

use super::{
    Passwords, RuleError,
    snapshot::{READ, TenantRules},
};
use crate::{ProviderJudge, Registry};

/// Who may do what.
pub struct Rules {
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdGen>,
    pub(super) limits: Limits,
    pub(super) passwords: Passwords,
    /// The tools that a change of an agent is held against.
    pub(super) registry: OnceLock<Weak<Registry>>,
    /// Who says whether a provider of models can be used.
    pub(super) provider_judge: OnceLock<Arc<dyn ProviderJudge>>,
    snapshots: ArcSwap<HashMap<TenantId, Arc<TenantRules>>>,
    /// Held while a snapshot is read or changed, so that a slow reload never hides a fresh change.
    changing: Mutex<()>,
    /// Grows with every change, so that others can tell whether what they derived still holds.
    generation: AtomicU64,
}

impl Rules {
    pub(crate) fn new(stores: Stores, clock: Arc<dyn Clock>, ids: Arc<dyn IdGen>, limits: Limits) -> Self {
        Self {
            stores,
            clock,
            ids,
            limits,
            passwords: Passwords::new(),
            registry: OnceLock::new(),
            provider_judge: OnceLock::new(),
            snapshots: ArcSwap::default(),
            changing: Mutex::new(()),
            generation: AtomicU64::new(0),
        }
    }

    pub(crate) async fn snapshot(&self, tenant: TenantId) -> Result<Arc<TenantRules>, StoreError> {
        if let Some(rules) = self.snapshots.load().get(&tenant) {
            return Ok(Arc::clone(rules));
        }
        let _changing = self.changing.lock().await;
        let known = self.snapshots.load().get(&tenant).cloned();
        match known {
            Some(rules) => Ok(rules),
            None => self.load(tenant).await,
        }
    }

    /// Reads a tenant's rules anew. The caller holds `changing`.
    async fn load(&self, tenant: TenantId) -> Result<Arc<TenantRules>, StoreError> {
        let everyone = match tenant {
            TenantId::DEFAULT => None,
            _ => Some(Box::pin(self.shared()).await?),
        };
        let mut records = HashMap::with_capacity(READ.len());
        for kind in READ {
            records.insert(*kind, self.stores.records.all(tenant, *kind).await?);
        }
        let old = self.snapshots.load().get(&tenant).cloned();
        let rules = Arc::new(TenantRules::build(&records, everyone.as_deref(), old.as_deref())?);
        self.snapshots.rcu(|all| {
            let mut all = HashMap::clone(all);
            all.insert(tenant, Arc::clone(&rules));
            all
        });
        self.generation.fetch_add(1, Ordering::AcqRel);
        Ok(rules)
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// What the installation decided for every tenant.
    async fn shared(&self) -> Result<Arc<TenantRules>, StoreError> {
        let known = self.snapshots.load().get(&TenantId::DEFAULT).cloned();
        match known {
            Some(rules) => Ok(rules),
            None => self.load(TenantId::DEFAULT).await,
        }
    }

    /// Another process changed something: reads a tenant again, or every known one.
    pub(crate) async fn reload(&self, tenant: Option<TenantId>) -> Result<(), StoreError> {
        // What the installation decides concerns everybody.
        let all = tenant.is_none_or(|tenant| tenant == TenantId::DEFAULT);
        let mut known: Vec<_> = self.snapshots.load().keys().copied().collect();
        known.retain(|id| all || Some(*id) == tenant);
        known.sort();
        for tenant in known {
            let _changing = self.changing.lock().await;
            self.load(tenant).await?;
        }
        Ok(())
    }

    /// Writes everything or nothing; afterwards this process knows, and every other is told.
    pub(super) async fn commit(
        &self,
        caller: &Caller,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), RuleError> {
        self.stores.records.commit(caller.tenant_id, writes, audit).await?;
        self.changed(caller.tenant_id).await
    }

    pub(crate) async fn changed(&self, tenant: TenantId) -> Result<(), RuleError> {
        self.reload(Some(tenant)).await?;
        self.stores.signals.publish(Signal::Rules(Some(tenant))).await?;
        Ok(())
    }
}
