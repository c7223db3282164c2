//! What surfaces that keep up a conversation ask beside calls: which tools somebody has, whether that may have changed, and how a call
//! that waited ended.

use std::{ops::Bound, pin::pin, sync::Arc, time::Duration};

use tokio::sync::watch;
use toolgate_domain::{Caller, Invocation, InvocationId, Page, Surface, TenantId, Tool, ToolName, ToolRef};
use toolgate_policy::Standing;
use toolgate_store::StoreError;

use crate::{
    Asking, Engine, RuleError,
    executor::may_ever_call,
    registry::{Resolution, Snapshot, View},
};

/// How often somebody who waits for a call looks at its row while the ledger grows. What happens in this process is told at once; this is
/// for what others do.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// And after how many times as long in any case.
const QUIET_LOOKS: u32 = 5;

impl Engine {
    /// A page of the tools that somebody could call, by name: what each name stands for, where the door would not deny every call of it.
    pub async fn tools_at_hand(
        &self,
        caller: &Caller,
        surface: Surface,
        after: Option<&ToolName>,
        limit: usize,
    ) -> Result<Page<Arc<Tool>>, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let snapshot = self.registry.snapshot(caller.tenant_id).await?;
        let standing = rules.standing(caller).map(|standing| &**standing);
        let view = View { caller, surface, rules: &rules, now: self.clock.now() };
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let found = snapshot.names_after(from).filter_map(|name| {
            // The cheap question first: an agent was given few of many.
            if standing.is_some_and(|s| !snapshot.versions(name).iter().any(|live| s.offers(&live.tool))) {
                return None;
            }
            let resolved =
                snapshot.resolve(caller, surface, name.as_str(), view.now, rules.switches(), false);
            let Resolution::Found { tool: live, .. } = resolved else { return None };
            // A name that only an alias still has stands for a tool that is here under its own.
            let is_it = live.tool.spec.name == *name && self.is_open(&view, standing, &live.tool);
            is_it.then(|| Arc::clone(&live.tool))
        });
        let found = found.take(limit.saturating_add(1)).collect();
        Ok(Page::from_overfetch(found, limit, |tool: &Arc<Tool>| tool.spec.name.to_string()))
    }

    /// Whether this version runs, its runtime serves the caller, and the door would not deny every call of it.
    fn is_open(&self, view: &View<'_>, standing: Option<&Standing>, tool: &Tool) -> bool {
        tool.lifecycle.runs()
            && self.registry.serves(view.caller, tool)
            && may_ever_call(view, standing, &self.limits, tool)
    }

    /// The same resolution, unless it tells of a tool that is not listed for the caller. Such a tool answers as an invented name does.
    pub(crate) fn only_listed(
        &self,
        view: &View<'_>,
        snapshot: &Snapshot,
        called: &str,
        resolution: Resolution,
    ) -> Resolution {
        let (live, was_found) = match &resolution {
            Resolution::Found { tool, .. } => (tool, true),
            Resolution::Unknown { near: Some(tool), .. } => (tool, false),
            Resolution::Unknown { near: None, .. } => return resolution,
        };
        let standing = view.rules.standing(view.caller).map(|standing| &**standing);
        let name = &live.tool.spec.name;
        let is_listed = was_found && self.is_open(view, standing, &live.tool) || {
            // Lists show one version of a name; this may be another.
            let switches = view.rules.switches();
            let shown = snapshot.resolve(view.caller, view.surface, name.as_str(), view.now, switches, false);
            matches!(shown, Resolution::Found { tool, .. } if self.is_open(view, standing, &tool.tool))
        };
        match called.parse::<ToolRef>() {
            Ok(reference) if !is_listed => {
                let (tenant, caller) = (view.caller.tenant_id, view.caller.principal);
                tracing::info!(%tenant, %caller, tool = %name, "a tool was called that is not listed for the caller");
                Resolution::no_tool(&reference.name)
            }
            _ => resolution,
        }
    }

    /// Whether somebody could call this tool: the door would not deny every call of it.
    pub async fn is_at_hand(
        &self,
        caller: &Caller,
        surface: Surface,
        name: &str,
    ) -> Result<bool, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let snapshot = self.registry.snapshot(caller.tenant_id).await?;
        let standing = rules.standing(caller).map(|standing| &**standing);
        let view = View { caller, surface, rules: &rules, now: self.clock.now() };
        let resolved = snapshot.resolve(caller, surface, name, view.now, rules.switches(), false);
        let Resolution::Found { tool: live, .. } = resolved else { return Ok(false) };
        Ok(live.tool.lifecycle.runs() && may_ever_call(&view, standing, &self.limits, &live.tool))
    }

    /// Changes whenever the tools or the rules of some tenant may have changed. What it counts means nothing.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The same caller, with what they may do now; nobody when their credential is not good any more.
    pub async fn caller_now(&self, caller: &Caller) -> Result<Option<Caller>, StoreError> {
        self.somebody(caller.tenant_id, &caller.principal.to_string()).await
    }

    /// Waits until a call ends or asks something, for so long at most. `None` when there is no such call.
    pub async fn await_turn(
        &self,
        tenant: TenantId,
        id: InvocationId,
        patience: Duration,
    ) -> Result<Option<Turn>, StoreError> {
        let turn = async {
            let onlooker = self.onlookers.wait_for(id);
            let mut ledger = self.stores.signals.ledger();
            loop {
                let mut news = pin!(onlooker.news());
                // From here on nothing is missed: whatever happens is seen by the look, or told.
                news.as_mut().enable();
                ledger.mark_unchanged();
                match self.turn_of(tenant, id).await? {
                    Some(Turn::Waits(_)) => {}
                    other => return Ok(other),
                }
                let mut quiet = 0;
                loop {
                    tokio::select! {
                        () = &mut news => break,
                        () = tokio::time::sleep(LOOK_EVERY) => quiet += 1,
                    }
                    if quiet >= QUIET_LOOKS || ledger.has_changed().unwrap_or(true) {
                        break;
                    }
                }
            }
        };
        match tokio::time::timeout(patience, turn).await {
            Ok(turn) => turn,
            Err(_) => self.turn_of(tenant, id).await,
        }
    }

    /// Whose turn it is in a call; see [`Engine::await_turn`].
    pub async fn turn_of(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Turn>, StoreError> {
        let Some(row) = self.stores.invocations.get(tenant, id).await? else {
            return Ok(None);
        };
        if row.phase.is_terminal() {
            return Ok(Some(Turn::Ended(Box::new(row))));
        }
        let asking = self.asking(&row).await.map_err(|error| match error {
            RuleError::Store(error) => error,
            other => StoreError::Corrupt(other.to_string()),
        })?;
        Ok(Some(match asking {
            Some(asking) => Turn::Asks(Box::new(row), asking),
            None => Turn::Waits(Box::new(row)),
        }))
    }
}

/// Whose turn it is in a call.
#[derive(Clone, Debug)]
pub enum Turn {
    /// Nobody's.
    Ended(Box<Invocation>),
    /// Whoever made it.
    Asks(Box<Invocation>, Asking),
    /// The tool's, or a person's.
    Waits(Box<Invocation>),
}
