//! Other names: a tool moves to a new one and is still found under the old one, for a while.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{AuditEvent, Caller, Lifecycle, Surface, Timestamp, Tool, ToolId, ToolName, ToolSpec};
use toolgate_policy::is_known;
use toolgate_store::{Alias, Signal};

use super::{
    RegisterError, Registry, RegistryError, check::check, snapshot::Snapshot, store::must_change_tools,
};

/// How long an old name is kept when nobody says.
const KEPT_FOR_MS: i64 = 90 * 24 * 3_600 * 1_000;

impl Registry {
    /// Publishes the newest version of a tool under a new name, blocks the old ones, and keeps the old name as an alias: all in
    /// one change.
    pub async fn rename(
        &self,
        caller: &Caller,
        old: &str,
        new: ToolName,
        remove_by: Option<Timestamp>,
    ) -> Result<(Arc<Tool>, Alias), RegisterError> {
        must_change_tools(caller)?;
        let old: ToolName = old.parse().map_err(RegistryError::from)?;
        let _changing = self.changing.lock().await;
        let snapshot = self.load(caller.tenant_id).await?;
        let now = self.clock.now();
        let remove_by = remove_by.unwrap_or_else(|| now.plus_ms(KEPT_FOR_MS));
        if remove_by <= now {
            return Err(RegistryError::Invalid("remove_by has passed already".to_owned()).into());
        }
        let moved = self.movable(caller, &snapshot, &old)?;
        if !snapshot.versions(&new).is_empty() {
            return Err(RegistryError::Invalid(format!("there is a tool `{new}` already")).into());
        }
        if snapshot.count() as u64 >= self.limits.max_tools {
            return Err(RegisterError::TooMany { max: self.limits.max_tools });
        }
        let spec = ToolSpec { name: new.clone(), ..ToolSpec::clone(&moved.spec) };
        check(&spec, &self.limits, &self.runtimes)?;
        let tool = Tool {
            id: ToolId::generate(&*self.ids),
            created_at: now,
            updated_at: now,
            spec: Arc::new(spec),
            ..Tool::clone(&moved)
        };
        let alias =
            Alias { tenant_id: caller.tenant_id, alias: old, target: new, remove_by, created_at: now };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.rename", &alias.alias)
            .from(moved.spec.id())
            .to(json!({"tool": tool.spec.id(), "remove_by": remove_by}));
        self.stores.tools.rename(&tool, &self.schemas_of(&tool)?, &alias, &event).await?;
        self.load(caller.tenant_id).await?;
        self.rules.tell(Signal::Tools).await?;
        Ok((Arc::new(tool), alias))
    }

    /// The newest version that callers can still reach, when it is the tenant's own.
    fn movable(
        &self,
        caller: &Caller,
        snapshot: &Snapshot,
        name: &ToolName,
    ) -> Result<Arc<Tool>, RegistryError> {
        let versions = || {
            let all = snapshot.versions(name).iter().rev();
            all.filter(|live| is_known(caller, Surface::Rest, &live.tool)).map(|live| &live.tool)
        };
        let Some(newest) = versions().find(|tool| tool.lifecycle != Lifecycle::Blocked).or(versions().next())
        else {
            return Err(RegistryError::NotFound(format!("there is no tool `{name}`")));
        };
        if newest.tenant_id != caller.tenant_id
            || newest.origin != toolgate_domain::tool::Origin::TenantCustom
        {
            let message = format!("{} belongs to the installation, not to this tenant", newest.spec.id());
            return Err(RegistryError::Invalid(message));
        }
        if newest.lifecycle == Lifecycle::Blocked {
            return Err(RegistryError::Invalid(format!("every version of `{name}` is blocked")));
        }
        Ok(Arc::clone(newest))
    }

    /// The aliases that have not ended, by name.
    pub async fn aliases(&self, caller: &Caller) -> Result<Vec<Alias>, RegistryError> {
        let now = self.clock.now();
        let snapshot = self.snapshot(caller.tenant_id).await?;
        Ok(snapshot.aliases.values().filter(|alias| alias.remove_by > now).cloned().collect())
    }

    /// Ends an alias now. Whoever still calls it is told the tool's name.
    pub async fn end_alias(&self, caller: &Caller, alias: &str) -> Result<Alias, RegistryError> {
        must_change_tools(caller)?;
        let name: ToolName = alias.parse()?;
        let _changing = self.changing.lock().await;
        let snapshot = self.load(caller.tenant_id).await?;
        let now = self.clock.now();
        let Some(kept) = snapshot.aliases.get(&name).filter(|alias| alias.remove_by > now) else {
            return Err(RegistryError::NotFound(format!("there is no alias `{name}`")));
        };
        let ended = Alias { remove_by: now, ..kept.clone() };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.alias.end", &ended.alias)
            .from(kept)
            .to(&ended);
        self.stores.tools.put_alias(&ended, &event).await?;
        self.load(caller.tenant_id).await?;
        self.rules.tell(Signal::Tools).await?;
        Ok(ended)
    }
}
