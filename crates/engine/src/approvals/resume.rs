//! What was approved begins, once: whoever moves the row from `approved` to `running` first runs it.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{ErrorCode, EventType, Invocation, InvocationId, Phase, Step, Surface, ToolError};
use toolgate_store::StoreError;

use super::decide::is_expired;
use crate::{
    Engine, Refused,
    executor::{Hand, Left},
    ledger::Advance,
    runs::is_team_run,
};

const PAGE: usize = 200;

impl Engine {
    /// Begins every approved call that waits, and ends every question that expired: after a start, and now and then, for calls
    /// whose process died between the decision and the start.
    pub(crate) async fn settle_decided(self: &Arc<Self>) -> Result<usize, StoreError> {
        let waiting = self.stores.invocations.decided(self.clock.now(), PAGE).await?;
        let mut settled = 0;
        for row in waiting {
            if row.phase == Phase::Approved {
                settled += 1;
                self.resume_in_background(row);
            } else if is_expired(&row, self.clock.now()) && self.expire(&row).await? {
                settled += 1;
            }
        }
        Ok(settled)
    }

    pub(super) fn resume_in_background(self: &Arc<Self>, row: Invocation) {
        // A process that stops begins nothing: the next one finds the call. What a client in the database asked for, it runs itself.
        if self.is_stopping() || row.surface == Surface::Sql {
            return;
        }
        // Who has it here begins it.
        let Some(hand) = self.hands.take(row.tenant_id, row.id, Left::Approved) else { return };
        let (engine, id) = (Arc::clone(self), row.id);
        self.run_in_background(id, async move { engine.resume(row, hand).await });
    }

    /// Begins a call that a person approved and this process moved to `running`, before it lost track of it.
    pub(crate) fn begin_in_background(self: &Arc<Self>, row: Invocation, hand: Hand) {
        let (engine, id) = (Arc::clone(self), row.id);
        self.run_in_background(id, async move { engine.begin_approved(row, hand).await });
    }

    fn run_in_background(
        self: &Arc<Self>,
        id: InvocationId,
        call: impl Future<Output = Result<(), Refused>> + Send + 'static,
    ) {
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            if let Err(error) = call.await {
                tracing::error!(%error, invocation = %id, "an approved call could not be recorded");
            }
        });
    }

    /// Only the process that moves the row from `approved` to `running` runs the call. A row that runs already is another's.
    async fn resume(self: &Arc<Self>, mut row: Invocation, hand: Hand) -> Result<(), Refused> {
        let Ok(running) = row.phase.advance(Step::Start) else {
            hand.done();
            return Ok(());
        };
        let now = self.clock.now();
        let step = Advance { step: Step::Start, event: EventType::Started, now, audit: vec![] };
        let claimed = self
            .advance(&row, step, |change| {
                (change.node_id, change.started_at) = (Some(self.node_id), Some(now));
            })
            .await?;
        // Otherwise another process runs it, or somebody cancelled it.
        if !claimed {
            hand.done();
            return Ok(());
        }
        (row.phase, row.node_id, row.started_at) = (running, Some(self.node_id), Some(now));
        self.begin_approved(row, hand).await
    }

    async fn begin_approved(self: &Arc<Self>, row: Invocation, hand: Hand) -> Result<(), Refused> {
        if self.is_unwanted(&row).await? {
            let refusal = ToolError::denied("the call that made this one is over, and nobody waits for it")
                .with_details(json!({"reason": "outer_call_over"}));
            return self.fail_approved(row, refusal, hand).await.map(drop);
        }
        let refusal = match self.tool_of(&row).await? {
            Some(live) => match self.objection(&row, &live).await? {
                None => return self.run_approved(row, live, hand).await.map(drop),
                Some(objection) => objection,
            },
            None => ToolError::new(ErrorCode::PolicyDenied, "the tool is gone"),
        };
        self.fail_approved(row, refusal, hand).await.map(drop)
    }

    /// Whether the call that made this one ended without it. What it asked in its last moment may still be there.
    async fn is_unwanted(&self, row: &Invocation) -> Result<bool, StoreError> {
        let Some(outer) = row.parent_id.filter(|_| !is_team_run(row)) else {
            return Ok(false);
        };
        let outer = self.stores.invocations.get(row.tenant_id, outer).await?;
        Ok(outer.is_some_and(|outer| matches!(outer.phase, Phase::Cancelled(_) | Phase::Failed(_))))
    }
}
