//! Stopping a call: the runtime is told, and the row ends `cancelled`.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use dashmap::DashMap;
use tokio_util::sync::CancellationToken;
use toolgate_domain::{
    AgentId, Caller, EventType, Invocation, InvocationId, Outcome, Phase, Scope, Step, TenantId, Tool,
};
use toolgate_store::{Signal, StoreError};

use super::{suspend::is_suspended, whose::Made};
use crate::{Engine, ledger::Advance};

/// How long a cancellation waits for the process that runs the call, before it answers with the call as it is.
pub(super) const ANOTHER_PROCESS_PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    #[error("there is no such invocation")]
    NotFound,
    #[error(
        "the call {0} is somebody else's: cancelling it takes the permission invocations.tenant.cancel \
         (the scope invocations:cancel of a key)"
    )]
    Forbidden(InvocationId),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The calls that run in this process.
#[derive(Default)]
pub(crate) struct InFlight {
    calls: DashMap<InvocationId, Flying>,
}

/// A call that runs in this process.
#[derive(Clone)]
pub(super) struct Flying {
    tenant_id: TenantId,
    agent_id: Option<AgentId>,
    /// A call of class `none` may run before it has a row that says whose it is.
    made: Arc<Made>,
    tool: Arc<Tool>,
    pub(super) cancel: CancellationToken,
    /// Why it was ended, when the rules ended it.
    pub(super) forbidden: Arc<OnceLock<String>>,
    /// It ends here and goes on elsewhere: the server stops.
    pub(super) put_away: Arc<AtomicBool>,
}

impl InFlight {
    pub(super) fn begin(
        &self,
        invocation: &Invocation,
        tool: &Arc<Tool>,
        cancel: CancellationToken,
    ) -> Flying {
        let flying = Flying {
            tenant_id: invocation.tenant_id,
            agent_id: invocation.agent_id,
            made: Arc::new(Made::of(invocation)),
            tool: Arc::clone(tool),
            cancel,
            forbidden: Arc::default(),
            put_away: Arc::default(),
        };
        self.calls.insert(invocation.id, flying.clone());
        flying
    }

    pub(super) fn end(&self, id: InvocationId) {
        self.calls.remove(&id);
    }

    fn cancel(&self, id: InvocationId) {
        if let Some(call) = self.calls.get(&id) {
            call.cancel.cancel();
        }
    }

    /// Whether the call is under way here.
    pub(super) fn has(&self, id: InvocationId) -> bool {
        self.calls.contains_key(&id)
    }

    fn is_of(&self, tenant: TenantId, id: InvocationId) -> bool {
        self.calls.get(&id).is_some_and(|call| call.tenant_id == tenant)
    }

    /// Whose call it is, where this process runs it for the tenant.
    fn made(&self, tenant: TenantId, id: InvocationId) -> Option<Made> {
        self.calls.get(&id).filter(|call| call.tenant_id == tenant).map(|call| Made::clone(&call.made))
    }

    pub(crate) fn cancel_all(&self) {
        self.calls.iter().for_each(|call| call.put_away());
    }
}

impl Flying {
    fn put_away(&self) {
        self.put_away.store(true, Ordering::Relaxed);
        self.cancel.cancel();
    }
}

impl Engine {
    /// Puts a call away that wants to go on while the server stops, if it can begin again: the next start goes on with it.
    pub(super) fn put_away(&self, id: InvocationId) -> bool {
        let Some(call) = self.in_flight.calls.get(&id).filter(|call| self.goes_on(&call.tool)) else {
            return false;
        };
        call.put_away();
        true
    }

    /// Whether a call of this tool that was broken off can begin again.
    pub(super) fn goes_on(&self, tool: &Tool) -> bool {
        let execution = &tool.spec.execution;
        self.runtimes.get(execution.kind.as_str()).is_some_and(|runtime| runtime.replays(execution))
    }

    /// Ends the calls of agents that may not make them any more: a tool was revoked or blocked, an agent paused or archived.
    pub(crate) async fn end_forbidden(&self, tenant: Option<TenantId>) -> Result<(), StoreError> {
        let concerned: Vec<Flying> = self
            .in_flight
            .calls
            .iter()
            .filter(|call| call.agent_id.is_some() && tenant.is_none_or(|tenant| tenant == call.tenant_id))
            .map(|call| call.value().clone())
            .collect();
        for call in concerned {
            self.forbid_if_revoked(&call).await?;
        }
        Ok(())
    }

    /// Ends an agent's call that the rules of this moment do not allow; `true` when it was ended. Asked when the rules change, and
    /// once when a call begins, for what changed between its decision and its place on the list.
    pub(super) async fn forbid_if_revoked(&self, call: &Flying) -> Result<bool, StoreError> {
        let Some(agent) = call.agent_id else {
            return Ok(false);
        };
        let rules = self.rules.snapshot(call.tenant_id).await?;
        let because = match rules.agents.get(&agent) {
            Some(standing) if standing.offers(&call.tool) => return Ok(false),
            Some(standing) => standing.assigned(&call.tool).err().unwrap_or_else(|| {
                format!("the agent {} may not call {} any more", standing.agent.handle, call.tool.spec.name)
            }),
            None => "the agent does not exist any more".to_owned(),
        };
        let _ = call.forbidden.set(because);
        call.cancel.cancel();
        Ok(true)
    }

    /// Cancels a call for a caller: one of their own, or any call with the permission for it. A call that the caller may not read
    /// is not there, as if the id were invented.
    pub async fn cancel_for(&self, caller: &Caller, id: InvocationId) -> Result<Invocation, CancelError> {
        let made = match self.in_flight.made(caller.tenant_id, id) {
            Some(made) => made,
            None => match self.stores.invocations.get(caller.tenant_id, id).await? {
                Some(row) => Made::of(&row),
                None => return Err(CancelError::NotFound),
            },
        };
        if !self.is_own(caller, made).await? {
            if caller.agent_id.is_some() || !caller.may(Scope::InvocationsRead) {
                return Err(CancelError::NotFound);
            }
            if !caller.may(Scope::InvocationsCancel) {
                return Err(CancelError::Forbidden(id));
            }
        }
        // Whoever could cancel should not be larger for it: few do.
        Box::pin(self.cancel(caller.tenant_id, id)).await
    }

    /// Cancels a call, wherever it runs, and waits for its end. A call that is over stays as it ended.
    pub async fn cancel(&self, tenant: TenantId, id: InvocationId) -> Result<Invocation, CancelError> {
        self.cancel_within(tenant, id, ANOTHER_PROCESS_PATIENCE).await
    }

    /// The same for whoever has only so much patience with the process that runs the call.
    pub(super) async fn cancel_within(
        &self,
        tenant: TenantId,
        id: InvocationId,
        patience: Duration,
    ) -> Result<Invocation, CancelError> {
        let mut running_here = self.in_flight.is_of(tenant, id);
        if running_here {
            self.in_flight.cancel(id);
        }
        loop {
            match self.stores.invocations.get(tenant, id).await? {
                Some(row) if row.phase.is_terminal() => return Ok(row),
                Some(row) if matches!(row.phase, Phase::Pending | Phase::Approved) || is_suspended(&row) => {
                    if let Some(ended) = self.withdraw(&row).await? {
                        self.abandon_children(&ended, patience).await;
                        return Ok(ended);
                    }
                }
                Some(row) => {
                    self.stores.signals.publish(Signal::Cancel(id)).await?;
                    if patience.is_zero() {
                        return Ok(row);
                    }
                    let ended = tokio::time::timeout(patience, self.until_terminal(tenant, id)).await;
                    return Ok(ended.unwrap_or(Ok(None))?.unwrap_or(row));
                }
                // A call of class `none` may run before it has a row; it gets one when it ends.
                None if running_here => {
                    let ended =
                        tokio::time::timeout(ANOTHER_PROCESS_PATIENCE, self.until_terminal(tenant, id)).await;
                    match ended.unwrap_or(Ok(None))? {
                        Some(row) => return Ok(row),
                        None => running_here = false,
                    }
                }
                None => return Err(CancelError::NotFound),
            }
        }
    }

    /// Stops a call where it runs here, or is about to.
    pub(crate) fn stop_here(&self, id: InvocationId) {
        self.in_flight.cancel(id);
        self.hands.cancel(id);
    }

    /// Whoever cancelled a call in the moment in which it went to wait found it running still, and waits for its end.
    pub(super) async fn withdraw_suspended(&self, row: &Invocation) {
        if let Err(error) = Box::pin(self.cancel(row.tenant_id, row.id)).await {
            tracing::warn!(%error, invocation = %row.id, "a cancelled call that waits cannot be withdrawn");
        }
    }

    /// Takes back a call that waits; `None` when it moved on meanwhile.
    async fn withdraw(&self, row: &Invocation) -> Result<Option<Invocation>, CancelError> {
        let now = self.clock.now();
        let withdrawn = self
            .advance(
                row,
                Advance { step: Step::Cancel, event: EventType::Cancelled, now, audit: vec![] },
                |change| {
                    change.completed_at = Some(now);
                    change.outcome =
                        Some(Outcome { error: Some(super::run::cancelled()), ..Outcome::default() });
                    change.reason = row.approval_required().then(|| "cancelled".to_owned());
                },
            )
            .await?;
        if !withdrawn {
            return Ok(None);
        }
        if matches!(row.phase, Phase::Running(_)) {
            // Since it was read, somebody may have taken it to go on with it; now that is for nobody.
            self.stop_here(row.id);
            if let Err(error) = self.stores.signals.publish(Signal::Cancel(row.id)).await {
                tracing::warn!(%error, invocation = %row.id, "other processes were not told of a cancellation");
            }
        }
        self.runtimes.values().for_each(|runtime| runtime.forget(row.id));
        Ok(self.stores.invocations.get(row.tenant_id, row.id).await?)
    }

    /// Follows the ledger until the call has ended.
    pub(super) async fn until_terminal(
        &self,
        tenant: TenantId,
        id: InvocationId,
    ) -> Result<Option<Invocation>, StoreError> {
        let mut ledger = self.stores.signals.ledger();
        loop {
            ledger.mark_unchanged();
            match self.stores.invocations.get(tenant, id).await? {
                Some(row) if row.phase.is_terminal() => return Ok(Some(row)),
                _ => {}
            }
            if ledger.changed().await.is_err() {
                return Ok(None);
            }
        }
    }
}
