//! What was approved begins, once: whoever moves the row from `approved` to `running` first runs it.

use std::sync::Arc;

use toolgate_domain::{ErrorCode, EventType, Invocation, Phase, Step, Surface, ToolError};
use toolgate_store::StoreError;

use super::decide::is_expired;
use crate::{Engine, Refused, ledger::Advance};

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
        let engine = Arc::clone(self);
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            let id = row.id;
            if let Err(error) = engine.resume(row).await {
                tracing::error!(%error, invocation = %id, "an approved call could not be recorded");
            }
        });
    }

    async fn resume(self: &Arc<Self>, mut row: Invocation) -> Result<(), Refused> {
        let Ok(running) = row.phase.advance(Step::Start) else {
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
            return Ok(());
        }
        (row.phase, row.node_id, row.started_at) = (running, Some(self.node_id), Some(now));
        let refusal = match self.tool_of(&row).await? {
            Some(live) => match self.objection(&row, &live).await? {
                None => return self.run_approved(row, live).await.map(drop),
                Some(objection) => objection,
            },
            None => ToolError::new(ErrorCode::PolicyDenied, "the tool is gone"),
        };
        self.fail_approved(row, refusal).await.map(drop)
    }
}
