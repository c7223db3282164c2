//! A call that waits goes on, here or elsewhere, when what it waits for is over: whoever takes its row first goes on with it.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{Invocation, InvocationId, Outcome, Phase, RunId, Step, TenantId, ToolError};
use toolgate_store::{StoreError, Takeover};

use super::{
    Refused,
    cancel::ANOTHER_PROCESS_PATIENCE,
    hands::{Hand, Left},
    prepare::Prepared,
    run::Flight,
    seal::Ending,
};
use crate::{Engine, Resumed, registry::LiveTool};

const PAGE: usize = 200;

impl Engine {
    /// Something that a call may wait for is over.
    pub(crate) fn wake_later(&self, tenant: TenantId, id: InvocationId) {
        // A process that stops begins nothing: the next one finds the call.
        let Some(engine) = self.myself.upgrade().filter(|engine| !engine.is_stopping()) else {
            return;
        };
        let working = engine.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            if let Err(error) = engine.wake(tenant, id).await {
                tracing::error!(%error, invocation = %id, "a call that waits cannot go on yet");
            }
        });
    }

    async fn wake(self: &Arc<Self>, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        let Some(row) = self.stores.invocations.get(tenant, id).await? else {
            return Ok(());
        };
        if !is_suspended(&row) || self.still_waits(&row).await? {
            return Ok(());
        }
        self.go_on(row).await
    }

    /// Goes on with every call that has nothing left to wait for: after a start, and now and then.
    pub(crate) async fn wake_ready(self: &Arc<Self>) -> Result<usize, StoreError> {
        let ready = self.stores.suspensions.ready(self.clock.now(), PAGE).await?;
        let found = ready.len();
        for row in ready {
            self.go_on(row).await?;
        }
        Ok(found)
    }

    /// What a call waits for, by id: a task, or calls that it made. Empty when it does not wait.
    pub async fn waits_for(&self, row: &Invocation) -> Result<Vec<String>, StoreError> {
        if !is_suspended(row) {
            return Ok(Vec::new());
        }
        let suspension = self.stores.suspensions.suspension(row.tenant_id, row.id).await?;
        if let Some(task) = suspension.and_then(|suspension| suspension.task_id) {
            return Ok(vec![task.to_string()]);
        }
        let most = usize::try_from(self.limits.max_inner_calls).unwrap_or(usize::MAX);
        let children = self.stores.suspensions.children(row.tenant_id, row.id, most).await?;
        Ok(children
            .iter()
            .filter(|child| !child.phase.is_terminal())
            .map(|child| child.id.to_string())
            .collect())
    }

    async fn still_waits(&self, row: &Invocation) -> Result<bool, StoreError> {
        let Some(suspension) = self.stores.suspensions.suspension(row.tenant_id, row.id).await? else {
            return Ok(true);
        };
        if suspension.wake_at.is_some_and(|at| at <= self.clock.now()) {
            return Ok(false);
        }
        if let Some(task) = suspension.task_id {
            return self.is_task_open(row.tenant_id, task).await;
        }
        let most = usize::try_from(self.limits.max_inner_calls).unwrap_or(usize::MAX);
        let children = self.stores.suspensions.children(row.tenant_id, row.id, most).await?;
        Ok(children.iter().any(|child| !child.phase.is_terminal()))
    }

    /// Takes the row and goes on in the background; nothing when another process was faster.
    async fn go_on(self: &Arc<Self>, mut row: Invocation) -> Result<(), StoreError> {
        // Who has it here goes on with it already, or is about to let it go and looks again then.
        let Some(hand) = self.hands.take(row.tenant_id, row.id, Left::Waiting) else {
            return Ok(());
        };
        if !self.stores.invocations.adopt(&row, self.node_id, Takeover::Run).await? {
            hand.done();
            return Ok(());
        }
        row.node_id = Some(self.node_id);
        self.go_on_in_background(row, hand);
        Ok(())
    }

    /// Goes on with a call that waited; its row is ours.
    pub(crate) fn go_on_in_background(self: &Arc<Self>, row: Invocation, hand: Hand) {
        let engine = Arc::clone(self);
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            let id = row.id;
            if let Err(error) = engine.continue_judged(row, hand).await {
                tracing::error!(%error, invocation = %id, "a call that waited could not be recorded");
            }
        });
    }

    /// The world may have changed while it waited: it is judged again before it does anything.
    async fn continue_judged(self: &Arc<Self>, row: Invocation, hand: Hand) -> Result<(), Refused> {
        let objection = match self.tool_of(&row).await? {
            Some(live) => match self.objection(&row, &live).await? {
                None => return self.continue_call(row, live, hand).await,
                Some(objection) => objection,
            },
            None => ToolError::denied("the tool was removed while its call waited".to_owned())
                .with_details(json!({"reason": "tool_gone"})),
        };
        self.fail_waiting(row, objection, hand).await
    }

    /// Runs a call that was begun before; its row is ours. It goes on from what it left behind when it waited, if it did.
    pub(crate) async fn continue_call(
        self: &Arc<Self>,
        row: Invocation,
        live: Arc<LiveTool>,
        hand: Hand,
    ) -> Result<(), Refused> {
        self.forget_tally(row.tenant_id, RunId::from_uuid(row.id.uuid()));
        let suspension = self.stores.suspensions.suspension(row.tenant_id, row.id).await?;
        let place = Arc::clone(&live.places)
            .acquire_owned()
            .await
            .map_err(|e| Refused::Unavailable(e.to_string()))?;
        let mut prepared = Prepared::recorded(row);
        prepared.caller = self.caller_of(&prepared.invocation).await?;
        self.place_again(&mut prepared, &live).await?;
        prepared.resumed = Some(Resumed { state: suspension.and_then(|suspension| suspension.state) });
        self.hold_again(&live.tool, &mut prepared).await?;
        if let Some(error) = prepared.secrets.unresolved.take() {
            return self.seal(prepared, failed(error, hand)).await.map(drop);
        }
        Flight::of_recorded(self, prepared, hand).fly(live, place).await.map(drop)
    }

    /// Ends a call that waited, with all that it left behind: what it asked, what it began, what its runtime keeps for it.
    async fn fail_waiting(
        self: &Arc<Self>,
        row: Invocation,
        error: ToolError,
        hand: Hand,
    ) -> Result<(), Refused> {
        self.abandon_children(&row, ANOTHER_PROCESS_PATIENCE).await;
        self.runtimes.values().for_each(|runtime| runtime.forget(row.id));
        self.stores.suspensions.forget_suspension(row.tenant_id, row.id).await?;
        self.seal(Prepared::recorded(row), failed(error, hand)).await.map(drop)
    }
}

fn failed(error: ToolError, hand: Hand) -> Ending {
    let outcome = Outcome { error: Some(error), ..Outcome::default() };
    Ending { step: Step::Fail, outcome, blobs: vec![], recorded: true, hand: Some(hand) }
}

/// Running, and held by no process.
pub(crate) fn is_suspended(row: &Invocation) -> bool {
    matches!(row.phase, Phase::Running(_))
        && row.node_id.is_none()
        && row.surface != toolgate_domain::Surface::Sql
}
