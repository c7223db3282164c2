//! Which servers a tenant uses, and on what terms.

use serde_json::{Map, Value};
use toolgate_domain::{
    Caller, Lifecycle, Scope, UpstreamId,
    governance::{ToolLock, Upstream, UpstreamStatus, is_below_hints},
};
use toolgate_store::{Kind, StoreError};

use super::{Refreshed, UpstreamSpec, Upstreams, import::Moved, shelf::Shelf};
use crate::{RegistryError, RuleError, rules::must_change_powers};

impl Upstreams<'_> {
    pub async fn list(&self, caller: &Caller) -> Result<Vec<Upstream>, RuleError> {
        let records = self.engine.stores.records.all(caller.tenant_id, Kind::Upstream).await?;
        let decode = |record: &toolgate_store::Record| serde_json::from_value(record.body.clone());
        let all: Result<Vec<Upstream>, _> = records.iter().map(decode).collect();
        let mut all = all.map_err(|e| StoreError::Corrupt(format!("an MCP server: {e}")))?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// By id or by name.
    pub async fn find(&self, caller: &Caller, reference: &str) -> Result<Upstream, RuleError> {
        Ok(self.shelf(caller.tenant_id, reference).await?.upstream)
    }

    /// Adds a server, and asks it for its tools. One that cannot be asked is kept, and asked again by hand.
    pub async fn create(
        &self,
        caller: &Caller,
        spec: UpstreamSpec,
        review: bool,
    ) -> Result<Refreshed, RuleError> {
        may_bring(caller)?;
        let source = self.source()?;
        let now = self.engine.clock.now();
        let upstream =
            spec.into_upstream(UpstreamId::generate(&*self.engine.ids), (now, now), &self.engine.limits)?;
        source.check(&upstream).map_err(RuleError::Invalid)?;
        {
            let _changing = self.engine.upstream_desk.changing.lock().await;
            let known = self.engine.stores.records.count_named(caller.tenant_id, Kind::Upstream, "").await?;
            if known >= self.engine.limits.max_mcp_servers {
                let message =
                    format!("this tenant has {known} MCP servers, the most it may have: remove one first");
                return Err(RuleError::Conflict(message));
            }
            self.add_upstream(caller, &upstream).await?;
        }
        if !upstream.enabled {
            return Ok(Refreshed { upstream, moved: Vec::new(), error: None });
        }
        self.ask_and_keep(caller, &upstream, review).await
    }

    /// Changes the keys that `patch` names. Where the terms of its tools change, each gets its next version. A tool whose class comes to
    /// stand below its own hints is shut until a person accepts it.
    pub async fn update(
        &self,
        caller: &Caller,
        reference: &str,
        patch: Map<String, Value>,
    ) -> Result<Upstream, RuleError> {
        may_manage(caller)?;
        let source = self.source()?;
        let _changing = self.engine.upstream_desk.changing.lock().await;
        let shelf = self.shelf(caller.tenant_id, reference).await?;
        may_bring(caller)?;
        let old = &shelf.upstream;
        let spec = UpstreamSpec::patched(old, patch)?;
        let made =
            spec.into_upstream(old.id, (old.created_at, self.engine.clock.now()), &self.engine.limits)?;
        let upstream = Upstream {
            imports: old.imports.clone(),
            imported_at: old.imported_at,
            // What is known of one place says nothing of another.
            status: if made.transport == old.transport {
                old.status.clone()
            } else {
                UpstreamStatus::default()
            },
            ..made
        };
        source.check(&upstream).map_err(RuleError::Invalid)?;
        let mut locks = Vec::new();
        for lock in shelf.locks() {
            let mut lock = lock.clone();
            if lowers_below_hints(old, &upstream, &lock) {
                locks.push(lock.reopened(self.engine.clock.now()));
                continue;
            }
            if let Some(accepted) = &lock.accepted {
                let version = self.publish(caller, &upstream, &lock.name, &accepted.definition).await?;
                lock.version = Some(version.map_err(RuleError::Conflict)?);
            }
            locks.push(lock);
        }
        let event = self.told(caller, "mcp_server.update", &upstream.name).from(old).to(&upstream);
        self.keep(&shelf, upstream, locks, vec![event]).await
    }

    /// Removes a server. Its tools do not exist any more; their receipts stay.
    pub async fn delete(&self, caller: &Caller, reference: &str) -> Result<(), RuleError> {
        may_manage(caller)?;
        let _changing = self.engine.upstream_desk.changing.lock().await;
        let shelf = self.shelf(caller.tenant_id, reference).await?;
        self.drop_shelf(caller, &shelf).await?;
        self.archive(caller, &shelf).await
    }

    async fn archive(&self, caller: &Caller, shelf: &Shelf) -> Result<(), RuleError> {
        for lock in shelf.locks().filter(|lock| lock.version.is_some()) {
            match self.engine.registry.set_lifecycle(caller, &lock.name, Lifecycle::Archived).await {
                Ok(_) | Err(RegistryError::NotFound(_)) => {}
                Err(RegistryError::Invalid(message)) => return Err(RuleError::Conflict(message)),
                Err(RegistryError::Forbidden(message)) => return Err(RuleError::Forbidden(message)),
                Err(RegistryError::Store(error)) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Whether a change of the terms takes the class of an accepted tool below what the tool says of itself.
fn lowers_below_hints(old: &Upstream, new: &Upstream, lock: &ToolLock) -> bool {
    let (before, after) = (old.rule(&lock.tool).0, new.rule(&lock.tool).0);
    let hints = lock.accepted.as_ref().map(|accepted| accepted.definition.annotations);
    after < before && hints.is_some_and(|hints| is_below_hints(after, hints))
}

impl Refreshed {
    /// Those that somebody must look at before they can be called.
    pub fn waiting(&self) -> impl Iterator<Item = &Moved> {
        use toolgate_domain::governance::LockState::{New, Quarantined};
        self.moved.iter().filter(|moved| matches!(moved.to, New | Quarantined))
    }
}

pub(super) fn may_manage(caller: &Caller) -> Result<(), RuleError> {
    must_change_powers(caller)?;
    if caller.may(Scope::ToolsWrite) {
        return Ok(());
    }
    Err(RuleError::Forbidden("MCP servers are managed with the scope tools:write".to_owned()))
}

/// A server is sent what people say to its tools, and secrets with it: whoever chooses it must be trusted with secrets.
fn may_bring(caller: &Caller) -> Result<(), RuleError> {
    may_manage(caller)?;
    if caller.may(Scope::SecretsWrite) {
        return Ok(());
    }
    let message = "an MCP server is sent secrets, so setting one needs the scope secrets:write as well";
    Err(RuleError::Forbidden(message.to_owned()))
}
