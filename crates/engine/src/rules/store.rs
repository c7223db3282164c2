//! Snapshots of tenants in memory; changes through the store, one at a time.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use tokio::sync::{Mutex, OnceCell};
use toolgate_domain::{AuditEvent, Caller, Clock, IdGen, Limits, TenantId};
use toolgate_store::{RecordWrite, Signal, StoreError, Stores};

use super::{
    Passwords, RuleError,
    powers::must_change_powers,
    snapshot::{READ, TenantRules},
};
use crate::{ProviderJudge, Registry};

/// How often the others are told of a change, with growing pauses. A database that is away for longer takes their listeners with it,
/// and who listens again reads everything anew.
const TELL_ATTEMPTS: u32 = 4;
const TELL_PAUSE: Duration = Duration::from_millis(25);

/// Who may do what.
pub struct Rules {
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdGen>,
    pub(super) limits: Limits,
    pub(super) passwords: Passwords,
    /// Signs the marks by which browsers are known again.
    pub(super) device_key: OnceCell<Vec<u8>>,
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
            passwords: Passwords::new(limits.password_memory_kib),
            device_key: OnceCell::new(),
            limits,
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

    /// The next use reads the tenant's rules, or fails. The caller holds `changing`.
    fn forget(&self, tenant: TenantId) {
        self.snapshots.rcu(|all| {
            let mut all = HashMap::clone(all);
            all.remove(&tenant);
            all
        });
        self.generation.fetch_add(1, Ordering::AcqRel);
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

    /// Somebody changed something: reads a tenant again, or every known one. What cannot be read is forgotten, because rules that were
    /// replaced decide nothing; then the first error is the answer.
    pub(crate) async fn reload(&self, tenant: Option<TenantId>) -> Result<(), StoreError> {
        // What the installation decides concerns everybody.
        let all = tenant.is_none_or(|tenant| tenant == TenantId::DEFAULT);
        // Whoever reads one at this moment may have begun before the change.
        let changing = self.changing.lock().await;
        let mut known: Vec<_> = self.snapshots.load().keys().copied().collect();
        drop(changing);
        known.retain(|id| all || Some(*id) == tenant);
        known.sort();
        let mut reread = Ok(());
        for tenant in known {
            let _changing = self.changing.lock().await;
            if let Err(error) = self.load(tenant).await {
                self.forget(tenant);
                reread = reread.and(Err(error));
            }
        }
        reread
    }

    /// Writes everything or nothing; afterwards this process knows, and every other is told.
    pub(super) async fn commit(
        &self,
        caller: &Caller,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), RuleError> {
        must_change_powers(caller)?;
        self.stores.records.commit(caller.tenant_id, writes, audit).await?;
        self.changed(caller.tenant_id).await
    }

    /// The change is written: that it cannot be read here right now, which the next use does, is no reason to keep it from the others.
    pub(crate) async fn changed(&self, tenant: TenantId) -> Result<(), RuleError> {
        if let Err(error) = self.reload(Some(tenant)).await {
            tracing::error!(%error, "rules that were changed cannot be read again yet");
        }
        Ok(self.tell(Signal::Rules(Some(tenant))).await?)
    }

    /// Tells every process of what was written.
    pub(crate) async fn tell(&self, signal: Signal) -> Result<(), StoreError> {
        for attempt in 1..TELL_ATTEMPTS {
            match self.stores.signals.publish(signal).await {
                Ok(()) => return Ok(()),
                Err(error) => tracing::warn!(%error, attempt, "a change cannot be told yet"),
            }
            tokio::time::sleep(TELL_PAUSE * 2_u32.pow(attempt)).await;
        }
        self.stores.signals.publish(signal).await
    }
}
