//! The registry: snapshots of tenants in memory, changes through the store, one at a time.

use std::{collections::HashMap, sync::Arc};

use arc_swap::ArcSwap;
use tokio::sync::Mutex;
use toolgate_domain::{
    AuditEvent, Caller, Clock, IdGen, Lifecycle, Limits, Page, Surface, TenantId, Timestamp, Tool, ToolName,
    ToolRef,
    tool::{NameError, Origin},
};
use toolgate_policy::{is_known, is_visible};
use toolgate_store::{Alias, SchemaVersion, Signal, StoreError, Stores};

use crate::{Adviser, Rules, executor::could_call, rules::BY_AGENT};

use super::{
    OldNames, Resolution, ToolFilter, View,
    check::Runtimes,
    search::Indexes,
    snapshot::{LiveTool, Snapshot},
};

#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Forbidden(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Refuses an agent that no person agreed with.
pub(super) fn must_change_tools(caller: &Caller) -> Result<(), RegistryError> {
    if caller.may_change_powers() { Ok(()) } else { Err(RegistryError::Forbidden(BY_AGENT.to_owned())) }
}

impl From<NameError> for RegistryError {
    fn from(error: NameError) -> Self {
        Self::NotFound(error.to_string())
    }
}

/// The tools of a tenant, as they were read.
#[derive(Clone)]
struct Known {
    snapshot: Arc<Snapshot>,
    /// They changed, and could not be read again. They are still what the next reading starts from: a tool that did not change keeps
    /// its places, which calls under way have taken.
    is_outdated: bool,
}

/// What tools there are.
pub struct Registry {
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdGen>,
    pub(super) limits: Limits,
    pub(super) runtimes: Runtimes,
    pub(super) rules: Arc<Rules>,
    pub(super) advisers: Vec<Arc<dyn Adviser>>,
    pub(crate) old_names: Arc<OldNames>,
    snapshots: ArcSwap<HashMap<TenantId, Known>>,
    /// Held while a snapshot is read or changed, so that a slow reload never hides a fresh registration.
    pub(super) changing: Mutex<()>,
    pub(super) indexes: Indexes,
}

impl Registry {
    pub(crate) fn new(
        stores: Stores,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGen>,
        limits: Limits,
        runtimes: Runtimes,
        rules: Arc<Rules>,
        advisers: Vec<Arc<dyn Adviser>>,
    ) -> Self {
        Self {
            stores,
            clock,
            ids,
            limits,
            runtimes,
            rules,
            advisers,
            old_names: Arc::default(),
            snapshots: ArcSwap::default(),
            changing: Mutex::new(()),
            indexes: Indexes::default(),
        }
    }

    /// The same, understanding other names besides.
    #[must_use]
    pub(crate) fn understanding(self, old_names: OldNames) -> Self {
        Self { old_names: Arc::new(old_names), ..self }
    }

    pub(crate) async fn snapshot(&self, tenant: TenantId) -> Result<Arc<Snapshot>, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        let holds = |known: &&Known| !known.is_outdated && known.snapshot.follows(&rules);
        if let Some(known) = self.snapshots.load().get(&tenant).filter(holds) {
            return Ok(Arc::clone(&known.snapshot));
        }
        let _changing = self.changing.lock().await;
        self.current(tenant).await
    }

    /// The snapshot under the rules of this moment, read first when there is none. The caller holds `changing`.
    pub(super) async fn current(&self, tenant: TenantId) -> Result<Arc<Snapshot>, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        let known = self.snapshots.load().get(&tenant).cloned();
        match known {
            Some(Known { is_outdated: true, .. }) | None => self.load(tenant).await,
            Some(Known { snapshot, .. }) if snapshot.follows(&rules) => Ok(snapshot),
            Some(Known { snapshot, .. }) => {
                Ok(self.publish(tenant, snapshot.following(&rules, &self.limits)))
            }
        }
    }

    /// Reads a tenant's tools anew. The caller holds `changing`.
    pub(super) async fn load(&self, tenant: TenantId) -> Result<Arc<Snapshot>, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        let mut snapshot = Snapshot::under(&rules.overrides, &self.old_names);
        if tenant != TenantId::DEFAULT {
            let shared = self.stores.tools.all(TenantId::DEFAULT).await?;
            shared
                .into_iter()
                .filter(|tool| tool.origin == Origin::Code)
                .for_each(|tool| snapshot.put(tool, &self.limits));
        }
        self.stores.tools.all(tenant).await?.into_iter().for_each(|tool| snapshot.put(tool, &self.limits));
        let aliases = self.stores.tools.aliases(tenant).await?;
        snapshot.aliases = aliases.into_iter().map(|alias| (alias.alias.clone(), alias)).collect();
        if let Some(old) = self.snapshots.load().get(&tenant) {
            snapshot = snapshot.reusing(&old.snapshot);
        }
        Ok(self.publish(tenant, snapshot))
    }

    pub(super) fn publish(&self, tenant: TenantId, snapshot: Snapshot) -> Arc<Snapshot> {
        let snapshot = Arc::new(snapshot);
        self.snapshots.rcu(|all| {
            let mut all = HashMap::clone(all);
            all.insert(tenant, Known { snapshot: Arc::clone(&snapshot), is_outdated: false });
            all
        });
        snapshot
    }

    /// The next use reads the tenant's tools, or fails. The caller holds `changing`.
    fn outdate(&self, tenant: TenantId) {
        self.snapshots.rcu(|all| {
            let mut all = HashMap::clone(all);
            all.entry(tenant).and_modify(|known| known.is_outdated = true);
            all
        });
    }

    /// Another process changed something: reads every known tenant again. Tools that cannot be read are not used as they were; then
    /// the first error is the answer.
    pub(crate) async fn reload(&self) -> Result<(), StoreError> {
        // Whoever reads one at this moment may have begun before the change.
        let changing = self.changing.lock().await;
        let tenants: Vec<_> = self.snapshots.load().keys().copied().collect();
        drop(changing);
        let mut reread = Ok(());
        for tenant in tenants {
            let _changing = self.changing.lock().await;
            if let Err(error) = self.load(tenant).await {
                self.outdate(tenant);
                reread = reread.and(Err(error));
            }
        }
        reread
    }

    pub async fn list(
        &self,
        caller: &Caller,
        surface: Surface,
        filter: &ToolFilter,
    ) -> Result<Page<Arc<Tool>>, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let found = self.filtered(caller.tenant_id, &snapshot, filter.search.as_deref()).await?;
        let view = View { caller, surface, rules: &rules, now: self.clock.now() };
        let standing = rules.standing(caller).map(|standing| &**standing);
        let may = |tool: &Tool| {
            !filter.callable || (self.serves(caller, tool) && could_call(&view, standing, tool))
        };
        Ok(snapshot.list(caller, surface, filter, found.as_ref(), &rules, may))
    }

    /// Whether the runtime of a tool could ever serve this caller.
    pub(crate) fn serves(&self, caller: &Caller, tool: &Tool) -> bool {
        let runtime = self.runtimes.get(tool.spec.execution.kind.as_str());
        runtime.is_none_or(|runtime| runtime.serves(tool, caller))
    }

    pub async fn get(
        &self,
        caller: &Caller,
        surface: Surface,
        reference: &str,
    ) -> Result<Arc<Tool>, RegistryError> {
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        match snapshot.resolve(caller, surface, reference, self.clock.now(), rules.switches(), false) {
            Resolution::Found { tool, .. } => Ok(Arc::clone(&tool.tool)),
            Resolution::Unknown { message, .. } => Err(RegistryError::NotFound(message)),
        }
    }

    /// The version that a receipt names, whatever has become of it since.
    pub async fn version(&self, tenant: TenantId, name: &str, version: &str) -> Option<Arc<Tool>> {
        let name: ToolName = name.parse().ok()?;
        let snapshot = self.snapshot(tenant).await.ok()?;
        let called = snapshot.versions(&name).iter().rev().find(|live| live.version() == version)?;
        Some(Arc::clone(&called.tool))
    }

    /// Whether there is such a tool, switched on or not.
    pub async fn exists(&self, caller: &Caller, surface: Surface, name: &str) -> Result<(), RegistryError> {
        let name: ToolName = name.parse()?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let there = |live: &Arc<LiveTool>| {
            live.tool.lifecycle != Lifecycle::Archived && is_known(caller, surface, &live.tool)
        };
        if snapshot.versions(&name).iter().any(there) {
            return Ok(());
        }
        Err(RegistryError::NotFound(format!("there is no tool `{name}`")))
    }

    /// Every version that the tenant published under a name, with its state, oldest first.
    pub(crate) async fn published(
        &self,
        tenant: TenantId,
        name: &ToolName,
    ) -> Result<Vec<Arc<Tool>>, StoreError> {
        let snapshot = self.snapshot(tenant).await?;
        let own = snapshot.versions(name).iter().filter(|live| live.tool.tenant_id == tenant);
        Ok(own.map(|live| Arc::clone(&live.tool)).collect())
    }

    /// How many more versions the tenant may publish.
    pub(crate) async fn room(&self, tenant: TenantId) -> Result<u64, StoreError> {
        let count = self.snapshot(tenant).await?.count() as u64;
        Ok(self.limits.max_tools.saturating_sub(count))
    }

    /// Every visible version of a tool, newest first, with the snapshots of its schemas: also those that were deleted.
    pub async fn versions(
        &self,
        caller: &Caller,
        surface: Surface,
        name: &str,
    ) -> Result<Vec<(Arc<Tool>, Option<SchemaVersion>)>, RegistryError> {
        let name: ToolName = name.parse()?;
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let visible: Vec<_> = snapshot
            .versions(&name)
            .iter()
            .rev()
            .filter(|live| is_visible(caller, surface, &live.tool, rules.switches()))
            .cloned()
            .collect();
        let Some(first) = visible.first() else {
            return Err(RegistryError::NotFound(format!("there is no tool `{name}`")));
        };
        let schemas = self.stores.tools.schema_versions(first.tool.tenant_id, &name).await?;
        let of = |live: &LiveTool| schemas.iter().find(|s| s.tool_id == live.tool.id).cloned();
        Ok(visible.iter().map(|live| (Arc::clone(&live.tool), of(live))).collect())
    }

    /// Moves one version (`name@version`), or all versions of a name, to a lifecycle state.
    pub async fn set_lifecycle(
        &self,
        caller: &Caller,
        reference: &str,
        lifecycle: Lifecycle,
    ) -> Result<Vec<Arc<Tool>>, RegistryError> {
        must_change_tools(caller)?;
        let reference: ToolRef = reference.parse()?;
        let changing = self.changing.lock().await;
        let snapshot = self.load(caller.tenant_id).await?;
        let all = matches!(reference.wanted, toolgate_domain::tool::Wanted::Newest);
        let chosen: Vec<_> = snapshot
            .versions(&reference.name)
            .iter()
            .filter(|live| {
                is_known(caller, Surface::Rest, &live.tool)
                    && (all || reference.accepts(&live.tool.spec.version))
                    // What was deleted comes back, or stays as it is.
                    && (live.tool.lifecycle != Lifecycle::Archived || lifecycle == Lifecycle::Active)
            })
            .cloned()
            .collect();
        if chosen.is_empty() {
            return Err(RegistryError::NotFound(format!("there is no tool `{reference}`")));
        }
        let mut changed = Snapshot::clone(&snapshot);
        let (mut moved, mut written) = (Vec::with_capacity(chosen.len()), Ok(()));
        for live in chosen {
            let mut tool = Tool::clone(&live.published);
            if tool.tenant_id != caller.tenant_id {
                return Err(RegistryError::Invalid(format!(
                    "{} belongs to the installation, not to this tenant",
                    tool.spec.id()
                )));
            }
            let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.lifecycle", tool.spec.id())
                .from(tool.lifecycle)
                .to(lifecycle);
            (tool.lifecycle, tool.updated_at) = (lifecycle, self.clock.now());
            let (tenant, at) = (tool.tenant_id, tool.updated_at);
            written = self.stores.tools.set_lifecycle(tenant, tool.id, lifecycle, at, &event).await;
            if written.is_err() {
                break;
            }
            moved.push(Arc::new(tool.clone()));
            changed.put(tool, &self.limits);
        }
        // What is moved is in force and told, though another version could not be.
        self.publish(caller.tenant_id, changed);
        drop(changing);
        self.rules.tell(Signal::Tools).await?;
        written?;
        Ok(moved)
    }

    /// Lets a tool be called by another name until a date.
    pub async fn put_alias(
        &self,
        caller: &Caller,
        alias: ToolName,
        target: &str,
        remove_by: Timestamp,
    ) -> Result<Alias, RegistryError> {
        must_change_tools(caller)?;
        let target: ToolName = target.parse()?;
        let changing = self.changing.lock().await;
        let snapshot = self.load(caller.tenant_id).await?;
        let now = self.clock.now();
        if !snapshot.versions(&target).iter().any(|live| is_known(caller, Surface::Rest, &live.tool)) {
            return Err(RegistryError::NotFound(format!("there is no tool `{target}`")));
        }
        if !snapshot.versions(&alias).is_empty() {
            return Err(RegistryError::Invalid(format!(
                "`{alias}` is the name of a tool; an alias would never be reached"
            )));
        }
        if remove_by <= now {
            return Err(RegistryError::Invalid("remove_by has passed already".to_owned()));
        }
        let alias = Alias { tenant_id: caller.tenant_id, alias, target, remove_by, created_at: now };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.alias", &alias.alias).to(&alias);
        let mut changed = Snapshot::clone(&snapshot);
        changed.aliases.insert(alias.alias.clone(), alias.clone());
        let targets = snapshot.versions(&alias.target);
        if let Some(circle) = self.refuse_circular_alias(caller, targets, &changed).await? {
            return Err(RegistryError::Invalid(circle));
        }
        self.stores.tools.put_alias(&alias, &event).await?;
        self.publish(caller.tenant_id, changed);
        drop(changing);
        self.rules.tell(Signal::Tools).await?;
        Ok(alias)
    }
}
