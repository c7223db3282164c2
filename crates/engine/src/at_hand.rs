//! What surfaces that keep up a conversation ask beside calls: which tools somebody has, whether that may have changed, and how a call
//! that waited ended.

use std::{ops::Bound, sync::Arc, time::Duration};

use tokio::sync::watch;
use toolgate_domain::{Caller, Invocation, InvocationId, Page, Surface, TenantId, Tool, ToolName};
use toolgate_store::StoreError;

use crate::{
    Engine,
    executor::may_ever_call,
    registry::{Resolution, View},
};

/// How often somebody who waits for a call looks at its row while others write to the ledger.
const LOOK_EVERY: Duration = Duration::from_millis(100);

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
            let resolved =
                snapshot.resolve(caller, surface, name.as_str(), view.now, rules.switches(), false);
            let Resolution::Found { tool: live, .. } = resolved else { return None };
            // A name that only an alias still has stands for a tool that is here under its own.
            let is_it = live.tool.spec.name == *name
                && live.tool.lifecycle.runs()
                && may_ever_call(&view, standing, &self.limits, &live.tool);
            is_it.then(|| Arc::clone(&live.tool))
        });
        let found = found.take(limit.saturating_add(1)).collect();
        Ok(Page::from_overfetch(found, limit, |tool: &Arc<Tool>| tool.spec.name.to_string()))
    }

    /// Changes whenever the tools or the rules of some tenant may have changed. What it counts means nothing.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The same caller, with what they may do now; nobody when their credential is not good any more.
    pub async fn caller_now(&self, caller: &Caller) -> Result<Option<Caller>, StoreError> {
        self.somebody(caller.tenant_id, &caller.principal.to_string()).await
    }

    /// Waits for the end of a call, for so long at most. `None` when there is no such call.
    pub async fn await_end(
        &self,
        tenant: TenantId,
        id: InvocationId,
        patience: Duration,
    ) -> Result<Option<Invocation>, StoreError> {
        let ended = async {
            let mut ledger = self.stores.signals.ledger();
            loop {
                ledger.mark_unchanged();
                match self.stores.invocations.get(tenant, id).await? {
                    Some(row) if !row.phase.is_terminal() => {}
                    other => return Ok(other),
                }
                if ledger.changed().await.is_err() {
                    return self.stores.invocations.get(tenant, id).await;
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        match tokio::time::timeout(patience, ended).await {
            Ok(ended) => ended,
            Err(_) => self.stores.invocations.get(tenant, id).await,
        }
    }
}
